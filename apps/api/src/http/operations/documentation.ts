import { readFileSync } from "node:fs";
import { JSON_TYPE } from "@groundrule/contract";
import { Refusal } from "@groundrule/service";
import type { Handler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import { SharedDocument } from "../exchange/shared-document.ts";
import { type Answer, defineOperation, type Operation, TEXT } from "./record/operation.ts";
import type { RenderPage } from "./record/service-parts.ts";

/** Pages load only the files of this service, and call only this service. */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
].join("; ");

/** The path of the first page of the documentation. */
export const DOCS_HOME = "/docs";

/** Headers of a page. */
export const PAGE_HEADERS: Readonly<Record<"Content-Type" | "Content-Security-Policy", string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
};

const FILES: Readonly<Record<string, string>> = {
  "docs.css": "text/css; charset=utf-8",
  "docs.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** Documentation takes no key, and stays the same as long as the service runs. */
const OPEN = { method: "GET", tag: "Operations", key: "none", query: "none" } as const;

function createTaggedAnswer(content: Answer["content"]): Answer {
  return { content, always: ["ETag", "Vary"] };
}

const PAGE = createTaggedAnswer({ "text/html": TEXT });

/** `GET /openapi.json` */
const openapi = defineOperation({
  ...OPEN,
  id: "openapi",
  path: "/openapi.json",
  summary: "This description",
  answer: createTaggedAnswer({ [JSON_TYPE]: { schema: { type: "object", additionalProperties: true } } }),
  codes: [],
  handler: ({ documentation }) => {
    const document = new SharedDocument(documentation.openapi, { "Content-Type": JSON_TYPE });
    return (c) => document.respond(c);
  },
});

/** `GET /docs` */
const reference = defineOperation({
  ...OPEN,
  id: "reference",
  path: DOCS_HOME,
  summary: "How to begin with this API, as a web page",
  answer: PAGE,
  codes: [],
  handler: ({ documentation }) =>
    createPagesHandler(undefined, documentation.reference, describeMissingReference),
});

/** `GET /docs/reference/{group}` */
const referenceGroup = defineOperation({
  ...OPEN,
  id: "referenceGroup",
  path: "/docs/reference/:group",
  summary: "This description as a web page: a group of operations, the schemas, or all of it",
  parameters: {
    group: {
      description: "Name of the group in small letters, `schemas` or `one-page`",
      schema: { type: "string", examples: ["verdicts", "schemas", "one-page"] },
      sample: "none",
    },
  },
  answer: PAGE,
  codes: ["NOT_FOUND"],
  handler: ({ documentation }) =>
    createPagesHandler("group", documentation.reference, describeMissingReference),
});

/** `GET /docs/errors`: the `type` of a problem points to the entry of its code. */
const errors = defineOperation({
  ...OPEN,
  id: "errors",
  path: "/docs/errors",
  summary: "The meaning of each error code, as a web page",
  answer: PAGE,
  codes: [],
  handler: ({ documentation }) => createPagesHandler(undefined, documentation.errors, () => "no errors"),
});

/** `GET /docs/guides` */
const guides = defineOperation({
  ...OPEN,
  id: "guides",
  path: "/docs/guides",
  summary: "The list of guides, as a web page, if this service has them",
  answer: PAGE,
  codes: ["NOT_FOUND"],
  handler: ({ documentation }) => createPagesHandler(undefined, documentation.guides, describeMissingGuide),
});

/** `GET /docs/guides/{page}` */
const guide = defineOperation({
  ...OPEN,
  id: "guide",
  path: "/docs/guides/:page",
  summary: "A guide, as a web page",
  parameters: {
    page: {
      description: "Name of the guide",
      schema: { type: "string", examples: ["embed"] },
      sample: "none",
    },
  },
  answer: PAGE,
  codes: ["NOT_FOUND"],
  handler: ({ documentation }) => createPagesHandler("page", documentation.guides, describeMissingGuide),
});

/** `GET /docs/{file}`: the files beside the pages. */
const referenceFile = defineOperation({
  ...OPEN,
  id: "referenceFile",
  path: "/docs/:file",
  summary: "A file of that page",
  parameters: {
    file: {
      description: "Name of the file",
      schema: { type: "string", enum: Object.keys(FILES) },
      sample: "none.css",
    },
  },
  answer: createTaggedAnswer({ "image/svg+xml": TEXT, "text/css": TEXT, "text/javascript": TEXT }),
  codes: ["NOT_FOUND"],
  handler: referenceFileHandler,
});

/** Pages about the service; `/docs/:file` comes after the pages that it would match too. */
export const DOCUMENTATION: readonly Operation[] = [
  openapi,
  reference,
  referenceGroup,
  errors,
  guides,
  guide,
  referenceFile,
];

/** Pages of a parameter of the path, each rendered for its first reader. */
function createPagesHandler(
  parameter: string | undefined,
  render: RenderPage,
  lacks: (name: string | undefined) => string,
): Handler<ApiEnv> {
  const kept = new Map<string, SharedDocument>();
  return (c) => {
    const name = parameter === undefined ? undefined : c.req.param(parameter);
    const known = kept.get(name ?? "");
    if (known !== undefined) return known.respond(c);
    const page = render(name);
    if (page === undefined) throw new Refusal("NOT_FOUND", `The documentation has ${lacks(name)}.`);
    const document = new SharedDocument(page, PAGE_HEADERS);
    kept.set(name ?? "", document);
    return document.respond(c);
  };
}

function describeMissingReference(name: string | undefined): string {
  return `no reference of "${name}"; /docs lists its pages`;
}

function describeMissingGuide(name: string | undefined): string {
  return name === undefined ? "no guides" : `no guide "${name}"; /docs/guides lists them`;
}

function referenceFileHandler(): Handler<ApiEnv> {
  const kept = new Map<string, SharedDocument>();
  return (c) => {
    const file = c.req.param("file") ?? "";
    const mediaType = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
    if (mediaType === undefined) throw new Refusal("NOT_FOUND", `The documentation has no file "${file}".`);
    const known =
      kept.get(file) ??
      new SharedDocument(readFileSync(new URL(`../docs/${file}`, import.meta.url)), {
        "Content-Type": mediaType,
      });
    kept.set(file, known);
    return known.respond(c);
  };
}

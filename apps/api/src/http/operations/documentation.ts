import { readFileSync } from "node:fs";
import { Refusal } from "@groundrule/service";
import type { Handler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import { SharedDocument } from "../exchange/shared-document.ts";

/** The pages load what lies beside them, and ask this service; nothing is fetched from elsewhere. */
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

const HEADERS = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY };

const FILES: Readonly<Record<string, string>> = {
  "docs.css": "text/css; charset=utf-8",
  "docs.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** Names of the files beside the pages. */
export const REFERENCE_FILES: readonly string[] = Object.keys(FILES);

/**
 * `GET /docs/errors`: what each code means. The `type` of a problem points to the entry of its code.
 *
 * @param render makes the page
 */
export function errorsPageHandler(render: () => string): Handler<ApiEnv> {
  return pagesHandler("", render, () => "no errors");
}

/**
 * `GET /docs/guides` and `GET /docs/guides/{page}`.
 *
 * @param render makes the page of a name, or the list of them for none; undefined where there is none
 */
export function guidesHandler(render: (name: string | undefined) => string | undefined): Handler<ApiEnv> {
  return pagesHandler("page", render, (name) =>
    name === undefined ? "no guides" : `no guide "${name}"; /docs/guides lists them`,
  );
}

/**
 * `GET /docs` and `GET /docs/reference/{group}`: the description as pages.
 *
 * @param render makes the page of a group, or how to begin for none; undefined where there is none
 */
export function referencePageHandler(
  render: (name: string | undefined) => string | undefined,
): Handler<ApiEnv> {
  return pagesHandler("group", render, (name) => `no reference of "${name}"; /docs lists its pages`);
}

/** Pages of a parameter of the path, each made when it is first asked for. */
function pagesHandler(
  parameter: string,
  render: (name: string | undefined) => string | undefined,
  lacks: (name: string | undefined) => string,
): Handler<ApiEnv> {
  const kept = new Map<string, SharedDocument>();
  return (c) => {
    const name = c.req.param(parameter);
    const known = kept.get(name ?? "");
    if (known !== undefined) return known.respond(c);
    const page = render(name);
    if (page === undefined) throw new Refusal("NOT_FOUND", `The documentation has ${lacks(name)}.`);
    const document = new SharedDocument(page, HEADERS);
    kept.set(name ?? "", document);
    return document.respond(c);
  };
}

/** `GET /docs/{file}` */
export function referenceFileHandler(): Handler<ApiEnv> {
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

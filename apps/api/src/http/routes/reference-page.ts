import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Refusal } from "@groundrule/service";
import type { Handler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import { SharedDocument } from "../exchange/shared-document.ts";

const require = createRequire(import.meta.url);

/** What the page is made of, from the package that is installed here: nothing is fetched from elsewhere. */
const FILES: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

/** Files that were asked for. */
const read = new Map<string, SharedDocument>();

const START = "start.js";

/** Names of the files beside the page. */
export const REFERENCE_FILES: readonly string[] = [...Object.keys(FILES), START];

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>groundrule API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/${START}"></script>
</html>
`;

const START_SCRIPT =
  'SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null });\n';

/** The page runs the scripts that lie beside it, and no others. */
const PAGE_POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "frame-ancestors 'none'",
].join("; ");

const HTML = "text/html; charset=utf-8";

const page = new SharedDocument(PAGE, { "Content-Type": HTML, "Content-Security-Policy": PAGE_POLICY });

/** `docs/errors.md` as a page; `npm run docs:errors` writes it. */
const errorsPage = new SharedDocument(readFileSync(new URL("./errors.html", import.meta.url)), {
  "Content-Type": HTML,
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
});

const start = new SharedDocument(START_SCRIPT, { "Content-Type": "text/javascript; charset=utf-8" });

/** `GET /docs`: the description as a page, that works without a network. */
export const referencePageHandler: Handler<ApiEnv> = (c) => page.respond(c);

/** `GET /docs/errors`: what each code means. The `type` of a problem points to the entry of its code. */
export const errorsPageHandler: Handler<ApiEnv> = (c) => errorsPage.respond(c);

/** `GET /docs/{file}` */
export const referenceFileHandler: Handler<ApiEnv> = (c) => {
  const file = c.req.param("file") ?? "";
  if (file === START) return start.respond(c);
  const mediaType = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
  if (mediaType === undefined) throw new Refusal("NOT_FOUND", `The documentation has no file "${file}".`);
  const known =
    read.get(file) ??
    new SharedDocument(readFileSync(require.resolve(`swagger-ui-dist/${file}`)), {
      "Content-Type": mediaType,
    });
  read.set(file, known);
  return known.respond(c);
};

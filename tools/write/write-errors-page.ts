// Writes apps/api/src/http/routes/errors.html, the page of docs/errors.md as the service serves it:
// `npm run docs:errors`.
import { readFileSync, writeFileSync } from "node:fs";
import { renderErrorsPage } from "../../apps/api/src/http/docs/errors-page.ts";

const source = new URL("../../docs/errors.md", import.meta.url);
const page = new URL("../../apps/api/src/http/routes/errors.html", import.meta.url);
writeFileSync(page, renderErrorsPage(readFileSync(source, "utf8")));

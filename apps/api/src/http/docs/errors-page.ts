import { existsSync, readFileSync } from "node:fs";
import { html, markTrustedHtml } from "./html.ts";
import { renderDocsPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";

/** The file's place in the package, in the repository and in the single program. */
const PLACES = ["./errors.md", "../../../../../docs/errors.md"].map(
  (place) => new URL(place, import.meta.url),
);

/** `docs/errors.md` as a page; the `type` of a problem links into it. */
export function renderErrorsPage(): string {
  const markdown = readFileSync(PLACES.find((place) => existsSync(place))!, "utf8");
  const { title, html: text, contents } = renderMarkdown(markdown, resolveGuideLink);
  const [, heading = "", rest = ""] = /^(<h1[\s\S]*?<\/h1>\n)([\s\S]*)$/.exec(text.text) ?? [];
  const main = html`${markTrustedHtml(heading)}<form id="filter" role="search" hidden><label for="filter-text">Find a code</label>
<input id="filter-text" type="search" autocomplete="off" spellcheck="false" placeholder="Code, status or words">
<p id="filter-count" role="status"></p></form>
${markTrustedHtml(rest.replace(ENTRY, renderErrorEntry))}`;
  return renderDocsPage({
    title,
    path: "/docs/errors",
    side: { name: "On this page", links: contents },
    main,
  });
}

/** The entry of an HTTP code in the file: heading, status and meaning, an example, what to do. */
const ENTRY =
  /(<h3 id="[^"]*">.*?)<\/h3>\n<p>Status (\d{3})\. ([\s\S]*?<\/p>\n[\s\S]*?)(<p><strong>What to do\.<\/strong>[\s\S]*?<\/p>\n)(?=<h[23]|$)/g;

/** Readers come from a problem that names the code, so the remedy comes first. */
function renderErrorEntry(
  _: string,
  heading: string,
  status: string,
  meaning: string,
  remedy: string,
): string {
  return `<section class="error">${heading} <span class="pill">${status}</span></h3>\n${remedy}<p>${meaning}</section>\n`;
}

function resolveGuideLink(href: string): string {
  const [, guide, anchor = ""] = /^guides\/([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (guide !== undefined) return `/docs/guides/${guide}${anchor}`;
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  return new URL(href, "https://github.com/groundrule/groundrule/blob/main/docs/").href;
}

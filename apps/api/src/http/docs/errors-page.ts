import { html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";

/** `docs/errors.md` as the page that the service serves, and that the `type` of a problem points into. */
export function renderErrorsPage(markdown: string): string {
  const { title, html: text, contents } = renderMarkdown(markdown, linkOf);
  return renderPage({ title, path: "/docs/errors", contents, main: html`${text}` });
}

function linkOf(href: string): string {
  const [, guide, anchor = ""] = /^guides\/([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (guide !== undefined) return `/docs/guides/${guide}${anchor}`;
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  return new URL(href, "https://github.com/groundrule/groundrule/blob/main/docs/").href;
}

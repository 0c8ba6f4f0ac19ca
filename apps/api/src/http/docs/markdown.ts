import { Marked, type Tokens } from "marked";
import { renderCodeBlock } from "./code.ts";
import { escapeHtml, type Html, markTrustedHtml } from "./html.ts";
import type { NavLink } from "./layout.ts";

/** A rendered Markdown page, with links to its headings. */
export interface RenderedMarkdown {
  readonly title: string;
  readonly html: Html;
  readonly contents: readonly NavLink[];
}

/**
 * Renders one of our pages. HTML within it is shown as text, except comments, which are dropped.
 *
 * @param linkOf returns the target of a link as served
 */
export function renderMarkdown(markdown: string, linkOf: (href: string) => string): RenderedMarkdown {
  const contents: (NavLink & { readonly below: NavLink[] })[] = [];
  let title = "";
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      html: ({ text }) => (text.trimStart().startsWith("<!--") ? "" : escapeHtml(text)),
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = buildHeadingAnchor(text, taken);
        if (depth === 1) title = stripMarkdownMarkup(text);
        if (depth === 2) contents.push({ href: `#${id}`, text: stripMarkdownMarkup(text), below: [] });
        if (depth === 3) contents.at(-1)?.below.push({ href: `#${id}`, text: stripMarkdownMarkup(text) });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(linkOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ text }) => `<em>${escapeHtml(text)}</em>`,
      code: ({ text, lang }) => `${renderCodeBlock(text, lang).text}\n`,
      table(token: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const body = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        const head = `<thead><tr>${cells(token.header, "th")}</tr></thead>`;
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`;
      },
    },
  });
  const body = marked.parse(markdown, { async: false });
  return { title, html: markTrustedHtml(body), contents };
}

/** The anchor that GitHub creates for a heading, so that links into the page work there as well. */
function buildHeadingAnchor(text: string, taken: Map<string, number>): string {
  const plainText = stripMarkdownMarkup(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
  const before = taken.get(plainText) ?? 0;
  taken.set(plainText, before + 1);
  return before === 0 ? plainText : `${plainText}-${before}`;
}

function stripMarkdownMarkup(text: string): string {
  return text.replaceAll("`", "").replaceAll("**", "");
}

/** Markup whose text has been escaped. Made only by {@link html} and {@link toRawHtml}. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A part of markup: text is escaped, markup is not, undefined and false are empty. */
export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[];

/** Markup from a template: every text put in is escaped, for elements and for quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let text = strings[0]!;
  for (const [i, part] of parts.entries()) text += renderHtmlPart(part) + strings[i + 1]!;
  return new Html(text);
}

/** Markup from text that is safe as it stands: of our own making, or escaped. */
export function toRawHtml(text: string): Html {
  return new Html(text);
}

/** A page that loads nothing and runs nothing but the scripts that `policy` allows. */
export function renderHtmlDocument(
  page: {
    readonly language: string;
    readonly title: HtmlPart;
    readonly style: string;
    readonly policy?: string;
  },
  content: HtmlPart,
  script?: Html,
): string {
  const body = html`<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${toRawHtml(page.policy ?? "")}">
<title>${page.title}</title>
<style>${toRawHtml(page.style)}</style>
</head>
<body>
<main>
${content}
</main>
${script !== undefined && html`${script}\n`}</body>
</html>`;
  return `<!doctype html>\n${body.text}\n`;
}

/** Text from data: in an element that keeps its direction of writing from its neighbours. */
export function renderDataText(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** A source's name, which may break where its words end. */
export function renderSourceName(name: string): Html {
  return toRawHtml(escapeHtml(name).replace(/[:_]/g, "$&<wbr>"));
}

function renderHtmlPart(part: HtmlPart): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(renderHtmlPart).join("");
  return escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return replaceControlCharacters(text).replace(/[&<>"']/g, (letter) => ENTITIES[letter]!);
}

/** Text whose controls and marks that reorder it are shown as U+FFFD; joiners that scripts need are kept. */
export function replaceControlCharacters(text: string): string {
  return text.replace(/(?![\n\t\u{200c}\u{200d}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\u{fffd}");
}

/** Text that already is HTML; only {@link html} and {@link markTrustedHtml} create it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** HTML from a template; inserted parts are escaped unless they already are HTML. Undefined inserts nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, i) => text + renderTemplatePart(parts[i])).join(""));
}

/** Marks text as HTML that we wrote ourselves. */
export function markTrustedHtml(text: string): Html {
  return new Html(text);
}

function renderTemplatePart(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(renderTemplatePart).join("") : escapeHtml(String(part));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Renders text with code between backticks. */
export function renderInlineCode(text: string): Html {
  const parts = text.split("`");
  return new Html(
    parts.map((part, i) => (i % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part))).join(""),
  );
}

/** Text that is HTML already: only what {@link html} and {@link trusted} make. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** HTML from a template; what is put into it is escaped unless it is HTML already. Undefined is nothing. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, i) => text + written(parts[i])).join(""));
}

/** HTML that was written by us. */
export function trusted(text: string): Html {
  return new Html(text);
}

function written(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(written).join("") : escaped(String(part));
}

export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Text with code between backticks. */
export function inline(text: string): Html {
  const parts = text.split("`");
  return new Html(
    parts.map((part, i) => (i % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part))).join(""),
  );
}

import { type FilterText, formatExcerpt, readFilterText, type Span } from "./read-filter-text.ts";

/** The filters of a ruleset that are text: findings about a part of one have its place in the text. */
export class FilterTexts {
  readonly #texts = new Map<string, FilterText>();

  /** @param pointer of the member that the text is the value of */
  read(text: string, pointer: string): FilterText {
    const read = readFilterText(text);
    this.#texts.set(pointer, read);
    return read;
  }

  /**
   * The pointer of the text and the message with the place, for what is below a text; else both as they are.
   *
   * @param pointer as of the same filter in JSON
   */
  locate(
    pointer: string,
    message: string,
    code: string,
  ): { readonly pointer: string; readonly message: string } {
    for (const [at, filter] of this.#texts) {
      if (!pointer.startsWith(at) || (pointer.length > at.length && pointer[at.length] !== "/")) continue;
      return { pointer: at, message: locateMessage(filter, pointer.slice(at.length), message, code) };
    }
    return { pointer, message };
  }
}

function locateMessage(filter: FilterText, below: string, message: string, code: string): string {
  const { text } = filter;
  if ("fault" in filter) {
    const { start } = filter.fault;
    return start === text.length
      ? `at the end: ${message}`
      : `at character ${countCharactersTo(text, start)}: ${message}`;
  }
  const { start, end } = findSpanBelow(filter.span, below);
  const isQuoted = code === "COLUMN_UNKNOWN" && text[start] === '"';
  const mend = isQuoted ? "; write a name in double quotes, a text in single quotes: '…'" : "";
  return `at character ${countCharactersTo(text, start)} (${formatExcerpt(text, start, end)}): ${message}${mend}`;
}

/** The place of what a pointer such as `/args/0/property` names. */
function findSpanBelow(span: Span, below: string): Span {
  let found = span;
  for (const step of below.split("/"))
    found = /^\d+$/.test(step) ? (found.parts?.[Number(step)] ?? found) : found;
  return found;
}

/** Characters (code points) up to a place, from 1. */
function countCharactersTo(text: string, offset: number): number {
  let count = 1;
  for (let i = 0; i < offset; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) count++;
  return count;
}

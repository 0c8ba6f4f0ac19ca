import { stripVTControlCharacters } from "node:util";
import { toPrintable } from "./terminal.ts";

const INDENT = "    ";

/** The lines of a text, indented and wrapped between words at the width of the terminal. */
export function indentAndWrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of toPrintable(text).split(" ")) {
    if (line !== "" && INDENT.length + line.length + 1 + word.length > width) {
      lines.push(INDENT + line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, INDENT + line];
}

/**
 * Wraps a line of text between words at `width` columns. Continuation lines are aligned with the text of the first:
 * after its indent and a label followed by two spaces. Colours take no columns.
 */
export function wrapLine(line: string, width: number): string[] {
  if (measureTextWidth(line) <= width) return [line];
  const label = /^ *(?:\S+ {2,})?/.exec(line)![0];
  const under = " ".repeat(label.length > 0 && label.length < width / 2 ? label.length : 2);
  const lines: string[] = [];
  let current = label;
  let isEmpty = true;
  for (const word of line.slice(label.length).split(" ")) {
    if (!isEmpty && measureTextWidth(current) + 1 + measureTextWidth(word) > width) {
      lines.push(current);
      current = under + word;
    } else current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current];
}

/** Columns of a text: colour sequences take none. */
function measureTextWidth(text: string): number {
  return stripVTControlCharacters(text).length;
}

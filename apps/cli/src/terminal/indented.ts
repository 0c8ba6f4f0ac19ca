import { printable } from "./terminal.ts";

const INDENT = "    ";

/** The lines of a text, indented and broken between words where they are wider than the terminal. */
export function indented(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of printable(text).split(" ")) {
    if (line !== "" && INDENT.length + line.length + 1 + word.length > width) {
      lines.push(INDENT + line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, INDENT + line];
}

/** A fenced block of a page, and what its page says about running it. */
export interface Fence {
  readonly page: string;
  /** Line of the fence's first line of content, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Why it does not run, where the page says so. */
  readonly notRun?: string;
  /** Why it is checked for types and no more. */
  readonly typesOnly?: string;
  /** The name under which it lies among the files of the other fences. */
  readonly file?: string;
  /** Goes on where the page's previous fence of its language ended. */
  readonly continues: boolean;
  /** The exit code that its last command ends with. */
  readonly exit: number;
}

/**
 * The fences of a page of Markdown, in order. A comment on the line above a fence says what is special:
 * `<!-- not run: REASON -->`, `<!-- types only: REASON -->`, `<!-- file: NAME -->`, `<!-- continues -->`,
 * `<!-- exit: CODE -->`.
 *
 * Fails: an `Error` for a fence that is not closed, and for a comment that begins like these and is none.
 */
export function parseFences(page: string, markdown: string): Fence[] {
  const lines = markdown.split("\n");
  const fences: Fence[] = [];
  for (let i = 0; i < lines.length; i++) {
    const opening = /^(\s*)```(\S*)/.exec(lines[i]!);
    if (opening === null) continue;
    const [, indent = "", language = ""] = opening;
    const end = lines.findIndex((line, j) => j > i && line.trimEnd() === `${indent}\`\`\``);
    if (end < 0) throw new Error(`${page}:${i + 1}: the fence is not closed`);
    const text = lines
      .slice(i + 1, end)
      .map((line) => line.slice(indent.length))
      .join("\n");
    fences.push({ page, line: i + 2, language, text, ...parseFenceMarks(page, i, lines) });
    i = end;
  }
  return fences;
}

/** A page whose fences are empty lines. */
export function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^ *```.*?^ *```/gms, (fence) => fence.replaceAll(/[^\n]/g, ""));
}

type Marks = Omit<Fence, "page" | "line" | "language" | "text">;

function parseFenceMarks(page: string, opening: number, lines: readonly string[]): Marks {
  const said = new Map<string, string>();
  let above = opening - 1;
  if (lines[above]?.trim() === "") above--; // formatters put an empty line between a comment and a fence
  for (; above >= 0; above--) {
    const comment = /^\s*<!-- (not run|types only|file|continues|exit)(?:: (.*))? -->$/.exec(lines[above]!);
    if (comment === null) break;
    said.set(comment[1]!, comment[2] ?? "");
  }
  for (const mark of ["not run", "types only", "file"]) {
    if (said.get(mark) === "") throw new Error(`${page}:${opening}: "${mark}" is followed by nothing`);
  }
  return {
    ...(said.has("not run") && { notRun: said.get("not run")! }),
    ...(said.has("types only") && { typesOnly: said.get("types only")! }),
    ...(said.has("file") && { file: said.get("file")! }),
    continues: said.has("continues"),
    exit: Number(said.get("exit") ?? 0),
  };
}

/** A word of a command line. */
export interface Word {
  readonly value: string;
  /** Quoted signs mean nothing to the shell. */
  readonly plain: boolean;
}

/**
 * The words of a line, quotes taken off; `|`, `<` and `>` are words of their own, and a placeholder such as `${name}` is
 * part of one. A comment ends the line. A prompt before it is left out.
 */
export function splitShellWords(line: string): Word[] {
  const words: Word[] = [];
  for (const [token] of line
    .trim()
    .replace(/^\$ /, "")
    .matchAll(/#.*|[|<>](?!\w+>)|(?:'[^']*'|"(?:[^"\\]|\\.)*"|\$\{(?:[^{}]|\{[^}]*\})*\}|[^\s<>'"])+/g)) {
    if (token.startsWith("#")) break;
    const value = token.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"/g,
      (_, single, double: string | undefined) => single ?? double!.replaceAll(/\\(.)/g, "$1"),
    );
    words.push({ value, plain: value === token });
  }
  return words;
}

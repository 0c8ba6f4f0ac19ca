/** A word of a command line as a shell of POSIX takes it. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command to repeat, from its words. */
export function commandText(words: readonly string[]): string {
  return ["groundrule", ...words].map(shellWord).join(" ");
}

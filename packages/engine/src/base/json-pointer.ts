/**
 * JSON pointer (RFC 6901) to what a path of names and numbers leads to. Half a surrogate pair, which no
 * pointer can hold, becomes U+FFFD.
 */
export function formatJsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${escapePointerToken(String(key).toWellFormed())}`).join("");
}

/**
 * A member's name as a token of a JSON pointer (RFC 6901 §3).
 *
 * @param name the name of a member, as it is
 */
export function escapePointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The names that a JSON pointer goes through, the outermost first. */
export function parseJsonPointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

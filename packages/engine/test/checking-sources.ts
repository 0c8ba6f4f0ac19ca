/** The sources that check a snapshot: what they find is named by the first argument of `throwSnapshotCorrupt` or `refuse`. */
export const CHECKING_SOURCES: readonly URL[] = [
  "snapshot/read/reader.ts",
  "snapshot/read/sections.ts",
  "snapshot/read/meta.ts",
  "snapshot/read/columns.ts",
  "snapshot/read/coverage.ts",
  "snapshot/read/areas.ts",
  "snapshot/read/raster.ts",
  "snapshot/read/register.ts",
  "snapshot/read/gram-index.ts",
  "geometry/trees/ring-index.ts",
].map((path) => new URL(`../src/${path}`, import.meta.url));

/** A call that refuses a file: its arguments as far as the check's name, and the name. */
export const REFUSAL: RegExp = /\b(?:throwSnapshotCorrupt|refuse)\((\s*"([^"]+)")/g;

/** Names of the checks that a source makes. */
export function listCheckNames(source: string): Set<string> {
  return new Set([...source.matchAll(REFUSAL)].map((match) => match[2]!));
}

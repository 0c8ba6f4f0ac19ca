/** Names that were made plain: files have few of them, and each in every plot. */
const made = new Map<string, string>();
const MOST_MADE = 4096;

/**
 * A name without differences that do not matter: case, accents, spaces, dots, hyphens, underscores, slashes and
 * brackets.
 *
 * @param name as a file has it
 */
export function toPlainName(name: string): string {
  const known = made.get(name);
  if (known !== undefined) return known;
  const plain = name
    .normalize("NFKD")
    .replace(/[\p{M}\s._\-/()[\]]/gu, "")
    .toLowerCase();
  if (made.size >= MOST_MADE) made.clear();
  made.set(name, plain);
  return plain;
}

/** Length to which a dBase table, and so a Shapefile, cuts a name. */
const CUT_LENGTH = 10;

/**
 * True if a name is what a Shapefile keeps of a longer one: `ProducerNa` of `ProducerName`, `producer_c` of its
 * country.
 */
export function isCutOf(written: string, name: string): boolean {
  if (written.length !== CUT_LENGTH) return false;
  const [cut, plain] = [toPlainName(written), toPlainName(name)];
  return cut.length < plain.length && plain.startsWith(cut);
}

/**
 * The column of a name: as it is written, else the only one that differs in nothing that matters, or is cut.
 *
 * @param name as rules or people write it
 */
export function columnNamed(columns: Iterable<string>, name: string): string | undefined {
  const all = [...columns];
  if (all.includes(name)) return name;
  const alike = all.filter((one) => toPlainName(one) === toPlainName(name));
  const meant = alike.length > 0 ? alike : all.filter((one) => isCutOf(one, name));
  return meant.length === 1 ? meant[0] : undefined;
}

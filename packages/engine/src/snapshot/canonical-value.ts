/**
 * The canonical form of an identifier's value, in which values are stored, compared and hashed.
 *
 * Compatibility forms are unified (NFKC), spaces, dashes, dots, slashes, parentheses and characters without a
 * shape of their own (Default_Ignorable_Code_Point) stripped, letters upper-cased without regard to locale.
 * Idempotent. May be empty; the caller decides what an empty value means.
 *
 * @param value in any spelling
 */
export function canonicalizeValue(value: string): string {
  return canonicalizeAscii(value) ?? canonicalizeAny(value, STRIPPED);
}

/**
 * The canonical form in which registers were stored before default-ignorable characters were stripped. It differs
 * from {@link canonicalizeValue} only for values that contain some.
 */
export function formerCanonicalValue(value: string): string {
  return canonicalizeAscii(value) ?? canonicalizeAny(value, SEPARATORS);
}

function canonicalizeAny(value: string, stripped: RegExp): string {
  // Upper-casing and stripping can leave sequences that compose, so the form is taken once more.
  return value.normalize("NFKC").replace(stripped, "").toUpperCase().normalize("NFKC");
}

/** The canonical form of ASCII, which has no other forms to unify; undefined of any other text. */
function canonicalizeAscii(value: string): string | undefined {
  let canonical = "";
  let from = 0;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit > 127) return undefined;
    if (ASCII_SEPARATORS[unit] === 0) continue;
    canonical += value.slice(from, i);
    from = i + 1;
  }
  return (from === 0 ? value : canonical + value.slice(from)).toUpperCase();
}

// Characters to strip are listed code point by code point rather than by Unicode property: hosts know different versions of
// Unicode, and canonical values must not depend on which.

const SEPARATOR_CLASSES: readonly string[] = [
  // White_Space, zero width space, zero width no-break space
  "[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]",
  // Dash_Punctuation, soft hyphen, minus sign
  "[\\u002d\\u00ad\\u058a\\u05be\\u1400\\u1806\\u2010-\\u2015\\u2212\\u2e17\\u2e1a\\u2e3a\\u2e3b\\u2e40\\u2e5d]",
  "[\\u301c\\u3030\\u30a0\\ufe31\\ufe32\\ufe58\\ufe63\\uff0d\\u{10d6e}\\u{10ead}]",
  // full stop; solidus, fraction slash, division slash; parentheses
  "[.\\u002f\\u2044\\u2215()]",
];

/**
 * Default_Ignorable_Code_Point without those that are separators, as ranges: marks of joining, direction and
 * variation, fillers, tags.
 */
export const IGNORABLE_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200c, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const SEPARATORS: RegExp = new RegExp(SEPARATOR_CLASSES.join("|"), "gu");
const STRIPPED: RegExp = new RegExp(
  [
    ...SEPARATOR_CLASSES,
    ...IGNORABLE_RANGES.map(([first, last]) => `[\\u{${first.toString(16)}}-\\u{${last.toString(16)}}]`),
  ].join("|"),
  "gu",
);

/** 1 for each ASCII character that is stripped. */
const ASCII_SEPARATORS: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) =>
  canonicalizeAny(String.fromCharCode(unit), STRIPPED) === "" ? 1 : 0,
);

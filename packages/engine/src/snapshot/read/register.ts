import { compareUtf8, decodeUtf8 } from "../../base/utf8.ts";
import { canonicalValue } from "../canonical-value.ts";
import { SECTION } from "../format.ts";
import type { SnapshotMeta } from "../snapshot.ts";
import { readTexts } from "./columns.ts";
import { corrupt } from "./corrupt.ts";
import { checkOffsets, readUint32, type SnapshotFileView } from "./sections.ts";
import type { StoredTexts } from "./stored-columns.ts";
import { StoredIdentifiers } from "./stored-identifiers.ts";

/** The identifiers of a register, and what they are made of. */
export interface Identifiers {
  readonly identifiers: StoredIdentifiers;
  readonly canonical: StoredTexts;
  readonly values: StoredTexts;
  readonly rows: Uint32Array;
  readonly schemeOf: (i: number) => string;
}

/** The identifiers of a register, in place; each has a record, and they ascend. */
export function readIdentifiers(file: SnapshotFileView, meta: SnapshotMeta): Identifiers {
  const { name, counts } = file;
  const { schemes } = meta;
  const count = counts.identifierCount;
  const schemeStarts = readUint32(file, SECTION.IDENTIFIER_SCHEMES, schemes.length + 1);
  checkOffsets(file, SECTION.IDENTIFIER_SCHEMES, schemeStarts, count);
  const canonical = readTexts(file, SECTION.IDENTIFIER_CANONICAL, count);
  const values = readTexts(file, SECTION.IDENTIFIER_VALUES, count);
  const rows = readUint32(file, SECTION.IDENTIFIER_ROWS, count);
  for (const [s, scheme] of schemes.entries()) {
    const start = schemeStarts[s]!;
    const end = schemeStarts[s + 1]!;
    if (start === end)
      corrupt("identifier.scheme", name, "IDENTIFIER_SCHEMES", `no identifier of ${scheme}`, "at least one");
    for (let i = start; i < end; i++) {
      const row = rows[i]!;
      if (row >= counts.rowCount) {
        corrupt(
          "identifier.row",
          name,
          "IDENTIFIER_ROWS",
          `row ${row} at identifier ${i}`,
          `a row below ${counts.rowCount}`,
        );
      }
      if (canonical.offsets[i] === canonical.offsets[i + 1]) {
        corrupt(
          "identifier.canonical",
          name,
          "IDENTIFIER_CANONICAL",
          `an empty value at identifier ${i}`,
          "at least one character",
        );
      }
      if (i > start && !identifierPrecedes(i - 1, i, canonical, rows, values)) {
        const found = `identifier ${i} out of order`;
        corrupt(
          "identifier.order",
          name,
          "IDENTIFIER_CANONICAL",
          found,
          "ascending canonical values, rows and values",
        );
      }
    }
  }
  const ranks = new Uint32Array(count);
  for (let s = 0; s < schemes.length; s++) ranks.fill(s, schemeStarts[s]!, schemeStarts[s + 1]!);
  const schemeOf = (i: number): string => schemes[ranks[i]!]!;
  const identifiers = new StoredIdentifiers(schemes, schemeStarts, canonical, values, rows);
  return { identifiers, canonical, values, rows, schemeOf };
}

function identifierPrecedes(
  a: number,
  b: number,
  canonical: StoredTexts,
  rows: Uint32Array,
  values: StoredTexts,
): boolean {
  const order = compareTexts(canonical, a, b) || rows[a]! - rows[b]! || compareTexts(values, a, b);
  return order < 0;
}

function compareTexts(texts: StoredTexts, a: number, b: number): number {
  const { blob, offsets } = texts;
  return compareUtf8(blob, offsets[a]!, offsets[a + 1]!, blob, offsets[b]!, offsets[b + 1]!);
}

/** Canonical values follow from the spellings. */
export function verifyCanonicalValues(
  file: SnapshotFileView,
  canonical: StoredTexts,
  values: StoredTexts,
): void {
  for (let i = 0; i < canonical.count; i++) {
    const found = canonical.text(i);
    const spelling = values.utf8(i);
    const expected = canonicalValue(decodeUtf8(spelling, 0, spelling.length));
    if (found !== expected) {
      corrupt(
        "content.canonical",
        file.name,
        "IDENTIFIER_CANONICAL",
        `"${found}" as identifier ${i}`,
        `"${expected}"`,
      );
    }
  }
}

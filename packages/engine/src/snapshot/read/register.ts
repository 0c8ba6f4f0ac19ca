import { decodeUtf8 } from "../../base/utf8.ts";
import { canonicalizeValue, formerCanonicalValue } from "../canonical-value.ts";
import { SECTION } from "../format.ts";
import { readGram } from "../grams.ts";
import type { SnapshotMeta } from "../snapshot.ts";
import { readTextTable } from "./columns.ts";
import { createSectionRefuse, type Refuse, throwSnapshotCorrupt } from "./corrupt.ts";
import { type GramIndex, readGramIndex, readGramPostings } from "./gram-index.ts";
import { checkOffsets, type SnapshotFileView, viewUint32Section } from "./sections.ts";
import type { StoredTexts } from "./stored-columns.ts";
import { StoredIdentifiers } from "./stored-identifiers.ts";

/** The identifiers of a register, in place; each has a record, and they ascend. */
export function readRegisterIdentifiers(
  file: SnapshotFileView,
  { schemes }: SnapshotMeta,
  ids: StoredTexts,
): StoredIdentifiers {
  const { name, counts } = file;
  const refuse: Refuse = createSectionRefuse(name, "IDENTIFIER_CANONICAL");
  const count = counts.identifierCount;
  const schemeStarts = viewUint32Section(file, SECTION.IDENTIFIER_SCHEMES, schemes.length + 1);
  checkOffsets(file, SECTION.IDENTIFIER_SCHEMES, schemeStarts, count);
  const canonical = readTextTable(file, SECTION.IDENTIFIER_CANONICAL, count);
  const values = readTextTable(file, SECTION.IDENTIFIER_VALUES, count);
  const rows = viewUint32Section(file, SECTION.IDENTIFIER_ROWS, count);
  const precedes = (a: number, b: number): boolean =>
    (canonical.compare(a, b) || rows[a]! - rows[b]! || values.compare(a, b)) < 0;
  for (const [s, scheme] of schemes.entries()) {
    const start = schemeStarts[s]!;
    const end = schemeStarts[s + 1]!;
    if (start === end)
      throwSnapshotCorrupt(
        "identifier.scheme",
        name,
        "IDENTIFIER_SCHEMES",
        `no identifier of ${scheme}`,
        "at least one",
      );
    for (let i = start; i < end; i++) {
      const row = rows[i]!;
      if (row >= counts.rowCount) {
        const expected = `a row below ${counts.rowCount}`;
        throwSnapshotCorrupt(
          "identifier.row",
          name,
          "IDENTIFIER_ROWS",
          `row ${row} at identifier ${i}`,
          expected,
        );
      }
      if (canonical.offsets[i] === canonical.offsets[i + 1]) {
        refuse("identifier.canonical", `an empty value at identifier ${i}`, "at least one character");
      }
      if (i > start && !precedes(i - 1, i)) {
        const expected = "ascending canonical values, rows and values";
        refuse("identifier.order", `identifier ${i} out of order`, expected);
      }
    }
  }
  const grams = readGramIndex(file, schemeStarts);
  return new StoredIdentifiers({ schemes, schemeStarts, canonical, values, rows, ids, grams });
}

/** Canonical values follow from the spellings, in today's form or in the former one. */
export function verifyCanonicalValues(file: SnapshotFileView, { tables }: StoredIdentifiers): void {
  const refuse: Refuse = createSectionRefuse(file.name, "IDENTIFIER_CANONICAL");
  const { canonical, values } = tables;
  for (let i = 0; i < canonical.count; i++) {
    const found = canonical.text(i);
    const spelling = values.utf8(i);
    const value = decodeUtf8(spelling, 0, spelling.length);
    const expected = canonicalizeValue(value);
    if (found !== expected && found !== formerCanonicalValue(value)) {
      refuse("content.canonical", `"${found}" as identifier ${i}`, `"${expected}"`);
    }
  }
}

/** The order of answers follows from ids and spellings, the grams from the canonical values. */
export function verifyLookUpIndex(file: SnapshotFileView, identifiers: StoredIdentifiers): void {
  const { grams, canonical, schemeStarts } = identifiers.tables;
  const { order } = grams;
  for (let s = 0; s + 1 < schemeStarts.length; s++) {
    const [start, end] = [schemeStarts[s]!, schemeStarts[s + 1]!];
    for (let k = start + 1; k < end; k++) {
      if (identifiers.compareInAnswer(order[k - 1]!, order[k]!) < 0) continue;
      const found = `identifier ${order[k]} after ${order[k - 1]}`;
      throwSnapshotCorrupt(
        "content.order",
        file.name,
        "IDENTIFIER_ORDER",
        found,
        "the order of ids, then of values",
      );
    }
    verifyGramPostings(file, grams, s, canonical, start, end);
  }
}

/** Each posting is true, none occurs twice, and there are as many as there are grams in the values. */
function verifyGramPostings(
  file: SnapshotFileView,
  grams: GramIndex,
  scheme: number,
  { blob, offsets }: StoredTexts,
  start: number,
  end: number,
): void {
  const refuse: Refuse = createSectionRefuse(file.name, "GRAM_POSTINGS");
  let missing = 0;
  for (let i = start; i < end; i++) missing += collectGrams(blob, offsets[i]!, offsets[i + 1]!).size;
  for (let g = grams.schemeStarts[scheme]!; g < grams.schemeStarts[scheme + 1]!; g++) {
    const gram = grams.grams[g]!;
    for (const rank of readGramPostings(grams, g)) {
      missing--;
      const i = grams.order[start + rank];
      if (rank < end - start && holdsGram(blob, offsets[i!]!, offsets[i! + 1]!, gram)) continue;
      refuse("content.grams", `gram ${gram} in value ${rank}`, "a value that holds it");
    }
  }
  if (missing !== 0) {
    const found = `${Math.abs(missing)} postings too ${missing > 0 ? "few" : "many"} for scheme ${scheme}`;
    refuse("content.grams", found, "one for each gram of each value");
  }
}

function collectGrams(bytes: Uint8Array, start: number, end: number): Set<number> {
  const grams = new Set<number>();
  for (let at = start; at < end; at++) grams.add(readGram(bytes, at, end));
  return grams;
}

function holdsGram(bytes: Uint8Array, start: number, end: number, gram: number): boolean {
  for (let at = start; at < end; at++) if (readGram(bytes, at, end) === gram) return true;
  return false;
}

import { SECTION } from "../format.ts";
import { throwSnapshotCorrupt } from "./corrupt.ts";
import { checkOffsets, type SnapshotFileView, viewSection, viewUint32Section } from "./sections.ts";

/** Where the values of a register hold which grams, and in which order answers list them. */
export interface GramIndex {
  /** The identifiers of each scheme, which are consecutive, in the order of answers: a permutation of them. */
  readonly order: Uint32Array;
  /** First gram of each scheme; one entry more. */
  readonly schemeStarts: Uint32Array;
  /** Ascending in each scheme. */
  readonly grams: Uint32Array;
  /** First byte of each gram's postings; one entry more. */
  readonly offsets: Uint32Array;
  /** For each gram the ranks of the values that hold it, as gaps. Not checked: a list ends where it leaves the scheme. */
  readonly postings: Uint8Array;
}

/** The index of a register, in place. */
export function readGramIndex(file: SnapshotFileView, identifierStarts: Uint32Array): GramIndex {
  const order = viewUint32Section(file, SECTION.IDENTIFIER_ORDER, file.counts.identifierCount);
  checkIdentifierOrder(file, order, identifierStarts);
  const schemeStarts = viewUint32Section(file, SECTION.GRAM_SCHEMES, identifierStarts.length);
  const { offset, byteLength } = file.sections.get(SECTION.GRAMS)!;
  // If a section has another length, this is no whole number, and so equals no start of a scheme.
  const count = (byteLength - 4) / 8;
  checkOffsets(file, SECTION.GRAM_SCHEMES, schemeStarts, count);
  const grams = new Uint32Array(file.buffer, offset, count);
  for (let s = 0; s + 1 < schemeStarts.length; s++) {
    for (let g = schemeStarts[s]! + 1; g < schemeStarts[s + 1]!; g++) {
      if (grams[g]! > grams[g - 1]!) continue;
      const found = `gram ${grams[g]} after ${grams[g - 1]}`;
      throwSnapshotCorrupt("grams.order", file.name, "GRAMS", found, "grams that ascend within a scheme");
    }
  }
  const offsets = new Uint32Array(file.buffer, offset + 4 * count, count + 1);
  const postings = viewSection(file, SECTION.GRAM_POSTINGS);
  checkOffsets(file, SECTION.GRAMS, offsets, postings.length);
  return { order, schemeStarts, grams, offsets, postings };
}

/** The ranks of a gram's postings, one after another, whatever they lead to. */
export function* readGramPostings({ offsets, postings }: GramIndex, gram: number): Generator<number> {
  let rank = -1;
  for (let at = offsets[gram]!; at < offsets[gram + 1]!; ) {
    let gap = 0;
    for (let shift = 0, byte = 128; byte > 127 && at < offsets[gram + 1]! && shift < 35; shift += 7) {
      byte = postings[at++]!;
      gap |= (byte & 127) << shift;
    }
    rank += (gap >>> 0) + 1;
    yield rank;
  }
}

/** Each identifier has one place in the order, among those of its scheme. */
function checkIdentifierOrder(file: SnapshotFileView, order: Uint32Array, starts: Uint32Array): void {
  const seen = new Uint32Array((order.length + 31) >>> 5);
  for (let s = 0; s + 1 < starts.length; s++) {
    const [start, end] = [starts[s]!, starts[s + 1]!];
    for (let k = start; k < end; k++) {
      const i = order[k]!;
      const bit = 1 << (i & 31);
      if (i >= start && i < end && (seen[i >>> 5]! & bit) === 0) seen[i >>> 5]! |= bit;
      else {
        const expected = `each of ${start} to ${end - 1} once`;
        throwSnapshotCorrupt(
          "identifier.place",
          file.name,
          "IDENTIFIER_ORDER",
          `identifier ${i} at ${k}`,
          expected,
        );
      }
    }
  }
}

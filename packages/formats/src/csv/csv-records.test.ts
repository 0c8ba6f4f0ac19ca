import { drawText, mulberry32, toRandom } from "@groundrule/testing/random";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { FormatError } from "../format-error.ts";
import { CsvRecords } from "./csv-records.ts";

const TEXTS = 3_000;
/** Tokens for random records: quotes and line breaks are likely, so that most texts have faults or oddities. */
const TOKENS = ["a", "b", " ", "é", "😀", ",", ",", '"', '"', '""', '"x,\ny"', "\n", "\r", "\r\n"];

const isRefused = Symbol("refused");

/** The cells of each record, the text taken in the given pieces. */
function parseWithOwnReader(pieces: readonly string[]): readonly (readonly string[])[] | typeof isRefused {
  const records = new CsvRecords(",");
  try {
    const read = pieces.flatMap((piece) => records.take(piece, false));
    return [...read, ...records.take("", true)].map(({ cells }) => cells);
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    return isRefused;
  }
}

function parseWithLibrary(text: string): readonly (readonly string[])[] | typeof isRefused {
  const options = {
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
  };
  try {
    return parse(text, options) as string[][];
  } catch {
    return isRefused;
  }
}

describe("CsvRecords", () => {
  it("reads and refuses what csv-parse does, in whatever pieces the text comes", () => {
    const random = toRandom(mulberry32(180));
    let refused = 0;
    for (let i = 0; i < TEXTS; i++) {
      const text = drawText(random, TOKENS, 1 + random.integer(14));
      const expected = parseWithLibrary(text);
      if (expected === isRefused) refused++;
      const cut = random.integer(text.length + 1);
      for (const pieces of [[text], [text.slice(0, cut), text.slice(cut)], Array.from(text)]) {
        expect(parseWithOwnReader(pieces), JSON.stringify(pieces)).toEqual(expected);
      }
    }
    expect(refused).toBeGreaterThan(TEXTS / 10);
    expect(refused).toBeLessThan((9 * TEXTS) / 10);
  });

  it("refuses a record that does not end within a mebibyte, without keeping more of it", () => {
    const records = new CsvRecords(",");
    const piece = "x".repeat(1 << 16);
    expect(() => {
      for (let i = 0; i < 100; i++) records.take(i === 0 ? `"${piece}` : piece, false);
    }).toThrow(/shorter rows/);
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catchFormatError, collectItems, expectCutAlike } from "../../test/reading.ts";
import { type CsvDelimiter, readCsv } from "./csv.ts";

const SEED = 20261120;

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(source: string | Uint8Array, size = 1 << 16, delimiter?: CsvDelimiter) {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const csv = await readCsv(inChunks(bytes, size), { delimiter });
  return { columns: csv.header, delimiter: csv.delimiter, rows: await collectItems(csv.rows) };
}

const readError = (source: string | Uint8Array, size?: number) => catchFormatError(read(source, size));

describe("readCsv", () => {
  it("reads quotes, doubled quotes, line breaks in cells and empty lines, and counts the lines", async () => {
    const text = 'id,"full, name",note\r\n1,"a ""b"" c","two\r\nlines"\r\n\r\n2,,"x\ny\nz"\r\n3,ção 🌍,last';
    const whole = await read(text);
    expect(whole).toEqual({
      columns: ["id", "full, name", "note"],
      delimiter: ",",
      rows: [
        { place: { row: 1, line: 2 }, cells: ["1", 'a "b" c', "two\r\nlines"] },
        { place: { row: 2, line: 5 }, cells: ["2", "", "x\ny\nz"] },
        { place: { row: 3, line: 8 }, cells: ["3", "ção 🌍", "last"] },
      ],
    });
    for (let size = 1; size < 30; size++) expect(await read(text, size)).toEqual(whole);
    expect(await read(`\ufeff${text}`, 2)).toEqual(whole);
  });

  it.each([
    ["a,b,c\n1;2,3,4", ","],
    ['"a;a;a;a",b\n1,2', ","],
    ["a;b,c;d\n1;2;3", ";"],
    ["a\tb\n1\t2", "\t"],
    ["alone\n1", ","],
  ])("detects the delimiter of %j by its header", async (text, delimiter) => {
    expect((await read(text)).delimiter).toBe(delimiter);
  });

  it("takes the delimiter it is given, and hands ragged rows on with their line", async () => {
    const { columns, rows } = await read("a;b,c\n1\n1,2,3\n", 5, ",");
    expect(columns).toEqual(["a;b", "c"]);
    expect(rows).toEqual([
      { place: { row: 1, line: 2 }, cells: ["1"] },
      { place: { row: 2, line: 3 }, cells: ["1", "2", "3"] },
    ]);
  });

  it.each([
    ["", "CSV_MALFORMED", "line 1: the source is empty, expected a header row"],
    ["\n\n", "CSV_MALFORMED", "line 1: the source is empty, expected a header row"],
    [
      'a,b\n1,"2\n',
      "CSV_MALFORMED",
      "line 2: found a quote that is never closed, expected its closing quote",
    ],
    [
      'a,b\n1,"2"x\n',
      "CSV_MALFORMED",
      "line 2: found text after a closing quote, expected a delimiter or the end of the row",
    ],
    [
      'a,b\n1,2"x"\n',
      "CSV_MALFORMED",
      "line 2: found a quote within an unquoted cell, expected the cell in quotes, with its inner quotes doubled",
    ],
  ])("refuses %j", async (text, code, message) => {
    for (const size of [1, 3, 100]) {
      const error = await readError(text, size);
      expect([error.code, error.message]).toEqual([code, message]);
    }
  });

  it("names the byte that is not UTF-8, and ends an unclosed quote before the end of a large source", async () => {
    const bytes = Buffer.from("id,uf\n1,SP\n2,São Paulo\n", "latin1");
    for (const size of [1, 4, 100]) {
      const error = await readError(bytes, size);
      expect(error.code).toBe("TEXT_NOT_UTF8");
      expect(error.details.place).toEqual({ line: 3, byte: bytes.indexOf(0xe3) });
    }
    expect((await readError(Buffer.from([0x61, 0x0a, 0xc3]))).code).toBe("TEXT_NOT_UTF8");
    const endless = await readError(`a,b\n1,"${"x\n".repeat(1_000_000)}`);
    expect(endless.message).toContain("found a row of more than 1048576 characters");
  });

  it("gives back any table that was written with quotes, whatever the chunks", async () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom('"', ",", ";", "\n", "\r", "a", "é", " ") }),
      fc.string(),
    );
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        async (rows, size, end) => {
          const width = rows[0]?.length ?? 1;
          const header = Array.from({ length: width }, (_, index) => `column ${index}`);
          const text = [header, ...rows]
            .map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(","))
            .join(end);
          const csv = await read(text, size);
          expect(csv.columns).toEqual(header);
          const filled = rows.filter((cells) => cells.some((each) => each !== ""));
          expect(csv.rows.map((row) => row.cells)).toEqual(filled);
        },
      ),
      { seed: SEED, numRuns: 300 },
    );
  });

  it("answers any bytes with rows or a placed FormatError, the same however they are cut", async () => {
    const byte = fc.oneof(
      fc.constantFrom(...Buffer.from('",;\t\n\r ab\0')),
      fc.constantFrom(0xc3, 0xa3, 0xef, 0xbb, 0xbf, 0xff),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(byte, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (bytes, size) =>
        expectCutAlike((chunkSize) => read(Uint8Array.from(bytes), chunkSize), size),
      ),
      { seed: SEED, numRuns: 1500 },
    );
  });
});

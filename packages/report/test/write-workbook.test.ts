import { crc32, inflateRawSync } from "node:zlib";
import { readXlsx } from "hucre/xlsx";
import { describe, expect, it } from "vitest";
import { writeWorkbook } from "../src/portfolio/write-workbook.ts";

/** The files of an archive by its directory, each held against its sum and its size. */
function unzipped(archive: Uint8Array): Map<string, string> {
  const bytes = Buffer.from(archive);
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    const [sum, packed, size] = [16, 20, 24].map((field) => bytes.readUInt32LE(at + field));
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    // What stands before the file says the same as the directory.
    expect(bytes.subarray(local + 4, local + 30)).toEqual(bytes.subarray(at + 6, at + 32));
    const start = local + 30 + nameLength;
    const content = inflateRawSync(bytes.subarray(start, start + packed!));
    expect([crc32(content), content.length]).toEqual([sum, size]);
    files.set(bytes.toString("latin1", at + 46, at + 46 + nameLength), content.toString());
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return files;
}

const oneCell = async (cell: string | number | undefined): Promise<string> => {
  const files = unzipped(await writeWorkbook([{ name: "only", lines: [["head"], [cell]], widths: [9] }]));
  return /<row r="2">(.*)<\/row>/s.exec(files.get("xl/worksheets/sheet1.xml")!)![1]!;
};

describe("writeWorkbook", () => {
  it("writes every cell at its place, in sheets with a head that stays and filters", async () => {
    const lines = Array.from({ length: 3 }, (_, line) =>
      Array.from({ length: 705 }, (_, i) => 1000 * line + i),
    );
    const sheets = [
      { name: "wide", lines, widths: lines[0]!.map(() => 9) },
      { name: "small", lines: [["a", "b"]], widths: [1, 2] },
    ];
    const workbook = await writeWorkbook(sheets);
    const read = await readXlsx(workbook);
    expect(read.sheets.map(({ name, rows }) => [name, rows])).toEqual([
      ["wide", lines],
      ["small", [["a", "b"]]],
    ]);
    const files = unzipped(workbook);
    expect(files.get("xl/worksheets/sheet1.xml")).toContain('<c r="AAC3"><v>2704</v></c></row></sheetData>');
    expect(files.get("xl/worksheets/sheet1.xml")).toContain('<autoFilter ref="A1:AAC3"/>');
    expect(files.get("xl/workbook.xml")).toContain(">wide!$A$1:$AAC$3<");
    expect(files.get("xl/worksheets/sheet2.xml")).toContain('state="frozen"');
  });

  it("writes the same bytes at any time", async () => {
    const sheets = [{ name: "only", lines: [["a"]], widths: [9] }];
    expect(await writeWorkbook(sheets)).toEqual(await writeWorkbook(sheets));
  });

  it("keeps text as it is: markup, spaces, formulas, and what looks like the escape of a character", async () => {
    const texts = ["<b>&amp;</b> ]]>", "  a\n\tb ", "=1+1", "_x0041_ __x00e9__ _x1_", "\u{1f33f} ç"];
    const lines = [["head"], ...texts.map((text) => [text])];
    const { sheets } = await readXlsx(await writeWorkbook([{ name: "only", lines, widths: [9] }]));
    expect(sheets[0]!.rows.slice(1, 4)).toEqual(texts.slice(0, 3).map((text) => [text]));
    expect(sheets[0]!.rows.at(-1)).toEqual([texts.at(-1)]);
    expect(await oneCell("_x0041_ __x00e9__ _x1_")).toContain(">_x005F_x0041_ __x005F_x00e9__ _x1_</t>");
  });

  it("leaves a cell out that holds no number and no text, and writes what XML cannot hold as U+FFFD", async () => {
    for (const nothing of [undefined, "", Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await oneCell(nothing)).toBe("");
    }
    expect(await oneCell("a\uffff\ufffe")).toContain(">a\ufffd\ufffd</t>");
    expect(await oneCell(-1e-7)).toBe('<c r="A2"><v>-1e-7</v></c>');
  });
});

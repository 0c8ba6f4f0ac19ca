import { readXlsx } from "hucre/xlsx";
import { describe, expect, it } from "vitest";
import { type Cell, SHEET_ROWS, type Sheet, writeWorkbook } from "./write-workbook.ts";

const column = (title: string) => ({ title, width: 10 });

async function collectBytes(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

describe("writeWorkbook", () => {
  it("writes cells that a reader of workbooks finds unchanged", async () => {
    const rows: Cell[][] = [
      [1, "=1+1", undefined, -0.25, "a<b & c>d"],
      [undefined, undefined, "_x0041_ _xyz_", 1e21, " two  spaces "],
      [1e-7, 'a "quote"', "line\nbreak", 0, "日本 \u{1f33d}"],
    ];
    const titles = ["a", "b", "c", "d & e", "f"];
    const sheet: Sheet = { name: "S <1>", columns: titles.map(column), rows };
    const write = () => collectBytes(writeWorkbook([sheet, { ...sheet, name: "other" }]));
    const bytes = await write();
    expect(await write()).toEqual(bytes);
    const { sheets } = await readXlsx(bytes);
    expect(sheets.map(({ name }) => name)).toEqual(["S <1>", "other"]);
    for (const { rows: read } of sheets) {
      expect(read[0]).toEqual(titles);
      const unset = read.slice(1).map((row) => row.map((cell) => cell ?? undefined));
      expect(unset).toEqual(rows);
    }
  });

  it("refuses more rows than Excel opens, and passes on what reading the rows fails with", async () => {
    const sheet = { name: "s", columns: [column("a")] };
    const many = Array.from({ length: SHEET_ROWS }, () => []);
    await expect(collectBytes(writeWorkbook([{ ...sheet, rows: many }]))).rejects.toThrow(
      'the sheet "s" has more than 1048576 rows, which Excel does not open',
    );
    await collectBytes(writeWorkbook([{ ...sheet, rows: many.slice(1) }]));
    function* failing(): Generator<Cell[]> {
      yield ["x"];
      throw new Error("the disk is gone");
    }
    await expect(collectBytes(writeWorkbook([{ ...sheet, rows: failing() }]))).rejects.toThrow(
      "the disk is gone",
    );
  });
});

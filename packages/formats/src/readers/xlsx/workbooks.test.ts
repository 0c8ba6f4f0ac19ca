import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  catchFormatError,
  readTableFeatures,
  readTableRows,
  toPlainGeometry,
} from "../../../test/reading.ts";
import { encodeZip } from "../../../test/write-zip.ts";
import { openBlob } from "../../file/open-blob.ts";
import type { FormatOptions } from "../../open/formats.ts";
import { openTable } from "../../open/open-table.ts";
import { parseCellFormat, toIsoDate } from "./cell-format.ts";

const readWorkbook = (name: string) =>
  Uint8Array.from(readFileSync(new URL(`../../../test/workbooks/${name}.xlsx`, import.meta.url)));

const open = (bytes: Uint8Array<ArrayBuffer>, options: FormatOptions = {}) =>
  openTable(openBlob(bytes, { name: "plots.xlsx" }), options);

async function read(bytes: Uint8Array<ArrayBuffer>, options: FormatOptions = {}) {
  const table = await open(bytes, options);
  const { features } = await readTableFeatures(Promise.resolve(table));
  return { features, notes: table.reading?.notes ?? [] };
}

const text = (xml: string) => new TextEncoder().encode(xml);

/** A workbook made by hand, of one sheet. */
function buildWorkbook(rows: string, more: Readonly<Record<string, string>> = {}): Uint8Array<ArrayBuffer> {
  const parts: Readonly<Record<string, string>> = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml":
      '<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="a" Type="http://x/worksheet" Target="worksheets/s.xml"/></Relationships>',
    "xl/worksheets/s.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  };
  return Uint8Array.from(encodeZip(Object.entries(parts).map(([name, xml]) => ({ name, bytes: text(xml) }))));
}

const inline = (...cells: string[]) =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join("")}</row>`;
const HEADER = inline("id", "lat", "lon");

describe("a workbook", () => {
  it("is read out of an archive, its sheets by their names", async () => {
    const workbook = {
      name: "export/plots.xlsx",
      bytes: buildWorkbook(HEADER + inline("a", "-6.5", "-55.2")),
    };
    const alone = Uint8Array.from(encodeZip([workbook, { name: "export/photo.jpg", bytes: text("x") }]));
    const two = Uint8Array.from(encodeZip([workbook, { ...workbook, name: "other.xlsx" }]));
    for (const [bytes, layer] of [
      [alone, undefined],
      [alone, "S"],
      [two, "plots"],
      [two, "export/plots.xlsx/S"],
    ] as const) {
      const { features } = await read(bytes, { layer });
      expect(features.map(({ geometry }) => toPlainGeometry(geometry))).toEqual([
        { type: "Point", coordinates: [-55.2, -6.5] },
      ]);
    }
    expect((await catchFormatError(open(two))).code).toBe("LAYER_AMBIGUOUS");
    expect((await catchFormatError(open(alone, { layer: "T" }))).code).toBe("LAYER_UNKNOWN");
  });

  it("is read from its first sheet with a geometry: zeros before numbers, days, what is hidden and merged", async () => {
    const { features, notes } = await read(readWorkbook("titled"));
    expect(
      features.map(({ geometry }) =>
        (toPlainGeometry(geometry) as { coordinates: number[] }).coordinates[1]!.toFixed(6),
      ),
    ).toEqual(["-6.580234", "-6.580222"]);
    expect(features.map(({ place, properties }) => [place.line, ...properties.values()])).toEqual([
      [4, "00012", "Ana", 2.5, "2026-05-01", "2026-05-01T10:30:00"],
      [5, "00013", null, 1.25, "1900-03-01", null],
    ]);
    expect(notes).toEqual([
      "the sheet Talhões is read; to read another (Leia-me), use --layer",
      "the names of the columns are read from line 3",
      "1 hidden row is read as well",
      "cells are merged (B4:B5): their value counts for the first of their rows alone",
    ]);
  });

  it("has the stored values of formulas, days of 1904, and a fault where no value was stored", async () => {
    const { features } = await read(readWorkbook("formulas-1904"));
    expect(
      features.map(
        ({ geometry, fault }) =>
          fault?.message ?? (toPlainGeometry(geometry) as { coordinates: unknown }).coordinates,
      ),
    ).toEqual([
      [-55.2, -6.58],
      [-55.3, -6.75],
      "cell B4: found a formula without its value, expected the value beside it: open the workbook in a spreadsheet and save it",
    ]);
    expect(features[0]!.properties.get("visited")).toBe("2026-05-01");
  });

  it.each([
    ["odk", ["Ana", "Ana", "Bia"], "farmer", 4.5],
    ["kobo", ["Bia", "Ana"], "farmer_name", 12.5],
  ] as const)("joins a repeated group to its form: %s", async (name, farmers, column, accuracy) => {
    const { features, notes } = await read(readWorkbook(name));
    expect(features.map(({ properties }) => properties.get(column))).toEqual(farmers);
    expect(features[0]!.properties.get("gps_accuracy_m")).toBe(accuracy);
    expect(
      features.every(({ geometry }) => (toPlainGeometry(geometry) as { type: string }).type === "Polygon"),
    ).toBe(true);
    expect(notes.join()).toContain("each row has the columns of its row in the sheet");
  });

  it("of pandas has its index, truth values and numbers as such", async () => {
    const { features } = await read(readWorkbook("pandas-index"));
    expect(features.map(({ properties }) => [...properties.values()])).toEqual([
      [0, "P-1", true],
      [1, "P-2", false],
    ]);
  });

  it("is a register's table as well, and --layer names another sheet", async () => {
    const rows = await readTableRows(open(readWorkbook("odk"), { layer: "form" }));
    expect(rows.map(({ cells }) => cells.get("farmer"))).toEqual(["Ana", "Bia"]);
    expect(await catchFormatError(open(readWorkbook("odk"), { layer: "Form" }))).toMatchObject({
      code: "LAYER_UNKNOWN",
      message: 'found no sheet "Form", expected one of form, plots',
    });
  });

  it("has texts in runs without their pronunciation, escaped characters and errors of formulas as text", async () => {
    const rows = `${HEADER}<row><c t="inlineStr"><is><r><t>P</t></r><r><t>-1_x0041_</t></r><rPh><t>no</t></rPh></is></c><c><v>-6.5</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>`;
    const { features } = await read(buildWorkbook(rows));
    expect(features[0]!.properties.get("id")).toBe("P-1A");
    expect(features[0]!.fault?.message).toBe('column "lon": found "#DIV/0!", expected a number');
  });

  it("reports a text that a spreadsheet cut, and a sheet without a table", async () => {
    const long = `POLYGON ((${"1 2, ".repeat(6554)}`.slice(0, 32_767);
    const { features } = await read(buildWorkbook(`${inline("id", "wkt")}${inline("a", long)}`));
    expect(features[0]!.fault).toMatchObject({ code: "CELL_CUT" });
    expect(await catchFormatError(open(buildWorkbook("")))).toMatchObject({ code: "FORMAT_UNKNOWN" });
  });

  it("of more rows than are held is refused with what to do", async () => {
    const rows = HEADER + "<row><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c></row>".repeat(100_020);
    const error = await catchFormatError(open(buildWorkbook(rows)));
    expect(error.message).toBe(
      "found more than 100000 rows in the sheet S, expected a workbook of at most 100,000 rows; save the sheet as CSV, which may have any number",
    );
  });

  it.each([
    ["a cell beyond the last column", `${HEADER}<row><c r="ZZZZ1"><v>1</v></c></row>`],
    ["a shared text that there is not", `${HEADER}<row><c t="s"><v>9</v></c></row>`],
    ["what is no XML", `${HEADER}<row><c>`],
    ["an entity of its own", `${HEADER}<row><c t="str"><v>&lol;</v></c></row>`],
  ])("is damaged by %s", async (_what, rows) => {
    expect((await catchFormatError(open(buildWorkbook(rows)))).code).toBe("FILE_DAMAGED");
  });

  it("that is cut anywhere is refused", async () => {
    const bytes = readWorkbook("pandas-index");
    for (let length = 4; length < bytes.length; length += 97) {
      const { code } = await catchFormatError(readTableFeatures(open(bytes.subarray(0, length))));
      expect(code, `${length} bytes`).toBe("ARCHIVE_INVALID");
    }
  });
});

describe("the format of a cell", () => {
  it.each([
    [14, undefined, "date"],
    [0, undefined, "number"],
    [164, "yyyy\\-mm\\-dd", "date"],
    [164, "[$-416]d/m/yyyy", "date"],
    [164, "[h]:mm", "date"],
    [164, '0.00" days"', "number"],
    [164, "#,##0.00_);[Red]\\(#,##0.00\\)", "number"],
    [164, "General", "number"],
  ] as const)("%s %s is a %s", (id, code, kind) => {
    expect(parseCellFormat(id, code).kind).toBe(kind);
  });

  it("counts days from 1900, with a 29 February that there was not, or from 1904", () => {
    expect([1, 59, 61, 46143, 46143.5].map((days) => toIsoDate(days, false))).toEqual([
      "1900-01-01",
      "1900-02-28",
      "1900-03-01",
      "2026-05-01",
      "2026-05-01T12:00:00",
    ]);
    expect([0, 44681].map((days) => toIsoDate(days, true))).toEqual(["1904-01-01", "2026-05-01"]);
    expect([0.25, -1, 1e9].map((days) => toIsoDate(days, false))).toEqual(["06:00:00", undefined, undefined]);
  });
});

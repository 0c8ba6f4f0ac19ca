import type { CellArea, CellBackground, CellRange, CellsManifest, SourceManifest } from "@groundrule/engine";
import { type LocalFile, openTable, type Row } from "@groundrule/formats";
import { IngestError } from "../ingest-error.ts";
import { ColumnReader, isOfManifest, MANIFEST_NUMBER } from "../manifest/columns.ts";

/** Columns of a table of values that are no columns of its areas. `cells` is for people. */
const OWN = ["value", "through", "below", "is", "id", "name", "color", "cells"] as const;

/**
 * Reads a table of values from CSV, in place of the members `values`, `background` and `nodata` of a manifest's `cells`:
 * columns `value`, `through` or `below` for ranges, `is` (`area`, `background` or `nodata`), `id`, `name`, `color`; all
 * others but `cells` are columns of the areas. As nodata, `nan` is no number, and `tag` what the files are tagged with.
 *
 * @param types types and date formats of columns, where a manifest declares them
 *
 * Fails: `VALUE_INVALID` with its line; `COLUMN_UNKNOWN` where there is no column `value`; `FormatError` as `openTable`.
 */
export async function readValueTable(
  file: LocalFile,
  types: Pick<SourceManifest, "columns" | "date_formats"> = {},
): Promise<Pick<CellsManifest, "values" | "background" | "nodata" | "nodata_tag">> {
  const table = await openTable(file, { format: "csv" });
  const reader = new ColumnReader({ source_name: "values", kind: "leaf", ...types });
  const values: CellArea[] = [];
  const background: CellBackground[] = [];
  const nodata: (number | "nan" | CellRange)[] = [];
  let nodataTag: "nodata" | undefined;
  try {
    for await (const row of table.rows()) {
      const is = readTextFromColumn(row, "is")?.toLowerCase();
      if (!row.cells.has("value")) {
        const columns = [...row.cells.keys()];
        throw new IngestError("COLUMN_UNKNOWN", 'found no column "value", expected one', { columns });
      }
      if (is === "nodata" && readTextFromColumn(row, "value")?.toLowerCase() === "nan") {
        nodata.push("nan");
        continue;
      }
      if (is === "nodata" && readTextFromColumn(row, "value")?.toLowerCase() === "tag") {
        nodataTag = "nodata";
        continue;
      }
      const range = readCellRange(row);
      const [name, color, id] = [
        readTextFromColumn(row, "name"),
        readTextFromColumn(row, "color")?.toLowerCase(),
        readTextFromColumn(row, "id"),
      ];
      const named = { ...range, ...(name !== undefined && { name }), ...(color !== undefined && { color }) };
      if (is === "background") background.push(named);
      else if (is === "nodata") nodata.push(range);
      else if (is !== "area")
        throw valuesInvalidError(row, "is", is ?? "nothing", "area, background or nodata");
      else values.push({ ...named, ...(id !== undefined && { id }), ...readAreaProperties(row, reader) });
    }
  } finally {
    await table.close();
  }
  return { values, background, nodata, ...(nodataTag !== undefined && { nodata_tag: nodataTag }) };
}

function readAreaProperties(row: Row, reader: ColumnReader): Pick<CellArea, "properties"> {
  const found = [...row.cells].flatMap(([column, text]) => {
    if ((OWN as readonly string[]).includes(column)) return [];
    const value = reader.fromText(column, String(text), row.place);
    if (typeof value === "number" && !isOfManifest(value)) {
      throw valuesInvalidError(row, column, String(text), `${MANIFEST_NUMBER}, or another type of column`);
    }
    return value === null ? [] : [[column, value] as const];
  });
  return found.length === 0 ? {} : { properties: Object.fromEntries(found) };
}

function readCellRange(row: Row): CellRange {
  const value = readNumberFromColumn(row, "value");
  const through = readNumberFromColumn(row, "through");
  const below = readNumberFromColumn(row, "below");
  if (value === undefined) throw valuesInvalidError(row, "value", "nothing", "a number");
  return { value, ...(through !== undefined && { through }), ...(below !== undefined && { below }) };
}

function readNumberFromColumn(row: Row, column: string): number | undefined {
  const text = readTextFromColumn(row, column);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) throw valuesInvalidError(row, column, text, "a number");
  if (!isOfManifest(number)) {
    const isNodata = readTextFromColumn(row, "is")?.toLowerCase() === "nodata";
    const mend = `; to convert the files: gdalwarp -srcnodata ${text} -dstnodata -9999 IN.tif OUT.tif`;
    throw valuesInvalidError(row, column, text, `${MANIFEST_NUMBER}${isNodata ? mend : ""}`);
  }
  return number;
}

function readTextFromColumn({ cells }: Row, column: string): string | undefined {
  const text = String(cells.get(column) ?? "").trim();
  return text === "" ? undefined : text;
}

function valuesInvalidError({ place }: Row, column: string, found: string, expected: string): IngestError {
  const message = `found ${found} in column "${column}" of the table of values, expected ${expected}`;
  return new IngestError("VALUE_INVALID", message, { place, found, expected });
}

import type { AttributeValue } from "@groundrule/engine";
import {
  canonicalValue,
  createRegisterWriter,
  type Identifier,
  type SnapshotFile,
} from "@groundrule/engine/build";
import type { BuildInput } from "./build-input.ts";
import { ColumnReader } from "./columns.ts";
import { type CsvRow, readCsv } from "./csv.ts";
import type { Place } from "./ingest-error.ts";
import { checkMapping, tallies, toLabel, withPlace } from "./mapping.ts";
import type { ContentReport, LeftOut } from "./report.ts";
import { SchemeMap } from "./scheme-map.ts";
import { UniqueIds } from "./unique-ids.ts";

/** A record as its rows have made it so far. */
interface Draft {
  readonly id: string;
  readonly name: string | null;
  /** Of the columns that are properties, in their order. */
  readonly values: readonly AttributeValue[];
  readonly identifiers: Pick<Identifier, "scheme" | "value">[];
  readonly place: Place;
}

/**
 * Builds the snapshot of a register from CSV; see {@link buildSnapshot}. Rows of one id are one
 * record: the properties of the first, the identifiers of all. The columns of identifiers, of their types
 * and of their countries are no properties.
 */
export async function buildRegister(
  input: BuildInput,
): Promise<{ file: SnapshotFile; report: ContentReport }> {
  const { manifest } = input;
  const csv = await readCsv(input.bytes);
  checkMapping(manifest, new Set(csv.columns));
  const writer = createRegisterWriter(manifest, input.writerOptions);
  const reader = new ColumnReader(manifest);
  const { iso3Of } = await import("@groundrule/borders");
  const schemeOf = new SchemeMap(manifest, iso3Of);
  const columnIndex = new Map(csv.columns.map((column, index) => [column, index]));
  const cell = (row: CsvRow, column: string | undefined): string =>
    (column === undefined ? undefined : row.cells[columnIndex.get(column)!]) ?? "";
  const ofIdentifiers = new Set([manifest.value, manifest.scheme_from, manifest.scheme_country]);
  const properties = csv.columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => !ofIdentifiers.has(column));

  let read = 0;
  let withoutId = 0;
  const leftOut: LeftOut[] = [];
  let emptyIdentifiers = 0;
  const ids = new UniqueIds();
  const duplicates: ContentReport["duplicate_ids"][number][] = [];
  const drafts = new Map<string | number, Draft>();
  const differing = new Map<string, { count: number; first: string }>();

  for await (const row of csv.rows) {
    read++;
    const { place } = row;
    const label = toLabel(cell(row, manifest.id));
    if (row.cells.length !== csv.columns.length) {
      const reason = `found ${row.cells.length} cells, expected ${csv.columns.length}, as in the header`;
      const where = { number: place.row, line: place.line };
      leftOut.push({ ...where, ...(label !== null && { id: label }), code: "ROW_RAGGED", reason });
      input.featureDone();
      continue;
    }
    if (manifest.id !== undefined && label === null) withoutId++;
    const values = properties.map(({ column, index }) => reader.fromText(column, row.cells[index]!, place));
    // A row without an id is a record of its own, whatever other ids look like its number.
    const key = label === null ? place.row : label;
    let draft = drafts.get(key);
    if (draft === undefined) {
      const sourceId = label ?? String(place.row);
      const id = ids.take(sourceId);
      if (id !== sourceId)
        duplicates.push({ id: sourceId, stored_as: id, number: place.row, line: place.line });
      draft = { id, name: toLabel(cell(row, manifest.name)), values, identifiers: [], place };
      drafts.set(key, draft);
    } else {
      for (const [k, { column }] of properties.entries()) {
        if (Object.is(values[k], draft.values[k])) continue;
        const before = differing.get(column);
        differing.set(column, { count: (before?.count ?? 0) + 1, first: before?.first ?? draft.id });
      }
    }
    const value = cell(row, manifest.value);
    const scheme = schemeOf.get(cell(row, manifest.scheme_from), cell(row, manifest.scheme_country));
    if (canonicalValue(value) === "") emptyIdentifiers++;
    else if (scheme !== undefined) draft.identifiers.push({ scheme, value });
    input.featureDone();
  }

  let withoutIdentifier = 0;
  for (const [key, { id, name, values, identifiers, place }] of drafts) {
    if (identifiers.length === 0) withoutIdentifier++;
    const record: Record<string, AttributeValue> = Object.create(null);
    for (const [k, { column }] of properties.entries()) record[column] = values[k]!;
    withPlace(place, () => writer.add({ id, name, properties: record, identifiers }));
    drafts.delete(key); // the writer holds it now
  }
  const file = writer.finish();
  const report: ContentReport = {
    format: "csv",
    read,
    stored: writer.count,
    positions: 0,
    columns: Object.entries(file.meta.manifest.columns ?? {}).map(([name, type]) => ({ name, type })),
    repaired: [],
    mended: [],
    left_out: leftOut,
    duplicate_ids: duplicates,
    without_id: withoutId,
    without_country: 0,
    unknown_countries: [],
    nested_columns: [],
    ill_formed_columns: [],
    empty_identifiers: emptyIdentifiers,
    without_identifier: withoutIdentifier,
    unmapped_schemes: tallies(schemeOf.unmapped),
    unused_schemes: schemeOf.unused(),
    differing_columns: [...differing].map(([value, { count, first }]) => ({ value, count, first_id: first })),
  };
  return { file, report };
}

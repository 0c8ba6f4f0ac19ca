import type { AttributeValue } from "@groundrule/engine";
import { createRegisterWriter, type SnapshotFile } from "@groundrule/engine/build";
import { canonicalizeValue, hasKnownForm, readIdentifierCell, toLabel } from "@groundrule/engine/internal";
import type { OpenTable, Row } from "@groundrule/formats";
import { refuseUnlessAllowed } from "./allowances.ts";
import { toWhere } from "./build-areas.ts";
import type { BuildInput } from "./build-input.ts";
import { ColumnReader } from "./manifest/columns.ts";
import { addPlaceToErrors, checkMappedColumns, toTallies } from "./manifest/mapping.ts";
import { SchemeMap } from "./manifest/scheme-map.ts";
import { RecordTable, RowSet } from "./record-table.ts";
import type { ContentReport, LeftOut, MalformedIdentifier, Where } from "./report.ts";

/**
 * Builds the snapshot of a register from rows; see {@link buildSnapshot}. Rows of one id are one
 * record: the properties of the first, the identifiers of all. The columns of identifiers, of their types
 * and of their countries are no properties.
 */
export async function buildRegisterSnapshot(
  input: BuildInput,
): Promise<{ file: SnapshotFile; report: ContentReport }> {
  const { manifest } = input;
  const { table } = input;
  const columns = table.columns ?? (await collectRowColumns(table));
  checkMappedColumns(input.declared, new Set(columns));
  const isText = table.isText === true;
  const writer = createRegisterWriter(manifest, input.writerOptions);
  const reader = new ColumnReader(manifest, input.types);
  const { iso3Of } = await import("@groundrule/borders");
  const schemeMap = new SchemeMap(manifest, iso3Of);
  const cell = (row: Row, column: string | undefined): string =>
    (column === undefined ? null : toLabel(row.cells.get(column))) ?? "";
  const ofIdentifiers = new Set([manifest.value, manifest.scheme_from, manifest.scheme_country]);
  const names = columns.filter((column) => !ofIdentifiers.has(column));
  const readCell = (row: Row, column: string): AttributeValue => {
    const value = row.cells.get(column);
    return isText
      ? reader.fromText(column, value as string, row.place)
      : reader.fromJson(column, value, row.place);
  };

  const records = new RecordTable(names.length, input.writerOptions.spill);
  // Records by an id that another had taken, and those whose id is not what the source calls them.
  const renamed = new Map<string, number>();
  const othersIds = new RowSet();
  const withIdentifier = new RowSet();
  const rowOf = (label: string): number | undefined => {
    const found = records.find(label);
    return found === undefined || othersIds.has(found) ? renamed.get(label) : found;
  };
  let read = 0;
  let withoutId = 0;
  const leftOut: LeftOut[] = [];
  let emptyIdentifiers = 0;
  const identifiers = new RegisterIdentifiers();
  const duplicates: ContentReport["duplicate_ids"][number][] = [];
  const differing = new Map<string, { count: number; first: string }>();

  for await (const row of table.rows()) {
    read++;
    const { place } = row;
    const label = toLabel(cell(row, manifest.id));
    if (row.fault !== undefined) {
      const { code, message: reason } = row.fault;
      const where = toWhere(place.row, place);
      leftOut.push({ ...where, ...(label !== null && { id: label }), code, reason, place: "unknown" });
      input.featureDone();
      continue;
    }
    if (manifest.id !== undefined && label === null) withoutId++;
    const values = names.map((column) => readCell(row, column));
    // A row without an id is a record of its own, whatever other ids look like its number.
    let record = label === null ? undefined : rowOf(label);
    if (record === undefined) {
      record = records.count;
      const sourceId = label ?? String(place.row);
      const id = createUnusedId(records, sourceId);
      if (id !== sourceId) {
        duplicates.push({ id: sourceId, stored_as: id, ...toWhere(place.row, place) });
        if (label !== null) renamed.set(label, record);
      }
      if (id !== label) othersIds.add(record);
      records.add(id, values);
      addPlaceToErrors(place, () => {
        writer.add({
          id,
          name: toLabel(cell(row, manifest.name)),
          properties: toRecord(names, values),
          identifiers: [],
        });
      });
    } else {
      for (const k of records.differing(record, values)) {
        const before = differing.get(names[k]!);
        differing.set(names[k]!, {
          count: (before?.count ?? 0) + 1,
          first: before?.first ?? records.id(record),
        });
      }
    }
    const value = cell(row, manifest.value);
    const scheme = schemeMap.get(cell(row, manifest.scheme_from), cell(row, manifest.scheme_country));
    if (canonicalizeValue(value) === "") emptyIdentifiers++;
    else if (scheme !== undefined) {
      const of = record;
      const id = records.id(of);
      for (const each of identifiers.read(scheme, value, toWhere(place.row, place), id)) {
        addPlaceToErrors(place, () => writer.addIdentifier(of, id, { scheme, value: each }));
      }
      withIdentifier.add(of);
    }
    input.featureDone();
  }

  if (records.count > 0) refuseUnlessAllowed(manifest, { leftOut, repaired: [] });
  records.forget();
  const file = writer.finish();
  const report: ContentReport = {
    format: table.format,
    ...(table.layer !== undefined && { layer: table.layer }),
    read,
    stored: writer.count,
    positions: 0,
    columns: Object.entries(file.meta.manifest.columns ?? {}).map(([name, type]) => ({ name, type })),
    mapped_columns: [],
    hidden_columns: [],
    repaired: [],
    mended: [],
    left_out: leftOut,
    duplicate_ids: duplicates,
    without_id: withoutId,
    without_country: 0,
    unknown_countries: [],
    nested_columns: toTallies(reader.nested),
    ill_formed_columns: toTallies(reader.illFormed),
    empty_identifiers: emptyIdentifiers,
    ...identifiers.report(),
    without_identifier: records.count - withIdentifier.size,
    unmapped_schemes: toTallies(schemeMap.unmapped),
    unused_schemes: schemeMap.unused(),
    differing_columns: [...differing].map(([value, { count, first }]) => ({ value, count, first_id: first })),
  };
  return { file, report };
}

/** The columns of a table whose rows differ in them, in the order in which they first come. */
async function collectRowColumns(table: OpenTable): Promise<readonly string[]> {
  const columns = new Set<string>();
  for await (const { cells } of table.rows()) for (const column of cells.keys()) columns.add(column);
  return [...columns];
}

/** The id to store: the source's own, unless it was taken before; then `a#2`, `a#3` … */
function createUnusedId(records: RecordTable, id: string): string {
  if (records.find(id) === undefined) return id;
  let use = 2;
  while (records.find(`${id}#${use}`) !== undefined) use++;
  return `${id}#${use}`;
}

function toRecord(
  names: readonly string[],
  values: readonly AttributeValue[],
): Record<string, AttributeValue> {
  const record: Record<string, AttributeValue> = Object.create(null);
  for (let k = 0; k < names.length; k++) record[names[k]!] = values[k]!;
  return record;
}

/** Entries of the report; the count goes on. */
const LISTED = 100;

/** Reads the identifiers of a register's cells, and counts what is not one identifier of its scheme. */
class RegisterIdentifiers {
  #split = 0;
  #unwrapped = 0;
  #cells = 0;
  #malformed = 0;
  readonly #first: MalformedIdentifier[] = [];

  /** The identifiers of a cell, those that their scheme excludes among them: a look-up may spell them alike. */
  read(scheme: string, cell: string, where: Where, id: string): readonly string[] {
    const { identifiers, isUnwrapped } = readIdentifierCell(scheme, cell);
    if (identifiers.length > 1) this.#split++;
    if (isUnwrapped) this.#unwrapped++;
    if (hasKnownForm(scheme)) this.#cells++;
    const malformed = identifiers.flatMap(({ value, fault }) =>
      fault === undefined ? [] : [{ value, fault }],
    );
    if (malformed.length > 0) this.#malformed++;
    for (const { value, fault } of malformed) {
      const { expected: _, ...reason } = fault;
      if (this.#first.length < LISTED) this.#first.push({ ...where, id, scheme, value, ...reason });
    }
    return identifiers.map(({ value }) => value);
  }

  report(): Pick<ContentReport, "split_identifiers" | "unwrapped_identifiers" | "malformed_identifiers"> {
    return {
      split_identifiers: this.#split,
      unwrapped_identifiers: this.#unwrapped,
      malformed_identifiers: { count: this.#malformed, of: this.#cells, first: this.#first },
    };
  }
}

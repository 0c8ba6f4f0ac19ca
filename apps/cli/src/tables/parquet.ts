import { setImmediate } from "node:timers/promises";
import { openPath, openTable } from "@groundrule/formats";
import type { ParquetWriter } from "hyparquet-writer";
import { readFileLines } from "../runs/shards/record-reader.ts";
import {
  EVIDENCE_MEMBERS,
  formatPropertyValue,
  listResultColumns,
  type ResultRow,
} from "../screening/results/result-columns.ts";
import {
  type Attribute,
  type AttributeType,
  type Properties,
  type TableOptions,
  toAttributeValue,
} from "./attributes.ts";
import { type AttributeColumn, buildAttributeColumns, planTable, type TablePlan } from "./table-plan.ts";
import type { TableRow } from "./table-row.ts";
import { toWkbText } from "./wkb.ts";

/** Rows that a reader loads at once, and the bytes of their lines: the size of a group in memory. */
const GROUP_ROWS = 65_536;
const GROUP_BYTES = 16 * 1024 * 1024;

const GEOMETRY = "geometry";

type SchemaElement = ParquetWriter["schema"][number];

/** True for columns by which readers select rows; for others, minimum and maximum texts are useless. */
function hasStatistics(name: string): boolean {
  return ["id", "verdict", "at_least", "error_code"].includes(name) || name.startsWith("check:");
}

/**
 * Makes a Parquet file from temporary rows; its bytes depend on the rows only. Memory is one row group.
 *
 * @param rows path of the lines written by {@link formatRowLine}
 * @param output path of the file, which is overwritten
 */
export async function writeParquetFile(
  rows: string,
  output: string,
  { checks }: TableOptions,
): Promise<void> {
  await writeParquetColumns(
    rows,
    output,
    buildResultColumns(checks, (row: ResultRow) => row, "id"),
    undefined,
  );
}

/**
 * The same with the geometry and attributes of plots: GeoParquet 1.1, in longitude and latitude on WGS 84.
 *
 * @param rows path of the lines of table rows
 *
 * @returns the plots' own attributes
 */
export async function writeGeoParquet(
  rows: string,
  output: string,
  { checks, attributes: known }: TableOptions,
): Promise<readonly Attribute[]> {
  const plan = planTable(rows, known);
  const results = buildResultColumns(checks, ({ row }: TableRow) => row);
  const geometry: Column<TableRow> = {
    name: GEOMETRY,
    schema: [{ name: GEOMETRY, type: "BYTE_ARRAY", repetition_type: "OPTIONAL" }],
    cellOf: ({ wkb }) => (wkb === null ? null : Buffer.from(wkb, "base64")),
  };
  const own = listAttributeColumns(checks, plan.attributes).map(
    ({ name, column, type }): Column<TableRow> => ({
      name: column,
      schema: [{ name: column, repetition_type: "OPTIONAL", ...TYPES[type] }],
      cellOf: ({ properties }) => toAttributeCell(properties, name, type),
    }),
  );
  await writeParquetColumns(rows, output, [...results, ...own, geometry], formatGeoMetadata(plan));
  return plan.attributes;
}

/** The rows of a Parquet file written by {@link writeParquetFile}. */
export async function* readParquetRows(
  path: string,
  { checks }: TableOptions,
): AsyncGenerator<ResultRow, void, undefined> {
  const columns = listResultColumns(checks);
  const file = await openPath(path);
  try {
    const table = await openTable(file, { format: "geoparquet" });
    for await (const { cells } of table.rows()) {
      yield columns.map((name) => (cells.get(name) ?? null) as ResultRow[number]);
    }
  } finally {
    await file.close();
  }
}

/** The rows of a file written by {@link writeGeoParquet}. */
export async function* readGeoParquetRows(
  path: string,
  { checks, attributes = [] }: TableOptions,
): AsyncGenerator<TableRow, void, undefined> {
  const columns = listResultColumns(checks);
  const own = listAttributeColumns(checks, attributes);
  const file = await openPath(path);
  try {
    const table = await openTable(file, { format: "geoparquet" });
    for await (const { geometry, properties } of table.features()) {
      yield {
        row: columns.map((name) => (properties.get(name) ?? null) as ResultRow[number]),
        wkb: toWkbText(geometry),
        properties: Object.fromEntries(own.map(({ name, column }) => [name, properties.get(column) ?? null])),
      };
    }
  } finally {
    await file.close();
  }
}

function listAttributeColumns(
  checks: readonly string[],
  attributes: readonly Attribute[],
): readonly AttributeColumn[] {
  return buildAttributeColumns(attributes, [...listResultColumns(checks), GEOMETRY]);
}

function toAttributeCell(properties: Properties, name: string, type: AttributeType): unknown {
  const value = toAttributeValue(properties[name], type);
  return type === "integer" && value !== null ? BigInt(value) : value;
}

/** A column computed from a line. */
interface Column<Row> {
  readonly name: string;
  readonly schema: readonly SchemaElement[];
  readonly cellOf: (row: Row) => unknown;
}

/** @param required the column that every row has, if there is one */
function buildResultColumns<Row>(
  checks: readonly string[],
  rowOf: (line: Row) => ResultRow,
  required?: string,
): Column<Row>[] {
  return listResultColumns(checks).map((name, at) => ({
    name,
    schema: name === "evidence" ? EVIDENCE : buildTextSchema(name, name === required),
    cellOf: (line) => (name === "evidence" ? toEvidenceCell(rowOf(line)[at]) : rowOf(line)[at]),
  }));
}

async function writeParquetColumns<Row>(
  rows: string,
  output: string,
  columns: readonly Column<Row>[],
  geo: string | undefined,
): Promise<void> {
  // The Parquet writer is loaded only by runs that need it.
  const { fileWriter, ParquetWriter } = await import("hyparquet-writer");
  const writer = new ParquetWriter({
    writer: fileWriter(output),
    schema: [
      { name: "groundrule", num_children: columns.length },
      ...columns.flatMap(({ schema }) => schema),
    ],
    createdBy: "groundrule",
    ...(geo !== undefined && { kvMetadata: [{ key: "geo", value: geo }] }),
  });
  for (const group of readRowGroups<Row>(rows)) {
    const columnData = columns.map(({ name, cellOf }) => ({
      name,
      data: group.map(cellOf) as never[],
      statistics: hasStatistics(name),
    }));
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    await setImmediate(); // the user may abort
  }
  await writer.finish();
}

function* readRowGroups<Row>(path: string): Generator<Row[], void, undefined> {
  let group: Row[] = [];
  let bytes = 0;
  for (const line of readFileLines(path)) {
    group.push(JSON.parse(line.toString()) as Row);
    bytes += line.byteLength;
    if (group.length < GROUP_ROWS && bytes < GROUP_BYTES) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}

function buildTextSchema(name: string, isRequired: boolean): readonly SchemaElement[] {
  return [{ name, repetition_type: isRequired ? "REQUIRED" : "OPTIONAL", ...TYPES.text }];
}

const TYPES: Readonly<Record<AttributeType, Partial<SchemaElement>>> = {
  boolean: { type: "BOOLEAN" },
  integer: { type: "INT64" },
  null: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  real: { type: "DOUBLE" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

const text = (name: string): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...TYPES.text });
const list = (name: string): readonly SchemaElement[] => [
  { name, repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
];

const ITEM = Object.entries(EVIDENCE_MEMBERS).map(
  ([name, type]): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...TYPES[type] }),
);

/** Evidence: a list of structs, one per check; `properties` is a map of texts. */
const EVIDENCE: readonly SchemaElement[] = [
  ...list("evidence"),
  { name: "element", repetition_type: "OPTIONAL", num_children: 3 },
  text("check"),
  ...list("items"),
  { name: "element", repetition_type: "OPTIONAL", num_children: ITEM.length + 1 },
  ...ITEM,
  { name: "properties", repetition_type: "OPTIONAL", num_children: 1, converted_type: "MAP" },
  { name: "key_value", repetition_type: "REPEATED", num_children: 2 },
  { name: "key", repetition_type: "REQUIRED", ...TYPES.text },
  text("value"),
  { name: "total", repetition_type: "OPTIONAL", type: "INT32" },
];

/** Evidence in the form of the column. */
function toEvidenceCell(value: ResultRow[number] | undefined): unknown {
  if (typeof value !== "object" || value === null) return null;
  return value.map(({ check, items, total }) => ({ check, items: items.map(toItemCell), total }));
}

function toItemCell(item: object): object {
  const { properties, ...members } = item as { readonly properties?: Properties | null };
  if (properties === undefined || properties === null) return members;
  const texts = Object.entries(properties).map(([key, value]) => ({
    key,
    value: formatPropertyValue(value),
  }));
  return { ...members, properties: texts };
}

function formatGeoMetadata({ types, bbox }: TablePlan): string {
  return JSON.stringify({
    version: "1.1.0",
    primary_column: GEOMETRY,
    columns: { [GEOMETRY]: { encoding: "WKB", geometry_types: types, ...(bbox !== undefined && { bbox }) } },
  });
}

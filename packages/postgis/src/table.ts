import { crsTable } from "@groundrule/crs";
import type { StoredManifest } from "@groundrule/engine";
import { formatSuggestion } from "@groundrule/engine/internal";
import type { ProviderConfig } from "@groundrule/node";
import type { Rows } from "./database.ts";
import { ProviderError } from "./provider-error.ts";

/** Runs one statement. */
export type Query = (text: string, values: readonly unknown[]) => Promise<Rows>;

/** A table or view that holds areas. */
export interface AreaTable {
  /** Its schema and name, quoted. */
  readonly sql: string;
  readonly srid: number;
  /** True if its geometries have an index on their boxes; undefined for a view. */
  readonly isIndexed: boolean | undefined;
}

/**
 * Looks up the table of a live source, and checks that it has the columns in the manifest.
 *
 * Fails: {@link ProviderError} `PROVIDER_INVALID` if there is no such table or column, if the column has no geometries,
 * or if these are not in longitude and latitude.
 */
export async function findAreaTable(
  query: Query,
  config: Pick<ProviderConfig, "table" | "geometry">,
  manifest: StoredManifest,
): Promise<AreaTable> {
  const { table, geometry } = config;
  const [found] = await query(
    `SELECT c.oid::int8::text, n.nspname, c.relname, c.relkind::text
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)`,
    [quoteTableName(table)],
  );
  if (found === undefined) {
    throw providerInvalidError(`there is no table "${table}" that this user sees; name it as schema.table`);
  }
  const [oid, schema, name, relationKind] = found as [string, string, string, string];
  const columns = (
    await query(
      "SELECT attname, atttypid::regtype::text FROM pg_attribute WHERE attrelid = $1::oid AND attnum > 0 AND NOT attisdropped",
      [oid],
    )
  ).map(([column, type]) => [String(column), String(type)] as const);
  const types = new Map(columns);
  for (const [member, column] of listMappedColumns(config, manifest)) {
    if (types.has(column)) continue;
    const meant = formatSuggestion(column, types.keys());
    throw providerInvalidError(
      `"${member}" names the column "${column}", which table "${table}" does not have${meant}`,
    );
  }
  const type = types.get(geometry)!;
  if (type.split(".").at(-1) !== "geometry") {
    throw providerInvalidError(`column "${geometry}" of table "${table}" is ${type}, expected geometry`);
  }
  const sql = `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
  const srid = await readFirstSrid(query, sql, config);
  if (!isLongitudeLatitude(srid)) {
    const mend = `make a view or column with ST_Transform(${quoteIdentifier(geometry)}, 4326) and an index on it`;
    throw providerInvalidError(
      `the geometries of table "${table}" are in SRID ${srid}, expected longitude and latitude; ${mend}`,
    );
  }
  const isIndexed = relationKind === "v" ? undefined : await hasIndex(query, oid, geometry);
  return { sql, srid, isIndexed };
}

/** The columns that the manifest and the provider name, by the member that names each. */
function listMappedColumns(
  { geometry }: Pick<ProviderConfig, "geometry">,
  { id, name, country, columns }: StoredManifest,
): readonly (readonly [member: string, column: string])[] {
  if (id === undefined) throw providerInvalidError(`a live source needs "id", the column of the identifiers`);
  return [
    ["geometry", geometry],
    ["id", id],
    ...(name === undefined ? [] : [["name", name] as const]),
    ...(country === undefined ? [] : [["country", country] as const]),
    ...Object.keys(columns ?? {}).map((column) => ["columns", column] as const),
  ];
}

/** Quotes an identifier for SQL. */
export function quoteIdentifier(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Quotes `schema.table` for SQL. */
function quoteTableName(table: string): string {
  const dot = table.indexOf(".");
  if (dot === -1) return quoteIdentifier(table);
  return `${quoteIdentifier(table.slice(0, dot))}.${quoteIdentifier(table.slice(dot + 1))}`;
}

/** Reads the SRID of the first geometry: a column of any SRID, as in a view, declares none. */
async function readFirstSrid(
  query: Query,
  sql: string,
  { geometry }: Pick<ProviderConfig, "geometry">,
): Promise<number> {
  const column = quoteIdentifier(geometry);
  const [first] = await query(
    `SELECT ST_SRID(${column}) FROM ${sql} WHERE ${column} IS NOT NULL LIMIT 1`,
    [],
  );
  return first === undefined ? 0 : Number(first[0]);
}

async function hasIndex(query: Query, oid: string, geometry: string): Promise<boolean> {
  const [row] = await query(
    `SELECT count(*)::int FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey::int2[])
      WHERE i.indrelid = $1::oid AND a.attname = $2 AND m.amname IN ('gist', 'spgist', 'brin') AND i.indisvalid`,
    [oid, geometry],
  );
  return Number(row?.[0]) > 0;
}

/** True if positions in it are exactly longitude and latitude; 0 is an undeclared SRID. */
function isLongitudeLatitude(srid: number): boolean {
  if (srid === 0 || srid === 4326) return true;
  const crs = crsTable.find(srid);
  if (crs === undefined || crs.isProjected) return false;
  const position: [number, number] = [-47.123456789012, -15.987654321098];
  crs.transform(position);
  return position[0] === -47.123456789012 && position[1] === -15.987654321098;
}

function providerInvalidError(message: string): ProviderError {
  return new ProviderError("PROVIDER_INVALID", message);
}

import type { AttributeValue, CandidateArea, LiveNeed, StoredManifest } from "@groundrule/engine";
import { isCountryIso3 } from "@groundrule/engine/internal";
import { AreaGeometry, readWkb } from "@groundrule/formats";
import type { ProviderConfig } from "@groundrule/node";
import type { Rows } from "./database.ts";
import { ProviderError, TooManyAreas } from "./provider-error.ts";
import { type AreaTable, quoteIdentifier } from "./table.ts";

/** Maximum bytes of geometries in one answer, as stored in the database. */
const MAX_BYTES: number = 64 * 1024 * 1024;

/** A statement and its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Conversion of each type's values in the query. */
const CASTS = { number: "float8", string: "text", boolean: "boolean", date: "date" } as const;

/**
 * The statement that finds the candidates of a need. Its first two columns are the number of areas found, at most one
 * more than `maxCandidates`, and the bytes of their geometries; then the areas, none if there are too many.
 */
export function buildCandidateStatement(
  table: AreaTable,
  config: Pick<ProviderConfig, "geometry">,
  manifest: StoredManifest,
  { boxes, wide }: Pick<LiveNeed, "boxes" | "wide">,
  maxCandidates: number,
): Statement {
  const values: unknown[] = [];
  const geometry = quoteIdentifier(config.geometry);
  const envelope = (box: readonly number[]): string => {
    const [west, south, east, north] = box.map((side) => `$${values.push(side)}::float8`);
    return `${geometry} && ST_MakeEnvelope(${west}, ${south}, ${east}, ${north}, ${table.srid})`;
  };
  const near = boxes.map(envelope);
  const across = wide.map(envelope);
  const tests = [
    ...near,
    ...(across.length === 0
      ? []
      : [`((${across.join(" OR ")}) AND ST_XMax(${geometry}) - ST_XMin(${geometry}) >= 180)`]),
  ];
  const columns = [
    `${quoteIdentifier(manifest.id!)}::text AS id`,
    `${manifest.name === undefined ? "NULL" : quoteIdentifier(manifest.name)}::text AS name`,
    `${manifest.country === undefined ? "NULL" : quoteIdentifier(manifest.country)}::text AS country`,
    ...Object.entries(manifest.columns ?? {}).map(([column, type], i) => {
      const cast = `${quoteIdentifier(column)}::${CASTS[type]}`;
      return `${type === "date" ? `to_char(${cast}, 'YYYY-MM-DD')` : cast} AS c${i}`;
    }),
  ];
  const text = `WITH hits AS MATERIALIZED (
  SELECT ${columns.join(", ")}, ${geometry} AS geometry FROM ${table.sql}
  WHERE ${tests.length === 0 ? "false" : tests.join("\n    OR ")}
  LIMIT ${maxCandidates + 1}
), told AS (SELECT count(*)::int AS areas, coalesce(sum(pg_column_size(geometry)), 0)::float8 AS bytes FROM hits)
SELECT told.areas, told.bytes, ST_AsBinary(hits.geometry, 'NDR'), hits.*
FROM told LEFT JOIN hits ON told.areas <= ${maxCandidates} AND told.bytes <= ${MAX_BYTES}`;
  return { text, values };
}

/**
 * Parses the candidates from the rows of {@link buildCandidateStatement}, in an order that depends on the rows only.
 *
 * Fails: {@link TooManyAreas}; {@link ProviderError} `PROVIDER_INVALID` for an area without an identifier or with a
 * value that an answer cannot contain.
 */
export function parseCandidates(
  rows: Rows,
  manifest: StoredManifest,
  maxCandidates: number,
): CandidateArea[] {
  const [areas, bytes] = (rows[0] ?? [0, 0]).map(Number) as [number, number];
  if (areas > maxCandidates || bytes > MAX_BYTES) {
    throw new TooManyAreas(
      areas > maxCandidates
        ? { unit: "areas", found: areas, allowed: maxCandidates }
        : { unit: "bytes", found: bytes, allowed: MAX_BYTES },
    );
  }
  if (areas === 0) return [];
  const wkb = new Map<CandidateArea, Uint8Array>();
  const candidates = rows.map((row): CandidateArea => {
    const candidate = toCandidate(row, manifest);
    if (row[2] instanceof Uint8Array) wkb.set(candidate, row[2]);
    return candidate;
  });
  return candidates.sort(
    (a, b) =>
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0) || Buffer.compare(wkb.get(a) ?? EMPTY, wkb.get(b) ?? EMPTY),
  );
}

const EMPTY = new Uint8Array(0);

function toCandidate(row: readonly unknown[], manifest: StoredManifest): CandidateArea {
  const [, , geometry, id, name, country, ...cells] = row;
  if (typeof id !== "string" || id === "") {
    throw new ProviderError("PROVIDER_INVALID", `found an area without a value in "${manifest.id}"`);
  }
  const properties: Record<string, AttributeValue> = Object.create(null);
  Object.keys(manifest.columns ?? {}).forEach((column, i) => {
    properties[column] = toAttribute(cells[i], column, id);
  });
  const code = typeof country === "string" ? country.trim().toUpperCase() : "";
  return {
    id,
    name: typeof name === "string" && name !== "" ? name : null,
    country_iso3: isCountryIso3(code) ? code : (manifest.country_iso3 ?? null),
    geometry: parseWkbToGeoJson(geometry, id),
    properties,
  };
}

function toAttribute(value: unknown, column: string, id: string): AttributeValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new ProviderError("PROVIDER_INVALID", `found ${String(value)} in "${column}" of area "${id}"`);
}

function parseWkbToGeoJson(bytes: unknown, id: string): object {
  if (!(bytes instanceof Uint8Array)) return { type: "Polygon", coordinates: [] };
  try {
    const geometry = readWkb(bytes);
    return geometry instanceof AreaGeometry ? geometry.toGeoJson() : (geometry as object);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ProviderError("PROVIDER_UNAVAILABLE", `the geometry of area "${id}" cannot be read: ${why}`);
  }
}

import type { SchemaTree } from "hyparquet";
import { findProjJsonCrs } from "../../crs/crs-of.ts";
import { projJsonName } from "../../crs/proj-json-crs.ts";
import { createFormatError, FormatError, fileDamagedError } from "../../format-error.ts";
import type { Metadata } from "./metadata.ts";

/** Which column holds the geometry, in which CRS. */
export interface GeometryColumn {
  readonly name: string;
  readonly crs: string | undefined;
  /** True if its edges run along great circles rather than straight in longitude and latitude. */
  readonly isSpherical: boolean;
  /** Columns that are geometries or describe their places, and no attributes. */
  readonly passedOver: ReadonlySet<string>;
}

/** The default of both GeoParquet and Parquet. */
const LONGITUDE_LATITUDE = "OGC:CRS84";

/**
 * The geometry column: by the metadata of GeoParquet, else by Parquet's own type; the one that is named, else the
 * primary one, else the only one. Undefined where the file has none.
 *
 * Fails: `FILE_DAMAGED`; `FORMAT_UNSUPPORTED` for encodings other than WKB, and edges neither planar nor along the sphere;
 * `LAYER_UNKNOWN`, `LAYER_AMBIGUOUS`.
 * Source: GeoParquet 1.1.0, https://geoparquet.org/releases/v1.1.0/; "Geospatial definitions" of Parquet.
 */
export function findGeometryColumn(
  metadata: Metadata,
  wanted: string | undefined,
): GeometryColumn | undefined {
  const text = findKeyValue(metadata, "geo");
  return text === undefined
    ? findColumnByLogicalType(metadata, wanted)
    : byGeoParquet(metadata, text, wanted);
}

/** Metadata about a column of geometries. */
interface GeoColumn {
  readonly encoding?: unknown;
  readonly crs?: unknown;
  readonly edges?: unknown;
  readonly covering?: Readonly<Record<string, unknown>>;
}

function byGeoParquet(metadata: Metadata, text: string, wanted: string | undefined): GeometryColumn {
  const geo = parseGeoMetadata(text);
  const columns = new Map(Object.entries(geo.columns));
  const name = wanted ?? geo.primary;
  const column = columns.get(name);
  if (column === undefined) {
    if (wanted !== undefined) throw columnUnknownError(wanted, [...columns.keys()]);
    throw fileDamagedError(`no column "${name}" in the geo metadata`, "the primary one");
  }
  const encoding = String(column.encoding ?? "absent");
  if (encoding.toUpperCase() !== "WKB")
    throw unsupportedGeometryError(
      `geometries of the encoding ${encoding}`,
      "WKB",
      "-lco GEOMETRY_ENCODING=WKB",
    );
  const isSpherical = isSphericalEdges(column.edges);
  const leaf = findSchemaColumn(metadata, name);
  if (leaf?.element.type !== "BYTE_ARRAY")
    throw fileDamagedError(`no column "${name}" of bytes`, "the geometry in it");
  return {
    name,
    crs: getColumnCrs(column),
    isSpherical,
    passedOver: new Set([...columns.keys(), ...listCoveringColumns(columns.values())]),
  };
}

/** Most characters of metadata that are JSON: a CRS takes some thousand. */
const JSON_LIMIT = 2 ** 20;

function parseGeoMetadata(text: string): {
  readonly primary: string;
  readonly columns: Readonly<Record<string, GeoColumn>>;
} {
  let geo: { version?: unknown; primary_column?: unknown; columns?: unknown } | null;
  checkMetadataLength(text);
  try {
    geo = JSON.parse(text);
  } catch (error) {
    throw fileDamagedError(
      `geo metadata that are no JSON (${(error as Error).message})`,
      "those of GeoParquet",
    );
  }
  const { version, primary_column: primary, columns } = geo ?? {};
  if (typeof version !== "string" || !version.startsWith("1."))
    throw unsupportedGeometryError(`GeoParquet of version ${JSON.stringify(version)}`, "1.0 or 1.1", "");
  if (typeof primary !== "string")
    throw fileDamagedError("geo metadata without a primary column", "its name");
  if (typeof columns !== "object" || columns === null || !Object.values(columns).every(isObject))
    throw fileDamagedError("geo metadata without columns", "what they say of the primary column");
  return { primary, columns: columns as Readonly<Record<string, GeoColumn>> };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Columns in which GeoParquet 1.1 keeps the boxes of geometries. */
function listCoveringColumns(columns: Iterable<GeoColumn>): string[] {
  return Array.from(columns).flatMap(({ covering }) => {
    const box = covering?.bbox as Readonly<Record<string, unknown>> | undefined;
    const path = box?.xmin;
    return Array.isArray(path) && typeof path[0] === "string" ? [path[0]] : [];
  });
}

function getColumnCrs(column: GeoColumn): string | undefined {
  if (column.crs === undefined) return LONGITUDE_LATITUDE;
  return column.crs === null ? undefined : getProjJsonCrs(column.crs);
}

function getProjJsonCrs(value: unknown): string {
  return findProjJsonCrs(value) ?? projJsonName(value);
}

function findColumnByLogicalType(metadata: Metadata, wanted: string | undefined): GeometryColumn | undefined {
  const spatial = metadata.schema.children.filter(({ element: { logical_type: logical } }) =>
    ["GEOMETRY", "GEOGRAPHY"].includes(logical?.type ?? ""),
  );
  if (spatial.length === 0) return undefined;
  const names = spatial.map(({ element }) => element.name);
  const found = wanted === undefined ? spatial[0]! : spatial.find(({ element }) => element.name === wanted);
  if (found === undefined) throw columnUnknownError(wanted!, names);
  if (wanted === undefined && spatial.length > 1) {
    const found = `${spatial.length} geometry columns`;
    const expected = "one, or its name (--layer)";
    const message = `found ${found}, expected ${expected}: ${names.join(", ")}`;
    throw new FormatError("LAYER_AMBIGUOUS", message, { found, expected, layers: names });
  }
  const { logical_type: logical, name } = found.element;
  const isSpherical =
    logical?.type === "GEOGRAPHY" && isSphericalEdges(String(logical.algorithm ?? "spherical").toLowerCase());
  const crs = logical?.type === "GEOMETRY" || logical?.type === "GEOGRAPHY" ? logical.crs : undefined;
  return { name, crs: resolveLogicalTypeCrs(metadata, crs), isSpherical, passedOver: new Set(names) };
}

/** As Parquet's own type names it: a name, PROJJSON, or the key of the metadata that has it. */
function resolveLogicalTypeCrs(metadata: Metadata, crs: string | undefined): string | undefined {
  if (crs === undefined || crs === "") return LONGITUDE_LATITUDE;
  const text = crs.startsWith("projjson:") ? findKeyValue(metadata, crs.slice(9)) : crs;
  if (text === undefined)
    throw fileDamagedError(`the CRS "${crs}"`, "PROJJSON under that key in the file's metadata");
  checkMetadataLength(text);
  if (!text.startsWith("{")) return text;
  try {
    return getProjJsonCrs(JSON.parse(text));
  } catch {
    throw fileDamagedError("a CRS that is no PROJJSON", "PROJJSON");
  }
}

function checkMetadataLength(text: string): void {
  if (text.length <= JSON_LIMIT) return;
  throw fileDamagedError(`metadata of ${text.length} characters`, `at most ${JSON_LIMIT}`);
}

/** Fails: `FORMAT_UNSUPPORTED` for edges of other kinds, such as geodesics. */
function isSphericalEdges(edges: unknown): boolean {
  if (edges === undefined || edges === "planar") return false;
  if (edges === "spherical") return true;
  throw unsupportedGeometryError(`edges that are ${JSON.stringify(edges)}`, "planar or spherical ones", "");
}

function findSchemaColumn(metadata: Metadata, name: string): SchemaTree | undefined {
  return metadata.schema.children.find(({ element }) => element.name === name);
}

function findKeyValue(metadata: Metadata, wanted: string): string | undefined {
  return metadata.file.key_value_metadata?.find(({ key }) => key === wanted)?.value;
}

function columnUnknownError(name: string, columns: string[]): FormatError {
  const expected = `one of: ${columns.join(", ")}`;
  return createFormatError("LAYER_UNKNOWN", `no geometry column "${name}"`, expected, { layers: columns });
}

function unsupportedGeometryError(found: string, expected: string, option: string): FormatError {
  const mend = `\`ogr2ogr${option === "" ? "" : ` ${option}`} out.parquet in.parquet\` writes them`;
  return createFormatError("FORMAT_UNSUPPORTED", found, expected, { mend });
}

import { FormatError } from "../../format-error.ts";
import type { Cell, Database } from "./database.ts";

/** A table listed in the contents of the GeoPackage. */
export interface Layer {
  readonly name: string;
  /** The name people gave it, where it differs. */
  readonly identifier: string | undefined;
  /** Its geometry; absent in tables of attributes. */
  readonly geometry?: { readonly column: string; readonly type: string; readonly srsId: number };
}

/** Most layers that are looked at. */
const LAYER_LIMIT = 10_000;

/**
 * The tables of features and of attributes, as `gpkg_contents` lists them.
 *
 * Fails: `FORMAT_UNSUPPORTED` where there is no such list; `FILE_DAMAGED`.
 */
export function readGeoPackageLayers(database: Database): Layer[] {
  if (!database.has("gpkg_contents")) {
    const found = "an SQLite database that is not a GeoPackage: it has no gpkg_contents";
    const message = `found ${found}; \`ogr2ogr out.gpkg in.sqlite\` may make one of it`;
    throw new FormatError("FORMAT_UNSUPPORTED", message, { found, expected: "a GeoPackage" });
  }
  const columns = readGeometryColumns(database);
  const layers: Layer[] = [];
  for (const row of iterateLimitedRows(database, "gpkg_contents", [
    "table_name",
    "data_type",
    "identifier",
  ])) {
    const name = String(row[1]);
    const kind = String(row[2]).toLowerCase();
    const identifier = row[3] === null || row[3] === name ? undefined : String(row[3]);
    const geometry = columns.get(name.toLowerCase());
    if (kind === "features" && geometry === undefined) {
      const found = `no geometry column of "${name}" in gpkg_geometry_columns`;
      throw new FormatError("FILE_DAMAGED", `found ${found}, expected one`, {
        place: { layer: name },
        found,
        expected: "a geometry column",
      });
    }
    if (kind === "features" && geometry !== undefined) layers.push({ name, identifier, geometry });
    else if (kind === "attributes" || kind === "aspatial") layers.push({ name, identifier });
  }
  return layers;
}

function readGeometryColumns(database: Database): Map<string, NonNullable<Layer["geometry"]>> {
  const columns = new Map<string, NonNullable<Layer["geometry"]>>();
  if (!database.has("gpkg_geometry_columns")) return columns;
  const names = ["table_name", "column_name", "geometry_type_name", "srs_id"];
  for (const row of iterateLimitedRows(database, "gpkg_geometry_columns", names))
    columns.set(String(row[1]).toLowerCase(), {
      column: String(row[2]),
      type: String(row[3]).toUpperCase(),
      srsId: Number(row[4]),
    });
  return columns;
}

function* iterateLimitedRows(
  database: Database,
  table: string,
  columns: readonly string[],
): Generator<Cell[], void> {
  let count = 0;
  for (const row of database.rows(table, columns)) {
    if (++count > LAYER_LIMIT) {
      throw new FormatError("FILE_DAMAGED", `found more than ${LAYER_LIMIT} rows, expected one a layer`, {
        place: { layer: table },
        found: `more than ${LAYER_LIMIT} rows`,
        expected: "one row a layer",
        limit: LAYER_LIMIT,
      });
    }
    yield row;
  }
}

/**
 * The layer that is named; where none is, the only one of features, or the only one of attributes where none has
 * features.
 *
 * Fails: `LAYER_UNKNOWN`, `LAYER_AMBIGUOUS`; both list the layers.
 */
export function chooseLayer(layers: readonly Layer[], wanted: string | undefined): Layer {
  if (wanted !== undefined) {
    const named =
      layers.find(({ name }) => name === wanted) ?? layers.find(({ identifier }) => identifier === wanted);
    if (named !== undefined) return named;
    throwLayerError("LAYER_UNKNOWN", `no layer "${wanted}"`, "one of", layers);
  }
  const features = layers.filter(({ geometry }) => geometry !== undefined);
  const candidates = features.length > 0 ? features : layers;
  if (candidates.length === 1) return candidates[0]!;
  if (candidates.length === 0)
    throwLayerError("LAYER_UNKNOWN", "no layer of features or attributes", "one", layers);
  throwLayerError("LAYER_AMBIGUOUS", `${candidates.length} layers`, "one, or its name (--layer)", candidates);
}

const LISTED = 50;

function throwLayerError(
  code: "LAYER_AMBIGUOUS" | "LAYER_UNKNOWN",
  found: string,
  expected: string,
  layers: readonly Layer[],
): never {
  const names = layers
    .slice(0, LISTED)
    .map(({ name, geometry }) => `${name} (${geometry?.type ?? "no geometry"})`);
  const more = layers.length > LISTED ? `, and ${layers.length - LISTED} more` : "";
  const list = names.length === 0 ? "" : `: ${names.join(", ")}${more}`;
  throw new FormatError(code, `found ${found}, expected ${expected}${list}`, {
    found,
    expected,
    layers: layers.map(({ name }) => name),
  });
}

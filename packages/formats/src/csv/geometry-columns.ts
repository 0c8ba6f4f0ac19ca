import { refusal } from "../format-error.ts";
import type { ReadOptions } from "../format-reader.ts";
import { isDecimal } from "../values.ts";
import { readWkt, WktFault } from "../wkt.ts";

/** Makes the geometry of a row from its cells. */
export interface GeometryColumns {
  /** The columns that the geometry stands in: they are no properties. */
  readonly columns: readonly string[];
  /** Those of them that hold numbers. */
  readonly numbers: readonly string[];
  /** The geometry and the CRS beside it, or why there is none. */
  read(cell: (column: string) => string): {
    readonly geometry: unknown;
    readonly crs?: string;
    readonly fault?: { readonly code: string; readonly message: string };
  };
}

const OF_WKT = [
  "wkt",
  "geometry",
  "geom",
  "the_geom",
  "wkt_geom",
  "geom_wkt",
  "wkt_geometry",
  "geometry_wkt",
];
const OF_LONGITUDE = ["longitude", "lon", "lng", "long", "decimallongitude", "x"];
const OF_LATITUDE = ["latitude", "lat", "decimallatitude", "y"];

/**
 * The columns in which a table has its geometries: those that the options name, else those that are named as
 * geometries are.
 *
 * Fails: `FORMAT_UNKNOWN` where there are none; `CSV_MALFORMED` for a named column that the table does not have.
 */
export function geometryColumns(columns: readonly string[], options: ReadOptions): GeometryColumns {
  const { wkt, longitude, latitude, decimal } = options;
  for (const named of [wkt, longitude, latitude]) if (named !== undefined) checkColumn(named, columns);
  if (wkt !== undefined) return ofWkt(wkt);
  if (longitude !== undefined && latitude !== undefined) return ofPosition(longitude, latitude, decimal);
  const byName = (names: readonly string[]) =>
    names.flatMap((name) => columns.find((column) => column.trim().toLowerCase() === name) ?? [])[0];
  const geometry = byName(OF_WKT);
  if (geometry !== undefined) return ofWkt(geometry);
  const [x, y] = [longitude ?? byName(OF_LONGITUDE), latitude ?? byName(OF_LATITUDE)];
  if (x !== undefined && y !== undefined) return ofPosition(x, y, decimal);
  const found = `text with the columns ${columns.slice(0, 20).join(", ").slice(0, 200)}`;
  const expected =
    "GeoJSON, or CSV with a column wkt or geometry (WKT), or the columns longitude and latitude";
  throw refusal("FORMAT_UNKNOWN", found, expected, { columns });
}

function checkColumn(column: string, columns: readonly string[]): void {
  if (columns.includes(column)) return;
  const found = `no column "${column}"`;
  const expected = `one of ${columns.slice(0, 20).join(", ")}`;
  throw refusal("CSV_MALFORMED", found, expected, { columns });
}

function ofWkt(column: string): GeometryColumns {
  return {
    columns: [column],
    numbers: [],
    read(cell) {
      const text = cell(column);
      if (text.trim() === "") return { geometry: null };
      try {
        const { geometry, srid } = readWkt(text);
        return { geometry, ...(srid !== undefined && srid > 0 && { crs: `EPSG:${srid}` }) };
      } catch (error) {
        if (!(error instanceof WktFault)) throw error;
        return faulty(`column "${column}": ${error.message}`);
      }
    },
  };
}

/** Whether a text is a number with a decimal comma. */
export function hasDecimalComma(text: string): boolean {
  return /^[-+]?[0-9]+,[0-9]+$/.test(text.trim());
}

function ofPosition(longitude: string, latitude: string, decimal: ReadOptions["decimal"]): GeometryColumns {
  const textIn = (cell: string): string => {
    const text = cell.trim();
    return decimal === "comma" && hasDecimalComma(text) ? text.replace(",", ".") : text;
  };
  return {
    columns: [longitude, latitude],
    numbers: [longitude, latitude],
    read(cell) {
      const [x, y] = [textIn(cell(longitude)), textIn(cell(latitude))];
      if (x === "" && y === "") return { geometry: null };
      for (const [column, text] of [
        [longitude, x],
        [latitude, y],
      ] as const) {
        if (isDecimal(text)) continue;
        const mend = hasDecimalComma(text) ? " with a point, not a comma" : "";
        return faulty(
          `column "${column}": found ${JSON.stringify(text.slice(0, 24))}, expected a number${mend}`,
        );
      }
      return { geometry: { type: "Point", coordinates: [Number(x), Number(y)] } };
    },
  };
}

function faulty(message: string): { geometry: null; fault: { code: string; message: string } } {
  return { geometry: null, fault: { code: "GEOMETRY_INVALID", message } };
}

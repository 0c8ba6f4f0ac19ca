import type { FormatReader, OpenTable, ReadOptions, TextReader } from "../format-reader.ts";

/** All that is said of one format; what reads it is the other half. */
export interface Format {
  /** Its name in reports. */
  readonly label: string;
  /** Its name as the object of a sentence; absent: the label. */
  readonly words?: string;
  /** Its name in a list of what is read; absent: the label, `null` for what another name in it covers. */
  readonly listed?: string | null;
  /** The same where there is more room. */
  readonly detail?: string;
  /** A file of rows, of features, or of either. */
  readonly holds: "rows" | "features" | "either";
  /** First bytes, or the root element of XML; absent: text is JSON or a table, and a workbook is an archive. */
  readonly magic?: { readonly bytes: string } | { readonly root: string };
  /** Endings of its files, by which one of them is found in an archive. */
  readonly endings: readonly string[];
  /** Loads its reader when the first file of it is read: reading GeoJSON loads no Parquet. */
  readonly load: () => Promise<FormatReader | TextReader>;
}

/** Name of a format in options and manifests; GeoJSON stands for its stream forms too. */
export type FormatName =
  | "geojson"
  | "json-lines"
  | "csv"
  | "tsv"
  | "geopackage"
  | "shapefile"
  | "flatgeobuf"
  | "geoparquet"
  | "kml"
  | "gpx"
  | "xlsx";

/** Every format that is read. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  geojson: {
    label: "GeoJSON",
    detail: "GeoJSON (a FeatureCollection, one feature a line, or a text sequence)",
    holds: "features",
    endings: ["geojson", "geojsonl", "geojsons"],
    load: async () => (await import("../json/json-table.ts")).geoJsonReader,
  },
  "json-lines": {
    label: "JSON lines",
    words: "JSON, one object a line",
    listed: null,
    holds: "either",
    endings: ["json", "jsonl", "ndjson"],
    load: async () => (await import("../json/json-table.ts")).jsonLinesReader,
  },
  csv: {
    label: "CSV",
    detail: "CSV, TSV",
    holds: "rows",
    endings: ["csv"],
    load: async () => (await import("../csv/csv-table.ts")).csvReader,
  },
  tsv: {
    label: "TSV",
    listed: null,
    holds: "rows",
    endings: ["tsv"],
    load: async () => (await import("../csv/csv-table.ts")).csvReader,
  },
  geopackage: {
    label: "GeoPackage",
    holds: "features",
    magic: { bytes: "SQLite format 3\0" },
    endings: ["gpkg"],
    load: async () => (await import("../readers/geopackage/reader.ts")).geopackageReader,
  },
  shapefile: {
    label: "shapefile",
    words: "a shapefile",
    listed: "Shapefile",
    detail: "Shapefile (zipped, or its folder)",
    holds: "features",
    magic: { bytes: "\0\0'\n" },
    endings: ["shp"],
    load: async () => (await import("../shapefile/reader.ts")).shapefileReader,
  },
  flatgeobuf: {
    label: "FlatGeobuf",
    holds: "features",
    magic: { bytes: "fgb" },
    endings: ["fgb"],
    load: async () => (await import("../readers/flatgeobuf/reader.ts")).flatgeobufReader,
  },
  geoparquet: {
    label: "GeoParquet",
    holds: "features",
    magic: { bytes: "PAR1" },
    endings: ["parquet", "geoparquet"],
    load: async () => (await import("../readers/parquet/reader.ts")).geoparquetReader,
  },
  kml: {
    label: "KML",
    detail: "KML, KMZ",
    holds: "features",
    magic: { root: "kml" },
    endings: ["kml"],
    load: async () => (await import("../kml/reader.ts")).kmlReader,
  },
  gpx: {
    label: "GPX",
    holds: "features",
    magic: { root: "gpx" },
    endings: ["gpx"],
    load: async () => (await import("../readers/gpx/reader.ts")).gpxReader,
  },
  xlsx: {
    label: "Excel workbook",
    words: "an Excel workbook",
    listed: "Excel's .xlsx",
    holds: "rows",
    endings: [],
    load: async () => (await import("../readers/xlsx/reader.ts")).xlsxReader,
  },
};

/** The names of all formats. */
export const FORMAT_NAMES: readonly [FormatName, ...FormatName[]] = Object.keys(FORMATS) as [
  FormatName,
  ...FormatName[],
];

/** The reader of a format that is read from a file. */
export async function loadFileReader(name: FormatName): Promise<FormatReader> {
  const reader = await FORMATS[name].load();
  if ("openText" in reader) throw new Error(`${name} is read as text`);
  return reader;
}

/** Options of {@link ReadOptions}, the format by its name. */
export interface FormatOptions extends ReadOptions {
  readonly format?: FormatName | undefined;
}

/** A table, the format by its name. */
export interface FormatTable extends OpenTable {
  readonly format: FormatName;
}

/** Names of the formats that hold something, as lists of what is read have them. */
function listNames(member: "listed" | "detail", holds: Format["holds"]): string[] {
  return Object.values(FORMATS)
    .filter((format) => format.holds === holds && format.listed !== null)
    .map(({ label, listed, [member]: name }) => name ?? listed ?? label);
}

const [FIRST = "", ...FEATURES] = listNames("listed", "features");
const READ = [FIRST, ...listNames("listed", "rows"), ...FEATURES];

/** The formats that are read, for people: `GeoJSON, CSV or GPX`. */
export const READ_FORMATS: string = `${READ.slice(0, -1).join(", ")} or ${READ.at(-1)}`;

/** The formats of features that are read, in detail, for people. */
export const FEATURE_FORMATS: string = listNames("detail", "features").join(", ");

const TABLES = listNames("detail", "rows");

/** The formats of tables, likewise. */
export const TABLE_FORMATS: string = `${TABLES.slice(0, -1).join(", ")} or ${TABLES.at(-1)}`;

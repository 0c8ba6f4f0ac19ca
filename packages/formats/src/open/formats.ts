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
  readonly magic?:
    | {
        /** First bytes, as Latin-1. */
        readonly bytes: string;
      }
    | {
        /** Name of the root element. */
        readonly root: string;
      };
  /** Endings of its files, by which one of them is found in an archive. */
  readonly endings: readonly string[];
  /** Loads the module of its reader when the first file of it is read: reading GeoJSON loads no Parquet. */
  readonly load: () => Promise<{
    /** The reader. */
    readonly reader: FormatReader | TextReader;
  }>;
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
    load: () => import("../json/json-table.ts"),
  },
  "json-lines": {
    label: "JSON lines",
    words: "JSON, one object a line",
    listed: null,
    holds: "either",
    endings: ["json", "jsonl", "ndjson"],
    load: () => import("../json/json-table.ts"),
  },
  csv: {
    label: "CSV",
    detail: "CSV, TSV",
    holds: "rows",
    endings: ["csv"],
    load: () => import("../csv/csv-table.ts"),
  },
  tsv: {
    label: "TSV",
    listed: null,
    holds: "rows",
    endings: ["tsv"],
    load: () => import("../csv/csv-table.ts"),
  },
  geopackage: {
    label: "GeoPackage",
    holds: "features",
    magic: { bytes: "SQLite format 3\0" },
    endings: ["gpkg"],
    load: () => import("../readers/geopackage/reader.ts"),
  },
  shapefile: {
    label: "shapefile",
    words: "a shapefile",
    listed: "Shapefile",
    detail: "Shapefile (zipped, or its folder)",
    holds: "features",
    magic: { bytes: "\0\0'\n" },
    endings: ["shp"],
    load: () => import("../shapefile/reader.ts"),
  },
  flatgeobuf: {
    label: "FlatGeobuf",
    holds: "features",
    magic: { bytes: "fgb" },
    endings: ["fgb"],
    load: () => import("../readers/flatgeobuf/reader.ts"),
  },
  geoparquet: {
    label: "GeoParquet",
    holds: "features",
    magic: { bytes: "PAR1" },
    endings: ["parquet", "geoparquet"],
    load: () => import("../readers/parquet/reader.ts"),
  },
  kml: {
    label: "KML",
    detail: "KML, KMZ",
    holds: "features",
    magic: { root: "kml" },
    endings: ["kml"],
    load: () => import("../kml/reader.ts"),
  },
  gpx: {
    label: "GPX",
    holds: "features",
    magic: { root: "gpx" },
    endings: ["gpx"],
    load: () => import("../readers/gpx/reader.ts"),
  },
  xlsx: {
    label: "Excel workbook",
    words: "an Excel workbook",
    listed: "Excel's .xlsx",
    holds: "rows",
    endings: [],
    load: () => import("../readers/xlsx/reader.ts"),
  },
};

/** The names of all formats. */
export const FORMAT_NAMES: readonly [FormatName, ...FormatName[]] = Object.keys(FORMATS) as [
  FormatName,
  ...FormatName[],
];

/** The reader of a format that is read from a file. */
export async function loadFileReader(name: FormatName): Promise<FormatReader> {
  const { reader } = await FORMATS[name].load();
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

/** Names of the formats that hold something, for lists of what is read. */
function listNames(member: "listed" | "detail", holds: Format["holds"]): string[] {
  return Object.values(FORMATS)
    .filter((format) => format.holds === holds && format.listed !== null)
    .map(({ label, listed, [member]: name }) => name ?? listed ?? label);
}

const formatChoice = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

/** The formats that are read, for people: `GeoJSON, CSV or GPX`. */
export function formatReadFormats(): string {
  const [first = "", ...others] = listNames("listed", "features");
  return formatChoice([first, ...listNames("listed", "rows"), ...others]);
}

/** The formats of features that are read, and those of tables, in detail, for people. */
export function formatDetailedFormats(): {
  /** Formats of features. */
  readonly features: string;
  /** Formats of tables. */
  readonly tables: string;
} {
  return {
    features: listNames("detail", "features").join(", "),
    tables: formatChoice(listNames("detail", "rows")),
  };
}

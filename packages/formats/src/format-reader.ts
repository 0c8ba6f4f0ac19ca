import type { LocalFile } from "./file/local-file.ts";
import { FormatError, type Place } from "./format-error.ts";
import type { FormatLimits } from "./limits.ts";

/** Options that the bytes of a file do not state; absent: found in it. */
export interface ReadOptions {
  /** The format; any other is refused. */
  readonly format?: string | undefined;
  /** The layer of a file, or the entry of an archive, that has several. */
  readonly layer?: string | undefined;
  /** The encoding of its text, by a label of the Encoding Standard: `windows-1252`. */
  readonly encoding?: string | undefined;
  /**
   * The CRS of its positions (`EPSG:n`), if the one that a shapefile declares is missing, unknown or wrong. In a table
   * it determines whether numbers are degrees.
   */
  readonly crs?: string | undefined;
  /** True if latitude comes first in its positions: the axes are swapped as they are read. */
  readonly swapAxes?: boolean | undefined;
  /** Tables: the column of the geometry, in any notation that is read; absent: found by names and values. */
  readonly wkt?: string | undefined;
  /** Tables: the column of a point's longitude (or easting); absent: found by name. */
  readonly longitude?: string | undefined;
  /** Tables: the column of a point's latitude (or northing); absent: found by name. */
  readonly latitude?: string | undefined;
  /** CSV: numbers have a decimal comma, `-47,25`; absent: a decimal point. */
  readonly decimal?: "comma" | undefined;
  /** Tables: columns that hold something else, so that no geometry is looked for in them. */
  readonly otherColumns?: readonly string[] | undefined;
  /**
   * Tables: the column of ids by which rows are the corners of plots; `none`: each row is a plot; absent: found where
   * there is no doubt.
   */
  readonly cornersOf?: string | undefined;
  /** Tables: the column that counts the corners of a plot; absent: found by name, else they are in the order of rows. */
  readonly cornerOrder?: string | undefined;
  /** CSV: path of the form whose repeated group the table is, by their columns KEY and PARENT_KEY. */
  readonly parent?: string | undefined;
  /** Limits that differ from {@link FORMAT_LIMITS}. */
  readonly limits?: Partial<FormatLimits> | undefined;
}

/** A feature as it stands in its file; its geometry is not judged here. */
export interface Feature {
  /** Where the feature starts. */
  readonly place: Place & {
    /** Number of the feature, from 1. */
    readonly feature: number;
  };
  /** The id of the feature itself in the file, apart from its properties. */
  readonly id: string | number | undefined;
  /** A geometry of GeoJSON as parsed, an `AreaGeometry` that lasts until the next feature is read, or null. */
  readonly geometry: unknown;
  /** Why this one feature's geometry cannot be read: the others go on. */
  readonly fault?: { readonly code: string; readonly message: string } | undefined;
  /**
   * `[minX, minY, maxX, maxY]` of a geometry that cannot be read, in the CRS of the file, if the file states it
   * separately.
   */
  readonly box?: readonly [number, number, number, number] | undefined;
  /**
   * In file order: strings, numbers, booleans, null, nested JSON. Whole numbers that a double cannot hold are their
   * text; dates are ISO 8601 text.
   */
  readonly properties: ReadonlyMap<string, unknown>;
  /** `EPSG:n`, `OGC:CRS84` or the name that the file writes; undefined where it declares none. */
  readonly crs: string | undefined;
  /** A change of its geometry that reading made. */
  readonly notes?: readonly ReadNote[];
}

/** Something that was made of a geometry as it was read: a ring or closed line became a polygon, a label was left out. */
export interface ReadNote {
  readonly code: "READ_AS_BORDER" | "LABEL_DROPPED";
  /** The change, in words. */
  readonly message: string;
}

/** A geometry as `read` makes it, or why it cannot be read, where that is a {@link FormatError}. */
export function readGeometryOrFault(read: () => unknown): Pick<Feature, "geometry" | "fault"> {
  try {
    return { geometry: read() };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { geometry: null, fault: { code: error.code, message: error.message } };
  }
}

/** A row of a table, its cells in the order of the columns. */
export interface Row {
  /** Where the row starts. */
  readonly place: Place & {
    /** Number of the row, from 1; a header is not counted. */
    readonly row: number;
  };
  /** By the name of the column: text in CSV, else as the properties of a {@link Feature}. */
  readonly cells: ReadonlyMap<string, unknown>;
  /** Reason why the row cannot be split into cells: a wrong number of them. */
  readonly fault?: { readonly code: string; readonly message: string } | undefined;
}

/** The forms of GeoJSON: one JSON text, one a line, or a text sequence (RFC 8142). */
export type GeoJsonForm = "geojson" | "ndjson" | "geojson-seq";

/** How a table was read, once its first rows were: plain values. */
export interface TableReading {
  /** Decisions of the reader, in words, with the options that decide otherwise; none where the columns have the plain names. */
  readonly notes: readonly string[];
  /** The options that read such a table alike. */
  readonly options: Pick<
    ReadOptions,
    "layer" | "wkt" | "longitude" | "latitude" | "cornersOf" | "cornerOrder"
  >;
}

/** A file that was opened: its one layer, to be read once, as features or as rows. */
export interface OpenTable {
  /** The format that it was found to have. */
  readonly format: string;
  /** Name of the layer, where the format has layers. */
  readonly layer: string | undefined;
  /** The CRS that the file declares for the whole layer; in GeoJSON each feature has its own. */
  readonly crs: string | undefined;
  /** True if the file was packed (gzip, zip). */
  readonly isPacked: boolean;
  /** The columns of its rows, where they are known before the rows are read. */
  readonly columns?: readonly string[] | undefined;
  /** True if every value is text, so that its type must be inferred from it (CSV). */
  readonly isText?: boolean | undefined;
  /** The form that GeoJSON was found to have, once it was read. */
  readonly form?: GeoJsonForm | undefined;
  /** How a table was read, once its first feature was. */
  readonly reading?: TableReading | undefined;
  /**
   * Reads the layer as features, in file order.
   *
   * Fails, as the features are read: {@link FormatError} where the file is damaged, or beyond a limit.
   */
  features(): AsyncGenerator<Feature, void, undefined>;
  /**
   * Reads the layer as rows of attributes, in file order; in CSV the columns of the geometry are among them.
   *
   * Fails, as the rows are read: {@link FormatError} where the file is damaged, or beyond a limit.
   */
  rows(): AsyncGenerator<Row, void, undefined>;
  /** Closes what was opened for reading, including scratch files, but not the file that was passed in. */
  close(): Promise<void>;
}

/** Reads a format that must be read from anywhere: a stream of it goes into a scratch file first. */
export interface FormatReader {
  /**
   * @param file unpacked; of a shapefile the `.shp`, whose other files lie next to it, or the zip archive that has
   * them
   *
   * Fails: `FormatError`, here or as features are read.
   */
  open(file: LocalFile, options: ReadOptions): Promise<OpenTable>;
}

/** Reads a format that is text, as it comes. */
export interface TextReader {
  /** Fails: `FormatError`, here or as features are read. */
  openText(text: TextInput, options: ReadOptions): Promise<OpenTable>;
}

/** Text to be read, unpacked. */
export interface TextInput {
  /** Name of the file in errors. */
  readonly name: string;
  /** Its UTF-8, whatever its encoding is; once, unless it is repeatable. */
  bytes(): AsyncIterable<Uint8Array>;
  readonly isPacked: boolean;
  readonly isRepeatable: boolean;
  /** True if its rows will be read twice, and it is in no file. */
  readonly isReadTwice: boolean;
  /** The file that has just these bytes, where there is one. */
  readonly file: LocalFile | undefined;
  /** Opens another file that belongs to it. */
  openOther(file: LocalFile, options: Omit<ReadOptions, "format">): Promise<OpenTable>;
}

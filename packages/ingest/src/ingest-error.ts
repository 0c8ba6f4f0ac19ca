import type { Fault } from "@groundrule/engine";

/** Every code an {@link IngestError} can carry. Stable: programs match on it. */
export const INGEST_ERROR_CODES = [
  "COLUMN_UNKNOWN",
  "COVERAGE_INVALID",
  "CRS_UNSUPPORTED",
  "CSV_MALFORMED",
  "FORMAT_UNKNOWN",
  "GEOJSON_INVALID",
  "GZIP_CORRUPT",
  "JSON_MALFORMED",
  "JSON_TOO_DEEP",
  "MANIFEST_INVALID",
  "NOTHING_STORED",
  "TEXT_NOT_UTF8",
  "TEXT_TOO_LARGE",
  "VALUE_INVALID",
] as const;

/** One of {@link INGEST_ERROR_CODES}. */
export type IngestErrorCode = (typeof INGEST_ERROR_CODES)[number];

/** Where in a source's text something stands. Lines, features and rows count from 1, bytes from 0. */
export interface Place {
  /** Number of the line, from 1. */
  readonly line: number;
  /** Offset in the unpacked text; CSV places have none. */
  readonly byte?: number;
  /** Number of the GeoJSON feature. */
  readonly feature?: number;
  /** Number of the CSV row, the header not counted. */
  readonly row?: number;
}

/** The facts behind an error's message, as data; each is present where it applies. */
export interface IngestErrorDetails {
  /** Where the source is at fault. */
  readonly place?: Place | undefined;
  /** What stands there. */
  readonly found?: string | undefined;
  /** What should stand there. */
  readonly expected?: string | undefined;
  /** Faults of a manifest, each with its pointer. */
  readonly faults?: readonly Fault[] | undefined;
  /** How many features or rows were left out, where none was stored. */
  readonly leftOut?: number | undefined;
  /** Columns the source has, where a named one is not among them. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * What ingest throws when a source cannot be read at all: broken text, an unknown format, a mapping
 * that names nothing. A single feature or row that cannot be stored is not an error but an entry of
 * the report.
 */
export class IngestError extends Error {
  override readonly name = "IngestError";
  readonly code: IngestErrorCode;
  readonly details: IngestErrorDetails;

  constructor(code: IngestErrorCode, message: string, details: IngestErrorDetails = {}) {
    super(details.place === undefined ? message : `${describePlace(details.place)}: ${message}`);
    this.code = code;
    this.details = details;
  }
}

/** A place in words: `feature 3, line 5, byte 812`. */
export function describePlace(place: Place): string {
  const parts: string[] = [];
  if (place.feature !== undefined) parts.push(`feature ${place.feature}`);
  if (place.row !== undefined) parts.push(`row ${place.row}`);
  parts.push(`line ${place.line}`);
  if (place.byte !== undefined) parts.push(`byte ${place.byte}`);
  return parts.join(", ");
}

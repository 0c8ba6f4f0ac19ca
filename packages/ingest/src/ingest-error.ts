import type { Fault } from "@groundrule/engine";
import { describePlace, type Place } from "@groundrule/formats";

/** Every code an {@link IngestError} can carry. Stable: programs match on it. */
export const INGEST_ERROR_CODES = [
  "AREA_LOST",
  "AXES_SWAPPED",
  "BAND_UNKNOWN",
  "CELLS_DISAGREE",
  "COLUMN_UNKNOWN",
  "COVERAGE_INVALID",
  "CRS_UNSUPPORTED",
  "GRID_MISMATCH",
  "MANIFEST_INVALID",
  "NODATA_UNREPEATED",
  "NOTHING_STORED",
  "PLACE_UNKNOWN",
  "RANGES_MISSING",
  "SCALE_UNDECLARED",
  "VALUE_INVALID",
  "VALUE_UNNAMED",
] as const;

/** One of {@link INGEST_ERROR_CODES}. */
export type IngestErrorCode = (typeof INGEST_ERROR_CODES)[number];

/** The facts behind an error's message, as data; each is present where it applies. */
export interface IngestErrorDetails {
  /** Where the source is at fault. */
  readonly place?: Place | undefined;
  /** The value found there. */
  readonly found?: string | undefined;
  /** The value that should be there. */
  readonly expected?: string | undefined;
  /** Faults of a manifest, each with its pointer. */
  readonly faults?: readonly Fault[] | undefined;
  /** How many features or rows were left out, where none was stored. */
  readonly leftOut?: number | undefined;
  /** Columns the source has, where a named one is not among them. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * Error of an ingest that can read a source and cannot build it: a mapping that names nothing, an unknown CRS. A file
 * that cannot be read is a `FormatError` of `@groundrule/formats`. A single feature or row that cannot be stored is
 * not an error but an entry of the report.
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

/** The error that states what was found and what was expected in its place; `mend`: and what to do about it. */
export function createIngestError(
  code: IngestErrorCode,
  found: string,
  expected: string,
  { mend, ...details }: IngestErrorDetails & { readonly mend?: string } = {},
): IngestError {
  const message = `found ${found}, expected ${expected}${mend === undefined ? "" : `; ${mend}`}`;
  return new IngestError(code, message, { ...details, found, expected });
}

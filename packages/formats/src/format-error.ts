/** Every code a {@link FormatError} can carry. Stable: programs match on it. */
export const FORMAT_ERROR_CODES = [
  "ARCHIVE_INVALID",
  "COLUMN_UNKNOWN",
  "CRS_UNSUPPORTED",
  "CSV_MALFORMED",
  "ENCODING_UNKNOWN",
  "FILE_DAMAGED",
  "FORMAT_UNKNOWN",
  "FORMAT_UNSUPPORTED",
  "GEOJSON_INVALID",
  "GZIP_CORRUPT",
  "JSON_MALFORMED",
  "JSON_TOO_DEEP",
  "LAYER_AMBIGUOUS",
  "LAYER_UNKNOWN",
  "PLACE_UNSUPPORTED",
  "ROWS_ARE_CORNERS",
  "TEXT_NOT_UTF8",
  "TEXT_TOO_LARGE",
  "UNPACKED_TOO_LARGE",
] as const;

/** One of {@link FORMAT_ERROR_CODES}. */
export type FormatErrorCode = (typeof FORMAT_ERROR_CODES)[number];

/** Where in a file something stands. Lines, features and rows count from 1, bytes from 0; each is present where it applies. */
export interface Place {
  /** Number of the feature. */
  readonly feature?: number;
  /** Number of the row; a header is not counted. */
  readonly row?: number;
  /** Number of the line. */
  readonly line?: number;
  /** Offset in the unpacked file, or in the entry of an archive. */
  readonly byte?: number;
  /** The layer or table of a file that has several. */
  readonly layer?: string;
  /** The file within an archive, or next to the one that was named. */
  readonly entry?: string;
}

/** A place in a text, where the line is always known. */
export type TextPlace = Place & {
  /** Number of the line, from 1. */
  readonly line: number;
};

/** The facts behind an error's message, as data; each is present where it applies. */
export interface FormatErrorDetails {
  /** Where the file is at fault. */
  readonly place?: Place | undefined;
  /** The value found there. */
  readonly found?: string | undefined;
  /** The value that should be there. */
  readonly expected?: string | undefined;
  /** The columns that the file has. */
  readonly columns?: readonly string[] | undefined;
  /** The layers that the file has. */
  readonly layers?: readonly string[] | undefined;
  /** The limit that was passed, in bytes or as a count. */
  readonly limit?: number | undefined;
}

/**
 * Error of a reader that cannot read a file, or not any further: what was found at which place, and what was expected
 * there. A single feature that cannot be read is not an error but a feature with a `fault`.
 */
export class FormatError extends Error {
  override readonly name = "FormatError";
  readonly code: FormatErrorCode;
  readonly details: FormatErrorDetails;

  constructor(code: FormatErrorCode, message: string, details: FormatErrorDetails = {}) {
    const place = details.place === undefined ? "" : describePlace(details.place);
    super(place === "" ? message : `${place}: ${message}`);
    this.code = code;
    this.details = details;
  }
}

/** The error that states what was found and what was expected in its place; `mend`: and what to do about it. */
export function createFormatError(
  code: FormatErrorCode,
  found: string,
  expected: string,
  { mend, ...details }: FormatErrorDetails & { readonly mend?: string } = {},
): FormatError {
  const message = `found ${found}, expected ${expected}${mend === undefined ? "" : `; ${mend}`}`;
  return new FormatError(code, message, { ...details, found, expected });
}

/** The error of a file that does not hold together: what was found at a place, and what was expected there. */
export function fileDamagedError(found: string, expected: string, place: Place = {}): FormatError {
  return createFormatError("FILE_DAMAGED", found, expected, { place });
}

/** A place in words: `feature 3, line 5, byte 812`. */
export function describePlace(place: Place): string {
  const parts: string[] = [];
  if (place.entry !== undefined) parts.push(place.entry);
  if (place.layer !== undefined) parts.push(`layer ${place.layer}`);
  if (place.feature !== undefined) parts.push(`feature ${place.feature}`);
  if (place.row !== undefined) parts.push(`row ${place.row}`);
  if (place.line !== undefined) parts.push(`line ${place.line}`);
  if (place.byte !== undefined) parts.push(`byte ${place.byte}`);
  return parts.join(", ");
}

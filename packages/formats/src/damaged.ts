import { FormatError, type Place } from "./format-error.ts";

/** The error of a file that does not hold together: what was found at a place, and what was expected there. */
export function damaged(found: string, expected: string, place: Place = {}): FormatError {
  return new FormatError("FILE_DAMAGED", `found ${found}, expected ${expected}`, { place, found, expected });
}

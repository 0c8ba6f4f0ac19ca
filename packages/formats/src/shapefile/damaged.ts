import { FormatError, type Place } from "../format-error.ts";

/** The error of a file that is not what it says. */
export function damaged(place: Place, found: string, expected: string): FormatError {
  return new FormatError("FILE_DAMAGED", `found ${found}, expected ${expected}`, { place, found, expected });
}

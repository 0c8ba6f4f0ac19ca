import { findNearestName } from "@groundrule/engine/internal/json";
import { DataError } from "../data-error.ts";
import type { OpenData } from "../open-data.ts";

/** An edition that must be the current one of its source. */
export interface ExpectedEdition {
  readonly source_name: string;
  /** The edition's digest, or its first hex digits. */
  readonly digits: string;
}

/**
 * Checks that the editions in use are those on which a run is to be repeated.
 *
 * Fails: `EDITION_UNEXPECTED` if the current edition of a source is a different one or does not open, or the data
 * folder has no such source; `details` has `source_name`, `expected` and, for a different edition, `found`.
 */
export function assertExpectedEditions(
  { dir, current }: OpenData,
  expected: readonly ExpectedEdition[],
): void {
  const failures = new Map(
    current.engine.failures().map(({ source_name, reason }) => [source_name, reason] as const),
  );
  for (const { source_name, digits } of expected) {
    const found = current.editions.get(source_name);
    if (found === undefined) throw sourceUnknownError(dir, current, source_name, digits);
    if (!found.startsWith(digits)) {
      const message = `found edition ${found} of "${source_name}" as the current one in ${dir}, expected ${digits}; build or copy that edition again, or expect the current one`;
      throw new DataError("EDITION_UNEXPECTED", message, { source_name, expected: digits, found });
    }
    const reason = failures.get(source_name);
    if (reason !== undefined) {
      const message = `edition ${found} of "${source_name}" is expected but does not open: ${reason}`;
      throw new DataError("EDITION_UNEXPECTED", message, { source_name, expected: digits, reason });
    }
  }
}

function sourceUnknownError(
  dir: string,
  { editions, options: { groups = {} } }: OpenData["current"],
  name: string,
  digits: string,
): DataError {
  const members = Object.hasOwn(groups, name) ? groups[name]! : undefined;
  const nearest = findNearestName(name, editions.keys());
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  const message =
    members === undefined
      ? `found no source "${name}" in ${dir}, expected its edition ${digits}${hint}`
      : `found the group "${name}", expected a source: editions belong to its members ${members.join(", ")}`;
  return new DataError("EDITION_UNEXPECTED", message, { source_name: name, expected: digits });
}

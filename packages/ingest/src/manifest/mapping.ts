import { EngineError, type SourceManifest } from "@groundrule/engine";
import { formatSuggestion } from "@groundrule/engine/internal";
import type { Place } from "@groundrule/formats";
import { IngestError } from "../ingest-error.ts";
import type { Tally } from "../report.ts";

/**
 * Checks that every column the manifest names exists in the source.
 *
 * Fails: `COLUMN_UNKNOWN` with the member, the nearest column and all of them.
 */
export function checkMappedColumns(manifest: SourceManifest, columns: ReadonlySet<string>, hint = ""): void {
  const named: (readonly [member: string, column: string | undefined])[] = [
    ["id", manifest.id],
    ["name", manifest.name],
    ["country", manifest.country],
    ["value", manifest.value],
    ["scheme_from", manifest.scheme_from],
    ["scheme_country", manifest.scheme_country],
    ...Object.keys(manifest.columns ?? {}).map((column) => ["columns", column] as const),
    ...Object.keys(manifest.date_formats ?? {}).map((column) => ["date_formats", column] as const),
  ];
  for (const [member, column] of named) {
    if (column === undefined || columns.has(column)) continue;
    const meant = formatSuggestion(column, columns);
    const all = columns.size === 0 ? "it has no columns" : `its columns are ${[...columns].join(", ")}`;
    throw new IngestError(
      "COLUMN_UNKNOWN",
      `"${member}" of the manifest names column "${column}", which the source does not have${meant} (${all}${hint})`,
      { found: column, expected: "a column of the source", columns: [...columns] },
    );
  }
}

/** Adds the place of a feature or row to what the snapshot writer refuses in it. */
export function addPlaceToErrors<Result>(place: Place, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (error instanceof EngineError) throw new IngestError("VALUE_INVALID", error.message, { place });
    throw error;
  }
}

/** Counts in descending order, equal ones as they first came. */
export function toTallies(counts: ReadonlyMap<string, number>): Tally[] {
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

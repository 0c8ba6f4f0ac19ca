import type { SourceEntry, SourceManifest } from "@groundrule/engine";
import { computeAgeDays } from "@groundrule/engine/internal";
import type { EditionDiff } from "@groundrule/node";
import { figures } from "./figures.ts";

const SHORT_DIGITS = 12;

/** A short form of an edition for people, with enough digits to name it again. */
export function shortenEdition(edition: string): string {
  return edition.slice(0, SHORT_DIGITS);
}

/** The dates of a source, as in its entry. */
type Dated = Pick<SourceEntry, "collected_at_latest" | "observed_until">;

/** The age of a source as `52 d`; empty if it is unknown. */
export function formatAgeInDays(entry: Dated, now: string): string {
  const days = computeEntryAgeDays(entry, now);
  return days === undefined ? "" : `${days} d`;
}

/** The age of a source in whole days, as in verdicts; undefined if it is unknown. */
export function computeEntryAgeDays(
  { collected_at_latest, observed_until }: Dated,
  now: string,
): number | undefined {
  return computeAgeDays({ manifest: { collected_at: collected_at_latest, observed_until } }, now);
}

/** Dates of a manifest that are more than a day in the future, in words; undefined if there are none. */
export function describeFutureDates(
  { collected_at, observed_until }: Pick<SourceManifest, "collected_at" | "observed_until">,
  now: string,
): string | undefined {
  const future = Object.entries({ collected_at, observed_until }).flatMap(([member, date]) => {
    if (date === undefined || computeAgeDays({ manifest: { [member]: date } }, now) !== undefined) return [];
    return `${member} ${date}`;
  });
  return future.length === 0 ? undefined : future.join(" and ");
}

/** A summary of a diff, in lines of at most 80 columns for usual numbers. */
export function formatDiffSummary({ kind, counts, square_meters, notices, ...diff }: EditionDiff): string[] {
  const things = kind === "leaf" ? "areas" : "records";
  const lines = [
    `${things}: ${figures.decimal(counts.before, 0)} before, ${figures.decimal(counts.after, 0)} after: ${figures.decimal(counts.added, 0)} added, ${figures.decimal(counts.removed, 0)} removed, ${figures.decimal(counts.changed, 0)} changed`,
  ];
  if (square_meters !== undefined) {
    const { before, after, gained, lost } = square_meters;
    lines.push(`area: ${figures.area(before)} before, ${figures.area(after)} after`);
    lines.push(`  ${figures.area(gained)} gained, ${figures.area(lost)} lost`);
  }
  const columns = [
    ...diff.columns_added.map((name) => `+${name}`),
    ...diff.columns_removed.map((name) => `-${name}`),
  ];
  if (columns.length > 0) lines.push(`columns: ${columns.join(" ")}`);
  for (const { message } of notices) lines.push(`notice: ${message}`);
  return lines;
}

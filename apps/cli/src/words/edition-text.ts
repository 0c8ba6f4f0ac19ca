import type { EditionDiff } from "@groundrule/node";
import { figures } from "./figures.ts";

const SHORT_DIGITS = 12;

/** An edition for people: enough of its digits to name it again. */
export function shortEdition(edition: string): string {
  return edition.slice(0, SHORT_DIGITS);
}

/** Whole days since an instant, as `52 d`; empty where it is not known. */
export function ageInDays(instant: string | undefined, nowMs: number): string {
  const days = daysSince(instant, nowMs);
  return days === undefined ? "" : `${days} d`;
}

/** Whole days since an instant; undefined where it is not known. */
export function daysSince(instant: string | undefined, nowMs: number): number | undefined {
  if (instant === undefined) return undefined;
  return Math.max(0, Math.floor((nowMs - Date.parse(instant)) / 86_400_000));
}

/** What a diff comes to, in lines of at most 80 columns for usual numbers. */
export function diffSummary({ kind, counts, square_meters, notices, ...diff }: EditionDiff): string[] {
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

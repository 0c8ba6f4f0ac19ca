import { requireInstant } from "../verdict/instant.ts";
import { computeAgeDays } from "./age.ts";
import type { SourceEntry } from "./source-catalog.ts";

/**
 * True if a source is older than the days after which its manifest expects a newer edition. Its age counts in whole
 * days, like the `age_days` of verdicts. A source of unknown age is overdue: it has no date, or one more than a day
 * after `now`. A live one without a date is not overdue: it is queried now.
 *
 * @param now ISO 8601 UTC, from the caller's clock
 * @returns undefined where the manifest has no `refresh_interval_days`, and for a group
 *
 * Fails: `VALIDATION_FAILED` where `now` is no such timestamp.
 */
export function isOverdue(
  { refresh_interval_days, collected_at_latest, observed_until, live }: SourceEntry,
  now: string,
): boolean | undefined {
  requireInstant(now);
  if (refresh_interval_days === undefined) return undefined;
  if (live === true && collected_at_latest === undefined && observed_until === undefined) return false;
  const days = computeAgeDays({ manifest: { collected_at: collected_at_latest, observed_until } }, now);
  return days === undefined || days > refresh_interval_days;
}

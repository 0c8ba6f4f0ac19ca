import { parseCalendarDay } from "../base/calendar-day.ts";
import type { StoredManifest } from "../snapshot/manifest.ts";
import { MS_PER_DAY, parseInstant, requireInstant } from "../verdict/instant.ts";

type Dated = Pick<StoredManifest, "collected_at" | "observed_until">;

interface Aged {
  readonly manifest: Dated;
  /** As {@link findAgeStartMs} finds it; absent: not looked for yet. */
  readonly agesFromMs?: number;
}

/**
 * Whole days from what a source's data speak of to `now`: from the beginning of its last observed day where its
 * manifest states one, else from its collection. Undefined where neither is known, and where the date is more than a
 * day after `now`: it is mistaken then, and must not make the data young.
 *
 * @param now ISO 8601 UTC, or in milliseconds
 * Fails: `VALIDATION_FAILED` where `now` is no such timestamp.
 */
export function computeAgeDays(
  { manifest, agesFromMs: from = findAgeStartMs(manifest) }: Aged,
  now: string | number,
): number | undefined {
  const until = typeof now === "number" ? now : requireInstant(now);
  if (from === undefined || from - until > MS_PER_DAY) return undefined;
  return Math.max(0, Math.trunc((until - from) / MS_PER_DAY));
}

/** From when the age of a source counts, in milliseconds; undefined where its manifest has no date. */
export function findAgeStartMs({ collected_at, observed_until }: Dated): number | undefined {
  const day = observed_until === undefined ? undefined : parseCalendarDay(observed_until);
  if (day !== undefined) return day * MS_PER_DAY;
  return collected_at === undefined ? undefined : parseInstant(collected_at);
}

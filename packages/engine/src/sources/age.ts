import { parseCalendarDay } from "../base/calendar-day.ts";
import type { StoredManifest } from "../snapshot/manifest.ts";
import { MS_PER_DAY, parseInstant, requireInstant } from "../verdict/instant.ts";

type Dated = Pick<StoredManifest, "collected_at" | "observed_until">;

/**
 * Whole days from what a source's data speak of to `now`: from the beginning of its last observed day where its
 * manifest states one, else from its collection. Undefined where neither is known, and where the date is more than a
 * day after `now`: it is mistaken then, and must not make the data young.
 *
 * @param now ISO 8601 UTC, or in milliseconds
 * Fails: `VALIDATION_FAILED` where `now` is no such timestamp.
 */
export function computeAgeDays(
  { manifest }: { readonly manifest: Dated },
  now: string | number,
): number | undefined {
  const until = typeof now === "number" ? now : requireInstant(now);
  const from = findAgeStartMs(manifest);
  if (from === undefined || from - until > MS_PER_DAY) return undefined;
  return Math.max(0, Math.trunc((until - from) / MS_PER_DAY));
}

const BORN = new WeakMap<object, { readonly ms: number | undefined }>();

/** From when a source's age counts; a manifest does not change, and is read once. */
function findAgeStartMs(manifest: Dated): number | undefined {
  let born = BORN.get(manifest);
  if (born === undefined) {
    const { collected_at, observed_until } = manifest;
    const day = observed_until === undefined ? undefined : parseCalendarDay(observed_until);
    if (day !== undefined) born = { ms: day * MS_PER_DAY };
    else born = { ms: collected_at === undefined ? undefined : parseInstant(collected_at) };
    BORN.set(manifest, born);
  }
  return born.ms;
}

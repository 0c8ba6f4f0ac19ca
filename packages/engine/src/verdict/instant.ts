import { parseCalendarDay } from "../base/calendar-day.ts";
import { mismatchError } from "../base/read-untrusted.ts";

/**
 * Milliseconds since 1970-01-01T00:00:00Z of an ISO 8601 UTC timestamp
 * (`2026-01-31T23:59:59Z`, with or without a fraction of a second), or undefined where the text is
 * none. Exact; digits past the millisecond are dropped; years 0000 to 9999, proleptic Gregorian.
 *
 * @param text ISO 8601 UTC, or anything else
 */
export function parseInstant(text: string): number | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [, date = "", hour, minute, second, fraction = ""] = match;
  const days = parseCalendarDay(date);
  if (days === undefined) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return days * MS_PER_DAY + seconds * 1000 + milliseconds;
}

/** The instant of a question. Fails: `VALIDATION_FAILED` where the text is no ISO 8601 UTC timestamp. */
export function requireInstant(now: string): number {
  const instant = parseInstant(now);
  if (instant !== undefined) return instant;
  const message = `found now ${JSON.stringify(now)}, expected an ISO 8601 UTC timestamp`;
  throw mismatchError("/now", message, "VALUE_INVALID");
}

export const MS_PER_DAY = 86_400_000;

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?Z$/;

/**
 * Milliseconds since 1970-01-01T00:00:00Z of an ISO 8601 UTC timestamp
 * (`2026-01-31T23:59:59Z`, with or without a fraction of a second), or undefined where the text is
 * none. Exact; digits past the millisecond are dropped; years 0000 to 9999, proleptic Gregorian.
 */
export function parseInstant(text: string): number | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [, date = "", hour, minute, second, fraction = ""] = match;
  const days = parseCivilDate(date);
  if (days === undefined) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return days * MS_PER_DAY + seconds * 1000 + milliseconds;
}

/** Days since 1970-01-01 of a calendar day `YYYY-MM-DD`, or undefined where there is no such day. */
export function parseCivilDate(text: string): number | undefined {
  const match = DAY.exec(text);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  // Years begin in March, so that the leap day is a year's last.
  const marchYear = month > 2 ? year : year - 1;
  const monthsSinceMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthsSinceMarch + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + dayOfYear - DAYS_FROM_0000_MARCH_TO_1970;
}

export const MS_PER_DAY = 86_400_000;

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?Z$/;
const DAYS_FROM_0000_MARCH_TO_1970 = 719_468;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Day number of a calendar day written `YYYY-MM-DD` (proleptic Gregorian, years 0000 to 9999),
 * counted from 1970-01-01; undefined where the text is not exactly such a day.
 *
 * @param text `YYYY-MM-DD`, or anything else
 */
export function parseCalendarDay(text: string): number | undefined {
  if (!CALENDAR_DAY_PATTERN.test(text)) return undefined;
  return computeDayNumber(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)));
}

/** `YYYY-MM-DD` of a day number between {@link FIRST_DAY} and {@link LAST_DAY}. */
export function formatCalendarDay(days: number): string {
  const shifted = days + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / (DAYS_PER_ERA - 1))) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${padNumber(year, 4)}-${padNumber(month, 2)}-${padNumber(day, 2)}`;
}

/** Exactly the texts that {@link parseCalendarDay} reads, for schemas. */
export const CALENDAR_DAY_PATTERN: RegExp =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

/** 0000-01-01 */
export const FIRST_DAY = -719528;
/** 9999-12-31 */
export const LAST_DAY = 2932896;

/** Days from 0000-03-01, where the eras of 400 years begin, to 1970-01-01. */
const DAYS_TO_EPOCH = 719468;
const DAYS_PER_ERA = 146097;

/** Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil; so is its inverse above. */
function computeDayNumber(year: number, month: number, day: number): number {
  const yearFromMarch = month <= 2 ? year - 1 : year;
  const era = Math.floor(yearFromMarch / 400);
  const yearOfEra = yearFromMarch - era * 400;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
}

function padNumber(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

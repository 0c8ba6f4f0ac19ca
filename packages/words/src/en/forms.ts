import type { Forms } from "../forms.ts";

/** How English writes numbers, dates and places. */
export const forms: Forms = {
  numbers: { decimalMark: ".", groupMark: ",", leastGrouped: 4 },
  months: "January February March April May June July August September October November December".split(" "),
  shortMonths: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" "),
  day: (day, month, year): string => `${day} ${month} ${year}`,
  shortDay: (day, month, year): string => `${day} ${month} ${year}`,
  instant: (day, time): string => `${day}, ${time} UTC`,
  compass: { n: "N", s: "S", e: "E", w: "W" },
  regions: { "en-US": { day: writeMonthFirst, shortDay: writeMonthFirst } },
};

function writeMonthFirst(day: number, month: string, year: string): string {
  return `${month} ${day}, ${year}`;
}

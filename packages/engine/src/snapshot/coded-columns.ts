import { formatCalendarDay, parseCalendarDay } from "../base/calendar-day.ts";
import { NULL_BOOLEAN, NULL_DAY } from "./format.ts";

/** How values are stored that have a whole number each, their code. */
export interface Coding {
  /** The code for null. */
  readonly ofNull: number;
  encode(value: unknown): number;
  decode(code: number): boolean | string;
}

/** The codings of columns by type. */
export const CODINGS: Readonly<Record<"boolean" | "date", Coding>> = {
  boolean: { ofNull: NULL_BOOLEAN, encode: Number, decode: (code) => code === 1 },
  date: { ofNull: NULL_DAY, encode: (day) => parseCalendarDay(day as string)!, decode: formatCalendarDay },
};

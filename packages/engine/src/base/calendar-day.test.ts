import { describe, expect, it } from "vitest";
import { FIRST_DAY, formatCalendarDay, LAST_DAY, parseCalendarDay } from "./calendar-day.ts";

describe("calendar days", () => {
  it("agree with the host's calendar on every day of the years 0000 to 9999", () => {
    for (let day = FIRST_DAY; day <= LAST_DAY; day += day > -3000 && day < 40_000 ? 1 : 37) {
      const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
      if (formatCalendarDay(day) !== text || parseCalendarDay(text) !== day) {
        throw new Error(`day ${day} is ${text}, not ${formatCalendarDay(day)} or ${parseCalendarDay(text)}`);
      }
    }
    expect([formatCalendarDay(FIRST_DAY), formatCalendarDay(LAST_DAY)]).toEqual(["0000-01-01", "9999-12-31"]);
  });

  it("are written YYYY-MM-DD and in no other way", () => {
    for (const text of [
      "2023-02-29",
      "2024-13-01",
      "2024-00-10",
      "2024-01-32",
      "2024-1-1",
      "24-01-01",
      "2024-01-01 ",
      "+2024-01-01",
      "20240101",
      "",
    ]) {
      expect(parseCalendarDay(text)).toBeUndefined();
    }
  });
});

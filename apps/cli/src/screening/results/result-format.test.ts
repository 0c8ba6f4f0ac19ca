import { expect, it } from "vitest";
import { RESULT_FORMATS } from "../format-names.ts";
import { assertRoomForPlots, createResultFormat } from "./result-format.ts";

it("a run stops at the first plot that its output has no row for, and only a workbook is ever full", () => {
  for (const name of RESULT_FORMATS) {
    const format = createResultFormat(name, { checks: [], now: "2026-06-30T12:00:00Z" });
    expect(() => assertRoomForPlots(format, 1_048_575)).not.toThrow();
    const beyond = (): void => assertRoomForPlots(format, 1_048_576);
    if (name === "xlsx")
      expect(beyond).toThrow("more than 1,048,575 plots, the most that a sheet of xlsx holds");
    else expect(beyond).not.toThrow();
  }
});

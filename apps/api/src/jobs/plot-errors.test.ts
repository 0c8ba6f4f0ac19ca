import { expect, it } from "vitest";
import { PLOT_LINE_BYTES } from "../ledger/holdings.ts";
import { toDegradedError, toPlotError, toUnreadError } from "./plot-errors.ts";

const fault = (i: number) => ({
  pointer: `/geometry/${i}`,
  code: "RING_NOT_CLOSED",
  message: "ç".repeat(200),
});
const read = (line: string) => JSON.parse(line) as { message: string; errors: object[] };

it("reports the first faults of a plot that a line has room for", () => {
  const faults = Array.from({ length: 100 }, (_, i) => fault(i));
  const refusal = { code: "GEOMETRY_INVALID", message: "not valid", errors: faults } as const;
  const unread = { code: "GEOMETRY_INVALID", message: "not valid", faults } as const;
  for (const line of [toPlotError(refusal), toUnreadError(unread)]) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(PLOT_LINE_BYTES);
    const { message, errors } = read(line);
    expect(message).toBe("not valid");
    expect(errors).toEqual(faults.slice(0, errors.length));
    expect(errors.length).toBeGreaterThan(4);
  }
  expect(read(toPlotError({ ...refusal, errors: faults.slice(0, 3) })).errors).toHaveLength(3);
});

it("cuts a message that fills a line by itself, between characters", () => {
  const line = toDegradedError(Array.from({ length: 500 }, () => "🌳🌳🌳"));
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(PLOT_LINE_BYTES);
  expect(read(line).message.isWellFormed()).toBe(true);
});

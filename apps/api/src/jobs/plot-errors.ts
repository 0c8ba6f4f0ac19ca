import type { Fault } from "@groundrule/engine";
import type { PlainRefusal, ReadJobPlot } from "@groundrule/service";
import { PLOT_LINE_BYTES } from "../ledger/holdings.ts";

/** JSON of the reason why a plot has no verdict, for its results line; places are those in its Feature. */
export function toPlotError({ code, message, errors = [] }: PlainRefusal): string {
  const placed = errors.map((fault) => ({ ...fault, pointer: placeInFeature(fault.pointer) }));
  return formatErrorLine(code, message, placed);
}

/** JSON of the reason why a plot could not be read. */
export function toUnreadError({
  code,
  message,
  faults,
}: Extract<ReadJobPlot, { error: unknown }>["error"]): string {
  return formatErrorLine(code, message, faults);
}

/** JSON of the reason for a plot whose verdict stayed DEGRADED. */
export function toDegradedError(sources: readonly string[]): string {
  const names = sources.map((name) => `"${name}"`).join(", ");
  const message = `found no answer of ${names} at any try, so the verdict stayed DEGRADED and was not charged; send the plot again once the source answers`;
  return formatErrorLine("DEGRADED", message, []);
}

/** A results line with as many faults as it has room for; the others appear once these are fixed. */
function formatErrorLine(code: string, message: string, faults: readonly Fault[]): string {
  for (let count = faults.length; ; count = Math.floor(count / 2)) {
    const line = JSON.stringify({ code, message, errors: faults.slice(0, count) });
    if (Buffer.byteLength(line) <= PLOT_LINE_BYTES) return line;
    if (count === 0)
      return formatErrorLine(code, `${message.slice(0, PLOT_LINE_BYTES / 8).toWellFormed()}…`, []);
  }
}

/** Members of an evaluation's input, and their places in the Feature they were read from. */
const MEMBERS = [
  ["/input/scheme", "/properties/scheme"],
  ["/input/area_ha", "/properties/Area"],
  ["/input", ""],
] as const;

function placeInFeature(pointer: string): string {
  const [from, to] = MEMBERS.find(([name]) => pointer === name || pointer.startsWith(`${name}/`)) ?? ["", ""];
  return to + pointer.slice(from.length);
}

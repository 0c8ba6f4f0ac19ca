import type { PlainRefusal, ReadJobPlot } from "@groundrule/service";

/** JSON of why a plot has no verdict, as a line of the results tells it; places are those of its Feature. */
export function errorOfPlot({ code, message, errors = [] }: PlainRefusal): string {
  const placed = errors.map((fault) => ({ ...fault, pointer: placeInFeature(fault.pointer) }));
  return JSON.stringify({ code, message, errors: placed });
}

/** JSON of why a plot was not even read. */
export function errorOfUnread({
  code,
  message,
  faults,
}: Extract<ReadJobPlot, { error: unknown }>["error"]): string {
  return JSON.stringify({ code, message, errors: faults });
}

/** JSON of why a plot whose verdict stayed DEGRADED has none. */
export function degradedBy(sources: readonly string[]): string {
  const names = sources.map((name) => `"${name}"`).join(", ");
  const message = `found no answer of ${names} at any try, so the verdict stayed DEGRADED and was not charged; send the plot again once the source answers`;
  return JSON.stringify({ code: "DEGRADED", message, errors: [] });
}

/** Where members of an evaluation's input stand in the Feature that they were read from. */
const MEMBERS = [
  ["/input/scheme", "/properties/scheme"],
  ["/input/area_ha", "/properties/Area"],
  ["/input", ""],
] as const;

function placeInFeature(pointer: string): string {
  const [from, to] = MEMBERS.find(([name]) => pointer === name || pointer.startsWith(`${name}/`)) ?? ["", ""];
  return to + pointer.slice(from.length);
}

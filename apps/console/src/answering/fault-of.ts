import type { Fault } from "@groundrule/engine";
import type { ProblemFault } from "./answerer.ts";

/** Converts a fault; one in a geometry has a position in addition to its pointer. */
export function toProblemFault(fault: Fault & { readonly coordinate?: unknown }): ProblemFault {
  const { pointer, code, message, coordinate } = fault;
  const [longitude, latitude] = Array.isArray(coordinate) ? coordinate : [];
  const isPlace = typeof longitude === "number" && typeof latitude === "number";
  return { pointer, code, message, ...(isPlace && { position: [longitude, latitude] as const }) };
}

import { missingGroupsMessage } from "@groundrule/contract";
import type { EngineError } from "@groundrule/engine";
import { Refusal } from "./refusal.ts";

/**
 * Turns a pointer into the argument of the engine into a pointer into the body.
 *
 * @param pointer as the engine gave it; empty where it named no place
 * @param code of the error or warning it belongs to
 */
export type PointerInBody = (pointer: string, code: string) => string;

/** A refusal of the engine, in terms of the request. */
export function refusalOf(error: EngineError, pointerInBody: PointerInBody): Refusal {
  const { code, message } = error;
  // Where a value is held is an answer, and a refusal is free.
  const { faults, held: _, ...details } = error.details;
  const placed = faults ?? (PLACELESS.has(code) ? [] : [{ pointer: "", code, message }]);
  const missing = missingGroupsMessage(error);
  return new Refusal(code, missing === undefined ? message : `${message}. ${missing}`, {
    errors: placed.map((fault) => ({ ...fault, pointer: pointerInBody(fault.pointer, code) })),
    details,
  });
}

/** Codes that are about the answer or the reference data, not about a place in the request. */
const PLACELESS: ReadonlySet<EngineError["code"]> = new Set([
  "RESULT_TOO_LARGE",
  "SNAPSHOT_CORRUPT",
  "SNAPSHOT_VERSION_UNSUPPORTED",
]);

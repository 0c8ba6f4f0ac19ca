import { type ErrorCode, missingGroupsMessage } from "@groundrule/contract";
import type { EngineError, Fault } from "@groundrule/engine";

/** Thrown for a request that is not answered; contains the data of the problem response. */
export class Refusal extends Error {
  /** Name of the class. */
  override readonly name: string = "Refusal";
  /** Code of the problem. */
  readonly code: ErrorCode;
  /** Each fault with its place in the request. */
  readonly errors: readonly Fault[];
  /** The found and the expected value, as data. */
  readonly details: Readonly<Record<string, unknown>>;

  /**
   * @param code of the problem
   * @param detail the found and the expected value, for people
   * @param extras the same as data, for programs
   */
  constructor(code: ErrorCode, detail: string, extras: RefusalExtras = {}) {
    super(detail);
    this.code = code;
    this.errors = extras.errors ?? [];
    this.details = extras.details ?? {};
  }
}

/** The data of a refusal for programs. */
export interface RefusalExtras {
  /** Each fault with its place in the request; default none. */
  readonly errors?: readonly Fault[];
  /** The found and the expected value; default: none. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Refuses a request whose body or query does not have the route's shape: `VALIDATION_FAILED`. */
export function refuseFaults(faults: readonly [Fault, ...Fault[]], part: "body" | "query"): never {
  throw faultsRefusal(faults, part);
}

/** The refusal of a request whose body or query does not have the route's shape. */
export function faultsRefusal(faults: readonly [Fault, ...Fault[]], part: "body" | "query"): Refusal {
  const [{ pointer, message }] = faults;
  const count = faults.length === 1 ? "a fault" : `${faults.length} faults, the first`;
  const place = pointer === "" ? "" : ` at ${pointer}`;
  return new Refusal("VALIDATION_FAILED", `The ${part} has ${count}${place}: ${message}`, { errors: faults });
}

/**
 * Converts a pointer into the engine's argument to a pointer into the body.
 *
 * @param pointer from the engine; empty if it named no place
 * @param code of the error or warning it belongs to
 */
export type PointerInBody = (pointer: string, code: string) => string;

/** A refusal by the engine, with pointers into the request. */
export function toRefusal(error: EngineError, pointerInBody: PointerInBody): Refusal {
  const { code, message } = error;
  // The place of a value is an answer, and a refusal is free.
  const { faults, held: _, ...details } = error.details;
  const placed = faults ?? (PLACELESS.has(code) ? [] : [{ pointer: "", code, message }]);
  const missing = missingGroupsMessage(error);
  return new Refusal(code, missing === undefined ? message : `${message}. ${missing}`, {
    errors: placed.map((fault) => ({ ...fault, pointer: pointerInBody(fault.pointer, code) })),
    details,
  });
}

/** Codes about the answer or the reference data, without a place in the request. */
const PLACELESS: ReadonlySet<EngineError["code"]> = new Set([
  "RESULT_TOO_LARGE",
  "SNAPSHOT_CORRUPT",
  "SNAPSHOT_VERSION_UNSUPPORTED",
]);

import type { ErrorCode } from "@groundrule/contract";
import type { Fault } from "@groundrule/engine";

/** Thrown for a request that is not answered; carries what the problem response will say. */
export class Refusal extends Error {
  /** Name of the class. */
  override readonly name: string = "Refusal";
  /** Code of the problem. */
  readonly code: ErrorCode;
  /** Each fault with its place in the request. */
  readonly errors: readonly Fault[];
  /** What was found and what was expected, as data. */
  readonly details: Readonly<Record<string, unknown>>;

  /**
   * @param code of the problem
   * @param detail what was found and what was expected, for people
   * @param extras the same as data, for programs
   */
  constructor(code: ErrorCode, detail: string, extras: RefusalExtras = {}) {
    super(detail);
    this.code = code;
    this.errors = extras.errors ?? [];
    this.details = extras.details ?? {};
  }
}

/** What a refusal says to programs. */
export interface RefusalExtras {
  /** Each fault with its place in the request; default none. */
  readonly errors?: readonly Fault[];
  /** What was found and what was expected; default nothing. */
  readonly details?: Readonly<Record<string, unknown>>;
}

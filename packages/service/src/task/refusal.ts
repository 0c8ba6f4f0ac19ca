import type { ErrorCode } from "@groundrule/contract";
import type { Fault } from "@groundrule/engine";

/** A request that is not answered: what a problem says, before it is one. */
export class Refusal extends Error {
  /** Of the class. */
  override readonly name: string = "Refusal";
  /** The problem's. */
  readonly code: ErrorCode;
  /** Each fault with its place in the request. */
  readonly errors: readonly Fault[];
  /** What was found and what was expected, as data. */
  readonly details: Readonly<Record<string, unknown>>;

  /**
   * @param code of the problem
   * @param detail what was found and what was expected, for people
   * @param extras the same for programs
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

import type { ErrorCode } from "@groundrule/contract";
import type { Fault } from "@groundrule/engine";

/** A request that is not answered: what a problem says, before it is one. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly code: ErrorCode;
  readonly errors: readonly Fault[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, detail: string, { errors = [], details = {} }: RefusalExtras = {}) {
    super(detail);
    this.code = code;
    this.errors = errors;
    this.details = details;
  }
}

export interface RefusalExtras {
  readonly errors?: readonly Fault[];
  readonly details?: Readonly<Record<string, unknown>>;
}

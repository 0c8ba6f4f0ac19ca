import type { ErrorCode } from "@groundrule/contract";
import type { Fault } from "@groundrule/engine";

/** A request that is not answered: what a problem says, before it is one. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly errors: readonly Fault[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Members that the code adds to the problem's body. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, detail: string, more: RefusalExtras = {}) {
    super(detail);
    this.code = code;
    this.errors = more.errors ?? [];
    this.details = more.details ?? {};
    this.headers = more.headers ?? {};
    this.members = more.members ?? {};
  }
}

export interface RefusalExtras {
  readonly errors?: readonly Fault[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly members?: Readonly<Record<string, unknown>>;
}

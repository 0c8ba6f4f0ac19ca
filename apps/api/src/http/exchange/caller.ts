import type { KeyMode } from "../../ledger/scope.ts";

/** Who asks: what a valid key says of its bearer. */
export interface Caller {
  readonly organization: string;
  readonly mode: KeyMode;
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** Patterns of the sources that are available to the organization. */
  readonly sources: readonly string[];
}

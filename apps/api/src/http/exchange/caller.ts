import type { KeyMode } from "../../ledger/scope.ts";

/** The caller, as identified by its valid key. */
export interface Caller {
  readonly organization: string;
  readonly mode: KeyMode;
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** Patterns of the sources that are available to the organization. */
  readonly sources: readonly string[];
}

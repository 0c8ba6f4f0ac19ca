import type { KeyMode } from "../keys/api-key.ts";

/** What state belongs to. Every statement about state names both, so nothing crosses either. */
export interface Scope {
  readonly organization: string;
  readonly mode: KeyMode;
}

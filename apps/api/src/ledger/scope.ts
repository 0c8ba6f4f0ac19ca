/** `live` keys are billed; `test` keys never meet live state. */
export type KeyMode = "live" | "test";

/** What state belongs to. Every statement about state names both, so nothing crosses either. */
export interface Scope {
  readonly organization: string;
  readonly mode: KeyMode;
}

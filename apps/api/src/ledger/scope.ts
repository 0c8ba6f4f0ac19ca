/** `live` keys are billed; `test` keys never meet live state. */
export type KeyMode = "live" | "test";

/**
 * The organization and mode that state belongs to. Every statement about state names both, so no state crosses either.
 */
export interface Scope {
  readonly organization: string;
  readonly mode: KeyMode;
}

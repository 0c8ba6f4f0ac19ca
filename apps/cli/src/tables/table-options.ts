import type { Attribute } from "./attributes.ts";

/** What a table is made of, beside its rows. */
export interface TableOptions {
  /** Ids of the ruleset's checks. */
  readonly checks: readonly string[];
  /** ISO 8601 UTC: the instant of the run. */
  readonly now: string;
  /** Attributes that plots came with; absent: found in the rows. */
  readonly attributes?: readonly Attribute[] | undefined;
}

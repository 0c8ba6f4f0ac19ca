import type { ListedSource } from "@groundrule/contract";

/** The names that a ruleset may use: those of sources, and of the columns that are known of them. */
export interface RulesetNames {
  readonly sources: readonly ListedSource[];
  /** Names of columns to their types, by source. */
  readonly columns: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

let last: { readonly text: string; readonly value: unknown } | undefined;

/** The value of a text; while it is no JSON, the last that was, for what is being typed is about that. */
export function parseRulesetValue(text: string): unknown {
  if (last?.text === text) return last.value;
  try {
    const value: unknown = JSON.parse(text);
    last = { text, value };
    return value;
  } catch {
    return last?.value;
  }
}

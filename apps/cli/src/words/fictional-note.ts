import type { SourceEntry } from "@groundrule/engine";
import { isMixed } from "@groundrule/engine/internal";

/**
 * A line for people where a data folder has made-up sources beside real ones, borders apart, with the command that mends
 * it; undefined where it has not.
 */
export function fictionalNote(entries: readonly SourceEntry[], dir: string): string | undefined {
  const sources = entries.filter(({ kind }) => kind !== "group");
  if (!isMixed(sources)) return undefined;
  const names = sources.filter(({ fictional }) => fictional === true).map(({ source_name }) => source_name);
  const [verb, pronoun] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return `warning: ${names.join(", ")} ${verb} fictional and in one data folder with real sources; groundrule sources remove --fictional --data ${dir} removes ${pronoun}`;
}

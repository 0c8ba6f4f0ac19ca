import type { SourceEntry } from "@groundrule/engine";
import { isMixed } from "@groundrule/engine/internal";

/**
 * A warning that a data folder has made-up sources together with real ones, borders excepted, with the command that
 * corrects it; undefined if it has not.
 */
export function formatFictionalNote(entries: readonly SourceEntry[], dir: string): string | undefined {
  const sources = entries.filter(({ kind }) => kind !== "group");
  if (!isMixed(sources)) return undefined;
  const names = sources.filter(({ fictional }) => fictional === true).map(({ source_name }) => source_name);
  const [verb, pronoun] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return `warning: ${names.join(", ")} ${verb} fictional and in one data folder with real sources; groundrule sources remove --fictional --data ${dir} removes ${pronoun}`;
}

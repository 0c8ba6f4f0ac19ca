import type { CheckResult, OpenReason } from "@groundrule/engine";
import type { Tongue } from "./tongue.ts";

/** An open check; for a record that does not state reasons, the status alone. */
export type OpenCheck = Pick<CheckResult, "status"> & Partial<Pick<CheckResult, "open">>;

/** The first reason why a check is not decided; undefined where neither record nor status tells. */
export function findGap({ status, open }: OpenCheck): OpenReason["because"] | undefined {
  return open?.[0]?.because ?? BECAUSE_OF[status];
}

/** The reason why a check is not decided, in a word: the first of its reasons. */
export function gapWord(check: OpenCheck, { words: { open: words } }: Pick<Tongue, "words">): string {
  return words.gaps[findGap(check) ?? "coverage"];
}

/** The same word within a sentence. */
export function gapPhrase(check: OpenCheck, tongue: Pick<Tongue, "words">): string {
  return gapWord(check, tongue).toLowerCase();
}

/** The reason that a status alone lets one expect. */
const BECAUSE_OF: Readonly<Record<string, OpenReason["because"]>> = {
  failed: "failed",
  not_covered: "coverage",
  undetermined: "null",
  not_declared: "fact",
};

import type { CheckResult, Evidence, Verdict, VerdictStatus } from "@groundrule/engine";
import { type CheckState, checkState } from "@groundrule/report";

/** Of which checks a result tells the evidence. */
export type EvidenceChoice = "none" | "triggered" | "all";

export const EVIDENCE_CHOICES: readonly EvidenceChoice[] = ["none", "triggered", "all"];

/** Evidence of one check, as results tell it. */
export interface ToldEvidence {
  readonly check: string;
  /** What was found, without editions: the description of the run names them once for all. */
  readonly items: readonly object[];
  /** How much was found, told or not. */
  readonly total: number;
}

/** A verdict in few bytes. */
export interface CompactVerdict {
  readonly verdict: VerdictStatus;
  readonly at_least: VerdictStatus;
  /** A word a check, in the ruleset's order; see {@link checkState}. */
  readonly checks: readonly CheckState[];
  /** Null under the reference kernel. */
  readonly digest: string | null;
  /** Null where there is nothing to tell. */
  readonly evidence: readonly ToldEvidence[] | null;
}

/** @param choice of which checks the evidence is told */
export function compactVerdict(verdict: Verdict, choice: EvidenceChoice): CompactVerdict {
  const { checks } = verdict;
  return {
    verdict: verdict.verdict,
    at_least: verdict.at_least,
    checks: checks.map(checkState),
    digest: verdict.digest,
    evidence: evidenceOf(checks, choice),
  };
}

function evidenceOf(checks: readonly CheckResult[], choice: EvidenceChoice): readonly ToldEvidence[] | null {
  if (choice === "none") return null;
  const told = checks.filter(
    ({ triggered, evidence }) => evidence.length > 0 && (triggered || choice === "all"),
  );
  if (told.length === 0) return null;
  return told.map(({ id, evidence, evidence_total }) => {
    return { check: id, items: evidence.map(withoutEdition), total: evidence_total };
  });
}

/** The description of the run names the editions once for all. */
function withoutEdition(item: Evidence): object {
  if (!("edition" in item)) return item;
  const { edition: _, ...others } = item;
  return others;
}

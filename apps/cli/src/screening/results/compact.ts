import type { CheckResult, Evidence, Verdict, VerdictStatus } from "@groundrule/engine";
import { type CheckState, checkState } from "@groundrule/report";

/** The checks whose evidence a result contains. */
export type EvidenceChoice = "none" | "triggered" | "all";

export const EVIDENCE_CHOICES: readonly EvidenceChoice[] = ["none", "triggered", "all"];

/** Evidence of one check, as in results. */
export interface ListedEvidence {
  readonly check: string;
  /** The evidence without editions: the description of the run names them once. */
  readonly items: readonly object[];
  /** Total number of findings, listed or not. */
  readonly total: number;
}

/** A verdict in compact form. */
export interface CompactVerdict {
  readonly verdict: VerdictStatus;
  readonly at_least: VerdictStatus;
  /** A word per check, in the ruleset's order; see {@link checkState}. */
  readonly checks: readonly CheckState[];
  /** Null with the reference kernel. */
  readonly digest: string | null;
  /** Null if there is none. */
  readonly evidence: readonly ListedEvidence[] | null;
}

/** @param choice the checks whose evidence is included */
export function toCompactVerdict(verdict: Verdict, choice: EvidenceChoice): CompactVerdict {
  const { checks } = verdict;
  return {
    verdict: verdict.verdict,
    at_least: verdict.at_least,
    checks: checks.map(checkState),
    digest: verdict.digest,
    evidence: selectListedEvidence(checks, choice),
  };
}

function selectListedEvidence(
  checks: readonly CheckResult[],
  choice: EvidenceChoice,
): readonly ListedEvidence[] | null {
  if (choice === "none") return null;
  const listed = checks.filter(
    ({ triggered, evidence }) => evidence.length > 0 && (triggered || choice === "all"),
  );
  if (listed.length === 0) return null;
  return listed.map(({ id, evidence, evidence_total }) => {
    return { check: id, items: evidence.map(withoutEdition), total: evidence_total };
  });
}

/** The description of the run names the editions once. */
function withoutEdition(item: Evidence): object {
  if (!("edition" in item)) return item;
  const { edition: _, ...others } = item;
  return others;
}

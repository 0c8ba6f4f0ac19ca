import type { CheckResult, Evidence, Verdict, VerdictStatus } from "@groundrule/engine";

/** Of which checks a result tells the evidence. */
export type EvidenceChoice = "none" | "triggered" | "all";

export const EVIDENCE_CHOICES: readonly EvidenceChoice[] = ["none", "triggered", "all"];

/** A verdict in few bytes. */
export interface CompactVerdict {
  readonly verdict: VerdictStatus;
  readonly at_least: VerdictStatus;
  /** One character a check, in the ruleset's order: `.` not triggered, `!` triggered, `?` failed, `-` not covered. */
  readonly checks: string;
  /** Null under the reference kernel. */
  readonly digest: string | null;
  /** JSON: `[{"check", "items", "total"}]`; null where there is nothing to tell. */
  readonly evidence: string | null;
}

/** @param choice of which checks the evidence is told */
export function compactVerdict(verdict: Verdict, choice: EvidenceChoice): CompactVerdict {
  const { checks } = verdict;
  return {
    verdict: verdict.verdict,
    at_least: verdict.at_least,
    checks: checks.map(characterOf).join(""),
    digest: verdict.digest,
    evidence: evidenceOf(checks, choice),
  };
}

function characterOf({ status, triggered }: CheckResult): string {
  if (status === "failed") return "?";
  if (status === "not_covered") return "-";
  return triggered ? "!" : ".";
}

function evidenceOf(checks: readonly CheckResult[], choice: EvidenceChoice): string | null {
  if (choice === "none") return null;
  const told = checks.filter(
    ({ triggered, evidence }) => evidence.length > 0 && (triggered || choice === "all"),
  );
  if (told.length === 0) return null;
  return JSON.stringify(
    told.map(({ id, evidence, evidence_total }) => {
      return { check: id, items: evidence.map(withoutEdition), total: evidence_total };
    }),
  );
}

/** The description of the run names the editions once for all. */
function withoutEdition(item: Evidence): object {
  if (!("edition" in item)) return item;
  const { edition: _, ...others } = item;
  return others;
}

import type { CheckResult, Evidence, Verdict, VerdictStatus } from "@groundrule/engine";

/** A verdict in few bytes. */
export interface CompactVerdict {
  readonly verdict: VerdictStatus;
  readonly at_least: VerdictStatus;
  /** One character a check, in the order of the ruleset: `.` not triggered, `!` triggered, `?` failed, `-` not covered. */
  readonly checks: string;
  readonly digest: string | null;
  /** JSON: what checks found; null where nothing was asked for or found. */
  readonly evidence: string | null;
}

/** @param evidence of which checks it is told */
export function compactVerdict(verdict: Verdict, evidence: "none" | "triggered" | "all"): CompactVerdict {
  const { checks } = verdict;
  const told = evidence === "none" ? [] : checks.filter(({ triggered }) => triggered || evidence === "all");
  return {
    verdict: verdict.verdict,
    at_least: verdict.at_least,
    checks: checks.map(characterOf).join(""),
    digest: verdict.digest,
    evidence:
      told.length === 0
        ? null
        : JSON.stringify(
            told.map((check) => ({
              check: check.id,
              items: check.evidence satisfies readonly Evidence[],
              total: check.evidence_total,
            })),
          ),
  };
}

function characterOf({ status, triggered }: CheckResult): string {
  if (status === "failed") return "?";
  if (status === "not_covered") return "-";
  return triggered ? "!" : ".";
}

import type { CheckResult, Evidence, Verdict } from "@groundrule/engine";

/** The checks of a verdict by what follows from them, and the facts that are missing. */
export interface CheckGroups {
  readonly fails: readonly CheckResult[];
  readonly look: readonly CheckResult[];
  readonly unanswered: readonly UnansweredFact[];
  readonly notices: readonly CheckResult[];
  readonly passed: readonly CheckResult[];
  /** Ids of checks whose areas are those of a check before. */
  readonly repeated: ReadonlySet<string>;
}

/** A fact that was not declared, with the checks that depend on it. */
export interface UnansweredFact {
  /** Its name in the ruleset; empty for the property around the plot. */
  readonly fact: string;
  /** Open checks that could be decided with it. */
  readonly decides: readonly CheckResult[];
  /** Other checks that it could keep from triggering. */
  readonly lifts: readonly CheckResult[];
}

/** Groups the checks of a verdict. A check that is open for want of facts alone, and decides nothing, is in its facts. */
export function groupChecks({ checks, facts = [] }: Pick<Verdict, "checks" | "facts">): CheckGroups {
  const of = (kind: Kind): readonly CheckResult[] => checks.filter((check) => findKind(check) === kind);
  const [fails, look, notices, passed] = [of("fails"), of("look"), of("notices"), of("passed")];
  const known = new Set([...fails, ...look, ...notices, ...passed]);
  const rest = checks.filter((check) => !known.has(check));
  const unanswered = listUnanswered([...fails, ...look, ...rest, ...notices], facts);
  return {
    fails,
    look,
    unanswered,
    notices,
    passed,
    repeated: findRepeated([...fails, ...look, ...notices]),
  };
}

type Kind = "fails" | "look" | "notices" | "passed" | "facts";

function findKind({ status, triggered, outcome, open = [] }: CheckResult): Kind {
  if (status === "ok" && !triggered) return "passed";
  if (outcome === "NON_COMPLIANT") return "fails";
  if (outcome === "WARNING" || status === "failed") return "look";
  return open.length > 0 && open.every(({ because }) => because === "fact") ? "facts" : "notices";
}

function listUnanswered(checks: readonly CheckResult[], facts: Verdict["facts"] & object): UnansweredFact[] {
  const isAnswered = new Set(facts.flatMap(({ fact, value }) => (value === null ? [] : fact)));
  const needs = checks.map((check) => {
    const { open = [], resolve_by = [] } = check;
    const decides = open.flatMap(({ because, fact = "" }) => (because === "fact" ? toFactName(fact) : []));
    const all = resolve_by.flatMap((way) => way.facts.map(({ fact }) => toFactName(fact)));
    return { check, decides, lifts: all.filter((fact) => !isAnswered.has(fact) && !decides.includes(fact)) };
  });
  const names = ["", ...facts.map(({ fact }) => fact)];
  return names.flatMap((fact) => {
    const pick = (which: "decides" | "lifts"): readonly CheckResult[] =>
      needs.flatMap((need) => (need[which].includes(fact) ? need.check : []));
    const [decides, lifts] = [pick("decides"), pick("lifts")];
    return decides.length + lifts.length === 0 ? [] : { fact, decides, lifts };
  });
}

function findRepeated(checks: readonly CheckResult[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = checks.filter(({ evidence }) => {
    if (evidence.length === 0 || !evidence.every(isArea)) return false;
    const areas = JSON.stringify(evidence.map((item) => [item.source_name, item.source_id]));
    return seen.size === seen.add(areas).size;
  });
  return new Set(repeated.map(({ id }) => id));
}

function isArea(item: Evidence): boolean {
  return "overlap_area_m2" in item;
}

/** The fact of a reference, which may name a member of a document. */
export function toFactName(reference: string): string {
  return reference.split(".")[0]!;
}

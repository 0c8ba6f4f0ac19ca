import type { CheckResult, ComparisonResult, Evidence, Verdict } from "@groundrule/engine";
import type { Plan } from "@groundrule/engine/rulesets";

/** A check with a changed outcome, and the reasons. */
export interface CheckChange {
  readonly id: string;
  readonly title: string;
  /** Undefined if the ruleset had no such check. */
  readonly before: CheckResult | undefined;
  readonly after: CheckResult | undefined;
  /** Comparisons in both verdicts whose values or limits differ. */
  readonly values: readonly { readonly before: ComparisonResult; readonly after: ComparisonResult }[];
  /** Evidence in only one verdict; empty if a list of evidence was truncated. */
  readonly come: readonly Evidence[];
  readonly gone: readonly Evidence[];
}

/** The checks whose outcome differs between two verdicts; a check in only one ruleset counts if it found something. */
export function listChangedChecks(before: Verdict, after: Verdict): readonly CheckChange[] {
  const [old, now] = [before, after].map(({ checks }) => new Map(checks.map((check) => [check.id, check])));
  return [...new Set([...now!.keys(), ...old!.keys()])].flatMap((id): CheckChange[] => {
    const [was, is] = [old!.get(id), now!.get(id)];
    if ((was?.outcome ?? null) === (is?.outcome ?? null)) return [];
    const isWhole = [was, is].every(
      (check) => (check?.evidence_total ?? 0) === (check?.evidence.length ?? 0),
    );
    return [
      {
        id,
        title: is?.title ?? was?.title ?? id,
        before: was,
        after: is,
        values: (was?.comparisons ?? []).flatMap((each) => {
          const same = is?.comparisons.find((other) => toSubjectKey(other) === toSubjectKey(each));
          const isSame =
            same === undefined || (same.value === each.value && same.threshold === each.threshold);
          return isSame ? [] : [{ before: each, after: same }];
        }),
        come: isWhole ? removeKnownEvidence(is?.evidence, was?.evidence) : [],
        gone: isWhole ? removeKnownEvidence(was?.evidence, is?.evidence) : [],
      },
    ];
  });
}

/** The subject of a comparison. */
function toSubjectKey({ set, measure, of, op }: ComparisonResult): string {
  return JSON.stringify([set, measure, of, op]);
}

function removeKnownEvidence(
  all: readonly Evidence[] = [],
  others: readonly Evidence[] = [],
): readonly Evidence[] {
  const known = new Set(others.map(formatEvidenceName));
  return all.filter((each) => !known.has(formatEvidenceName(each)));
}

function formatEvidenceName({ source_name, source_id }: Evidence): string {
  return `${source_name} ${source_id}`;
}

/** A source of two verdicts whose edition differs. */
export interface EditionChange {
  readonly source_name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The sources of both verdicts with different editions. */
export function listChangedEditions(before: Verdict, after: Verdict): readonly EditionChange[] {
  const old = new Map(before.sources.map((source) => [source.source_name, source.edition]));
  return after.sources.flatMap(({ source_name, edition }) =>
    old.has(source_name) && old.get(source_name) !== edition
      ? [{ source_name, before: old.get(source_name), after: edition }]
      : [],
  );
}

/**
 * Labels that distinguish two verdicts, for the ends of a slider: their rulesets, otherwise the collection days of the
 * sources that differ, otherwise their times.
 *
 * @param write formats an instant, optionally with its time
 */
export function formatSliderEndLabels(
  [before, after]: readonly [Verdict, Verdict],
  write: (instant: string, withTime: boolean) => string,
): readonly [string, string] {
  const both = [before, after] as const;
  if (before.ruleset.digest !== after.ruleset.digest) {
    const [a, b] = both.map(({ ruleset: { name, version, digest } }) => {
      return version === null ? (name ?? digest.slice(0, 8)) : `${name} v${version}`;
    });
    return a === b
      ? [`${a} ${before.ruleset.digest.slice(0, 8)}`, `${b} ${after.ruleset.digest.slice(0, 8)}`]
      : [a!, b!];
  }
  const names = new Set(listChangedEditions(before, after).map(({ source_name }) => source_name));
  const [a, b] = both.map(({ sources }) => {
    const days = sources.flatMap(({ source_name, collected_at }) =>
      names.has(source_name) && collected_at !== undefined ? [collected_at] : [],
    );
    return days.length === 0
      ? undefined
      : write(
          days.reduce((x, y) => (x > y ? x : y)),
          false,
        );
  });
  if (a !== undefined && b !== undefined && a !== b) return [a, b];
  const [made, again] = both.map(({ evaluated_at }) => write(evaluated_at, false));
  return made === again
    ? [write(before.evaluated_at, true), write(after.evaluated_at, true)]
    : [made!, again!];
}

/**
 * True if evaluating again could change the answer: because of another ruleset or semantics, other editions, sources
 * without editions or that failed, or a source with a maximum age that is older now.
 *
 * @param plan of the same question now, for any input
 * @param now ISO 8601 UTC
 */
export function couldAnswerDiffer(
  { ruleset, semantics, sources, evaluated_at }: Verdict,
  plan: Plan,
  now: string,
): boolean {
  const editions = new Map(plan.sources.map(({ source_name, edition }) => [source_name, edition]));
  const isSameDay = evaluated_at.slice(0, 10) === now.slice(0, 10);
  return (
    ruleset.digest !== plan.ruleset?.digest ||
    semantics !== plan.semantics ||
    sources.length !== editions.size ||
    sources.some(
      ({ source_name, status, edition, overage }) =>
        status !== "ok" ||
        edition === undefined ||
        editions.get(source_name) !== edition ||
        (overage !== undefined && !isSameDay),
    )
  );
}

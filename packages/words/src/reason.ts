import type { CheckResult, VerdictStatus } from "@groundrule/engine";
import { gapPhrase } from "./gap.ts";
import { shortenText } from "./shortened.ts";
import type { Tongue } from "./tongue.ts";

/** Input of the sentence; a `Verdict` has it. */
export interface Reasoned {
  /** Verdict, which decides the beginning of the sentence. */
  readonly verdict: VerdictStatus;
  /** All checks of the ruleset, in its order. */
  readonly checks: readonly (Pick<CheckResult, "id" | "title" | "status" | "outcome" | "triggered"> &
    Partial<Pick<CheckResult, "open">>)[];
}

/** Outcomes of checks, in the order in which they decide a verdict. */
const FATES = [
  "failed",
  "openFailed",
  "look",
  "openLook",
  "undecided",
  "notice",
  "waived",
  "passed",
] as const;

type Fate = (typeof FATES)[number];

/** Kinds of open checks, of which nobody knows if what their titles say is true of the plot. */
const OPEN: ReadonlySet<Fate> = new Set(["openFailed", "openLook", "undecided", "waived"]);

/** No sentence has more of a title than this. */
const TITLE_LETTERS = 120;
/** Most checks named in all: if many did not pass, the list below shows the others. */
const NAMED = 3;

/**
 * Why a verdict is what it is: `1 of 3 checks failed: overlaps a protected area.` Then a sentence on each other kind of
 * check that did not pass, which names those that triggered as long as few were named. The ruleset's titles stand in it, cut where they are
 * long, with a small first letter. In place of the titles of open checks stand the reasons why they are open.
 *
 * @returns plain text
 */
export function describeReason(verdict: Reasoned, tongue: Pick<Tongue, "words" | "formats">): string {
  return describeReasons(verdict, tongue).join(" ");
}

/** The sentences of {@link describeReason}. */
export function describeReasons(
  { verdict, checks }: Reasoned,
  tongue: Pick<Tongue, "words" | "formats">,
): readonly string[] {
  const {
    words: { reasons: words },
    formats,
  } = tongue;
  const kinds = Map.groupBy(checks, toFate);
  // If a verdict leaves something open, that comes first; if it passes, the passed checks.
  const first: readonly Fate[] =
    verdict === "DEGRADED" ? ["undecided"] : verdict === "COMPLIANT" ? ["passed"] : [];
  const shown = [...new Set([...first, ...FATES])].filter(
    (fate) => kinds.has(fate) && (fate !== "passed" || verdict === "COMPLIANT"),
  );
  const plain = (count: number): string => formats.plain(count);
  const all = plain(checks.length);
  if (checks.length > 0 && checks.every(isUncovered)) return [words.noSource(checks.length, all)];
  let left = NAMED;
  return shown.map((fate, i) => {
    const group = kinds.get(fate)!;
    const count = plain(group.length);
    const [one, several] = words[fate];
    const isWhole = group.length === checks.length;
    const who = isWhole
      ? checks.length === 1
        ? words.only
        : words.all(count)
      : i === 0
        ? words.of(count, all)
        : count;
    // The phrase says itself that a source failed.
    if (fate === "undecided") return `${who} ${group.length === 1 ? one : several}.`;
    if (OPEN.has(fate)) {
      return `${who} ${group.length === 1 ? one : several}: ${describeGaps(group, tongue)}.`;
    }
    const names = fate === "passed" ? [] : group.slice(0, left).map(toCheckName);
    left -= names.length;
    if (names.length > 0 && group.length > names.length) {
      names.push(words.more(plain(group.length - names.length)));
    }
    return `${who} ${group.length === 1 ? one : several}${names.length > 0 ? `: ${names.join("; ")}` : ""}.`;
  });
}

/** True if a check is open because none of its sources covers anything of the plot. */
function isUncovered({ open = [] }: Reasoned["checks"][number]): boolean {
  return (
    open.length > 0 &&
    open.every(({ because, covered_ratio }) => because === "coverage" && covered_ratio === 0)
  );
}

/** Reasons of open checks, each with its number where they differ: `not covered (2); not declared (1)`. */
function describeGaps(checks: Reasoned["checks"], tongue: Pick<Tongue, "words" | "formats">): string {
  const gaps = Map.groupBy(checks, (check) => gapPhrase(check, tongue));
  if (gaps.size === 1) return [...gaps.keys()][0]!;
  return [...gaps].map(([gap, { length }]) => `${gap} (${tongue.formats.plain(length)})`).join("; ");
}

function toFate({ status, outcome, triggered }: Reasoned["checks"][number]): Fate {
  if (status === "failed") return "undecided";
  const counts = outcome === "NON_COMPLIANT" || outcome === "WARNING";
  if (status !== "ok") {
    if (!counts) return "waived";
    return outcome === "WARNING" ? "openLook" : "openFailed";
  }
  if (!triggered) return "passed";
  if (!counts) return "notice";
  return outcome === "WARNING" ? "look" : "failed";
}

/**
 * A title as it stands within a sentence: what seems to begin with a name or an abbreviation keeps its capital, and so
 * does an id.
 */
function toCheckName({ title, id }: Reasoned["checks"][number]): string {
  if (title === undefined) return id;
  const text = shortenText(title.trim().replace(/\.$/, ""), TITLE_LETTERS);
  return /^\p{Lu}(?:\p{Ll}*(?![\p{L}\p{N}.'’-]| [\p{Lu}\p{N}])|\p{Ll}? )/u.test(text)
    ? `${text.charAt(0).toLowerCase()}${text.slice(1)}`
    : text;
}

import type { CheckResult, VerdictStatus } from "@groundrule/engine";
import { shortenText } from "./shortened.ts";
import type { Tongue } from "./tongue.ts";

/** Input of the sentence; a `Verdict` has it. */
export interface Reasoned {
  /** Verdict, which decides the beginning of the sentence. */
  readonly verdict: VerdictStatus;
  /** All checks of the ruleset, in its order. */
  readonly checks: readonly Pick<CheckResult, "id" | "title" | "status" | "outcome" | "triggered">[];
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

/** No sentence has more of a title than this. */
const TITLE_LETTERS = 120;
/** Most checks named in all: if many did not pass, the list below shows the others. */
const NAMED = 3;

/**
 * Why a verdict is what it is: `1 of 3 checks failed: overlaps a protected area.` Then a sentence on each other kind of
 * check that did not pass, which names them as long as few were named. The ruleset's titles stand in it, cut where they are long, with a small first letter.
 *
 * @returns plain text
 */
export function describeReason(
  { verdict, checks }: Reasoned,
  { words: { reasons: words }, formats }: Tongue,
): string {
  const kinds = Map.groupBy(checks, toFate);
  // If a verdict leaves something open, that comes first; if it passes, the passed checks.
  const first: readonly Fate[] =
    verdict === "DEGRADED" ? ["undecided"] : verdict === "COMPLIANT" ? ["passed"] : [];
  const shown = [...new Set([...first, ...FATES])].filter(
    (fate) => kinds.has(fate) && (fate !== "passed" || verdict === "COMPLIANT"),
  );
  const plain = (count: number): string => formats.plain(count);
  const all = plain(checks.length);
  let left = NAMED;
  return shown
    .map((fate, i) => {
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
      const names = fate === "passed" ? [] : group.slice(0, left).map(toCheckName);
      left -= names.length;
      if (names.length > 0 && group.length > names.length) {
        names.push(words.more(plain(group.length - names.length)));
      }
      return `${who} ${group.length === 1 ? one : several}${names.length > 0 ? `: ${names.join("; ")}` : ""}.`;
    })
    .join(" ");
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

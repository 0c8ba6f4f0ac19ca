import type { CheckResult, DeclaredFact, FactDocument, Verdict } from "@groundrule/engine";
import { declaredHolds } from "./fact-text.ts";
import { holds } from "./holds.ts";
import { shortenText } from "./shortened.ts";
import type { Tongue } from "./tongue.ts";

/** No sentence has more letters of a document's number. */
const ID_LETTERS = 60;
/** The most documents that are named. */
const NAMED = 3;

/** The outcomes that decide a verdict, the worse the higher. */
const RANK = { COMPLIANT: 0, WARNING: 1, NON_COMPLIANT: 2 } as const;

/** The parts of a verdict that decide whether documents lift it. */
export type Liftable = Pick<Verdict, "at_least" | "checks" | "facts">;

/**
 * The verdict that there would be without documents, where it is worse, and the documents that lift it:
 * `not compliant without DOC-1 (declared)`. Only checks that would certainly trigger count.
 *
 * @param ruleset as the record has it; of what is no ruleset there is nothing to say
 * @returns plain text
 */
export function liftedText(
  verdict: Liftable,
  ruleset: unknown,
  { words: { facts: words } }: Pick<Tongue, "words">,
): string | undefined {
  const found = verdict.checks.flatMap((check) => {
    const { outcome, any } = findDeclaredCheck(ruleset, check.id);
    const rank = RANK[outcome as keyof typeof RANK] ?? 0;
    const documents = listLiftingDocuments(check, any !== undefined);
    return documents.length > 0 && rank > RANK[verdict.at_least] ? [{ rank, documents }] : [];
  });
  if (found.length === 0) return undefined;
  const worst = found.reduce((most, { rank }) => Math.max(most, rank), 0);
  const declared = new Map((verdict.facts ?? []).map((each) => [each.fact, each]));
  const lifting = found.flatMap(({ rank, documents }) => (rank === worst ? documents : []));
  const names = [...new Set(lifting)].map((fact) =>
    shortenText(findDocumentNumber(declared.get(fact)) ?? fact, ID_LETTERS),
  );
  const named = names.length > NAMED ? [...names.slice(0, NAMED), words.more(names.length - NAMED)] : names;
  return words.without(worst === RANK.WARNING ? words.aWarning : words.notCompliant, named.join(", "));
}

interface DeclaredCheck {
  readonly outcome?: unknown;
  readonly any?: unknown;
}

/** A check of a ruleset by its id; nothing of what is no ruleset. */
function findDeclaredCheck(ruleset: unknown, id: string): DeclaredCheck {
  const { checks } = Object(ruleset) as { readonly checks?: unknown };
  if (!Array.isArray(checks)) return {};
  return Object(checks.find((check) => Object(check).id === id)) as DeclaredCheck;
}

/** The documents whose validity alone keeps a check from triggering; none where something else does. */
function listLiftingDocuments(check: CheckResult, isAny: boolean): readonly string[] {
  const { status, triggered, comparisons, declared = [] } = check;
  if (status !== "ok" || triggered) return [];
  const lifting = declared.filter(({ op, value }) => op === "not_valid" && value === true);
  if (lifting.length === 0) return [];
  const others = declared.filter((each) => !lifting.includes(each));
  const wouldTrigger =
    isAny ||
    (comparisons.every(holds) && others.every((each) => each.op !== "valid" && declaredHolds(each) === true));
  return wouldTrigger ? lifting.map(({ fact }) => fact) : [];
}

function findDocumentNumber(fact: DeclaredFact | undefined): string | undefined {
  if (fact?.type !== "document" || typeof fact.value !== "object") return undefined;
  return (fact.value as FactDocument | null)?.id;
}

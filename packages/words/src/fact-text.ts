import type {
  CheckResult,
  DeclaredComparison,
  DeclaredFact,
  FactDeclaration,
  FactDocument,
  FactValue,
  NeededFact,
} from "@groundrule/engine";
import { type RulesetTongue, translateText } from "./ruleset-tongue.ts";
import type { Tongue } from "./tongue.ts";

/** Name by which a comparison reads the day of the evaluation. */
const EVALUATED_ON = "evaluated_on";

/**
 * The question of a fact in the language of the page, else in English, as it is written.
 *
 * @param fact its name in the ruleset
 */
export function findQuestion(tongue: RulesetTongue, fact: string): string {
  const { declarations, language } = tongue;
  const question = Object.hasOwn(declarations, fact) ? declarations[fact]!.question : undefined;
  if (question === undefined) return fact.replaceAll("_", " ");
  return question[language as keyof typeof question] ?? translateText(tongue, question.en);
}

/** The language of {@link findQuestion} where it is not the page's: a question without a translation is English. */
export function findQuestionLanguage(tongue: RulesetTongue, fact: string): "en" | undefined {
  if (tongue.language === "en" || !Object.hasOwn(tongue.declarations, fact)) return undefined;
  return findQuestion(tongue, fact) === tongue.declarations[fact]!.question?.en ? "en" : undefined;
}

/**
 * A fact, or a member of a document, as a sentence names it: by its question, quoted.
 *
 * @param reference as a ruleset has it: `permit`, `permit.area_m2`, `evaluated_on`
 */
export function subjectText(tongue: RulesetTongue, reference: string): string {
  const words = tongue.words.facts;
  if (reference === EVALUATED_ON) return words.evaluatedOn;
  const [name, member] = reference.split(".") as [string, string?];
  const question = words.quoted(findQuestion(tongue, name));
  return (
    (member === undefined ? undefined : words.member[member as keyof typeof words.member])?.(question) ??
    question
  );
}

/** A fact, or a member of a document, that a ruleset names. */
function findFactDeclaration(
  { declarations }: RulesetTongue,
  reference: string,
): FactDeclaration | undefined {
  return Object.hasOwn(declarations, reference) ? declarations[reference] : undefined;
}

/**
 * A value of a fact in words.
 *
 * @param reference as of {@link subjectText}
 * @param value of a document, whether it is valid; null: not declared, or not brought
 */
export function factValueText(
  tongue: RulesetTongue,
  reference: string,
  value: Exclude<FactValue, FactDocument> | null,
): string {
  const words = tongue.words.facts;
  const declaration = findFactDeclaration(tongue, reference);
  if (value === null) return declaration?.type === "document" ? words.notBrought : words.notDeclared;
  if (declaration?.type === "document") return value === true ? words.valid : words.notValid;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "number") {
    const figures = tongue.formats;
    if (reference.endsWith(".area_m2")) return figures.area(value, value);
    const unit = declaration?.unit === undefined ? "" : ` ${declaration.unit}`;
    return `${figures.plain(value)}${unit}`;
  }
  return declaration?.type === "text" ? translateText(tongue, value) : tongue.day(value);
}

/** A member of a document that a page names. */
export interface DocumentPart {
  /** Label of the fact. */
  readonly label: string;
  /** Value of the fact, in words. */
  readonly text: string;
}

/** Parts of a document other than its number. */
export function documentParts(
  { words: { facts: words }, formats, day }: RulesetTongue,
  { issuer, issued_on, valid_until, area_m2 }: FactDocument,
): DocumentPart[] {
  return [
    { label: words.issuer, text: issuer },
    { label: words.issuedOn, text: day(issued_on) },
    { label: words.validUntil, text: valid_until === undefined ? words.withoutEnd : day(valid_until) },
    ...(area_m2 === undefined ? [] : [{ label: words.area, text: formats.area(area_m2, area_m2) }]),
  ];
}

/** An operator as people write it. */
export function formatOperator(op: string): string {
  return { ">=": "≥", "<=": "≤", "<>": "≠" }[op] ?? op;
}

/** Values that a check compares besides its measures. */
export interface OtherComparisons {
  /** With what the applicant declared. */
  readonly declared: readonly DeclaredComparison[];
  /** With the day of the evaluation, each in a line. */
  readonly days: readonly string[];
}

/**
 * Values that a check compares besides its measures: declared facts, and separately the day of the evaluation, which
 * is neither declared nor measured.
 *
 * @returns each day in a line: `Day of the evaluation: 27 November 2026 ≥ 4 January 2027: not met`
 */
export function otherComparisons(
  tongue: RulesetTongue,
  { declared = [] }: Pick<CheckResult, "declared">,
): OtherComparisons {
  const days = declared.filter(({ fact }) => fact === EVALUATED_ON);
  return {
    declared: declared.filter(({ fact }) => fact !== EVALUATED_ON),
    days: days.map((comparison) => formatDayComparison(tongue, comparison)),
  };
}

function formatDayComparison(tongue: RulesetTongue, comparison: DeclaredComparison): string {
  const words = tongue.words.facts;
  const { op, value, threshold, threshold_of: from } = comparison;
  const day = (found: typeof threshold): string =>
    found == null ? words.unknown : tongue.day(String(found));
  const named = from !== undefined && "fact" in from ? ` (${subjectText(tongue, from.fact)})` : "";
  const isMet = declaredHolds(comparison);
  const result = isMet === undefined ? words.unknown : isMet ? words.met : words.notMet;
  return `${words.evaluationDay}: ${day(value)} ${formatOperator(op)} ${day(threshold)}${named}: ${result}`;
}

/** True if a comparison with a declared value holds; undefined if that is not known. */
export function declaredHolds({ op, value, threshold }: DeclaredComparison): boolean | undefined {
  if (op === "not_valid") return value !== true;
  if (value === null || (op !== "valid" && (threshold === null || threshold === undefined))) return undefined;
  if (op === "valid") return value === true;
  if (op === "=") return value === threshold;
  if (op === "<>") return value !== threshold;
  // Numbers with numbers, days with days: both are in the order of what they are written as.
  const [left, right] = [value, threshold as typeof value];
  return { ">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right }[op];
}

/** Changes that would keep a check from triggering: things to supply, and answers that would have to be different. */
export interface Needs {
  /** Documents and answers that are still to come. */
  readonly toBring: readonly Need[];
  /** Ways that take another answer than the one that was given. */
  readonly wouldChange: readonly Need[];
}

/** One way: each alone suffices. */
export interface Need {
  /** The way in words: `a valid document for ‘Permit’`. */
  readonly text: string;
  /** The facts that it takes, by name. */
  readonly facts: readonly string[];
}

/**
 * The entries of `resolve_by` of a check, in words. An entry whose facts are all still to be declared, or documents,
 * is a thing to supply.
 */
export function describeNeeds(
  tongue: RulesetTongue,
  { resolve_by = [] }: Pick<CheckResult, "resolve_by">,
  declared: readonly DeclaredFact[],
): Needs {
  const known = new Set(declared.filter(({ value }) => value !== null).map(({ fact }) => fact));
  const words = tongue.words.facts;
  const [toBring, wouldChange]: [Need[], Need[]] = [[], []];
  for (const { facts } of resolve_by) {
    const parts = facts.map((needed) =>
      describeNeededFact(tongue, needed, known.has(toFactName(needed.fact))),
    );
    const all = parts.map(({ text }) => text);
    const text = all.length === 1 ? all[0]! : words.together(joinWithConjunction(all, words.and));
    const need = { text, facts: [...new Set(facts.map(({ fact }) => toFactName(fact)))] };
    (parts.some(({ isSupposed }) => isSupposed) ? wouldChange : toBring).push(need);
  }
  return { toBring, wouldChange };
}

function describeNeededFact(
  tongue: RulesetTongue,
  needed: NeededFact,
  isDeclared: boolean,
): { readonly text: string; readonly isSupposed: boolean } {
  const words = tongue.words.facts;
  const subject = subjectText(tongue, needed.fact);
  if (needed.valid === true) return { text: words.validDocument(subject), isSupposed: false };
  const value = describeNeededValue(tongue, needed);
  const supposed = needed.fact.includes(".") ? words.supposedMember : words.supposed;
  if (isDeclared) return { text: supposed(subject, value), isSupposed: true };
  return { text: words.declaration(subject, value), isSupposed: false };
}

/** The values that would suffice: bounds that the declaration has anyway are left out. */
function describeNeededValue(tongue: RulesetTongue, needed: NeededFact): string {
  const words = tongue.words.facts;
  const { fact, one_of, at_least, above, at_most, below } = needed;
  const format = (value: number | string | boolean): string => factValueText(tongue, fact, value);
  if (one_of !== undefined) return joinWithConjunction(one_of.map(format), words.or);
  if (at_least !== undefined && at_least === at_most) return format(at_least);
  const { min = fact.endsWith(".area_m2") ? 0 : undefined, max } = findFactDeclaration(tongue, fact) ?? {};
  const parts = [
    at_least !== undefined && at_least !== min
      ? (typeof at_least === "string" ? words.onOrAfter : words.atLeast)(format(at_least))
      : [],
    above !== undefined ? words.above(format(above)) : [],
    at_most !== undefined && at_most !== max
      ? (typeof at_most === "string" ? words.onOrBefore : words.atMost)(format(at_most))
      : [],
    below !== undefined ? words.below(format(below)) : [],
  ].flat();
  return parts.length === 0 ? words.anyValue : joinWithConjunction(parts, words.and);
}

function joinWithConjunction(parts: readonly string[], conjunction: string): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${conjunction} ${parts.at(-1)!}`;
}

function toFactName(reference: string): string {
  return reference.split(".")[0]!;
}

/**
 * Title of a measure, with the land on which it is measured.
 *
 * @param text what it is called on the plot
 */
export function measuredOn(
  text: string,
  on: "property" | undefined,
  { words }: Pick<Tongue, "words">,
): string {
  if (on === undefined) return text;
  const { ofLand, onProperty } = words.facts;
  const [plot, property] = ofLand;
  return text.includes(plot) ? text.replace(plot, property) : `${text} (${onProperty})`;
}

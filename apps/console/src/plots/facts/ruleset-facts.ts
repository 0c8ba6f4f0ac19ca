import type { FactDeclaration } from "@groundrule/engine";
import { isFactValue } from "@groundrule/engine/internal";
import { type FactColumns, isFactColumn, meantFact, withFactColumns } from "@groundrule/plots";
import { createRulesetTongue, type RulesetTongue } from "@groundrule/words";
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Answerer, AnswerProblem } from "../../answering/answerer.ts";
import { tongue } from "../../languages/language.ts";
import { type EnteredFacts, sharedFacts } from "../../state/facts.ts";
import type { PagePlot } from "../../state/plot.ts";
import { answerer, type ChosenRuleset, plots, ruleset } from "../../state/store.ts";

type InputMembers = Readonly<Record<string, unknown>>;

/** The facts that the chosen ruleset asks for. */
export interface RulesetFacts {
  readonly chosen: ChosenRuleset;
  readonly by: Answerer;
  /** Declarations by name; undefined if the ruleset could not be loaded. */
  readonly facts: Readonly<Record<string, FactDeclaration>> | undefined;
  /** The ruleset with its sets and checks; undefined if it could not be loaded. */
  readonly body: object | undefined;
  /** True if it measures something on the property. */
  readonly usesProperty: boolean;
}

/** The facts that the chosen ruleset asks for; undefined while unknown. */
export const rulesetFacts: Signal<RulesetFacts | undefined> = signal(undefined);

/** The language of the page with the texts of the chosen ruleset. */
export const rulesetTongue: ReadonlySignal<RulesetTongue> = computed(() => {
  const { chosen, facts } = rulesetFacts.value ?? {};
  return createRulesetTongue(tongue.value, chosen?.name, { facts });
});

effect(() => {
  const [by, chosen] = [answerer.value, ruleset.value];
  rulesetFacts.value = undefined;
  if (by === undefined || chosen === undefined) return;
  const tell = (facts: RulesetFacts["facts"], body: object | undefined, usesProperty: boolean): void => {
    if (answerer.peek() !== by || ruleset.peek() !== chosen) return;
    rulesetFacts.value = { by, chosen, facts, body, usesProperty };
  };
  const body = "body" in chosen ? chosen.body : by.ruleset(chosen.id).then((found) => found.body);
  Promise.resolve(body).then(
    (body) => {
      const { facts = {}, checks } = body as {
        readonly facts?: NonNullable<RulesetFacts["facts"]>;
        readonly checks?: unknown;
      };
      tell(facts, body, /"on":"property"/.test(`${JSON.stringify(checks)}`));
    },
    // The ruleset's panel reports its errors.
    () => tell(undefined, undefined, false),
  );
});

/** True if facts were entered, and it is not known yet which of them the ruleset asks for. */
export function isWaiting(): boolean {
  if (rulesetFacts.peek() !== undefined) return false;
  return (
    Object.keys(sharedFacts.peek()).length > 0 ||
    plots.peek().some(({ input = {}, fileFacts }) => fileFacts !== undefined || "facts" in input)
  );
}

/**
 * The input of a plot with those entered facts that the ruleset asks for: of the plot alone, and of all plots. The
 * file's own facts are read as everywhere: a fact that the ruleset does not ask for is refused. While the ruleset's
 * facts are unknown, the answerer reports the unknown ones.
 */
export function buildInputWithFacts(plot: FactInput): object | AnswerProblem {
  const { others, entered, facts: found, columns } = splitEnteredAndFileFacts(plot);
  const declarations = rulesetFacts.peek()?.facts;
  const read =
    declarations === undefined
      ? { input: { facts: found } }
      : withFactColumns({ facts: found }, columns, declarations);
  if ("error" in read) {
    const { code, message, faults } = read.error;
    return new AnswerProblem(code, message, { faults });
  }
  const facts = { ...read.input.facts, ...entered };
  return Object.keys(facts).length === 0 ? others : { ...others, facts };
}

/**
 * A plot's own properties with its facts, in GeoJSON: opened again, the file asks the same question. The property is
 * left out.
 */
export function buildPropertiesWithFacts(plot: FactInput & Pick<PagePlot, "properties">): object {
  const { entered, facts: found, columns } = splitEnteredAndFileFacts(plot);
  const facts = { ...found, ...entered };
  // A text under `property` is not a geometry. A declaration from the file may have been withdrawn.
  const plain = Object.entries(plot.properties).filter(
    ([name, value]) =>
      name !== "facts" && !isFactColumn(name) && (name !== "property" || typeof value === "string"),
  );
  const cells = Object.entries(columns).map(([reference, cell]) => [`fact:${reference}`, cell] as const);
  return { ...Object.fromEntries([...plain, ...cells]), ...(Object.keys(facts).length > 0 && { facts }) };
}

type FactInput = Pick<PagePlot, "input" | "fileFacts">;

/** The entered facts, and separately those of the file. */
function splitEnteredAndFileFacts({ input = {}, fileFacts }: FactInput): ReturnType<typeof splitFileFacts> & {
  /** The input without facts. */
  readonly others: InputMembers;
  readonly entered: EnteredFacts;
} {
  const declarations = rulesetFacts.peek()?.facts;
  const { facts: own = {}, ...others } = input as InputMembers & { readonly facts?: EnteredFacts };
  const answers = Object.entries({ ...own, ...sharedFacts.peek() }).filter(
    ([fact, value]) =>
      value === null ||
      declarations === undefined ||
      (Object.hasOwn(declarations, fact) && isFactValue(declarations[fact]!, value)),
  );
  const answered = new Set(answers.map(([fact]) => fact));
  const entered = Object.fromEntries(answers.filter(([, value]) => value !== null));
  return { others, entered, ...splitFileFacts(fileFacts, (fact) => !answered.has(fact)) };
}

/** The facts in a file's columns. */
export function splitFileFacts(
  { facts = {}, columns = {} }: PagePlot["fileFacts"] = {},
  isMeant: (fact: string) => boolean,
): { readonly facts: EnteredFacts; readonly columns: FactColumns } {
  const declarations = rulesetFacts.value?.facts ?? {};
  // A Shapefile truncates names.
  const factOf = (reference: string): string =>
    (meantFact(reference, declarations) ?? reference).split(".")[0]!;
  const meant = (members: InputMembers): InputMembers =>
    Object.fromEntries(Object.entries(members).filter(([reference]) => isMeant(factOf(reference))));
  return { facts: meant(facts) as EnteredFacts, columns: meant(columns) };
}

import type { FactDeclaration, FactValue } from "@groundrule/engine";
import { effect, type Signal, signal } from "@preact/signals";
import type { Answerer } from "../../answering/answerer.ts";
import { answerer, type ChosenRuleset, plots, ruleset } from "../../state/store.ts";

/** Values of facts by name, as an input brings them. */
export type GivenFacts = Readonly<Record<string, FactValue>>;

type InputMembers = Readonly<Record<string, unknown>>;

/** What the chosen ruleset asks the applicant for. */
export interface AskedFacts {
  readonly chosen: ChosenRuleset;
  readonly by: Answerer;
  /** By name; undefined where the ruleset could not be had. */
  readonly facts: Readonly<Record<string, FactDeclaration>> | undefined;
  /** Whether it measures something on the property. */
  readonly usesProperty: boolean;
}

/** What the chosen ruleset asks for; undefined as long as that is not known. */
export const askedFacts: Signal<AskedFacts | undefined> = signal(undefined);

/** Facts that are the same for all plots of the list. */
export const sharedFacts: Signal<GivenFacts> = signal({});

effect(() => {
  const [by, chosen] = [answerer.value, ruleset.value];
  askedFacts.value = undefined;
  if (by === undefined || chosen === undefined) return;
  const tell = (facts: AskedFacts["facts"], usesProperty: boolean): void => {
    if (answerer.peek() !== by || ruleset.peek() !== chosen) return;
    askedFacts.value = { by, chosen, facts, usesProperty };
  };
  const body = "body" in chosen ? chosen.body : by.ruleset(chosen.id).then((found) => found.body);
  Promise.resolve(body).then(
    (body) => {
      const { facts = {}, checks } = body as {
        readonly facts?: NonNullable<AskedFacts["facts"]>;
        readonly checks?: unknown;
      };
      tell(facts, /"on":"property"/.test(`${JSON.stringify(checks)}`));
    },
    // What is wrong with the ruleset, its panel tells.
    () => tell(undefined, false),
  );
});

/** Whether something was told, and it is not known yet what of it the ruleset asks for. */
export function isWaiting(): boolean {
  if (askedFacts.peek() !== undefined) return false;
  return (
    Object.keys(sharedFacts.peek()).length > 0 || plots.peek().some((plot) => "facts" in (plot.input ?? {}))
  );
}

/**
 * An input with the facts that the ruleset asks for, among all that were told: those of its plot, and those of all.
 * Where it is not known what it asks for, all are sent, and whoever answers says which it does not know.
 */
export function inputWithFacts(input: object): object {
  const asked = askedFacts.peek()?.facts;
  const { facts: own = {}, ...others } = input as InputMembers & { readonly facts?: GivenFacts };
  const all = Object.entries({ ...own, ...sharedFacts.peek() });
  if (all.length === 0) return input;
  const sent = all.filter(
    ([fact, value]) => asked === undefined || (Object.hasOwn(asked, fact) && isOfType(asked[fact]!, value)),
  );
  return sent.length === 0 ? others : { ...others, facts: Object.fromEntries(sent) };
}

/** How JSON has the values of facts that are no texts. */
const TYPES: Readonly<Record<string, string>> = { boolean: "boolean", number: "number", document: "object" };

/** Rulesets may ask for different things by one name. */
function isOfType({ type }: FactDeclaration, value: FactValue): boolean {
  return typeof value === (TYPES[type] ?? "string");
}

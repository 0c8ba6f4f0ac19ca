import type { FactDeclaration, FactValue } from "@groundrule/engine";
import { effect, type Signal, signal } from "@preact/signals";
import type { Answerer, RulesetChoice } from "../answering/answerer.ts";
import { answerer, type ChosenRuleset, plots, ruleset } from "./store.ts";

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

/** The fact whose field a person wants to see, and how often one was sought. */
export const soughtFact: Signal<{ readonly fact: string } | undefined> = signal(undefined);

const bodies = new WeakMap<RulesetChoice, { readonly by: Answerer; readonly body: Promise<object> }>();

/** The body of a chosen ruleset, asked for once. Fails: as {@link Answerer.ruleset}. */
export async function bodyOfRuleset(by: Answerer, chosen: RulesetChoice): Promise<object> {
  if ("body" in chosen) return chosen.body;
  const known = bodies.get(chosen);
  if (known?.by === by) return known.body;
  const body = by.ruleset(chosen.id).then((found) => found.body);
  bodies.set(chosen, { by, body });
  body.catch(() => bodies.delete(chosen));
  return body;
}

effect(() => {
  const [by, chosen] = [answerer.value, ruleset.value];
  askedFacts.value = undefined;
  if (by === undefined || chosen === undefined) return;
  const tell = (facts: AskedFacts["facts"], usesProperty: boolean): void => {
    if (answerer.peek() !== by || ruleset.peek() !== chosen) return;
    askedFacts.value = { by, chosen, facts, usesProperty };
  };
  bodyOfRuleset(by, chosen).then(
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

/** An input whose geometry is replaced by one in degrees: what else it has in another reference system goes with it. */
export function inDegrees(input: object | undefined): object {
  const { crs, ...others } = (input ?? {}) as InputMembers;
  if (crs === undefined) return others;
  const { property: _, ...rest } = others;
  return rest;
}

/** Whether something was told of any plot, so that the facts of the ruleset have to be known before one is asked about. */
export function areFactsTold(): boolean {
  return (
    Object.keys(sharedFacts.peek()).length > 0 || plots.peek().some((plot) => "facts" in (plot.input ?? {}))
  );
}

/**
 * An input with the facts that the ruleset asks for, among all that were told: those of its plot, and those of all.
 *
 * @param asked undefined where it is not known: then all are sent, and whoever answers says which it does not know
 */
export function inputWithFacts(input: object, asked: AskedFacts["facts"]): object {
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

import type { FactDeclaration, FactValue } from "@groundrule/engine";
import type { PagePlot } from "../../state/plot.ts";
import { changePlots, plots } from "../../state/store.ts";
import { type GivenFacts, sharedFacts } from "./asked-facts.ts";

/** What was told about one plot alone. */
function ownFacts({ input }: Pick<PagePlot, "input">): GivenFacts {
  return (input as { readonly facts?: GivenFacts } | undefined)?.facts ?? {};
}

/** What was told of a fact, of a plot or of all; undefined: nothing. */
export function toldFact(plot: PagePlot | undefined, fact: string): FactValue | undefined {
  if (Object.hasOwn(sharedFacts.value, fact)) return sharedFacts.value[fact];
  const own = plot === undefined ? {} : ownFacts(plot);
  return Object.hasOwn(own, fact) ? (own[fact] ?? undefined) : undefined;
}

/** Whether a fact is the same for all plots. */
export function isShared(fact: string): boolean {
  return Object.hasOwn(sharedFacts.value, fact);
}

/**
 * Takes what a person tells of a fact: of one plot, or of all where no plot is chosen or it is the same for all. What
 * was answered without it is out of date.
 *
 * @param value undefined takes back what was told
 */
export function tellFact(plot: PagePlot | undefined, fact: string, value: FactValue | undefined): void {
  const now = plot && asListed(plot);
  if (JSON.stringify(toldFact(now, fact)) === JSON.stringify(value)) return;
  if (now === undefined || isShared(fact)) shareFact(fact, value);
  else changeFacts([now], (own) => withFact(own, fact, value));
}

/** Makes a fact the same for all plots. */
export function shareFact(fact: string, value: FactValue | undefined): void {
  sharedFacts.value = withFact(sharedFacts.peek(), fact, value);
  changeFacts(plots.peek(), (own) => withFact(own, fact, undefined));
}

/** Lets each plot have a fact of its own: that of all, to begin with. */
export function unshareFact(fact: string): void {
  const value = sharedFacts.peek()[fact];
  sharedFacts.value = withFact(sharedFacts.peek(), fact, undefined);
  changeFacts(plots.peek(), (own) => withFact(own, fact, value));
}

/** A plot as the list has it now: two fields can change before the page shows the first. */
export function asListed(plot: PagePlot): PagePlot {
  return plots.peek().find(({ key }) => key === plot.key) ?? plot;
}

function withFact(facts: GivenFacts, fact: string, value: FactValue | undefined): GivenFacts {
  const { [fact]: _, ...others } = facts;
  return value === undefined ? others : { ...others, [fact]: value };
}

function changeFacts(of: readonly PagePlot[], change: (own: GivenFacts) => GivenFacts): void {
  changeInputs(of, ({ facts: _, ...input }, plot) => {
    const facts = change(ownFacts(plot));
    return Object.keys(facts).length === 0 ? input : { ...input, facts };
  });
}

type InputMembers = Readonly<Record<string, unknown>>;

/** Gives plots other inputs; what was answered about them is out of date. */
function changeInputs(
  of: readonly PagePlot[],
  change: (input: InputMembers, plot: PagePlot) => InputMembers,
): void {
  const changed = of.flatMap((plot) => {
    if (plot.input === undefined) return [];
    return [[plot.key, { input: change(plot.input as InputMembers, plot), state: { kind: "new" } }]] as const;
  });
  if (changed.length > 0) changePlots(new Map(changed));
}

/** The property around a plot, as it was given; undefined: none. */
export function propertyOf({ input }: Pick<PagePlot, "input">): object | undefined {
  return (input as { readonly property?: object } | undefined)?.property;
}

/** Gives a plot its property, or takes it back. What was answered without it is out of date. */
export function giveProperty(plot: PagePlot, property: object | undefined): void {
  changeInputs([asListed(plot)], ({ property: _, ...input }) =>
    property === undefined ? input : { ...input, property },
  );
}

/** Whether a value is one that a ruleset takes for a fact. */
export function isOf(
  { type, min = -Infinity, max = Infinity, values }: FactDeclaration,
  value: FactValue,
): boolean {
  switch (type) {
    case "boolean":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number" && value >= min && value <= max;
    case "date":
      return typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value);
    case "text":
      return values?.includes(value as string) ?? false;
    case "document":
      return typeof value === "object";
  }
}

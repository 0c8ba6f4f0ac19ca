import type { FactValue } from "@groundrule/engine";
import { withFactColumns } from "@groundrule/plots";
import { findQuestion } from "@groundrule/words";
import { answerWords } from "../../languages/answer-words.ts";
import { type EnteredFacts, sharedFacts, type UnusedFacts } from "../../state/facts.ts";
import { outdateAnswer, type PagePlot } from "../../state/plot.ts";
import { changePlots, plots } from "../../state/store.ts";
import { changePlotsUndoably } from "../../state/undo.ts";
import { rulesetFacts, rulesetTongue, splitFileFacts } from "./ruleset-facts.ts";

/** Facts entered for one plot alone. */
function getPlotFacts({ input }: Pick<PagePlot, "input">): EnteredFacts {
  return (input as { readonly facts?: EnteredFacts } | undefined)?.facts ?? {};
}

/** The value of a fact, of a plot or of all plots: the entered one, otherwise the file's; undefined: none. */
export function findFactValue(plot: PagePlot | undefined, fact: string): FactValue | undefined {
  if (Object.hasOwn(sharedFacts.value, fact)) return sharedFacts.value[fact] ?? undefined;
  if (plot === undefined) return undefined;
  const own = getPlotFacts(plot);
  return (Object.hasOwn(own, fact) ? own[fact] : findFileFact(plot, fact)) ?? undefined;
}

/** The value of a fact in a plot's file; undefined if there is none, or it is invalid. */
function findFileFact({ fileFacts }: PagePlot, fact: string): FactValue | null | undefined {
  const declaration = rulesetFacts.value?.facts?.[fact];
  if (fileFacts === undefined || declaration === undefined) return undefined;
  const { facts, columns } = splitFileFacts(fileFacts, (name) => name === fact);
  const read = withFactColumns({ facts }, columns, { [fact]: declaration });
  return "error" in read ? undefined : read.input.facts?.[fact];
}

/** True if a fact is the same for all plots. */
export function isShared(fact: string): boolean {
  return Object.hasOwn(sharedFacts.value, fact);
}

/**
 * Enters a fact: for one plot, or for all plots if none is given. A shared fact becomes each plot's own where one plot
 * gets another. Answers without it become outdated.
 *
 * @param value undefined withdraws the value, including one from the plot's file
 */
export function enterFact(plot: PagePlot | undefined, fact: string, value: FactValue | undefined): void {
  const now = plot && findListedPlot(plot);
  if (JSON.stringify(findFactValue(now, fact)) === JSON.stringify(value)) return;
  if (now === undefined) {
    shareFact(fact, value);
    return;
  }
  const { facts, columns } = splitFileFacts(now.fileFacts, (name) => name === fact);
  const isFound = Object.keys({ ...facts, ...columns }).length > 0;
  const shared = sharedFacts.peek()[fact];
  runUndoableFactChange(fact, () => {
    if (isShared(fact)) {
      sharedFacts.value = replaceFact(sharedFacts.peek(), fact, undefined);
      const others = plots.peek().filter(({ key }) => key !== now.key);
      // Their values stay, and so do their verdicts.
      changePlotFacts(others, (own) => replaceFact(own, fact, shared), true);
    }
    changePlotFacts([now], (own) => replaceFact(own, fact, value ?? (isFound ? null : undefined)));
  });
}

/** Makes a fact the same for all plots. */
export function shareFact(fact: string, value: FactValue | undefined): void {
  runUndoableFactChange(fact, () => {
    sharedFacts.value = replaceFact(sharedFacts.peek(), fact, value);
    changePlotFacts(plots.peek(), (own) => replaceFact(own, fact, undefined));
  });
}

/** Changes a fact, or the property, in a step that can be undone. */
function runUndoableFactChange(fact: string | undefined, change: () => void): void {
  const before = sharedFacts.peek();
  const say = answerWords.peek().form;
  const what = fact === undefined ? say.property : findQuestion(rulesetTongue.peek(), fact);
  changePlotsUndoably(say.changed(what), change, () => {
    sharedFacts.value = before;
  });
}

/**
 * Facts in a plot's file that the ruleset does not ask for, with a function that removes them from all plots of the
 * file.
 */
export function findUnusedFacts({ fileFacts, origin }: PagePlot): UnusedFacts | undefined {
  const declarations = rulesetFacts.value?.facts;
  if (fileFacts === undefined || declarations === undefined) return undefined;
  const isUnasked = (fact: string): boolean => !Object.hasOwn(declarations, fact);
  const { facts, columns } = splitFileFacts(fileFacts, isUnasked);
  const names = [...new Set([...Object.keys(facts), ...Object.keys(columns)])];
  if (names.length === 0) return undefined;
  const text = answerWords.value.form.leaveOut(names.join(", "));
  const leaveOut = (): void => {
    const left = (plot: PagePlot): PagePlot => ({
      ...plot,
      input: plot.input && { ...plot.input },
      fileFacts: splitFileFacts(plot.fileFacts, (fact) => !isUnasked(fact)),
      state: plot.state.kind === "unread" ? plot.state : { kind: "new" },
    });
    changePlotsUndoably(text, () => {
      plots.value = plots
        .peek()
        .map((plot) => (plot.origin === origin && plot.fileFacts ? left(plot) : plot));
    });
  };
  return { text, leaveOut };
}

/** The current version of a plot in the list: two fields can change before the page shows the first change. */
export function findListedPlot(plot: PagePlot): PagePlot {
  return plots.peek().find(({ key }) => key === plot.key) ?? plot;
}

function replaceFact(facts: EnteredFacts, fact: string, value: FactValue | null | undefined): EnteredFacts {
  const { [fact]: _, ...others } = facts;
  return value === undefined ? others : { ...others, [fact]: value };
}

function changePlotFacts(
  of: readonly PagePlot[],
  change: (own: EnteredFacts) => EnteredFacts,
  isSameQuestion = false,
): void {
  const changeInput = ({ facts: _, ...input }: InputMembers, plot: PagePlot): InputMembers => {
    const facts = change(getPlotFacts(plot));
    return Object.keys(facts).length === 0 ? input : { ...input, facts };
  };
  changePlotInputs(of, changeInput, isSameQuestion);
}

type InputMembers = Readonly<Record<string, unknown>>;

/** Replaces the inputs of plots; their answers become outdated, unless the question is the same as before. */
function changePlotInputs(
  of: readonly PagePlot[],
  change: (input: InputMembers, plot: PagePlot) => InputMembers,
  isSameQuestion = false,
): void {
  const changed = of.flatMap((plot) => {
    if (plot.input === undefined) return [];
    const input = change(plot.input as InputMembers, plot);
    if (isSameQuestion && plot.state.kind !== "asking") return [[plot.key, { input }]] as const;
    const outdated = outdateAnswer(plot, "answers");
    return [[plot.key, { input, outdated, state: { kind: "new" } }]] as const;
  });
  if (changed.length > 0) changePlots(new Map(changed));
}

/** The property around a plot as entered; undefined: none. */
export function findPlotProperty({ input }: Pick<PagePlot, "input">): object | undefined {
  return (input as { readonly property?: object } | undefined)?.property;
}

/** Sets or removes a plot's property. Answers without it become outdated. */
export function setPlotProperty(plot: PagePlot, property: object | undefined): void {
  runUndoableFactChange(undefined, () =>
    changePlotInputs([findListedPlot(plot)], ({ property: _, ...input }) =>
      property === undefined ? input : { ...input, property },
    ),
  );
}

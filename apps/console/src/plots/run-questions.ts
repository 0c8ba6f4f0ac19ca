import { effect, type Signal, signal, untracked } from "@preact/signals";
import { type Answerer, AnswerProblem, type Question, toAnswerProblem } from "../answering/answerer.ts";
import { findBlamed } from "../answering/blame.ts";
import { earlier, storeEarlierAnswers } from "../state/comparison.ts";
import { factParts } from "../state/facts.ts";
import { outdateAnswer, type PagePlot, type PlotState } from "../state/plot.ts";
import {
  answerer,
  type ChosenRuleset,
  canEvaluate,
  changePlots,
  plots,
  ruleset,
  trouble,
  usage,
} from "../state/store.ts";
import { type CallName, CallNames } from "./call-names.ts";

/** Progress of the running questions; undefined while there are none. */
export interface Progress {
  readonly total: number;
  readonly answered: number;
  readonly isPaused: boolean;
  /** Time until the end at the speed so far; absent while that is not known. */
  readonly secondsLeft?: number;
}

export const progress: Signal<Progress | undefined> = signal(undefined);

/** A run that ended early, for a reason that does not lie at its plots. */
export interface StoppedRun {
  readonly problem: AnswerProblem;
  /** Keys of all plots of the run. */
  readonly keys: ReadonlySet<string>;
}

/** The run that ended early, until another starts. */
export const stoppedRun: Signal<StoppedRun | undefined> = signal(undefined);

/** Concurrent questions: enough to use the service's workers, few enough to stay within its burst limit. */
const AT_ONCE = { service: 6, here: 1 } as const;
/** Interval between updates of the list, so that ten thousand answers do not render it ten thousand times. */
const SHOWN_EVERY_MS = 100;
/** Failures in a row, of the service or the network, after which a run stops: one alone may be chance. */
const FAILURES_IN_A_ROW = 3;
/** Codes after which the name of the call cannot be used again. */
const USED_UP = new Set([
  "IDEMPOTENCY_KEY_CONFLICT",
  "IDEMPOTENCY_KEY_EXHAUSTED",
  "IDEMPOTENCY_REPLAY_EXPIRED",
]);

/** A question that was sent and has not been answered yet. */
interface UnderWay {
  readonly input: object;
  /** Absent if nothing is charged. */
  readonly call: CallName | undefined;
}

const waiting: string[] = [];
/** Questions in progress, by the key of the plot. */
const underWay = new Map<string, UnderWay>();
const changes = new Map<string, { readonly state: PlotState }>();
const names = new CallNames();

let total = 0;
let answered = 0;
let failuresInARow = 0;
/** Plots of the current run. */
let runKeys = new Set<string>();
let isPaused = false;
/** Requests that were charged and are not in the usage yet. */
let charged = 0;
/** The time since which the speed is measured, and the number of answers then. */
let pace = { sinceMs: 0, answered: 0 };
let abort = new AbortController();
let isShowing = false;
/** The answerer and the ruleset for which the current answers are valid. */
let terms: { readonly by: Answerer | undefined; readonly chosen: ChosenRuleset | undefined } = {
  by: undefined,
  chosen: undefined,
};

effect(() => {
  void answerer.value;
  void ruleset.value;
  updateQuestionTerms();
});

effect(() => {
  if (factParts.value?.rulesetFacts.value !== undefined && waiting.length > 0) untracked(continueQuestions);
});

/** True if a plot has no answer yet: it was not evaluated, or failed for a reason that does not lie at it. */
export function isUnanswered({ state }: Pick<PagePlot, "state">): boolean {
  return state.kind === "new" || state.kind === "unanswered";
}

/** Evaluates the unanswered plots of the run that ended early, if it did because of the network. */
export function retryStoppedRun(): void {
  const run = stoppedRun.peek();
  if (run?.problem.code !== "NETWORK_FAILED") return;
  const isLeft = (plot: PagePlot): boolean => run.keys.has(plot.key) && isUnanswered(plot);
  runQuestions(plots.peek().flatMap((plot) => (isLeft(plot) ? plot.key : [])));
}

/** Evaluates plots in order, several at a time. A plot that is being evaluated is not sent twice. */
export function runQuestions(keys: readonly string[]): void {
  updateQuestionTerms();
  if (!canEvaluate.peek()) return;
  cancelStaleQuestions();
  const known = new Set(waiting);
  const wanted = new Set(keys.filter((key) => !known.has(key)));
  const taken = plots.peek().filter(({ key, input }) => {
    return wanted.has(key) && input !== undefined && !underWay.has(key);
  });
  storeEarlierAnswers(taken);
  stoppedRun.value = undefined;
  for (const { key } of taken) {
    waiting.push(key);
    runKeys.add(key);
    recordPlotState(key, { kind: "asking" });
  }
  if (total === 0) startPace();
  total += taken.length;
  scheduleDisplay();
  continueQuestions();
}

/** Stops after the questions in progress; {@link resumeQuestions} continues. */
export function pauseQuestions(): void {
  isPaused = true;
  updateProgress();
}

export function resumeQuestions(): void {
  isPaused = false;
  startPace();
  continueQuestions();
  updateProgress();
}

/** Cancels all unanswered questions. */
export function cancelQuestions(): void {
  abort.abort();
  abort = new AbortController();
  for (const key of [...waiting.splice(0), ...underWay.keys()]) recordPlotState(key, { kind: "new" });
  // A request that was sent may be charged anyway.
  for (const { call } of underWay.values()) if (call !== undefined) names.lose(call);
  underWay.clear();
  continueQuestions();
  scheduleDisplay();
}

/** When the answerer or the ruleset changes, removes the answers and stores them for comparison with the new ones. */
function updateQuestionTerms(): void {
  const [by, chosen] = [answerer.peek(), ruleset.peek()];
  if (by === terms.by && chosen === terms.chosen) return;
  const isSameAnswerer = by === terms.by;
  if (!isSameAnswerer) trouble.value = undefined;
  terms = { by, chosen };
  cancelQuestions();
  stoppedRun.value = undefined;
  changes.clear();
  if (plots.peek().some(({ state }) => state.kind === "answered")) earlier.value = new Map();
  storeEarlierAnswers(plots.peek());
  const old = plots.peek().filter(({ state, outdated }) => {
    return outdated !== undefined || (state.kind !== "new" && state.kind !== "unread");
  });
  const outdate = (plot: PagePlot): Partial<PagePlot> => ({
    outdated: isSameAnswerer ? outdateAnswer(plot, "ruleset") : undefined,
    ...(plot.state.kind !== "unread" && { state: { kind: "new" } }),
  });
  if (old.length > 0) changePlots(new Map(old.map((plot) => [plot.key, outdate(plot)])));
}

/** Cancels questions about plots that were deleted or reshaped: their answers would be useless. */
function cancelStaleQuestions(): void {
  for (const [key, { input, call }] of underWay) {
    if (isStill(key, input)) continue;
    underWay.delete(key);
    answered++;
    if (call !== undefined) names.lose(call);
  }
}

function continueQuestions(): void {
  const { by, chosen } = terms;
  // The ruleset's facts are still loading; this continues once they are known.
  if (waiting.length > 0 && isWaiting()) return;
  while (by !== undefined && chosen !== undefined && !isPaused && waiting.length > 0) {
    if (underWay.size >= AT_ONCE[by.place]) return;
    void evaluateOnePlot(by, chosen, waiting.shift()!);
  }
  if (underWay.size === 0 && waiting.length === 0) endQuestions(by);
}

/** True if a plot declares facts that the ruleset may not use. */
function isWaiting(): boolean {
  const parts = factParts.peek();
  return parts === undefined
    ? plots.peek().some(({ fileFacts: answeredPlots }) => answeredPlots !== undefined)
    : parts.isWaiting();
}

async function evaluateOnePlot(by: Answerer, chosen: ChosenRuleset, key: string): Promise<void> {
  const plot = plots.peek().find((each) => each.key === key);
  if (plot?.input === undefined) {
    answered++;
    return;
  }
  const { input, id } = plot;
  const answeredPlots = factParts.peek()?.inputWithFacts(plot) ?? input;
  if (answeredPlots instanceof AnswerProblem) {
    answered++;
    recordPlotState(key, { kind: "refused", problem: answeredPlots });
    scheduleDisplay();
    return;
  }
  const question = buildPlotQuestion(chosen, answeredPlots, id);
  const { service } = by;
  const call = service === undefined ? undefined : names.take(service.address, question, service.apiKey);
  const sent: UnderWay = { input, call };
  underWay.set(key, sent);
  const state = await computePlotState(by, question, call?.name);
  // Cancelled, or replaced because the plot was changed: only the latest question counts.
  if (underWay.get(key) !== sent) return;
  underWay.delete(key);
  answered++;
  const isHeard = isStill(key, input);
  if (isHeard) recordPlotState(key, state);
  if (call !== undefined && service !== undefined) {
    // A question that can never be answered was not charged; a charged one would have been replayed.
    const isKnown =
      state.kind === "answered" ? isHeard : USED_UP.has(state.problem.code) || state.problem.status === 422;
    if (isKnown) names.end(call, service.apiKey);
    else names.lose(call);
  }
  if (state.kind === "answered" && state.answer.charged) charged++;
  noteOutcome(state);
  continueQuestions();
  scheduleDisplay();
}

/** Ends the run if the other questions would fail too. */
function noteOutcome(state: EndState): void {
  if (state.kind !== "unanswered") {
    failuresInARow = 0;
    trouble.value = undefined;
    return;
  }
  const { problem } = state;
  const blamed = findBlamed(problem);
  if (blamed === "key" || blamed === "service") trouble.value = problem;
  // A key, a quota and a ruleset refuse every plot.
  if (blamed === "service" && ++failuresInARow < FAILURES_IN_A_ROW) return;
  // The card of a single plot says why.
  if (total > 1) stoppedRun.value ??= { problem, keys: runKeys };
  for (const left of waiting.splice(0)) recordPlotState(left, { kind: "new" });
}

function buildPlotQuestion(chosen: ChosenRuleset, input: object, id: string): Question {
  const { without } = chosen;
  const rules = "id" in chosen ? { id: chosen.id } : { body: chosen.body };
  const ruleset = without === undefined ? rules : { ...rules, without };
  return { input, ruleset, referenceId: id.slice(0, 128) };
}

/** A state in which a question ends. */
type EndState = Extract<PlotState, { readonly kind: "answered" | "refused" | "unanswered" }>;

async function computePlotState(
  by: Answerer,
  question: Question,
  name: string | undefined,
): Promise<EndState> {
  try {
    const named = name !== undefined && { key: name };
    const answer = await by.evaluate(question, { signal: abort.signal, ...named });
    return { kind: "answered", answer };
  } catch (error) {
    const problem = toAnswerProblem(error);
    return { kind: findBlamed(problem) === "plot" ? "refused" : "unanswered", problem };
  }
}

/** True if the list still has the input that was sent: the plot may have changed meanwhile. */
function isStill(key: string, input: object): boolean {
  return plots.peek().find((plot) => plot.key === key)?.input === input;
}

function recordPlotState(key: string, state: PlotState): void {
  changes.set(key, { state });
}

function scheduleDisplay(): void {
  if (isShowing) return;
  isShowing = true;
  setTimeout(() => {
    isShowing = false;
    updateProgress();
    if (changes.size === 0) return;
    const shown = new Map(changes);
    changes.clear();
    changePlots(shown);
  }, SHOWN_EVERY_MS);
}

function updateProgress(): void {
  const isOver = underWay.size === 0 && waiting.length === 0;
  const secondsLeft = isPaused ? undefined : computeSecondsLeft();
  progress.value = isOver
    ? undefined
    : { total, answered, isPaused, ...(secondsLeft !== undefined && { secondsLeft }) };
  const now = usage.peek();
  if (now !== undefined && charged > 0) usage.value = { ...now, used: now.used + charged };
  charged = 0;
}

/** Time in milliseconds after which the speed of a run is known well enough. */
const PACE_KNOWN_MS = 3_000;

function startPace(): void {
  pace = { sinceMs: performance.now(), answered };
}

function computeSecondsLeft(): number | undefined {
  const [elapsedMs, count] = [performance.now() - pace.sinceMs, answered - pace.answered];
  if (elapsedMs < PACE_KNOWN_MS || count === 0) return undefined;
  return ((total - answered) * elapsedMs) / count / 1000;
}

function endQuestions(by: Answerer | undefined): void {
  total = 0;
  answered = 0;
  isPaused = false;
  failuresInARow = 0;
  runKeys = new Set();
  void by
    ?.usage()
    .then((now) => {
      if (answerer.peek() !== by) return;
      usage.value = now;
      // It has what was charged and is not shown yet.
      charged = 0;
    })
    .catch(() => {});
}

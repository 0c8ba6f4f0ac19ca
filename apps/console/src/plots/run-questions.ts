import { effect, type Signal, signal } from "@preact/signals";
import { type Answerer, AnswerProblem } from "../answering/answerer.ts";
import type { PlotState } from "../state/plot.ts";
import { answerer, type ChosenRuleset, changePlots, plots, ruleset, usage } from "../state/store.ts";

/** How far the questions under way have come; undefined while there are none. */
export interface Progress {
  readonly asked: number;
  readonly answered: number;
  readonly isPaused: boolean;
}

export const progress: Signal<Progress | undefined> = signal(undefined);

/** Questions at a time: enough to fill the service's workers, few enough to stay within its burst limit. */
const AT_ONCE = { service: 6, here: 1 } as const;
/** States are shown this often, so that ten thousand answers do not draw the list ten thousand times. */
const SHOWN_EVERY_MS = 100;
/** What says nothing of the plot: the rest of the questions would meet the same. */
const STOPPING = new Set([
  "API_KEY_INVALID",
  "API_KEY_EXPIRED",
  "API_KEY_REVOKED",
  "AUTHENTICATION_REQUIRED",
  "NETWORK_FAILED",
  "OVERLOADED",
  "QUOTA_EXCEEDED",
  "RATE_LIMIT_EXCEEDED",
  "RULESET_INVALID",
  "RULESET_NOT_FOUND",
  "SCOPE_INSUFFICIENT",
  "STORAGE_UNAVAILABLE",
  "SUBSCRIPTION_INACTIVE",
]);

const waiting: string[] = [];
/** The questions that were sent and not answered yet, by the key of their plot. */
const underWay = new Map<string, { readonly input: object }>();
const changes = new Map<string, { readonly state: PlotState }>();
/**
 * Names of the calls that are under way or were lost, by who was asked and what. Who asks the same again is charged once,
 * whatever was chosen, changed or dropped in between. What was answered has none: to ask it again is another call.
 */
const names = new Map<string, string>();

let asked = 0;
let answered = 0;
let isPaused = false;
let abort = new AbortController();
let isShowing = false;
/** Who is asked, and by which ruleset: what is answered holds for these alone. */
let terms: { readonly by: Answerer | undefined; readonly chosen: ChosenRuleset | undefined } = {
  by: undefined,
  chosen: undefined,
};

effect(() => {
  void answerer.value;
  void ruleset.value;
  keepTerms();
});

/** Asks about plots, in order, some at a time. What is asked already is not asked twice at once. */
export function runQuestions(keys: readonly string[]): void {
  keepTerms();
  if (terms.by === undefined || terms.chosen === undefined) return;
  const known = new Set(waiting);
  const wanted = new Set(keys.filter((key) => !known.has(key)));
  const taken = plots.peek().filter(({ key, input }) => {
    return wanted.has(key) && input !== undefined && underWay.get(key)?.input !== input;
  });
  for (const { key } of taken) {
    waiting.push(key);
    note(key, { kind: "asking" });
  }
  asked += taken.length;
  show();
  goOn();
}

/** Stops after the questions under way; {@link resumeQuestions} goes on. */
export function pauseQuestions(): void {
  isPaused = true;
  tell();
}

export function resumeQuestions(): void {
  isPaused = false;
  goOn();
  tell();
}

/** Takes back what was not answered yet. */
export function cancelQuestions(): void {
  abort.abort();
  abort = new AbortController();
  for (const key of [...waiting.splice(0), ...underWay.keys()]) note(key, { kind: "new" });
  underWay.clear();
  goOn();
  show();
}

/** Forgets what others answered, or what was answered by another ruleset, as soon as one of them is exchanged. */
function keepTerms(): void {
  const [by, chosen] = [answerer.peek(), ruleset.peek()];
  if (by === terms.by && chosen === terms.chosen) return;
  terms = { by, chosen };
  cancelQuestions();
  changes.clear();
  const told = plots.peek().filter(({ state }) => state.kind !== "new" && state.kind !== "unread");
  if (told.length > 0) changePlots(new Map(told.map(({ key }) => [key, { state: { kind: "new" } }])));
}

function goOn(): void {
  const { by, chosen } = terms;
  while (by !== undefined && chosen !== undefined && !isPaused && waiting.length > 0) {
    if (underWay.size >= AT_ONCE[by.place]) return;
    void askOne(by, chosen, waiting.shift()!);
  }
  if (underWay.size === 0 && waiting.length === 0) end(by);
}

async function askOne(by: Answerer, chosen: ChosenRuleset, key: string): Promise<void> {
  const plot = plots.peek().find((each) => each.key === key);
  if (plot?.input === undefined) {
    answered++;
    return;
  }
  const { input, id } = plot;
  const call = { input };
  underWay.set(key, call);
  const state = await stateOf(by, chosen, input, id.slice(0, 128));
  // Taken back, or asked anew because the plot was changed: whoever asked last is told.
  if (underWay.get(key) !== call) return;
  underWay.delete(key);
  answered++;
  if (isStill(key, input)) note(key, state);
  if (state.kind === "refused" && STOPPING.has(state.problem.code)) {
    for (const left of waiting.splice(0)) note(left, { kind: "new" });
  }
  goOn();
  show();
}

async function stateOf(
  by: Answerer,
  chosen: ChosenRuleset,
  input: object,
  referenceId: string,
): Promise<Extract<PlotState, { readonly kind: "answered" | "refused" }>> {
  const { signal: stopped } = abort;
  const rules = "id" in chosen ? { id: chosen.id } : { body: chosen.body };
  const question = { input, ruleset: rules, referenceId };
  const asked = JSON.stringify([by.address, question]);
  const key = names.get(asked) ?? `console-${crypto.randomUUID()}`;
  names.set(asked, key);
  try {
    const answer = await by.evaluate(question, { signal: stopped, key });
    if (!stopped.aborted) names.delete(asked);
    return { kind: "answered", answer };
  } catch (error) {
    const problem =
      error instanceof AnswerProblem ? error : new AnswerProblem("INTERNAL_ERROR", String(error));
    // An attempt before this one may have been charged, unless the name is used up or the question can never be answered.
    const isOver = problem.code === "IDEMPOTENCY_KEY_EXHAUSTED" || problem.status === 422;
    if (isOver) names.delete(asked);
    // The same question under way twice: the other one has ended first.
    else names.set(asked, key);
    return { kind: "refused", problem };
  }
}

/** Whether what was asked is what stands in the list: a plot may have been changed meanwhile. */
function isStill(key: string, input: object): boolean {
  return plots.peek().find((plot) => plot.key === key)?.input === input;
}

function note(key: string, state: PlotState): void {
  changes.set(key, { state });
}

function show(): void {
  if (isShowing) return;
  isShowing = true;
  setTimeout(() => {
    isShowing = false;
    tell();
    if (changes.size === 0) return;
    const shown = new Map(changes);
    changes.clear();
    changePlots(shown);
  }, SHOWN_EVERY_MS);
}

function tell(): void {
  const isOver = underWay.size === 0 && waiting.length === 0;
  progress.value = isOver ? undefined : { asked, answered, isPaused };
}

function end(by: Answerer | undefined): void {
  asked = 0;
  answered = 0;
  isPaused = false;
  void by
    ?.usage()
    .then((now) => {
      if (answerer.peek() === by) usage.value = now;
    })
    .catch(() => {});
}

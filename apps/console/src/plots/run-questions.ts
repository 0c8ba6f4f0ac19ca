import { type Signal, signal } from "@preact/signals";
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
  "QUOTA_EXCEEDED",
  "SCOPE_INSUFFICIENT",
  "SUBSCRIPTION_INACTIVE",
]);

const waiting: string[] = [];
const changes = new Map<string, { readonly state: PlotState }>();
/** Name of each logical call, by what is asked: who asks the same again after a failure is charged once. */
const calls = new WeakMap<object, Map<object, string>>();

let running = 0;
let asked = 0;
let answered = 0;
let isPaused = false;
let abort = new AbortController();
let isShowing = false;

/** Asks about plots, in order, some at a time. What is asked already is not asked twice at once. */
export function runQuestions(keys: readonly string[]): void {
  if (answerer.peek() === undefined || ruleset.peek() === undefined) return;
  const known = new Set(waiting);
  const wanted = new Set(keys.filter((key) => !known.has(key)));
  const taken = plots.peek().filter(({ key, input, state }) => {
    return wanted.has(key) && input !== undefined && state.kind !== "asking";
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
  for (const key of waiting.splice(0)) note(key, { kind: "new" });
  isPaused = false;
  show();
}

function goOn(): void {
  const by = answerer.peek();
  const chosen = ruleset.peek();
  if (by === undefined || chosen === undefined) {
    cancelQuestions();
    return;
  }
  while (!isPaused && running < AT_ONCE[by.place] && waiting.length > 0) {
    running++;
    void askOne(by, chosen, waiting.shift()!).finally(() => {
      running--;
      goOn();
      show();
    });
  }
  if (running === 0 && waiting.length === 0) end(by);
}

async function askOne(by: Answerer, chosen: ChosenRuleset, key: string): Promise<void> {
  const plot = plots.peek().find((each) => each.key === key);
  if (plot?.input === undefined) return;
  const { input, id } = plot;
  const { signal: stopped } = abort;
  const rules = "id" in chosen ? { id: chosen.id } : { body: chosen.body };
  try {
    const answer = await by.evaluate(
      { input, ruleset: rules, referenceId: id.slice(0, 128) },
      { signal: stopped, key: callName(input, chosen) },
    );
    if (isStill(key, input)) note(key, { kind: "answered", answer });
  } catch (error) {
    if (stopped.aborted) return note(key, { kind: "new" });
    const problem =
      error instanceof AnswerProblem ? error : new AnswerProblem("INTERNAL_ERROR", String(error));
    if (isStill(key, input)) note(key, { kind: "refused", problem });
    if (STOPPING.has(problem.code)) for (const left of waiting.splice(0)) note(left, { kind: "new" });
  } finally {
    answered++;
  }
}

/** Whether what was asked is what stands in the list: a plot may have been changed meanwhile. */
function isStill(key: string, input: object): boolean {
  return plots.peek().find((plot) => plot.key === key)?.input === input;
}

function callName(input: object, chosen: object): string {
  const byRuleset = calls.get(input) ?? new Map<object, string>();
  calls.set(input, byRuleset);
  const name = byRuleset.get(chosen) ?? `console-${crypto.randomUUID()}`;
  byRuleset.set(chosen, name);
  return name;
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
  const isOver = running === 0 && waiting.length === 0;
  progress.value = isOver ? undefined : { asked, answered, isPaused };
}

function end(by: Answerer): void {
  asked = 0;
  answered = 0;
  void by
    .usage()
    .then((now) => {
      usage.value = now;
    })
    .catch(() => {});
}

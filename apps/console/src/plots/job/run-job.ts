import { type Signal, signal } from "@preact/signals";
import {
  type Answerer,
  AnswerProblem,
  type Job,
  type JobResult,
  type PlotCollection,
  type ServiceJobs,
  toAnswerProblem,
} from "../../answering/answerer.ts";
import { toProblemFault } from "../../answering/fault-of.ts";
import { factParts } from "../../state/facts.ts";
import type { PagePlot, PlotState } from "../../state/plot.ts";
import { answerer, type ChosenRuleset, changePlots, jobId, plots, ruleset } from "../../state/store.ts";
import { Turns } from "../../state/turns.ts";
import { buildPlotQuestion } from "../run-questions.ts";

/** A job of the service as the page shows it. */
export interface ShownJob {
  readonly status: Job["status"] | "sending" | "failed";
  readonly plots: number;
  /** Plots with a result so far. */
  readonly answered: number;
  /** Results about plots of the list. */
  readonly shown: number;
  /** The reason why it is paused, or could not be sent or followed. */
  readonly problem?: string;
}

/** The job that is sent or followed. */
export const shownJob: Signal<ShownJob | undefined> = signal(undefined);

/** Time between two requests for a job, milliseconds: a person watches. */
const POLL_MS = [500, 5_000] as const;
/** Results after which the list is updated. */
const BATCH = 500;
/** Most letters of a plot's name in its id: an id has at most 256. */
const NAME_LETTERS = 180;

let followed = new AbortController();

/** Sends plots as a job of the service, which the page then follows. */
export async function startJob(sent: readonly PagePlot[]): Promise<void> {
  const [by, chosen] = [answerer.peek(), ruleset.peek()];
  if (by?.jobs === undefined || chosen === undefined) return;
  const { jobs } = by;
  show({ status: "sending", plots: sent.length, answered: 0, shown: 0 });
  try {
    const turns = new Turns();
    const features: object[] = [];
    for (const plot of sent) {
      const input = readInput(plot);
      if (input !== undefined) features.push(toFeature(plot.id, input));
      await turns.next();
    }
    const terms = "id" in chosen ? { ruleset_id: chosen.id } : { ruleset: chosen.body };
    const collection = { type: "FeatureCollection", features } as unknown as PlotCollection;
    const { data } = await jobs.run((signal) =>
      jobs.client.create({ ...terms, plots: collection }, { signal }),
    );
    jobId.value = data.id;
  } catch (error) {
    show({ status: "failed", problem: toAnswerProblem(error).message });
  }
}

/** Shows the results of the job in the list, from the first to the last. */
export async function followJob(): Promise<void> {
  const [by, chosen, id] = [answerer.peek(), ruleset.peek(), jobId.peek()];
  if (by?.jobs === undefined || chosen === undefined || id === undefined) return;
  followed.abort();
  const own = new AbortController();
  followed = own;
  try {
    await showResults(by, by.jobs, chosen, id, own.signal);
  } catch (error) {
    if (own.signal.aborted) return;
    show({ status: "failed", problem: error instanceof Error ? error.message : String(error) });
  }
}

/** Ends the job; plots with results keep them. */
export async function cancelJob(): Promise<void> {
  const [jobs, id] = [answerer.peek()?.jobs, jobId.peek()];
  if (jobs === undefined || id === undefined) return;
  await jobs.run((signal) => jobs.client.cancel(id, { signal }));
  await followJob();
}

/** Follows the job no more. */
export function closeJob(): void {
  followed.abort();
  jobId.value = undefined;
  shownJob.value = undefined;
}

function show(change: Partial<ShownJob>): void {
  const before = shownJob.peek() ?? { status: "queued", plots: 0, answered: 0, shown: 0 };
  const { problem: _, ...others } = before;
  shownJob.value = { ...others, ...change };
}

async function showResults(
  by: Answerer,
  jobs: ServiceJobs,
  chosen: ChosenRuleset,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const isCurrent = (): boolean =>
    !signal.aborted && answerer.peek() === by && ruleset.peek() === chosen && jobId.peek() === id;
  const getJob = async (): Promise<Job> => (await jobs.run(() => jobs.client.get(id, { signal }))).data;
  const first = await getJob();
  if (!isOfRuleset(first, chosen))
    throw new Error(`the job is of another ruleset: ${first.ruleset.name ?? id}`);
  let [answered, found] = [0, 0];
  let waiting: JobResult[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const results = waiting;
    waiting = [];
    answered += results.length;
    found += await applyResults(results, jobs, chosen, isCurrent);
    if (isCurrent()) show({ answered, shown: found });
  };
  show({ status: first.status, plots: first.plots, answered, shown: found });
  let flushing = Promise.resolve();
  const flushSoon = (): void => {
    flushing = flushing.then(flush);
  };
  const lines = jobs.client.results(id, { signal, pollMs: POLL_MS });
  try {
    for (;;) {
      const next = await jobs.run(() => lines.next());
      if (!isCurrent()) return;
      if (next.done) break;
      waiting.push(next.value);
      if (waiting.length >= BATCH) flushSoon();
      else timer ??= setTimeout(flushSoon, POLL_MS[0]);
    }
  } finally {
    clearTimeout(timer);
    flushSoon();
    await flushing;
  }
  const { status, paused_reason } = await getJob();
  show({ status, ...(paused_reason !== undefined && { problem: paused_reason }) });
}

/** Verdicts by another ruleset, or by one without a name that was sent along earlier, are of no use. */
function isOfRuleset({ ruleset: { name, version } }: Job, chosen: ChosenRuleset): boolean {
  if (!("id" in chosen)) return name === null;
  const [wanted, exactly] = chosen.id.split("@");
  return name === wanted && (exactly === undefined || Number(exactly) === version);
}

/** @returns the number of results about plots of the list */
async function applyResults(
  results: readonly JobResult[],
  jobs: ServiceJobs,
  chosen: ChosenRuleset,
  isCurrent: () => boolean,
): Promise<number> {
  const wanted = new Map(results.map((result) => [result.id, result]));
  const found = new Set<JobResult>();
  const turns = new Turns();
  const changes = new Map<string, { readonly state: PlotState; readonly outdated: undefined }>();
  const inputs = new Map<string, object | undefined>();
  for (const plot of plots.peek()) {
    const input = readInput(plot);
    const result = input === undefined ? undefined : wanted.get(toJobPlotId(plot.id, input));
    if (input !== undefined && result !== undefined) {
      found.add(result);
      const question = buildPlotQuestion(chosen, input, plot.id);
      const state = await toPlotState(result, (response) => jobs.toAnswer(question, response));
      inputs.set(plot.key, plot.input);
      if (state !== undefined && plot.state.kind !== "answered")
        changes.set(plot.key, { state, outdated: undefined });
    }
    await turns.next();
  }
  if (!isCurrent()) return 0;
  // A plot that changed meanwhile has no result.
  for (const { key, input } of plots.peek()) if (inputs.get(key) !== input) changes.delete(key);
  changePlots(changes);
  return found.size;
}

async function toPlotState(
  result: JobResult,
  toAnswer: (
    response: Extract<JobResult, { status: "answered" }>["response"],
  ) => ReturnType<ServiceJobs["toAnswer"]>,
): Promise<PlotState | undefined> {
  if (result.status === "answered") return { kind: "answered", answer: await toAnswer(result.response) };
  if (result.status !== "invalid" && result.status !== "degraded") return undefined;
  const { code, message, errors } = result.error;
  // Places in a Feature are places in an input, except for identifiers and facts among its properties.
  const faults = errors.map(toProblemFault).map(({ pointer = "", ...fault }) => ({
    ...fault,
    pointer: `/input${pointer.replace(/^\/properties(?=\/(?:scheme|facts|property)\b)/, "")}`,
  }));
  const problem = new AnswerProblem(code, message, { faults });
  return { kind: result.status === "invalid" ? "refused" : "unanswered", problem };
}

/** The input of a plot with its facts; undefined if it has none that could be sent. */
function readInput(plot: PagePlot): object | undefined {
  if (plot.input === undefined) return undefined;
  const input = factParts.peek()?.inputWithFacts(plot) ?? plot.input;
  return input instanceof AnswerProblem ? undefined : input;
}

interface JobInput {
  readonly geometry?: object;
  readonly crs?: string;
  readonly scheme?: unknown;
  readonly facts?: object;
  readonly property?: object;
  readonly area_ha?: number;
}

/** A plot from which the service reads the same input. */
function toFeature(name: string, input: object): object {
  const { geometry = null, crs, area_ha, ...properties } = input as JobInput;
  return {
    type: "Feature",
    id: toJobPlotId(name, input),
    geometry,
    ...(crs !== undefined && { crs: { type: "name", properties: { name: crs } } }),
    properties: { ...properties, ...(area_ha !== undefined && { Area: area_ha }) },
  };
}

/** The digits of inputs that a plot's id contains, by input. */
const known = new WeakMap<object, string>();

/** The id of a plot in a job: its name, and digits by which its result is not shown for another input. */
function toJobPlotId(name: string, input: object): string {
  let digits = known.get(input);
  if (digits === undefined) {
    digits = hashText(JSON.stringify(input));
    known.set(input, digits);
  }
  return `${name.slice(0, NAME_LETTERS)} ${digits}`;
}

/** Sixteen digits of a text: FNV-1a of 32 bits, from two starts. They tell inputs apart, and prove nothing. */
function hashText(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < text.length; i++) {
    one = Math.imul(one ^ text.charCodeAt(i), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(i), 0x01000193) + 1;
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

import type { Engine, Provided, SourceEntry, SourceFailure } from "@groundrule/engine";
import { LiveSources, type LiveStatistics, PoolError } from "@groundrule/node";
import type { AnswerPool } from "./answer-pool.ts";
import { Answerer } from "./answerer.ts";
import { ArchivePool, type ArchiveSettings } from "./archive-pool.ts";
import { NODE_HOST } from "./node-host.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";
import { drawingOf } from "./tiles/cut-source-tile.ts";

/** What the service is built around: the sources, and answers from them. */
export interface EngineHost {
  /**
   * The catalog of sources.
   *
   * @param within patterns of the sources that are available to the caller; absent: all
   */
  sources(within?: readonly string[]): readonly SourceEntry[];
  /**
   * What the map tiles of a source depend on, as `CutTile.drawing`; undefined where it has none.
   *
   * @param source its name
   */
  drawing(source: string): string | undefined;
  /** Sources that cannot be queried now, and why. */
  failures(): readonly SourceFailure[];
  /**
   * Handles the body of a request. A refusal by the engine, a check or the pool is a result. Where the question asks
   * live sources, they are asked between two steps of the engine; those that fail degrade the answer.
   *
   * Fails: only where the service has a bug.
   */
  answer(task: BodyTask, options?: AnswerOptions): Promise<BodyResult>;
  /** The semantics of the kernel that measures; see `docs/semantics`. */
  semantics(): number;
  /** How the live sources fared; empty where there is none. */
  statistics(): readonly LiveStatistics[];
  /**
   * Milliseconds by which a request of an organization is expected to hold up its next one; absent: by none.
   *
   * @param organization its id
   */
  expectedMs?(organization: string): number;
}

/** What an answer may wait for. */
export interface AnswerOptions {
  /** Whoever asked is gone: live sources are asked no further. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Answers in this thread, one request at a time.
 *
 * @param current the engine over the current editions; called once for each request, which so finishes on
 *   the editions it began with
 * @param live asks the live sources; absent: there is none
 *
 * Fails: never; what the engine refuses is a result of `answer`.
 */
export function hostInProcess(current: () => Engine, live?: LiveSources): EngineHost {
  const answerer = answererOf(current);
  const answer = async (task: BodyTask): Promise<BodyResult> => answerer().answer(task);
  return { ...catalogOf(current, answerer, live), answer: asking(answer, live) };
}

/**
 * Answers in worker threads: a request that hangs or crashes ends its worker and nothing else, and the
 * thread that speaks HTTP stays free.
 *
 * @param current the engine over the current editions, for the catalog; the caller keeps the pool on the same
 *   editions
 * @param live asks the live sources, in this thread; absent: there is none
 */
export function hostInWorkers(
  current: () => Engine,
  pool: Pick<AnswerPool, "answer" | "expectedMs">,
  live?: LiveSources,
): EngineHost {
  const answer = (task: BodyTask): Promise<BodyResult> => pool.answer(task).catch(refusedBy);
  return {
    ...catalogOf(current, answererOf(current), live),
    answer: asking(answer, live),
    expectedMs: (organization) => pool.expectedMs(organization),
  };
}

/** Answers on editions that need not be the current ones; see {@link EngineHost.answer}. */
export interface ArchivedHost {
  /** Fails: with a `DataError`, `EDITION_MISSING` or `EDITION_DAMAGED`, where the editions cannot be opened. */
  readonly answer: EngineHost["answer"];
  /** Ends its worker. */
  close(): Promise<void>;
}

/**
 * Answers in a worker thread of its own, over editions that a data folder keeps. What is wrong with them is told by the
 * first answer.
 *
 * @param live asks the live sources, in this thread; absent: there is none
 *
 * Fails: never.
 */
export function hostOverArchive(
  dir: string,
  question: ArchiveSettings["question"],
  live?: LiveSources,
): ArchivedHost {
  const pool = new ArchivePool(dir, question);
  const answer = (task: BodyTask): Promise<BodyResult> => pool.answer(task).catch(refusedBy);
  return { answer: asking(answer, live), close: () => pool.close() };
}

/** Sources may be connected while others are asked; each is asked once. */
const ROUNDS = 3;

/** Answers a task, and asks live sources for the areas that it turns out to want. */
function asking(
  answer: (task: BodyTask) => Promise<BodyResult>,
  live: LiveSources = NO_LIVE_SOURCES,
): EngineHost["answer"] {
  return async (task, options = {}) => {
    const { organization: lane, inBackground } = task;
    let result = await answer(task);
    let provided: Provided = {};
    for (let round = 0; result.kind === "areas wanted" && round < ROUNDS; round++) {
      const needs = result.needs.filter(({ source_name }) => !Object.hasOwn(provided, source_name));
      try {
        const given = await live.ask(needs, { lane, inBackground, signal: options.signal });
        provided = { ...provided, ...given };
      } catch (error) {
        return refusedBy(error);
      }
      result = await answer({ ...task, provided });
    }
    return result;
  };
}

const NO_LIVE_SOURCES = new LiveSources(undefined);

/** The answerer on the current engine. It is kept as long as the engine, and so are the scoped engines it made. */
function answererOf(current: () => Engine): () => Answerer {
  const kept = new WeakMap<Engine, Answerer>();
  return () => {
    const engine = current();
    const answerer = kept.get(engine) ?? new Answerer(engine, NODE_HOST);
    kept.set(engine, answerer);
    return answerer;
  };
}

function catalogOf(
  current: () => Engine,
  answerer: () => Answerer,
  live: LiveSources = NO_LIVE_SOURCES,
): Pick<EngineHost, "drawing" | "sources" | "failures" | "semantics" | "statistics"> {
  return {
    drawing: (source) => drawingOf(source, current()),
    semantics: () => current().semantics,
    sources: (within) => answerer().sources(within),
    failures: () => [...current().failures(), ...live.failures()].sort(bySourceName),
    statistics: () => live.statistics(),
  };
}

function bySourceName(a: SourceFailure, b: SourceFailure): number {
  return a.source_name < b.source_name ? -1 : 1;
}

function refusedBy(error: unknown): BodyResult {
  if (!(error instanceof PoolError) || error.code === "WORKER_UNAVAILABLE") throw error;
  // A closed pool means that the service is stopping: another replica answers.
  const code = error.code === "POOL_CLOSED" ? "OVERLOADED" : error.code;
  return { kind: "refused", refusal: { code, message: REASONS[code], details: error.details } };
}

const REASONS = {
  EVALUATION_ABORTED:
    "The request needed more computing time than allowed and was stopped; nothing was charged.",
  OVERLOADED: "Too many requests are waiting, so this one was not executed; wait and retry.",
};

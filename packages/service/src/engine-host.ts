import type { Engine, Provided, SourceEntry, SourceFailure } from "@groundrule/engine";
import { LiveSources, type LiveStatistics, PoolError } from "@groundrule/node";
import type { AnswerPool } from "./answer-pool.ts";
import { Answerer } from "./answerer.ts";
import { ArchivePool, type ArchiveSettings } from "./archive-pool.ts";
import { explainMisplacedBody } from "./body/misplaced.ts";
import { NODE_HOST } from "./node-host.ts";
import type { BodyResult, BodyTask } from "./task/body-task.ts";
import { findDrawingDigest } from "./tiles/cut-source-tile.ts";

/** The core of the service: the sources, and answers from them. */
export interface EngineHost {
  /**
   * The catalog of sources.
   *
   * @param within patterns of the sources that are available to the caller; absent: all
   */
  sources(within?: readonly string[]): readonly SourceEntry[];
  /**
   * Digest of everything on which the map tiles of a source depend, as in `CutTile.drawing`; undefined if it has none.
   *
   * @param source its name
   */
  drawing(source: string): string | undefined;
  /** Sources that cannot be queried now, and why. */
  failures(): readonly SourceFailure[];
  /**
   * Handles the body of a request. A refusal by the engine, a check or the pool is a result. If the question needs live
   * sources, they are queried between two steps of the engine; failing ones degrade the answer.
   *
   * Fails: only if the service has a bug.
   */
  answer(task: BodyTask, options?: AnswerOptions): Promise<BodyResult>;
  /** The semantics of the kernel that measures; see `docs/semantics`. */
  semantics(): number;
  /** Statistics of the live sources; empty if there are none. */
  statistics(): readonly LiveStatistics[];
  /**
   * Expected milliseconds by which a request of an organization delays its next one; absent: none.
   *
   * @param organization its id
   */
  expectedMs?(organization: string): number;
}

/** Options of an answer. */
export interface AnswerOptions {
  /** Aborted when the client has disconnected: live sources are not queried further. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Answers in this thread, one request at a time.
 *
 * @param current returns the engine over the current editions; called once for each request, which so finishes on
 *    the editions it began with
 * @param live queries the live sources; absent: there are none
 *
 * Fails: never; a refusal by the engine is a result of `answer`.
 */
export function hostInProcess(current: () => Engine, live?: LiveSources): EngineHost {
  const answerer = createAnswererGetter(current);
  const answer = async (task: BodyTask): Promise<BodyResult> =>
    explainMisplacedBody(answerer().answer(task), task);
  return { ...createCatalogQueries(current, answerer, live), answer: withLiveSources(answer, live) };
}

/**
 * Answers in worker threads: a request that hangs or crashes ends its worker and nothing else, and the HTTP thread
 * stays free.
 *
 * @param current returns the engine over the current editions, for the catalog; the caller keeps the pool on the same
 *    editions
 * @param live queries the live sources, in this thread; absent: there are none
 */
export function hostInWorkers(
  current: () => Engine,
  pool: Pick<AnswerPool, "answer" | "expectedMs">,
  live?: LiveSources,
): EngineHost {
  const answer = (task: BodyTask): Promise<BodyResult> => pool.answer(task).catch(toRefusedResult);
  return {
    ...createCatalogQueries(current, createAnswererGetter(current), live),
    answer: withLiveSources(answer, live),
    expectedMs: (organization) => pool.expectedMs(organization),
  };
}

/** Answers on editions that may be older than the current ones; see {@link EngineHost.answer}. */
export interface ArchivedHost {
  /** Fails: with a `DataError`, `EDITION_MISSING` or `EDITION_DAMAGED`, if the editions cannot be opened. */
  readonly answer: EngineHost["answer"];
  /** Ends its worker. */
  close(): Promise<void>;
}

/**
 * Answers in a separate worker thread, over editions that a data folder stores. Their faults are reported by the first
 * answer.
 *
 * @param live queries the live sources, in this thread; absent: there are none
 *
 * Fails: never.
 */
export function hostOverArchive(
  dir: string,
  question: ArchiveSettings["question"],
  live?: LiveSources,
): ArchivedHost {
  const pool = new ArchivePool(dir, question);
  const answer = (task: BodyTask): Promise<BodyResult> => pool.answer(task).catch(toRefusedResult);
  return { answer: withLiveSources(answer, live), close: () => pool.close() };
}

/** Maximum rounds: sources may be connected while others are queried; each is queried once. */
const ROUNDS = 3;

/** Executes a task, and queries live sources for the areas that it needs. */
function withLiveSources(
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
        const candidates = await live.ask(needs, { lane, inBackground, signal: options.signal });
        provided = { ...provided, ...candidates };
      } catch (error) {
        return toRefusedResult(error);
      }
      result = await answer({ ...task, provided });
    }
    return result;
  };
}

const NO_LIVE_SOURCES = new LiveSources(undefined);

/** The answerer on the current engine. It is cached as long as the engine, and so are its scoped engines. */
function createAnswererGetter(current: () => Engine): () => Answerer {
  const kept = new WeakMap<Engine, Answerer>();
  return () => {
    const engine = current();
    const answerer = kept.get(engine) ?? new Answerer(engine, NODE_HOST);
    kept.set(engine, answerer);
    return answerer;
  };
}

function createCatalogQueries(
  current: () => Engine,
  answerer: () => Answerer,
  live: LiveSources = NO_LIVE_SOURCES,
): Pick<EngineHost, "drawing" | "sources" | "failures" | "semantics" | "statistics"> {
  return {
    drawing: (source) => findDrawingDigest(source, current()),
    semantics: () => current().semantics,
    sources: (within) => answerer().sources(within),
    failures: () => [...current().failures(), ...live.failures()].sort(bySourceName),
    statistics: () => live.statistics(),
  };
}

function bySourceName(a: SourceFailure, b: SourceFailure): number {
  return a.source_name < b.source_name ? -1 : 1;
}

function toRefusedResult(error: unknown): BodyResult {
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

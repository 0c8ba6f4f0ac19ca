import type { Policy, Provided } from "@groundrule/engine";
import { findCarriedOrigin } from "@groundrule/engine/internal";
import { type EngineSettings, PoolError } from "@groundrule/node";
import { getSharedBorders, toPlainSettings, WorkerPool } from "@groundrule/node/internal";
import type { LiveAreas } from "../data/live-areas.ts";
import { formatRefusalLine } from "../files/record-file.ts";
import { withColumnFacts } from "../plots/judged-plots.ts";
import { mapInOrder } from "../plots/map-in-order.ts";
import { toLineError } from "../terminal/line-error.ts";
import { type PlotChunk, splitChunkByPlot } from "./plot-chunks.ts";
import {
  buildScreenedChunk,
  type ChunkReading,
  type Judging,
  listJudgedPlots,
  type ScreenedChunk,
} from "./plot-screener.ts";
import { ResultLines } from "./results/result-lines.ts";
import { addTallies } from "./results/tally.ts";
import type { ScreenSettings, ScreenTask } from "./screen-worker.ts";

/** Chunks sent to each worker: one in progress, and others that wait for it. */
const AHEAD_PER_WORKER = 4;

/** Deadline for one plot: nobody waits for it, so its worker is ended only if it would never return. */
const PLOT_DEADLINE_MS = 10_000;

/** Plots per deadline in a chunk: no plot that is answered takes more than a quarter of a second. */
const PLOTS_A_DEADLINE = 40;

/** One side of a run: a ruleset on the editions of a data folder. */
export interface RunSide {
  readonly settings: EngineSettings;
  readonly judging: Judging;
}

/** The client of a run's live sources, and its ruleset's needs of them. */
export interface LiveAsking {
  readonly areas: LiveAreas;
  readonly policy: Policy;
}

/** Areas from live sources for each plot of a chunk; undefined if none was queried. */
type ProvidedToEach = readonly (Provided | undefined)[] | undefined;

/**
 * Screens the plots of a run in worker threads, whose engines share their editions: each plot is read once, and
 * evaluated by every side of the run. Live sources are queried by this thread.
 */
export class PlotRunner {
  readonly #pool: WorkerPool<ScreenSettings, ScreenTask, readonly ScreenedChunk[]>;
  readonly #reading: ChunkReading;
  readonly #sides: readonly RunSide[];
  readonly #workers: number;
  readonly #live: LiveAsking | undefined;

  /** @param live for a run with one side; absent: live sources are not queried, and fail */
  constructor(reading: ChunkReading, sides: readonly RunSide[], workers: number, live?: LiveAsking) {
    this.#reading = reading;
    this.#sides = sides;
    this.#workers = workers;
    this.#live = live;
    const script = import.meta.url.endsWith(".ts") ? "./screen-worker.ts" : "./screen-worker.js";
    const settings = [...new Set(sides.map((side) => side.settings))];
    const engines = settings.map((each) => toPlainSettings(each, getSharedBorders()));
    const ofSides = sides.map(({ settings: its, judging }) => {
      const origin = findCarriedOrigin(judging.ruleset);
      return { engine: engines[settings.indexOf(its)]!, judging, origin };
    });
    this.#pool = new WorkerPool(
      new URL(script, import.meta.url),
      { reading, sides: ofSides },
      { size: workers, maxQueue: Number.POSITIVE_INFINITY, deadlineMs: PLOT_DEADLINE_MS, asNeeded: true },
    );
  }

  /**
   * Yields the results of every side for each chunk, in the order of the input. Reads no further ahead than a few
   * chunks per worker, however slowly results are consumed.
   */
  run(chunks: AsyncIterable<PlotChunk>): AsyncGenerator<readonly ScreenedChunk[], void, undefined> {
    return mapInOrder(chunks, AHEAD_PER_WORKER * this.#workers, (chunk) => this.#screen(chunk));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /**
   * A chunk that takes too long, or ends its worker, is screened again plot by plot, for each side separately: one of
   * them has no answer.
   */
  async #screen(chunk: PlotChunk): Promise<readonly ScreenedChunk[]> {
    const sides = [...this.#sides.keys()];
    const provided = await this.#ask(chunk);
    try {
      const weight = sides.length * (1 + chunk.count / PLOTS_A_DEADLINE);
      return await this.#pool.run(createScreenTask(chunk, sides, provided), { weight });
    } catch (error) {
      if (!isAborted(error)) throw error;
    }
    const parts: ScreenedChunk[][] = sides.map(() => []);
    let from = 0;
    for (const one of splitChunkByPlot(chunk)) {
      const to = from + [...listJudgedPlots(one, this.#reading)].length;
      for (const side of sides)
        parts[side]!.push(await this.#screenOne(one, side, provided?.slice(from, to)));
      from = to;
    }
    return parts.map((ofSide) => ({ ...mergeScreenedChunks(ofSide), ...getInputEnd(chunk) }));
  }

  async #screenOne(chunk: PlotChunk, side: number, provided: ProvidedToEach): Promise<ScreenedChunk> {
    try {
      const [results] = await this.#pool.run(createScreenTask(chunk, [side], provided));
      return results!;
    } catch (thrown) {
      if (!isAborted(thrown)) throw thrown;
      const { style, record } = this.#sides[side]!.judging;
      const lines = new ResultLines(style);
      const records: string[] = [];
      const error = toLineError(thrown);
      const [judged] = listJudgedPlots(chunk, this.#reading);
      if (judged !== undefined) {
        lines.error(judged, error);
        if (record !== undefined) records.push(formatRefusalLine({ id: judged.id, error }));
      }
      return buildScreenedChunk(chunk, lines.take(), records);
    }
  }

  async #ask(chunk: PlotChunk): Promise<ProvidedToEach> {
    const live = this.#live;
    if (live === undefined || live.areas.isEmpty) return undefined;
    const all = [...listJudgedPlots(chunk, this.#reading)].map(async ({ line }) => {
      const plotLine = withColumnFacts(line, live.policy.ruleset.facts ?? {});
      if ("error" in plotLine) return undefined;
      return (await live.areas.ask(() => live.policy.liveNeeds(plotLine.input))).provided;
    });
    return Promise.all(all);
  }
}

function createScreenTask(chunk: PlotChunk, sides: readonly number[], provided: ProvidedToEach): ScreenTask {
  return { chunk, sides, ...(provided !== undefined && { provided: JSON.stringify(provided) }) };
}

function isAborted(error: unknown): boolean {
  return error instanceof PoolError && error.code === "EVALUATION_ABORTED";
}

function mergeScreenedChunks(parts: readonly ScreenedChunk[]): ScreenedChunk {
  return parts.reduce((all, part) => ({
    read: all.read + part.read,
    plots: all.plots + part.plots,
    lines: Buffer.concat([all.lines, part.lines]),
    errors: Buffer.concat([all.errors, part.errors]),
    tally: addTallies(all.tally, part.tally),
    records: [...all.records, ...part.records],
  }));
}

function getInputEnd({ end }: PlotChunk): Pick<ScreenedChunk, "inputBytes" | "inputLines"> {
  return end === undefined ? {} : { inputBytes: end.bytes, inputLines: end.lines };
}

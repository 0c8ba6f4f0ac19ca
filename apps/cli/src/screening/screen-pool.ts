import { type EngineSettings, PoolError } from "@groundrule/node";
import { plainSettings, sharedBorders, WorkerPool } from "@groundrule/node/internal";
import { lineError } from "../line-error.ts";
import { judgedIn, resultsOf, type ScreenedChunk, type Screening } from "./chunk-screener.ts";
import { type PlotChunk, splitChunk } from "./plot-chunks.ts";
import { ResultLines } from "./result-lines.ts";
import type { ScreenSettings } from "./screen-worker.ts";
import { addTally } from "./tally.ts";

/** What screens the chunks of a run. */
export interface Screener {
  /** Results in the order of the chunk's plots. */
  screen(chunk: PlotChunk): Promise<ScreenedChunk>;
  close(): Promise<void>;
}

/** Nobody waits for one plot of a batch; its worker is ended only where it would never come back. */
const PLOT_DEADLINE_MS = 10_000;

/** Plots for which a chunk gets that time once more: no plot that is answered takes more than a quarter of a second. */
const PLOTS_A_DEADLINE = 40;

/** Screens chunks in worker threads, each with an engine over the same shared editions. */
export class ScreenPool implements Screener {
  readonly #pool: WorkerPool<ScreenSettings, PlotChunk, ScreenedChunk>;
  readonly #screening: Screening;

  constructor(settings: EngineSettings, screening: Screening, workers: number) {
    this.#screening = screening;
    const script = import.meta.url.endsWith(".ts") ? "./screen-worker.ts" : "./screen-worker.js";
    const engine = plainSettings(settings, sharedBorders());
    this.#pool = new WorkerPool(
      new URL(script, import.meta.url),
      { engine, screening },
      { size: workers, maxQueue: Number.POSITIVE_INFINITY, deadlineMs: PLOT_DEADLINE_MS, asNeeded: true },
    );
  }

  /** A chunk that takes too long, or ends its worker, is screened again plot by plot: one of them has no answer. */
  async screen(chunk: PlotChunk): Promise<ScreenedChunk> {
    try {
      return await this.#pool.run(chunk, { weight: 1 + chunk.count / PLOTS_A_DEADLINE });
    } catch (error) {
      if (!isAborted(error)) throw error;
      const parts: ScreenedChunk[] = [];
      for (const one of splitChunk(chunk)) parts.push(await this.#screenOne(one));
      return { ...joined(parts), ...endOf(chunk) };
    }
  }

  async #screenOne(chunk: PlotChunk): Promise<ScreenedChunk> {
    try {
      return await this.#pool.run(chunk);
    } catch (error) {
      if (!isAborted(error)) throw error;
      const lines = new ResultLines(this.#screening.style);
      const [judged] = judgedIn(chunk, this.#screening);
      if (judged !== undefined) lines.error(judged, lineError(error));
      return resultsOf(chunk, lines);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function isAborted(error: unknown): boolean {
  return error instanceof PoolError && error.code === "EVALUATION_ABORTED";
}

function joined(parts: readonly ScreenedChunk[]): ScreenedChunk {
  return parts.reduce((all, part) => ({
    read: all.read + part.read,
    plots: all.plots + part.plots,
    lines: Buffer.concat([all.lines, part.lines]),
    errors: Buffer.concat([all.errors, part.errors]),
    tally: addTally(all.tally, part.tally),
    records: [...all.records, ...part.records],
  }));
}

function endOf({ end }: PlotChunk): Pick<ScreenedChunk, "inputBytes" | "inputLines"> {
  return end === undefined ? {} : { inputBytes: end.bytes, inputLines: end.lines };
}

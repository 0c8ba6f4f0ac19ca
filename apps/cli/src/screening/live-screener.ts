import { availableParallelism } from "node:os";
import type { Policy } from "@groundrule/engine";
import { EnginePool, type EngineSettings, type LiveEntry, type LiveSources } from "@groundrule/node";
import { DEFAULT_POOL_SIZE } from "@groundrule/node/internal";
import { lineError } from "../line-error.ts";
import { provideAreas } from "../live-areas.ts";
import { LotEvaluator } from "../lot-evaluator.ts";
import { refusalLine } from "../record-file.ts";
import { Turns } from "../turns.ts";
import {
  type JudgedPlot,
  judgedIn,
  recordLine,
  resultsOf,
  type ScreenedChunk,
  type Screening,
} from "./chunk-screener.ts";
import type { PlotChunk } from "./plot-chunks.ts";
import { ResultLines } from "./result-lines.ts";
import type { Screener } from "./screen-pool.ts";

const PLOT_DEADLINE_MS = 10_000;

/** Plots that live sources are asked about at the same time: as many as each has connections. */
function askedAtOnce(entries: readonly LiveEntry[]): number {
  return entries
    .map(({ provider }) => provider.pool_size ?? DEFAULT_POOL_SIZE)
    .reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

/** What a run with live sources is screened with. */
export interface LiveScreening {
  readonly settings: EngineSettings;
  readonly entries: readonly LiveEntry[];
  readonly live: LiveSources;
  readonly policy: Policy;
  readonly workers?: number;
}

/** Screens chunks whose plots live sources are asked about: this thread asks, and workers evaluate. */
export class LiveScreener implements Screener {
  readonly #screening: Screening;
  readonly #of: LiveScreening;
  readonly #pool: EnginePool;
  readonly #lots: LotEvaluator;
  readonly #turns: Turns;

  constructor(screening: Screening, of: LiveScreening) {
    const workers = of.workers ?? availableParallelism();
    this.#screening = screening;
    this.#of = of;
    this.#pool = new EnginePool(of.settings, { size: workers, deadlineMs: PLOT_DEADLINE_MS, asNeeded: true });
    this.#lots = new LotEvaluator(this.#pool, screening.ruleset, screening.options, workers);
    this.#turns = new Turns(askedAtOnce(of.entries));
  }

  async screen(chunk: PlotChunk): Promise<ScreenedChunk> {
    const lines = new ResultLines(this.#screening.style);
    const records: string[] = [];
    const judged = [...judgedIn(chunk, this.#screening)];
    const answers = judged.map((plot) => this.#answer(plot));
    for (const [i, plot] of judged.entries()) {
      const { line } = plot;
      const { areas, answer } = await answers[i]!;
      const isRecorded = this.#screening.record !== undefined;
      if ("error" in line || answer === undefined || answer instanceof Error) {
        const error = "error" in line ? line.error : lineError(answer);
        lines.error(plot, error);
        if (isRecorded) records.push(refusalLine({ id: plot.id, error }));
      } else {
        lines.verdict(plot, answer);
        if (isRecorded) records.push(recordLine(line, answer, this.#screening, this.#of.policy, areas));
      }
    }
    return resultsOf(chunk, lines, records);
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#of.live.close();
  }

  async #answer({ line }: JudgedPlot) {
    if ("error" in line) return { areas: {}, answer: undefined };
    const { live, policy } = this.#of;
    const areas = await this.#turns.take(() => provideAreas(live, () => policy.liveNeeds(line.input)));
    return { areas, answer: await this.#lots.evaluate(line.input, areas.provided) };
  }
}

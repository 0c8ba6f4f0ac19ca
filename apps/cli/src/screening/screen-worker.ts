import type { Provided, RulesetOrigin } from "@groundrule/engine";
import { openEngineFromSettings, type PlainSettings, serveTasks } from "@groundrule/node/internal";
import type { PlotChunk } from "./plot-chunks.ts";
import {
  buildScreenedChunk,
  type ChunkReading,
  type Judging,
  listJudgedPlots,
  PlotScreener,
  type ScreenedChunk,
} from "./plot-screener.ts";

/** The start data of a screening worker: how chunks are read, and how each side of the run evaluates their plots. */
export interface ScreenSettings {
  readonly reading: ChunkReading;
  readonly sides: readonly {
    /** Sides with the same engine share this object. */
    readonly engine: PlainSettings;
    readonly judging: Judging;
    /** Name and version of its ruleset, which are lost on the way to a worker. */
    readonly origin: RulesetOrigin | undefined;
  }[];
}

export interface ScreenTask {
  readonly chunk: PlotChunk;
  /** Numbers of the sides that evaluate it. */
  readonly sides: readonly number[];
  /**
   * JSON of the areas from live sources for each plot, null for a plot without a query. Absent: no live source was
   * queried.
   */
  readonly provided?: string;
}

serveTasks(async ({ reading, sides }: ScreenSettings) => {
  const settings = [...new Set(sides.map(({ engine }) => engine))];
  const engines = await Promise.all(settings.map((each) => openEngineFromSettings(each)));
  const screeners = sides.map(({ engine, judging, origin }) => {
    const { ruleset, compiled } = judging;
    const opened = engines[settings.indexOf(engine)]!;
    return new PlotScreener(opened, opened.compile(ruleset, origin, compiled), judging);
  });
  /** Returns the results of each side. */
  return ({ chunk, sides: wantedSides, provided }: ScreenTask): readonly ScreenedChunk[] => {
    const areas: readonly (Provided | null)[] = provided === undefined ? [] : JSON.parse(provided);
    let read = 0;
    for (const plot of listJudgedPlots(chunk, reading)) {
      const own = areas[read++] ?? undefined;
      for (const side of wantedSides) screeners[side]!.add(plot, own);
    }
    return wantedSides.map((side) => {
      const { written, records } = screeners[side]!.take();
      return buildScreenedChunk(chunk, written, records);
    });
  };
});

import type { Provided } from "@groundrule/engine";
import { openSettings, type PlainSettings, serveTasks } from "@groundrule/node";
import type { PlotChunk } from "./plot-chunks.ts";
import { judgedIn, PlotScreener, resultsOf, type ScreenedChunk, type Screening } from "./plot-screener.ts";

/** What a worker that screens starts with: each side of the run, and the engine that it asks. */
export interface ScreenSettings {
  readonly sides: readonly {
    /** Sides that ask the same engine have the same object. */
    readonly engine: PlainSettings;
    readonly screening: Screening;
  }[];
}

export interface ScreenTask {
  readonly chunk: PlotChunk;
  /** Number of the side that screens it. */
  readonly side: number;
  /** JSON of what live sources answered to each of its plots, null where they were not asked. Absent: none was. */
  readonly provided?: string;
}

serveTasks(async ({ sides }: ScreenSettings) => {
  const settings = [...new Set(sides.map(({ engine }) => engine))];
  const engines = await Promise.all(settings.map((each) => openSettings(each)));
  const screeners = sides.map(({ engine, screening }) => {
    const policy = engines[settings.indexOf(engine)]!.compile(screening.ruleset);
    return { screening, screener: new PlotScreener(policy, screening) };
  });
  return ({ chunk, side, provided }: ScreenTask): ScreenedChunk => {
    const { screening, screener } = screeners[side]!;
    const areas: readonly (Provided | null)[] = provided === undefined ? [] : JSON.parse(provided);
    let asked = 0;
    for (const plot of judgedIn(chunk, screening)) screener.add(plot, areas[asked++] ?? undefined);
    const { written, records } = screener.take();
    return resultsOf(chunk, written, records);
  };
});

import { openSettings, type PlainSettings, serveTasks } from "@groundrule/node/internal";
import { ChunkScreener, type ScreenedChunk, type Screening } from "./chunk-screener.ts";
import type { PlotChunk } from "./plot-chunks.ts";

/** What a worker that screens starts with. */
export interface ScreenSettings {
  readonly engine: PlainSettings;
  readonly screening: Screening;
}

serveTasks(async ({ engine, screening }: ScreenSettings) => {
  const screener = new ChunkScreener(await openSettings(engine), screening);
  return (chunk: PlotChunk): ScreenedChunk => screener.screen(chunk);
});

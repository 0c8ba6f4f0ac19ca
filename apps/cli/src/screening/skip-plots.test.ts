import { expect, it } from "vitest";
import { skipPlots, splitLinesIntoChunks } from "./plot-chunks.ts";

async function* streamPlots(plots: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < plots; i++) yield Buffer.from(`{"id":${i}}\n\n`);
}

async function readRestAfter(count: number, plots: number): Promise<string> {
  let text = "";
  for await (const { bytes } of skipPlots(splitLinesIntoChunks(streamPlots(plots)), count))
    text += Buffer.from(bytes);
  return text.replaceAll(/\n+/g, " ").trim();
}

it("goes on after the plots that were read before", async () => {
  expect(await readRestAfter(0, 3)).toBe('{"id":0} {"id":1} {"id":2}');
  expect(await readRestAfter(2, 3)).toBe('{"id":2}');
  expect(await readRestAfter(3, 3)).toBe("");
});

it("refuses an input that ends before", async () => {
  const failing = readRestAfter(4, 3);
  await expect(failing).rejects.toMatchObject({
    code: "RUN_DIFFERS",
    message: expect.stringContaining("ends after 3 plots, expected the 4"),
  });
});

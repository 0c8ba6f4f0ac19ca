import { expect, it } from "vitest";
import { cutLines, skipPlots } from "./plot-chunks.ts";

async function* streamOf(plots: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < plots; i++) yield Buffer.from(`{"id":${i}}\n\n`);
}

async function restAfter(count: number, plots: number): Promise<string> {
  let text = "";
  for await (const { bytes } of skipPlots(cutLines(streamOf(plots)), count)) text += Buffer.from(bytes);
  return text.replaceAll(/\n+/g, " ").trim();
}

it("goes on after the plots that were read before", async () => {
  expect(await restAfter(0, 3)).toBe('{"id":0} {"id":1} {"id":2}');
  expect(await restAfter(2, 3)).toBe('{"id":2}');
  expect(await restAfter(3, 3)).toBe("");
});

it("refuses an input that ends before", async () => {
  const failing = restAfter(4, 3);
  await expect(failing).rejects.toMatchObject({
    code: "RUN_DIFFERS",
    message: expect.stringContaining("ends after 3 plots, expected the 4"),
  });
});

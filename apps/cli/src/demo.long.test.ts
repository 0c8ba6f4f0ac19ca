import { readFileSync } from "node:fs";
import type { Verdict } from "@groundrule/engine";
import { createSharedFolder } from "@groundrule/testing/folder";
import { expect, it } from "vitest";
import { runGroundrule } from "../test/groundrule.ts";
import { formatNdjson } from "../test/plot-texts.ts";

const { at } = createSharedFolder();
const run = (args: string[], input?: string) => runGroundrule(args, at(), input);

it("groundrule demo builds its data, serves it, prints one verdict as JSON alone, and leaves plots to screen", async () => {
  const evaluated = await run(["demo", "--once", "--workers", "1", "--data", "demo"]);
  expect(evaluated.code).toBe(0);
  expect(evaluated.lines).toMatchObject([{ data: { verdict: "NON_COMPLIANT", status: "ok" } }]);
  const { features } = JSON.parse(readFileSync(at("demo/demo/plots.geojson"), "utf8"));
  const ruleset = ["--ruleset", "demo/demo/ruleset.json", "--data", "demo"];
  const screened = await run(["screen", ...ruleset], formatNdjson(...features.slice(0, 3)));
  expect(screened.code).toBe(0);
  expect(screened.lines.map((line) => line.id)).toEqual(["plot-1", "plot-2", "plot-3"]);
  expect(screened.lines[0]?.verdict).toMatchObject({
    digest: (evaluated.lines[0]!.data as Verdict).digest,
  });
  expect([screened.err.includes("fictional"), evaluated.lines[0]!.data]).toMatchObject([
    false,
    { sources: expect.arrayContaining([expect.objectContaining({ fictional: true })]) },
  ]);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineError } from "@groundrule/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boxSource, plot, register } from "../test/small-sources.ts";
import { EnginePool } from "./engine-pool.ts";
import { installEdition } from "./install-edition.ts";
import { loadKernel } from "./load-kernel.ts";
import { type OpenData, openData } from "./open-data.ts";

const NOW = { now: "2026-11-01T00:00:00.000Z" };
const RULESET = {
  sets: { parks: { sources: ["demo:parks"] }, listed: { registers: ["demo:listed"] } },
  checks: [{ id: "parks", set: "parks", measure: "overlap_ratio", value: 0.1, outcome: "NON_COMPLIANT" }],
};

let dir: string;
let data: OpenData;
let pool: EnginePool;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-"));
  await installEdition(dir, boxSource("demo:parks", { a: [0, 0, 2, 2], b: [5, 0, 6, 2] }));
  await installEdition(dir, register("demo:listed", ["12-3456789"]));
  data = openData(dir);
  pool = new EnginePool(data.current, { size: 2 });
});
afterAll(async () => {
  await pool.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("EnginePool", () => {
  it("answers every question as the engine in this thread does", async () => {
    const { engine } = data;
    const scheme = { type: "us:ein", value: "123456789" };
    expect(await pool.intersections(plot(0.5, 0.5))).toEqual(engine.intersections(plot(0.5, 0.5)));
    const near = { maxDistanceMeters: 500_000 };
    expect(await pool.distance(plot(2.5, 0.5), near)).toEqual(engine.distance(plot(2.5, 0.5), near));
    expect(await pool.subjects(scheme)).toEqual(engine.subjects(scheme));
    const input = { geometry: plot(1.5, 0.5) };
    const here = engine.compile(RULESET).evaluate(input, NOW);
    expect(here.verdict).toBe("NON_COMPLIANT");
    expect(await pool.evaluate(RULESET, input, NOW)).toEqual(here);
  });

  it("measures with the kernel of the view, whose name alone crosses to the workers", async () => {
    const { current } = openData(dir, { kernel: await loadKernel("reference") });
    const reference = new EnginePool(current, { size: 1 });
    try {
      const question = { ask: "intersections", geometry: plot(0.5, 0.5) } as const;
      expect((await reference.explain(question)).plan).toMatchObject({ kernel: "reference", semantics: 0 });
      const found = await reference.intersections(plot(0.5, 0.5));
      expect(found).toEqual(current.engine.intersections(plot(0.5, 0.5)));
      expect(found).not.toEqual(data.engine.intersections(plot(0.5, 0.5)));
    } finally {
      await reference.close();
    }
  });

  it("reads positions in the CRSs of the table, as the engine in this thread does", async () => {
    const options = { crs: "EPSG:31983" };
    const point = { type: "Point", coordinates: [500_000, 8_000_000] };
    expect(await pool.intersections(point, options)).toEqual(data.engine.intersections(point, options));
  });

  it("throws what the engine throws: an EngineError with code, message and details", async () => {
    const wrong = { ...RULESET, checks: [] };
    let here: unknown;
    try {
      data.engine.compile(wrong);
    } catch (error) {
      here = error;
    }
    const there = await pool.evaluate(wrong, { geometry: plot(0, 0) }, NOW).catch((error: unknown) => error);
    expect(there).toBeInstanceOf(EngineError);
    expect(there).toMatchObject({ code: "RULESET_INVALID", details: (here as EngineError).details });
    expect((there as Error).message).toBe((here as Error).message);
    await expect(pool.intersections({ type: "Polygon", coordinates: [] })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  it("gives each input of a lot its own verdict or error", async () => {
    const inputs = [
      { geometry: plot(0.5, 0.5) },
      { geometry: { type: "Nonsense" } },
      { geometry: plot(50, 0) },
    ];
    const answers = await pool.evaluateAll(RULESET, inputs, NOW);
    expect(answers).toMatchObject([
      { verdict: "NON_COMPLIANT" },
      { name: "EngineError", code: "VALIDATION_FAILED" },
      { verdict: "COMPLIANT" },
    ]);
  });

  it("switches every worker to new editions", async () => {
    await installEdition(dir, boxSource("demo:parks", { z: [0, 0, 2, 2] }));
    data.reload();
    pool.use(data.current);
    const questions = Array.from({ length: 8 }, () => pool.intersections(plot(0.5, 0.5)));
    for (const { matches } of await Promise.all(questions))
      expect(matches.map((m) => m.source_id)).toEqual(["z"]);
  });
});

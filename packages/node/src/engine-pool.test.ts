import { EngineError } from "@groundrule/engine";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createBoxPositions, createSquarePolygon } from "@groundrule/testing/shapes";
import { createBoxSource, createRegisterFile } from "@groundrule/testing/small-sources";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installEdition } from "./editions/install-edition.ts";
import { EnginePool } from "./engine-pool.ts";
import { type OpenData, openData } from "./open-data.ts";
import { loadKernel } from "./threads/host.ts";

const NOW = { now: "2026-11-01T00:00:00.000Z" };
const RULESET = {
  sets: { parks: { sources: ["demo:parks"] }, listed: { registers: ["demo:listed"] } },
  checks: [{ id: "parks", set: "parks", measure: "overlap_ratio", value: 0.1, outcome: "NON_COMPLIANT" }],
};

const { at } = createSharedFolder();
let data: OpenData;
let pool: EnginePool;
beforeAll(async () => {
  await installEdition(at(), createBoxSource("demo:parks", { a: [0, 0, 2, 2], b: [5, 0, 6, 2] }));
  await installEdition(at(), createRegisterFile("demo:listed", ["12-3456789"]));
  data = openData(at());
  pool = new EnginePool(data.current, { size: 2 });
});
afterAll(() => pool.close());

describe("the limits of a pool", () => {
  it.each([{ sise: 2 }, { size: 0 }, { size: -1 }, { deadlineMs: 0 }, { maxQueue: Number.NaN }])(
    "are refused where no worker would answer under them: %j",
    (limits) => {
      expect(() => new EnginePool(data.current, limits as never)).toThrow(EngineError);
    },
  );
});

describe("EnginePool", () => {
  it("evaluates as the engine in this thread does", async () => {
    const input = { geometry: createSquarePolygon(1.5, 0.5) };
    const here = data.engine.compile(RULESET).evaluate(input, NOW);
    expect(here.verdict).toBe("NON_COMPLIANT");
    expect(await pool.evaluateAll(RULESET, [input], NOW)).toEqual([here]);
  });

  it("compares the country of an input with the borders, as the engine in this thread does", async () => {
    const geometry = createSquarePolygon(-50, -10); // in Brazil
    const inputs = [{ geometry, country_iso3: "BRA" }, { geometry, country_iso3: "GHA" }, { geometry }];
    const { engine } = data;
    const here = inputs.map((input) => engine.compile(RULESET).evaluate(input, NOW));
    expect(here.map(({ warnings }) => warnings.some(({ code }) => code === "COUNTRY_MISMATCH"))).toEqual([
      ...[false, true, false],
    ]);
    for (let again = 0; again < 2; again++) {
      expect(await pool.evaluateAll(RULESET, inputs, NOW)).toEqual(here);
      pool.use(data.current); // the borders stay
    }
  });

  it("measures with the kernel of the view, whose name alone crosses to the workers", async () => {
    const { current } = openData(at(), { kernel: await loadKernel("reference") });
    const reference = new EnginePool(current, { size: 1 });
    try {
      const input = { geometry: createSquarePolygon(1.5, 0.5) };
      const found = await reference.evaluateAll(RULESET, [input], NOW);
      expect(found).toMatchObject([{ semantics: 0 }]);
      expect(found).toEqual([current.engine.compile(RULESET).evaluate(input, NOW)]);
    } finally {
      await reference.close();
    }
  });

  it("reads positions in the CRSs of the table, as the engine in this thread does", async () => {
    const [west, south, east, north] = [500_000, 8_000_000, 500_100, 8_000_100];
    const ring = createBoxPositions(west, south, east, north);
    const input = { geometry: { type: "Polygon", coordinates: [ring] }, crs: "EPSG:31983" };
    const here = data.engine.compile(RULESET).evaluate(input, NOW);
    expect(await pool.evaluateAll(RULESET, [input], NOW)).toEqual([here]);
  });

  it("throws what the engine throws of a ruleset: an EngineError with code, message and details", async () => {
    const wrong = { ...RULESET, checks: [] };
    let here: unknown;
    try {
      data.engine.compile(wrong);
    } catch (error) {
      here = error;
    }
    const inputs = [{ geometry: createSquarePolygon(0, 0) }];
    const there = await pool.evaluateAll(wrong, inputs, NOW).catch((error: unknown) => error);
    expect(there).toBeInstanceOf(EngineError);
    expect(there).toMatchObject({ code: "RULESET_INVALID", details: (here as EngineError).details });
    expect((there as Error).message).toBe((here as Error).message);
  });

  it("gives each input of a batch its own verdict or error", async () => {
    const inputs = [
      { geometry: createSquarePolygon(0.5, 0.5) },
      { geometry: { type: "Nonsense" } },
      { geometry: createSquarePolygon(50, 0) },
    ];
    const answers = await pool.evaluateAll(RULESET, inputs, NOW);
    expect(answers).toMatchObject([
      { verdict: "NON_COMPLIANT" },
      { name: "EngineError", code: "VALIDATION_FAILED" },
      { verdict: "COMPLIANT" },
    ]);
  });

  it("rejects with a code where the module of its workers is missing, as in a bundle", async () => {
    const worker = new URL("./no-such-worker.js", import.meta.url);
    const bundled = new EnginePool(data.current, { size: 1, worker });
    const inputs = [{ geometry: createSquarePolygon(0, 0) }];
    for (let again = 0; again < 2; again++) {
      await expect(bundled.evaluateAll(RULESET, inputs, NOW)).rejects.toMatchObject({
        name: "PoolError",
        code: "WORKER_UNAVAILABLE",
        message: expect.stringContaining("no-such-worker.js"),
      });
    }
    await bundled.close();
  });

  it("starts its workers from the module that it is given", async () => {
    const worker = new URL("./engine-worker.ts", import.meta.url);
    const bundled = new EnginePool(data.current, { size: 1, worker });
    const input = { geometry: createSquarePolygon(1.5, 0.5) };
    const here = data.engine.compile(RULESET).evaluate(input, NOW);
    expect(await bundled.evaluateAll(RULESET, [input], NOW)).toEqual([here]);
    await bundled.close();
  });

  it("switches every worker to new editions", async () => {
    await installEdition(at(), createBoxSource("demo:parks", { z: [0, 0, 2, 2] }));
    data.reload();
    pool.use(data.current);
    const input = { geometry: createSquarePolygon(0.5, 0.5) };
    const batches = await Promise.all(
      Array.from({ length: 8 }, () => pool.evaluateAll(RULESET, [input], NOW)),
    );
    expect(batches.flat()).toEqual(
      batches.flat().map(() => data.engine.compile(RULESET).evaluate(input, NOW)),
    );
  });
});

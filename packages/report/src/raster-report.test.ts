import { openEngine } from "@groundrule/engine";
import { verdictRecord } from "@groundrule/engine/records";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { expect, it } from "vitest";
import { RASTER_MANIFEST, writeRaster } from "../../engine/test/rasters.ts";
import { gatherMaterial } from "./gather-material.ts";
import { renderReport } from "./render-report.ts";

it("of a verdict on a raster draws its cells cut by the plot, counts them and reports their size and last day", () => {
  // Cells of a hundredth of a degree from 10° E, 10° N; area 0 in the second column.
  const grid = { a: 1000, b: 1000, s: 1, t: 1, n: 100, columns: 5, rows: 5 };
  const cells = Uint16Array.from({ length: 25 }, (_, i) => (i % 5 === 1 ? 0 : 254));
  const manifest = {
    ...RASTER_MANIFEST,
    collected_at: "2026-05-01T00:00:00Z",
    observed_until: "2025-12-31",
  };
  const engine = openEngine([
    { bytes: joinFileBytes(writeRaster({ grid, areaCount: 1, cells }, {}, manifest)) },
  ]);
  const geometry = {
    type: "Polygon",
    coordinates: [createBoxPositions(10.015, 9.975, 10.035, 9.995)],
  } as const;
  const ruleset = {
    sets: { loss: { sources: ["test:raster"] } },
    checks: [{ id: "loss", set: "loss", outcome: "NON_COMPLIANT" }],
  };
  const policy = engine.compile(ruleset);
  const evaluation = policy.evaluate({ geometry }, { now: "2026-01-10T00:00:00Z" });
  const evaluated = { input: { geometry }, ruleset, policy, groups: {}, engineVersion: "0.0.0" };
  const record = verdictRecord({ id: 1, evidenceLimit: 100, ...evaluated }, evaluation);
  const material = gatherMaterial(record, { engine });
  const [area] = material.views[0]!.areas;
  const positions = area!.overlap!.flat(2);
  const bounds = (i: number) => [
    Math.min(...positions.map((at) => at[i]!)),
    Math.max(...positions.map((at) => at[i]!)),
  ];
  // From the plot's edge to the cells' own, on the west and the east.
  expect(bounds(0)).toEqual([10.015, 10.02]);
  expect(bounds(1)).toEqual([9.975, 9.995]);
  const text = renderReport(record, material)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
  const { cell_m } = evaluation.sources[0]!;
  const size = `${cell_m![0].toLocaleString("en")} × ${cell_m![1].toLocaleString("en")} m`;
  expect(text).toContain(`3 cells of ${size}`);
  expect(text).toContain(`Cells of ${size}`);
  expect(text).toContain("Observed until 31 December 2025, 10 days before this evaluation");
  expect(text).toContain("Collected 1 May 2026 Observed");
  expect(text).toContain("the oldest collected 10 days earlier");
});

it("of a verdict before the last observed day of a source gives it no age", () => {
  const grid = { a: 1000, b: 1000, s: 1, t: 1, n: 100, columns: 5, rows: 5 };
  const manifest = { ...RASTER_MANIFEST, observed_until: "2062-12-31" };
  const written = writeRaster({ grid, areaCount: 1, cells: new Uint16Array(25).fill(254) }, {}, manifest);
  const engine = openEngine([{ bytes: joinFileBytes(written) }]);
  const geometry = {
    type: "Polygon",
    coordinates: [createBoxPositions(10.015, 9.975, 10.035, 9.995)],
  } as const;
  const ruleset = {
    sets: { loss: { sources: ["test:raster"] } },
    checks: [{ id: "loss", set: "loss", outcome: "NON_COMPLIANT" }],
  };
  const policy = engine.compile(ruleset);
  const evaluation = policy.evaluate({ geometry }, { now: "2026-01-10T00:00:00Z" });
  const evaluated = { input: { geometry }, ruleset, policy, groups: {}, engineVersion: "0.0.0" };
  const record = verdictRecord({ id: 1, ...evaluated }, evaluation);
  const text = renderReport(record, gatherMaterial(record, { engine })).replace(/<[^>]*>/g, " ");
  expect(text).toContain("31 December 2062, of unknown age");
  expect(text).toContain("the oldest collected an unknown number of days earlier");
});

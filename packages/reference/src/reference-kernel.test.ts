import { openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createStarRing } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { referenceKernel } from "./reference-kernel.ts";

const SEED = 58;
const NOW = "2026-11-22T00:00:00Z";

function createStarPolygon(
  random: Random,
  lon: number,
  lat: number,
): { type: string; coordinates: number[][][] } {
  const xy = createStarRing(random, lon, lat, 0.02, 7);
  const ring = Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!]);
  return { type: "Polygon", coordinates: [ring] };
}

describe("referenceKernel", () => {
  it(`agrees with the default kernel on what meets what, and by how much to 0.1 % (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const features = Array.from({ length: 40 }, (_, i) => ({
      type: "Feature",
      properties: { id: i },
      geometry: createStarPolygon(random, -60 + random.between(0, 0.2), -9 + random.between(0, 0.2)),
    }));
    const areas = snapshotOf("t:areas", { type: "FeatureCollection", features }, { id: "id" });
    const [exact, reference] = [openEngine([areas]), openEngine([areas], { kernel: referenceKernel })];
    let met = 0;
    for (let i = 0; i < 50; i++) {
      const plot = createStarPolygon(random, -60 + random.between(0, 0.2), -9 + random.between(0, 0.2));
      const [ours, theirs] = [exact.intersections(plot).matches, reference.intersections(plot).matches];
      expect(theirs.map(({ source_id }) => source_id)).toEqual(ours.map(({ source_id }) => source_id));
      ours.forEach((match, k) => {
        expect(Math.abs(match.overlap_ratio - theirs[k]!.overlap_ratio)).toBeLessThan(1e-3);
      });
      met += ours.length;
    }
    expect(met).toBeGreaterThan(50);
  });

  it("judges points with an area as the discs that the default kernel judges", () => {
    const random = createSeededRandom(SEED);
    const feature = { type: "Feature", properties: { id: "a" }, geometry: createStarPolygon(random, 0, 0) };
    const areas = snapshotOf("t:areas", { type: "FeatureCollection", features: [feature] }, { id: "id" });
    const ruleset = {
      sets: { areas: { sources: ["t:areas"] } },
      checks: [{ id: "share", set: "areas", measure: "overlap_ratio", value: 0, outcome: "WARNING" }],
    };
    const input = { geometry: { type: "Point", coordinates: [0.01, 0.01] }, area_ha: 60 };
    const [ours, theirs] = [{}, { kernel: referenceKernel }].map((options) =>
      openEngine([areas], options).compile(ruleset).evaluate(input, { now: NOW }),
    );
    expect(theirs!.input.disc).toEqual(ours!.input.disc);
    expect(Math.abs(theirs!.input.area_m2! / 600_000 - 1)).toBeLessThan(0.01);
    const [share, other] = [ours!, theirs!].map(({ checks }) => checks[0]!.comparisons[0]!.value!);
    expect([share! > 0, share! < 1]).toEqual([true, true]);
    expect(Math.abs(share! - other!)).toBeLessThan(1e-3);
  });

  it("promises nothing: a verdict under it has semantics 0 and no digest", () => {
    const random = createSeededRandom(SEED);
    const feature = { type: "Feature", properties: { id: "a" }, geometry: createStarPolygon(random, 0, 0) };
    const areas = snapshotOf("t:areas", { type: "FeatureCollection", features: [feature] }, { id: "id" });
    const policy = openEngine([areas], { kernel: referenceKernel }).compile({
      sets: { areas: { sources: ["t:areas"] } },
      checks: [{ id: "any", set: "areas", measure: "count", value: 0, outcome: "WARNING" }],
    });
    const { verdict, semantics, digest } = policy.evaluate({ geometry: feature.geometry }, { now: NOW });
    expect({ verdict, semantics, digest }).toEqual({ verdict: "WARNING", semantics: 0, digest: null });
  });
});

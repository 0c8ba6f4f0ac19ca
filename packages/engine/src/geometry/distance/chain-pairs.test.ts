import { createSeededRandom, type Random } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import { createStarRing, moveRing, toPlot, toRing } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { findShortestOfAllPairs, listEdges } from "../../../test/every-pair.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { createDistanceWorkspace, PlotDistance } from "./distance.ts";

const LONG = process.env.GROUNDRULE_FULL !== undefined;
const workspace = createDistanceWorkspace();

describe("the comparison of chains", () => {
  for (const [where, lon, lat] of [
    ["on the equator", 20, 0],
    ["in middle latitudes", -70, -47],
    ["across the antimeridian", 179.99, 61],
    ["in high latitudes", 10, 84],
    ["beside a pole, where there is no plane", 100, 89.9],
  ] as const) {
    it(`finds, among areas of 64 positions ${where}, what comparing every position with every edge finds (seed 1)`, () => {
      const random = createSeededRandom(1);
      const wide = 1 / Math.cos((lat * Math.PI) / 180);
      const shape = (x: number, y: number, radius: number, count: number): Float64Array =>
        toRing(
          Array.from({ length: count }, (_, i) => {
            const angle = (2 * Math.PI * i) / count;
            const r = radius * random.between(0.7, 1.3);
            return [
              lon + (x + r * Math.cos(angle)) * wide,
              Math.max(-90, Math.min(90, lat + y + r * Math.sin(angle))),
            ] as const;
          }),
        );
      const areas: Polygons[] = Array.from({ length: LONG ? 60 : 8 }, () => {
        const radius = 10 ** random.between(-3, -1.7);
        return [[shape(random.between(-0.1, 0.1), random.between(-0.1, 0.1), radius, 64)]];
      });
      const layer = buildAreaLayer(areas.map((area, i) => (i % 2 === 0 ? area : turnPolygons(area, -360))));
      for (const count of LONG ? [3, 5, 40, 64, 65, 150] : [3, 65]) {
        const plot: Polygons = [[shape(0, 0, 10 ** random.between(-3, -1.5), count)]];
        for (const { area, distanceMeters } of new PlotDistance(toPlot(plot), workspace).within(
          layer,
          20_000,
        )) {
          const naive = findShortestOfAllPairs(listEdges(plot), listEdges(areas[area]!));
          // Exact predicates decide whether they share a point; other tests cover those.
          if (distanceMeters > 0)
            expect(Math.abs(distanceMeters - naive), `area ${area}, ${count}`).toBeLessThan(2e-8);
        }
      }
    });
  }

  it("takes the least of many lines that differ by millimetres, whichever way their edges run (seed 2)", () => {
    const random = createSeededRandom(2);
    for (let i = 0; i < (LONG ? 400 : 40); i++) {
      const lat = random.between(-80, 80);
      const plot: Polygons = [[randomSaw(random, 0, lat, -1)]];
      const area: Polygons = [[randomSaw(random, 0, lat + 10 ** random.between(-3, -1), 1)]];
      const layer = buildAreaLayer([area]);
      const [hit] = new PlotDistance(toPlot(plot), workspace).within(layer, 20_000);
      expect(
        Math.abs(hit!.distanceMeters - findShortestOfAllPairs(listEdges(plot), listEdges(area))),
      ).toBeLessThan(1e-9);
    }
  });

  it("answers the same when plots take turns on one workspace, and at other reaches", () => {
    const random = createSeededRandom(3);
    const layer = buildAreaLayer(
      Array.from({ length: 40 }, () => [
        [createStarRing(random, random.between(-0.1, 0.1), 40 + random.between(-0.1, 0.1), 0.01, 64)],
      ]),
    );
    const plots = [9, 100, 30].map((count) => toPlot([[createStarRing(random, 0, 40, 0.02, count)]]));
    const alone = plots.map((plot) => new PlotDistance(plot, createDistanceWorkspace()).within(layer, 9_000));
    const bound = plots.map((plot) => new PlotDistance(plot, workspace));
    for (const meters of [9_000, 50_000, 9_000]) {
      bound.forEach((plot, i) => {
        const near = plot.within(layer, meters).filter(({ distanceMeters }) => distanceMeters <= 9_000);
        near.forEach(({ area, distanceMeters }, k) => {
          expect(area).toBe(alone[i]![k]!.area);
          expect(Math.abs(distanceMeters - alone[i]![k]!.distanceMeters)).toBeLessThan(
            meters === 9_000 ? 1e-300 : 2e-8,
          );
        });
        expect(near).toHaveLength(alone[i]!.length);
      });
    }
  });

  it("finds what lies on an edge, or nanometres to metres beside it, however small the reach (seed 5)", () => {
    const random = createSeededRandom(5);
    for (let i = 0; i < (LONG ? 5_000 : 400); i++) {
      const lat = random.between(-70, 70);
      const size = 10 ** random.between(-3, -0.4);
      const area: Polygons = [[createStarRing(random, 0, lat, size, 3 + random.integer(20))]];
      const [ring] = area[0]!;
      const k = 2 * random.integer(ring!.length / 2 - 1);
      const along = random.next();
      const offset = random.integer(3) === 0 ? 0 : 10 ** random.between(-16, -5);
      const x = ring![k]! + along * (ring![k + 2]! - ring![k]!) + offset;
      const y = ring![k + 1]! + along * (ring![k + 3]! - ring![k + 1]!);
      const plot: Polygons =
        i % 2 === 0
          ? [[Float64Array.of(x, y)]]
          : [[createStarRing(random, x, y, 10 ** random.between(-12, -5), 5)]];
      const queried = toPlot(plot, i % 2 === 0 ? "point" : "polygon");
      const naive = findShortestOfAllPairs(listEdges(plot), listEdges(area));
      for (const reach of [naive + 1e-6, naive + 0.01, naive + 10, 2_000]) {
        const [hit] = new PlotDistance(queried, workspace).within(buildAreaLayer([area]), reach);
        expect(hit, `${i}: ${naive} m, within ${reach}`).toBeDefined();
        if (hit!.distanceMeters > 0) expect(Math.abs(hit!.distanceMeters - naive)).toBeLessThan(2e-8);
      }
    }
  });

  it("counts fewer than 700 units an area of 64 positions within 10 km of a field (seed 4)", () => {
    const random = createSeededRandom(4);
    const layer = buildAreaLayer(
      Array.from({ length: 2_000 }, () => [
        [
          createStarRing(
            random,
            random.between(-0.5, 0.5),
            random.between(-0.5, 0.5),
            10 ** random.between(-2.5, -1.5),
            64,
          ),
        ],
      ]),
    );
    const meter = new WorkMeter();
    const hits = new PlotDistance(
      toPlot([[createStarRing(random, 0, 0, 0.005, 50)]]),
      workspace,
      meter,
    ).within(layer, 10_000);
    expect(hits.length).toBeGreaterThan(40);
    expect(meter.counted / hits.length).toBeLessThan(700);
  });
});

function turnPolygons(polygons: Polygons, by: number): Polygons {
  return polygons.map((rings) => rings.map((ring) => moveRing(ring, by, 0)));
}

/** A saw whose teeth end on a line, each within a millimetre or so of it, away from it on the other side. */
function randomSaw(random: Random, lon: number, lat: number, side: 1 | -1): Float64Array {
  const points: [number, number][] = [];
  for (let i = 0; i < 20; i++) {
    points.push([lon + i * 0.001, lat + side * 1e-8 * random.next()]);
    points.push([lon + (i + 0.5) * 0.001, lat + side * 0.0005 * random.next()]);
  }
  points.push([lon + 0.02, lat + side * 0.01], [lon, lat + side * 0.01]);
  return toRing(side === 1 ? points : points.reverse());
}

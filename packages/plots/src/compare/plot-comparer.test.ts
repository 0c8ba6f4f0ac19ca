import { iso3OfCountry as iso3Of } from "@groundrule/borders";
import { crsTable } from "@groundrule/crs";
import { openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { WorkMeter } from "@groundrule/engine/internal";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { area } from "@turf/area";
import { featureCollection, polygon as turfPolygon } from "@turf/helpers";
import { intersect } from "@turf/intersect";
import { describe, expect, it } from "vitest";
import type { PlotFeature } from "../plot-feature.ts";
import { comparePlots, PlotComparer, type PlotOverlap } from "./plot-comparer.ts";

const plot = (number: number, geometry: unknown, properties: Record<string, unknown> = {}): PlotFeature => ({
  number,
  id: `p${number}`,
  geometry,
  properties,
});
const pairs = (overlaps: readonly PlotOverlap[]) =>
  overlaps.map((one) => [one.plot.number, one.other.number]);

/** A star of some hundred metres, about a place within a tenth of a degree. */
function createStar(random: Random): { type: string; coordinates: number[][][] } {
  const count = 4 + random.integer(9);
  const [x, y] = [random.between(-60.05, -60), random.between(-10.05, -10)];
  const positions = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + random.between(0, 0.4))) / count;
    const radius = random.between(0.002, 0.009);
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [[...positions, positions[0]!]] };
}

describe("comparePlots", () => {
  it("reports each pair that shares land once, with what it is of both", () => {
    const [one] = comparePlots([
      plot(1, createSquarePolygon(0, 0, 0.01)),
      plot(2, createSquarePolygon(0.005, 0, 0.02)),
    ]);
    expect(one).toMatchObject({
      plot: { number: 1, id: "p1" },
      other: { number: 2, id: "p2" },
      isDuplicate: false,
    });
    expect(one!.plot.share).toBeCloseTo(0.5, 6);
    expect(one!.other.share).toBeCloseTo(0.125, 4);
    // A box of 0.005° by 0.01° on the equator: 556.6 m by 1105.7 m.
    expect(one!.squareMeters).toBeCloseTo(556.5975 * 1105.7428, -1);
  });

  it("reports no plots that only touch, in an edge or a corner", () => {
    const grid = Array.from({ length: 25 }, (_, i) =>
      plot(i + 1, createSquarePolygon((i % 5) * 0.5, Math.floor(i / 5) * 0.5, 0.5)),
    );
    expect(comparePlots(grid)).toEqual([]);
  });

  it("tolerates a square metre, or as much as the caller allows", () => {
    const near = [
      plot(1, createSquarePolygon(0, 0, 0.001)),
      plot(2, createSquarePolygon(0.0009995, 0, 0.001)),
    ]; // 6 cm by 111 m
    expect(pairs(comparePlots(near))).toEqual([[1, 2]]);
    expect(comparePlots(near, { toleratedSquareMeters: 100 })).toEqual([]);
  });

  it("calls plots the same land where nearly all of each is shared, whatever their winding and start", () => {
    const { coordinates } = createSquarePolygon(10, 10, 0.01);
    const turned = {
      type: "MultiPolygon",
      coordinates: [[[...coordinates[0]!.slice(2), coordinates[0]![1]!, coordinates[0]![2]!].toReversed()]],
    };
    const [same] = comparePlots([plot(1, createSquarePolygon(10, 10, 0.01)), plot(2, turned)]);
    expect(same).toMatchObject({ isDuplicate: true });
    const within = comparePlots([
      plot(1, createSquarePolygon(10, 10, 0.01)),
      plot(2, createSquarePolygon(10, 10, 0.1)),
    ]);
    expect(within).toMatchObject([{ isDuplicate: false, plot: { share: 1 } }]);
  });

  it("compares points by their position", () => {
    const point = (number: number, x: number) => plot(number, { type: "Point", coordinates: [x, 2] });
    expect(pairs(comparePlots([point(1, 5), point(2, 6), point(3, 5), point(4, 5)]))).toEqual([
      [1, 3],
      [1, 4],
    ]);
  });

  it("distinguishes producers by name and country", () => {
    const of = (number: number, ProducerName: unknown, ProducerCountry = "BR") =>
      plot(number, createSquarePolygon(0, 0, 0.01), { ProducerName, ProducerCountry });
    const isOne = (first: PlotFeature, second: PlotFeature) =>
      comparePlots([first, second], { iso3Of })[0]!.isOfOneProducer;
    expect(isOne(of(1, "Ana"), of(2, "Ana "))).toBe(true);
    expect(isOne(of(1, "Ána  Sá"), of(2, "ANA SA", "BRA"))).toBe(true);
    expect(isOne(of(1, "Ana", "Brasil"), of(2, "Ana", "br"))).toBe(true);
    expect(isOne(of(1, "Ana Sá"), of(2, "Sá Ana"))).toBe(false);
    expect(isOne(of(1, "Ana"), of(2, "Bia"))).toBe(false);
    expect(isOne(of(1, "Ana"), of(2, "Ana", "PE"))).toBe(false);
  });

  it("compares a plot with faults as its repair, and leaves out what has none", () => {
    const bowTie = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [0.01, 0.01],
          [0.01, 0],
          [0, 0.01],
          [0, 0],
        ],
      ],
    };
    const overlaps = comparePlots([
      plot(1, bowTie),
      plot(2, createSquarePolygon(0, 0, 0.01)),
      plot(3, null),
      plot(4, { type: "Point", coordinates: [0, 99] }),
    ]);
    expect(pairs(overlaps)).toEqual([[1, 2]]);
    expect(overlaps[0]!.other.share).toBeCloseTo(0.5, 4);
  });

  it("finds overlaps across the antimeridian, and of plots in another CRS", () => {
    expect(
      pairs(
        comparePlots([
          plot(1, createSquarePolygon(179.99, 0, 0.02)),
          plot(2, createSquarePolygon(-180, 0, 0.005)),
        ]),
      ),
    ).toEqual([[1, 2]]);
    const metres = plot(2, createSquarePolygon(500_000, 9_000_000, 1000));
    const there = plot(1, createSquarePolygon(-57, -9.046, 0.01));
    expect(pairs(comparePlots([there, { ...metres, crs: "EPSG:32721" }], { crsTable }))).toEqual([[1, 2]]);
  });

  it("does not compare the geometries of one collection with each other", () => {
    const collection = {
      type: "GeometryCollection",
      geometries: [createSquarePolygon(0, 0, 0.01), createSquarePolygon(0, 0, 0.01)],
    };
    expect(pairs(comparePlots([plot(1, collection)]))).toEqual([]);
    expect(pairs(comparePlots([plot(1, collection), plot(2, createSquarePolygon(0, 0, 0.01))]))).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it("gives the land that two plots share on request", () => {
    const [one] = comparePlots(
      [plot(1, createSquarePolygon(0, 0, 2)), plot(2, createSquarePolygon(1, 1, 2))],
      {
        withGeometry: true,
      },
    );
    expect(one!.geometry).toMatchObject({ type: "MultiPolygon" });
    expect(area(one!.geometry as Parameters<typeof area>[0]) / one!.squareMeters).toBeCloseTo(1, 1.5);
  });

  it("agrees with turf on every pair of 40 random plots, and with the engine to the bit", () => {
    const random = createSeededRandom(4711);
    const shapes = Array.from({ length: 40 }, () => createStar(random));
    const overlaps = comparePlots(
      shapes.map((shape, i) => plot(i + 1, shape)),
      { toleratedSquareMeters: 0.01 },
    );
    const found = new Map(
      overlaps.map((one) => [`${one.plot.number}-${one.other.number}`, one.squareMeters]),
    );
    let met = 0;
    for (let i = 0; i < shapes.length; i++) {
      const engine = openEngine([
        snapshotOf("one", [{ type: "Feature", geometry: shapes[i]!, properties: { id: "1" } }], { id: "id" }),
      ]);
      for (let j = i + 1; j < shapes.length; j++) {
        const shared = intersect(
          featureCollection([turfPolygon(shapes[i]!.coordinates), turfPolygon(shapes[j]!.coordinates)]),
        );
        const squareMeters = found.get(`${i + 1}-${j + 1}`) ?? 0;
        const [match] = engine.intersections(shapes[j]!).matches;
        expect(squareMeters).toBeCloseTo(match?.overlap_area_m2 ?? 0, 0);
        if (shared === null) {
          expect(squareMeters).toBe(0);
          continue;
        }
        met++;
        // turf measures on a sphere.
        expect(Math.abs(squareMeters / area(shared) - 1)).toBeLessThan(0.01);
      }
    }
    expect(met).toBe(found.size);
    expect(met).toBeGreaterThan(50);
  });

  it("does work in proportion to the plots and their neighbours, not to the pairs", () => {
    const measureWork = (side: number): number => {
      const comparer = new PlotComparer();
      for (let i = 0; i < side * side; i++)
        comparer.add(
          plot(i + 1, createSquarePolygon((i % side) * 0.001, Math.floor(i / side) * 0.001, 0.0011)),
        );
      expect([...comparer.compare()].length).toBe(2 * side * (side - 1) + 2 * (side - 1) ** 2);
      return comparer.work / (side * side);
    };
    expect(measureWork(40) / measureWork(10)).toBeLessThan(1.6);
  });

  it("refuses beyond the work that is allowed", () => {
    const same = Array.from({ length: 50 }, (_, i) => plot(i + 1, createSquarePolygon(0, 0, 0.01)));
    expect(() => comparePlots(same, { meter: new WorkMeter(20_000) })).toThrow(
      expect.objectContaining({ code: "GEOMETRY_TOO_COMPLEX" }),
    );
  });
});

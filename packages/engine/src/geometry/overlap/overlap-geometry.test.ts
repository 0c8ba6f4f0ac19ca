import { createSeededRandom } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import {
  createBoxRing,
  createCombRing,
  createSpiralRing,
  createStarRing,
  reverseRing,
  toPairs,
  toPlot,
  toPositions,
} from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { randomAdversarialPair } from "../../../test/adversarial-pair.ts";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { signedRingArea } from "../earth/authalic.ts";
import { exactKernel } from "../kernel/exact-kernel.ts";
import { parsePlot } from "../plot/parse-plot.ts";
import type { Plot } from "../plot/plot.ts";
import { findPolygonFaults } from "../plot/validity/validity.ts";
import type { MultiPolygonCoordinates } from "../trees/area-coordinates.ts";
import type { AreaLayer } from "../trees/layer.ts";
import type { OverlapGeometry } from "./overlap-geometry.ts";

const SEED = 20261121;
const LONG = process.env.GROUNDRULE_FULL !== undefined;

function computeOverlap(
  plot: Polygons,
  area: Polygons,
): { geometry: MultiPolygonCoordinates; measured: number; whole: number } {
  const bound = exactKernel.bind(toPlot(plot));
  const layer = buildAreaLayer([area]);
  const geometry = bound.overlapGeometry(layer, 0);
  const measured = bound.intersections(layer)[0]?.overlapSquareMeters ?? 0;
  return { geometry: requirePolygons(geometry), measured, whole: bound.areaSquareMeters };
}

/** Coordinates of what was constructed; none where the two only touch. */
function requirePolygons(geometry: OverlapGeometry | null | "too_complex"): MultiPolygonCoordinates {
  if (geometry === null) return [];
  if (geometry === "too_complex" || geometry.type !== "MultiPolygon") throw new Error("no polygons");
  expect(geometry.coordinates).not.toEqual([]);
  return geometry.coordinates;
}

function toRings(geometry: MultiPolygonCoordinates): Float64Array[][] {
  return geometry.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
}

function measureArea(geometry: MultiPolygonCoordinates): number {
  return toRings(geometry)
    .flat()
    .reduce((sum, ring) => sum + signedRingArea(ring), 0);
}

/** Share of the plot by which the construction may differ: 1e-9, and what rounding positions to doubles comes to. */
function computeTolerance(plot: Polygons, squareMeters: number): number {
  const [west, south, east, north] = toPlot(plot).bbox;
  return 1e-9 + ((east - west + (north - south)) * 1e-13 * 1.24e10) / squareMeters;
}

describe("overlapGeometry", () => {
  it(`is valid, wound right-handed, read as a plot again, and of the measured area on adversarial pairs (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    for (let i = 0; i < (LONG ? 20_000 : 600); i++) {
      const { kind, plot, area } = randomAdversarialPair(random);
      const { geometry, measured, whole } = computeOverlap(plot, area);
      const polygons = toRings(geometry);
      expect(findPolygonFaults(polygons), kind).toEqual([]);
      for (const rings of polygons) {
        rings.forEach((ring, r) => {
          expect(signedRingArea(ring) > 0, kind).toBe(r === 0);
        });
      }
      if (geometry.length > 0) {
        expect(parsePlot({ type: "MultiPolygon", coordinates: geometry }).warnings).toEqual([]);
      }
      const error = Math.abs(measureArea(geometry) - measured) / whole;
      if (!(error < computeTolerance(plot, whole)))
        expect.fail(`${kind}, trial ${i}: off by ${error} of the plot`);
    }
  });

  it(`keeps positions of plot and area to the bit and adds only crossings (seed ${SEED + 1})`, () => {
    const random = createSeededRandom(SEED + 1);
    let kept = 0;
    for (let i = 0; i < 300; i++) {
      const [lon, lat] = [random.between(-170, 170), random.between(-80, 80)];
      const plot: Polygons = [[createStarRing(random, lon, lat, 0.01, 12)]];
      const area: Polygons = [[createStarRing(random, lon, lat, 0.012, 15)]];
      const constructed = new Set<string>();
      for (const ring of [...plot.flat(), ...area.flat()]) {
        for (let k = 0; k < ring.length; k += 2) constructed.add(`${ring[k]},${ring[k + 1]}`);
      }
      for (const [x, y] of computeOverlap(plot, area).geometry.flat(2) as [number, number][]) {
        if (constructed.has(`${x},${y}`)) kept++;
        else
          for (const [ring] of [plot[0]!, area[0]!]) expect(distanceToRing(x, y, ring!)).toBeLessThan(1e-13);
      }
    }
    expect(kept).toBeGreaterThan(1000);
  });

  it("is the plot itself where the area covers it, whatever lies around", () => {
    const hole = reverseRing(createBoxRing(0.4, 0.4, 0.5, 0.6));
    const plot: Polygons = [[createBoxRing(0, 0, 1, 1), hole]];
    const area: Polygons = [
      [createBoxRing(-20, -30, 40, 50), reverseRing(createBoxRing(-10, -10, -5, -5))],
      [createBoxRing(100, 0, 110, 10)],
    ];
    const { geometry } = computeOverlap(plot, area);
    expect(measureArea(geometry)).toBe(measureArea([[createBoxRing(0, 0, 1, 1), hole].map(toPositions)]));
    expect(geometry.flat(2).length).toBe(10);
  });

  const construct = (layer: AreaLayer, dimension: Plot["dimension"], ...rings: ArrayLike<number>[]) => {
    const plot = toPlot(
      rings.map((ring) => [Float64Array.from(ring)]),
      dimension,
    );
    return exactKernel.bind(plot).overlapGeometry(layer, 0);
  };

  it("is null where the two only touch", () => {
    const layer = buildAreaLayer([[[createBoxRing(0, 0, 1, 1)]]]);
    expect(construct(layer, "polygon", createBoxRing(1, 0, 2, 1))).toBeNull();
    expect(construct(layer, "polygon", createBoxRing(1, 1, 2, 2))).toBeNull();
    expect(construct(layer, "line", [1, 1, 2, 2])).toBeNull();
    expect(construct(layer, "line", [0.5, 1.5, 1.5, 0.5])).toBeNull();
  });

  it("is the parts of a line, and the points, that lie in the closed area", () => {
    const layer = buildAreaLayer([[[createBoxRing(0, 0, 8, 8), reverseRing(createBoxRing(2, 2, 4, 4))]]]);
    const line = (...xy: number[]) => ({ type: "LineString", coordinates: toPairs(...xy) });
    const lines = (...parts: number[][]) => ({
      type: "MultiLineString",
      coordinates: parts.map(toPositions),
    });
    expect(construct(layer, "line", [1, 1, 7, 1])).toEqual(line(1, 1, 7, 1));
    expect(construct(layer, "line", [-1, 1, 7, 1, 7, 9])).toEqual(line(0, 1, 7, 1, 7, 8));
    expect(construct(layer, "line", [-1, 3, 9, 3])).toEqual(lines([0, 3, 2, 3], [4, 3, 8, 3]));
    // A line along the boundary is covered; touching the boundary in between cuts nothing.
    expect(construct(layer, "line", [0, -1, 0, 9])).toEqual(line(0, 0, 0, 8));
    expect(construct(layer, "line", [1, 5, 3, 3, 3, 4, 5, 4])).toEqual(lines([1, 5, 2, 4], [3, 4, 5, 4]));
    expect(construct(layer, "line", [1, 4, 7, 4])).toEqual(line(1, 4, 7, 4));
    expect(construct(layer, "line", [-1, 1, 1, 1], [20, 0, 30, 0], [7, 7, 9, 9])).toEqual(
      lines([0, 1, 1, 1], [7, 7, 8, 8]),
    );
    expect(construct(layer, "point", [3, 1])).toEqual({ type: "Point", coordinates: [3, 1] });
    expect(construct(layer, "point", [3, 1], [3, 3], [2, 3])).toEqual({
      type: "MultiPoint",
      coordinates: toPairs(3, 1, 2, 3),
    });
  });

  it(`of a line is as long as the share of it that is covered (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    let several = 0;
    for (let i = 0; i < (LONG ? 5000 : 200); i++) {
      const { area } = randomAdversarialPair(random);
      const { bbox } = toPlot(area);
      const at = (): [number, number] => [random.between(bbox[0], bbox[2]), random.between(bbox[1], bbox[3])];
      const plot = Float64Array.from(Array.from({ length: 2 + random.integer(6) }, at).flat());
      const bound = exactKernel.bind(toPlot([[plot]], "line"));
      const layer = buildAreaLayer([area]);
      const [hit] = bound.intersections(layer);
      if (hit === undefined) continue;
      const geometry = bound.overlapGeometry(layer, 0);
      if (geometry === "too_complex") throw new Error("a short line was too complex");
      const drawn =
        geometry?.type === "MultiLineString"
          ? geometry.coordinates
          : geometry?.type === "LineString"
            ? [geometry.coordinates]
            : [];
      if (drawn.length > 1) several++;
      const covered = drawn.reduce((sum, line) => sum + measureLength(line.flat()), 0);
      expect(covered / measureLength([...plot])).toBeCloseTo(hit.overlapRatio, 9);
    }
    expect(several).toBeGreaterThan(10);
  });

  it("leaves no edge of 180° or more, which would be read the short way", () => {
    const belt: Polygons = [[createBoxRing(-180, 0, 180, 20)]];
    const area: Polygons = [[Float64Array.of(-150, 10, 0, 10, 150, 10, 150, 30, 0, 30, -150, 30, -150, 10)]];
    const { geometry, measured } = computeOverlap(belt, area);
    const { plot, warnings } = parsePlot({ type: "MultiPolygon", coordinates: geometry });
    expect(warnings).toEqual([]);
    expect(exactKernel.bind(plot).areaSquareMeters / measured).toBeCloseTo(1, 12);
  });

  it("joins the pieces of combs and spirals", () => {
    const layer = buildAreaLayer([
      [[createCombRing(0, 0, 1, 1, 40)]],
      [[createSpiralRing(0.5, 0.5, 0.4, 8, 40)]],
    ]);
    const across = exactKernel.bind(toPlot([[createBoxRing(-1, 0.45, 2, 0.55)]]));
    expect(requirePolygons(across.overlapGeometry(layer, 0)).length).toBe(40);
    expect(requirePolygons(across.overlapGeometry(layer, 1)).length).toBeGreaterThan(10);
  });

  it("meets areas across the antimeridian in either convention, in the plot's longitudes", () => {
    const split: Polygons = [[createBoxRing(170, 0, 180, 10)], [createBoxRing(-180, 0, -170, 10)]];
    const past: Polygons = [[createBoxRing(170, 0, 190, 10)]];
    const plots: Polygons[] = [
      [[createBoxRing(175, 2, 185, 4)]],
      [[createBoxRing(-185, 2, -175, 4)]],
      [[createBoxRing(175, 2, 180, 4)], [createBoxRing(-180, 2, -175, 4)]],
    ];
    for (const plot of plots) {
      for (const area of [split, past]) {
        const { geometry, whole } = computeOverlap(plot, area);
        expect(Math.abs(measureArea(geometry) / whole - 1)).toBeLessThan(1e-14);
        const xs = geometry.flat(2).map(([x]) => x!);
        const { bbox } = toPlot(plot);
        expect([Math.min(...xs), Math.max(...xs)]).toEqual([bbox[0], bbox[2]]);
      }
    }
  });

  it("is refused, not endless, where boundaries cross too often", () => {
    const teeth = 2000;
    const upright = createCombRing(0, 0, 1, 1, teeth);
    const across = upright.map((_, i) => upright[i ^ 1]!);
    const bound = exactKernel.bind(toPlot([[upright]]));
    expect(bound.overlapGeometry(buildAreaLayer([[[reverseRing(across)]]]), 0)).toBe("too_complex");
  });
});

function distanceToRing(x: number, y: number, ring: Float64Array): number {
  let least = Infinity;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [dx, dy] = [ring[i + 2]! - ring[i]!, ring[i + 3]! - ring[i + 1]!];
    const [u, v] = [x - ring[i]!, y - ring[i + 1]!];
    const t = Math.min(Math.max((u * dx + v * dy) / (dx * dx + dy * dy), 0), 1);
    least = Math.min(least, Math.hypot(u - t * dx, v - t * dy));
  }
  return least;
}

/** Length on the ellipsoid of a line that is straight in longitude and latitude, in semi-major axes, by small steps. */
function measureLength(xy: readonly number[]): number {
  const e2 = 0.0066943799901413165;
  let length = 0;
  for (let i = 2; i < xy.length; i += 2) {
    const [x0, y0, x1, y1] = [xy[i - 2]!, xy[i - 1]!, xy[i]!, xy[i + 1]!];
    const steps = 400;
    for (let k = 0; k < steps; k++) {
      const phi = ((y0 + (y1 - y0) * ((k + 0.5) / steps)) * Math.PI) / 180;
      const w = 1 - e2 * Math.sin(phi) ** 2;
      const [m, n] = [(1 - e2) / w ** 1.5, 1 / Math.sqrt(w)];
      length += Math.hypot(m * (y1 - y0), n * Math.cos(phi) * (x1 - x0)) / steps;
    }
  }
  return length;
}

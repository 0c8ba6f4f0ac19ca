import { describe, expect, it } from "vitest";
import { buildLayer, type Polygons } from "../../test/build-layer.ts";
import { seededRandom } from "../../test/random.ts";
import { adversarialPair, box, comb, plotOf, spiral } from "../../test/shapes.ts";
import { signedRingArea } from "./authalic.ts";
import { exactKernel } from "./exact-kernel.ts";
import type { MultiPolygonCoordinates } from "./kernel.ts";
import { findFaults } from "./validity.ts";

const SEED = 20261120;
const LONG = process.env.GROUNDRULE_LONG !== undefined;

const flat = (coordinates: MultiPolygonCoordinates): Float64Array[][] =>
  coordinates.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
const areaOf = (coordinates: MultiPolygonCoordinates): number =>
  flat(coordinates)
    .flat()
    .reduce((sum, ring) => sum + signedRingArea(ring), 0);

/** Rounding a position to doubles moves an edge by up to 6e-14°: 7e-4 m² a degree of its length. */
const lengthDegrees = (polygons: Polygons): number =>
  polygons.flat().reduce((sum, ring) => {
    for (let i = 2; i < ring.length; i++) sum += Math.abs(ring[i]! - ring[i - 2]!);
    return sum;
  }, 0);

describe("overlapGeometry", () => {
  it(`is valid, right-handed and of the measured area on adversarial pairs (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    for (let i = 0; i < (LONG ? 10_000 : 400); i++) {
      const { kind, plot, area } = adversarialPair(random);
      const layer = buildLayer([area]);
      const bound = exactKernel.bind(plotOf(plot));
      const [hit] = bound.intersections(layer);
      const geometry = bound.overlapGeometry(layer, 0);
      const trial = `trial ${i}, ${kind}: ${JSON.stringify([plot, area].map((s) => s.map((p) => p.map((r) => [...r]))))}`;
      if (geometry === null) expect.fail(`no geometry in ${trial}`);
      const overlap = hit?.overlapSquareMeters ?? 0;
      expect(Math.abs(areaOf(geometry) - overlap), trial).toBeLessThanOrEqual(
        1e-9 * bound.areaSquareMeters + 8e-4 * lengthDegrees(plot),
      );
      expect(findFaults(flat(geometry)), trial).toEqual([]);
      for (const rings of flat(geometry)) expect(signedRingArea(rings[0]!), trial).toBeGreaterThanOrEqual(0);
    }
  });

  it("keeps every position of the input that bounds it, to the bit", () => {
    const layer = buildLayer([[[box(0, 0, 10, 10)]]]);
    const bound = exactKernel.bind(plotOf([[box(5.1, 5.3, 7.7, 7.9)]]));
    const [rings] = bound.overlapGeometry(layer, 0)!;
    expect(new Set(rings![0]!.map(String))).toEqual(new Set(["5.1,5.3", "7.7,5.3", "7.7,7.9", "5.1,7.9"]));
  });

  it("is empty where they only touch or stand apart, and joins the pieces of combs and spirals", () => {
    const layer = buildLayer([
      [[box(0, 0, 1, 1)]],
      [[box(5, 5, 6, 6)]],
      [[comb(0, 0, 1, 1, 40)]],
      [[spiral(0.5, 0.5, 0.4, 8, 40)]],
    ]);
    const bound = exactKernel.bind(plotOf([[box(1, 0, 2, 1)]]));
    expect(bound.overlapGeometry(layer, 0)).toEqual([]);
    expect(bound.overlapGeometry(layer, 1)).toEqual([]);
    const across = exactKernel.bind(plotOf([[box(-1, 0.45, 2, 0.55)]]));
    expect(across.overlapGeometry(layer, 2)!.length).toBe(40);
    expect(across.overlapGeometry(layer, 3)!.length).toBeGreaterThan(10);
  });

  it("is given across the antimeridian in the plot's longitudes", () => {
    const layer = buildLayer([[[box(170, 0, 180, 10)], [box(-180, 0, -170, 10)]]]);
    const bound = exactKernel.bind(plotOf([[box(175, 2, 185, 4)]]));
    const geometry = bound.overlapGeometry(layer, 0)!;
    expect(areaOf(geometry) / bound.areaSquareMeters).toBeCloseTo(1, 12);
    expect(Math.max(...geometry.flat(2).map(([x]) => x!))).toBe(185);
  });
});

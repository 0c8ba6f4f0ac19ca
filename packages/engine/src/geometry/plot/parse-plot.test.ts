import { VALID_SHAPES } from "@groundrule/testing/hard-rings";
import { catchRefusal } from "@groundrule/testing/refusal";
import { createBoxPositions, toPairs } from "@groundrule/testing/shapes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../base/errors.ts";
import { ANSWER_WORK } from "../../base/work-meter.ts";
import { signedRingArea } from "../earth/authalic.ts";
import { isCounterClockwise } from "../noding/mend-rings.ts";
import { PLOT_POSITION_LIMIT, parsePlot } from "./parse-plot.ts";

const square = createBoxPositions(-52, 3, -51, 4);
const polygon = (...coordinates: unknown[]): unknown => ({ type: "Polygon", coordinates });

const refusal = (input: unknown, options: Parameters<typeof parsePlot>[1] = {}) =>
  catchRefusal(() => parsePlot(input, options));

const findFaults = (input: unknown, options: Parameters<typeof parsePlot>[1] = {}): [string, string][] =>
  (refusal(input, options).details.faults ?? []).map(({ code, pointer }) => [code, pointer]);

describe("parsePlot", () => {
  it("readies a polygon for kernels, to the bit", () => {
    const { plot, warnings } = parsePlot(polygon(square));
    expect(plot).toEqual({
      dimension: "polygon",
      xy: Float64Array.from(square.flat()),
      ringStarts: Uint32Array.of(0, 5),
      polygonStarts: Uint32Array.of(0, 1),
      bbox: [-52, 3, -51, 4],
    });
    expect(warnings).toEqual([]);
  });

  it("takes every simple geometry, and Features", () => {
    const starts = (input: unknown): unknown => {
      const { dimension, ringStarts, polygonStarts } = parsePlot(input).plot;
      return [dimension, [...ringStarts], [...polygonStarts]];
    };
    const hole = toPairs(-51.5, 3.5, -51.4, 3.6, -51.4, 3.5, -51.5, 3.5);
    const east = square.map(([x, y]) => [x! + 5, y]);
    expect(starts({ type: "Point", coordinates: [1, 2] })).toEqual(["point", [0, 1], [0, 1]]);
    expect(
      starts({
        type: "MultiPoint",
        coordinates: toPairs(1, 2, 1, 2),
      }),
    ).toEqual(["point", [0, 1, 2], [0, 1, 2]]);
    expect(starts({ type: "LineString", coordinates: square })).toEqual(["line", [0, 5], [0, 1]]);
    expect(starts({ type: "MultiLineString", coordinates: [square, hole] })).toEqual([
      "line",
      [0, 5, 9],
      [0, 1, 2],
    ]);
    expect(starts({ type: "MultiPolygon", coordinates: [[square, hole], [east]] })).toEqual([
      "polygon",
      [0, 5, 9, 14],
      [0, 2, 3],
    ]);
    expect(starts({ type: "Feature", properties: null, geometry: polygon(square) })).toEqual([
      "polygon",
      [0, 5],
      [0, 1],
    ]);
  });

  it("mends repeated positions and winding, with one warning a kind", () => {
    const sloppy = [...square, square[4]].reverse().flatMap((position) => [position, position]);
    const { plot, warnings } = parsePlot(polygon(sloppy), { pointer: "/input/geometry" });
    expect([...plot.xy]).toEqual(square.flat());
    expect(warnings).toEqual([
      {
        pointer: "/input/geometry",
        code: "REPEATED_POSITION",
        message: "7 positions that repeat the position before were removed",
      },
      {
        pointer: "/input/geometry",
        code: "WINDING_REVERSED",
        message: expect.stringContaining("the winding of 1 ring was reversed"),
      },
    ]);
  });

  it("ignores heights, and reports it once", () => {
    const { plot, warnings } = parsePlot(polygon(square.map(([x, y], i) => [x, y, i])));
    expect([...plot.xy]).toEqual(square.flat());
    expect(warnings).toEqual([
      {
        pointer: "/coordinates/0/0",
        code: "ORDINATES_IGNORED",
        message: "ordinates beyond longitude and latitude were ignored at 5 positions",
      },
    ]);
  });

  it("keeps longitudes past ±180 and parts split at the antimeridian", () => {
    const box = (west: number, east: number): number[][] => createBoxPositions(west, 0, east, 1);
    expect(parsePlot(polygon(box(179, 190))).plot.bbox).toEqual([179, 0, 190, 1]);
    const split = { type: "MultiPolygon", coordinates: [[box(170, 180)], [box(-180, -170)]] };
    expect(parsePlot(split).plot.bbox).toEqual([-180, 0, 180, 1]);
    expect(findFaults({ type: "MultiPolygon", coordinates: [[box(170, 190)], [box(-175, -170)]] })).toEqual([
      ["LONGITUDE_SPAN", "/coordinates/1/0/0"],
    ]);
    expect(findFaults(polygon(box(539, 541)))).toEqual([
      ["LONGITUDE_OUT_OF_RANGE", "/coordinates/0/1"],
      ["LONGITUDE_OUT_OF_RANGE", "/coordinates/0/2"],
    ]);
  });

  it("takes polygons that reach the poles", () => {
    const cap = createBoxPositions(-180, -90, 180, -60);
    expect(parsePlot(polygon(cap)).plot.bbox).toEqual([-180, -90, 180, -60]);
  });

  it.each([
    [null, "GEOMETRY_TYPE_INVALID", ""],
    ["Polygon", "GEOMETRY_TYPE_INVALID", ""],
    [[], "GEOMETRY_TYPE_INVALID", ""],
    [{}, "GEOMETRY_TYPE_INVALID", "/type"],
    [{ type: "__proto__" }, "GEOMETRY_TYPE_INVALID", "/type"],
    [{ type: "GeometryCollection", geometries: [] }, "GEOMETRY_TYPE_INVALID", "/type"],
    [{ type: "Feature", geometry: null }, "GEOMETRY_TYPE_INVALID", "/geometry"],
    [{ type: "Feature", geometry: { type: "Feature" } }, "GEOMETRY_TYPE_INVALID", "/geometry/type"],
    [{ type: "Polygon" }, "COORDINATES_INVALID", "/coordinates"],
    [{ type: "Polygon", coordinates: [] }, "COORDINATES_INVALID", "/coordinates"],
    [{ type: "Polygon", coordinates: [[]] }, "COORDINATES_INVALID", "/coordinates/0"],
    [{ type: "Polygon", coordinates: [square, 7] }, "COORDINATES_INVALID", "/coordinates/1"],
    [{ type: "MultiPolygon", coordinates: [[square], [[]]] }, "COORDINATES_INVALID", "/coordinates/1/0"],
    [
      { type: "Polygon", coordinates: [[[0, 1], [0], [1, 1], [0, 1]]] },
      "POSITION_INVALID",
      "/coordinates/0/1",
    ],
    [
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 1],
            [0, "1"],
            [1, 1],
            [0, 1],
          ],
        ],
      },
      "POSITION_INVALID",
      "/coordinates/0/1",
    ],
    [{ type: "Point", coordinates: [1, 2, null] }, "POSITION_INVALID", "/coordinates"],
    [{ type: "MultiPoint", coordinates: [[1, 2], 3] }, "POSITION_INVALID", "/coordinates/1"],
    [{ type: "Point", coordinates: [1, 2], bbox: [1, 2, 3] }, "BBOX_INVALID", "/bbox"],
    [
      { type: "Feature", bbox: "", geometry: { type: "Point", coordinates: [1, 2] } },
      "BBOX_INVALID",
      "/bbox",
    ],
  ])("refuses %j as no GeoJSON geometry", (input, code, pointer) => {
    expect(refusal(input).code).toBe("VALIDATION_FAILED");
    expect(findFaults(input)).toEqual([[code, pointer]]);
  });

  it("reports every fault of shape at once, below the pointer it was given", () => {
    const input = { type: "Feature", geometry: polygon([[0], square[0], "x"]), bbox: [1] };
    expect(findFaults(input, { pointer: "/input/geometry" })).toEqual([
      ["BBOX_INVALID", "/input/geometry/bbox"],
      ["POSITION_INVALID", "/input/geometry/geometry/coordinates/0/0"],
      ["POSITION_INVALID", "/input/geometry/geometry/coordinates/0/2"],
    ]);
  });

  it("refuses dimensions a question does not take", () => {
    const error = refusal({ type: "Point", coordinates: [1, 2] }, { dimensions: ["polygon"] });
    expect(error.message).toContain('found "Point", expected Polygon, MultiPolygon');
  });

  it("refuses positions that are nowhere, with a hint at swapped or projected coordinates", () => {
    expect(refusal(polygon(square.map(([x, y]) => [y, x! * 2]))).message).toContain("[longitude, latitude]");
    expect(refusal(polygon(square.map(([x, y]) => [x! * 1e5, y! * 1e5]))).message).toContain("`crs`");
    expect(findFaults({ type: "Point", coordinates: [Number.NaN, 0] })).toEqual([
      ["POSITION_NOT_FINITE", "/coordinates"],
    ]);
    expect(refusal({ type: "Point", coordinates: [0, Number.POSITIVE_INFINITY] }).code).toBe(
      "GEOMETRY_INVALID",
    );
    expect(
      findFaults({
        type: "LineString",
        coordinates: toPairs(1, 1, 1, 1),
      }),
    ).toEqual([["LINE_TOO_SHORT", "/coordinates/0"]]);
  });

  it("reports faults in ring order and proposes a repair with its change of area", () => {
    const bowTie = toPairs(0, 0, 2, 2, 2, 0, 0, 2);
    const error = refusal({ type: "MultiPolygon", coordinates: [[square], [bowTie]] });
    expect(error.code).toBe("GEOMETRY_INVALID");
    expect(error.details).toEqual({
      faults: [
        expect.objectContaining({
          code: "RING_SELF_CROSSING",
          pointer: "/coordinates/1/0/0",
          polygon: 1,
          ring: 0,
          position: 0,
          coordinate: [1, 1],
        }),
        expect.objectContaining({
          code: "RING_NOT_CLOSED",
          pointer: "/coordinates/1/0/3",
          coordinate: [0, 2],
        }),
      ],
      repaired: { type: "MultiPolygon", coordinates: expect.any(Array) },
      area_change_m2: expect.any(Number),
    });
    // Written as it is, a bow-tie's halves take each other away; repaired, both count.
    const triangle = Math.abs(signedRingArea(Float64Array.of(0, 0, 1, 1, 0, 2, 0, 0)));
    expect(Number(error.details.area_change_m2) / triangle).toBeCloseTo(2, 2);
    expect(() => parsePlot(error.details.repaired)).not.toThrow();
  });

  it.each([1, 361])(
    "proposes one field of two that overlap, the other at longitude %d, nothing lost",
    (east) => {
      const box = (west: number): number[][] => createBoxPositions(west, 0, west + 2, 2);
      const error = refusal({ type: "MultiPolygon", coordinates: [[box(0)], [box(east)]] });
      const { plot } = parsePlot(error.details.repaired);
      expect(plot.polygonStarts).toHaveLength(2);
      expect([...plot.xy]).toEqual([0, 0, 1, 0, 2, 0, 3, 0, 3, 2, 2, 2, 1, 2, 0, 2, 0, 0]);
      const overlap = signedRingArea(Float64Array.from(box(1).flatMap(([x, y]) => [x! / 2, y!])));
      expect(Number(error.details.area_change_m2) / overlap).toBeCloseTo(-1, 9);
    },
  );

  it("proposes no repair where nothing is enclosed", () => {
    const { details } = refusal(polygon(toPairs(0, 0, 1, 1, 0, 0, 0, 0)));
    expect(Object.keys(details)).toEqual(["faults"]);
  });

  it("counts positions and names the limit", () => {
    const line = {
      type: "LineString",
      coordinates: Array.from({ length: 100_001 }, (_, i) => [i * 1e-3, 0]),
    };
    expect(refusal(line)).toMatchObject({
      code: "GEOMETRY_TOO_COMPLEX",
      details: { counted: 100_001, allowed: 100_000 },
    });
  });

  it("takes a ring of 100,000 positions and the one that closes it, and not one more", () => {
    const round = (n: number) =>
      Array.from({ length: n + 1 }, (_, i) => {
        const angle = (2 * Math.PI * (i % n)) / n;
        return [Math.cos(angle), Math.sin(angle)];
      });
    expect(parsePlot(polygon(round(PLOT_POSITION_LIMIT))).plot.xy).toHaveLength(2 * PLOT_POSITION_LIMIT + 2);
    expect(refusal(polygon(round(PLOT_POSITION_LIMIT + 1)))).toMatchObject({
      code: "GEOMETRY_TOO_COMPLEX",
      details: { counted: 100_001, allowed: 100_000 },
    });
  });

  it("proposes no repair that would be refused for reaching more than once round the earth", () => {
    const square = (x: number, y: number, half: number) =>
      createBoxPositions(x - half, y - half, x + half, y + half);
    // The hole is written a turn apart from its outer ring, in whose middle it lies on the earth.
    const apart = { type: "Polygon", coordinates: [square(180.9, 40, 0.5), square(-179.1, 40, 0.1)] };
    const { repaired } = refusal(apart).details as { repaired: { coordinates: number[][][] } };
    expect(repaired.coordinates).toHaveLength(2);
    expect(parsePlot(repaired).warnings).toEqual([]);
    const round = [-175, -100, 0, 100, 190].map((x) => [x, x === 0 ? 1 : 0]);
    const wound = { type: "Polygon", coordinates: [[...round, [100, -2], [0, -3], [-100, -2], [-175, 0]]] };
    expect(refusal(wound).details).not.toHaveProperty("repaired");
  });

  it("counts rings of one position, and only positions that close a ring are free", () => {
    const many = (ring: readonly number[][]) => ({
      type: "MultiPolygon",
      coordinates: Array.from({ length: 60_000 }, () => [ring]),
    });
    expect(
      refusal({ ...many([]), coordinates: Array.from({ length: 200_000 }, () => [[[0, 0]]]) }),
    ).toMatchObject({
      code: "GEOMETRY_TOO_COMPLEX",
      details: { counted: 200_000, allowed: 100_000 },
    });
    expect(refusal(many(toPairs(0, 0, 1, 1)))).toMatchObject({ details: { counted: 120_000 } });
  });

  it.each(Object.entries(VALID_SHAPES))("takes a %s of 2,500 and of 100,000 positions", (_, make) => {
    for (const n of [2500, PLOT_POSITION_LIMIT - 2]) {
      const ring = make(n).map((value) => value / n);
      const positions = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]]);
      expect(parsePlot(polygon(positions)).plot.xy).toHaveLength(ring.length);
    }
  });

  it("refuses by its work parts that all touch in one point, at the same count each time", () => {
    const at = (turn: number): number[] => [Math.cos(turn), Math.sin(turn)];
    const parts = Array.from({ length: 20_000 }, (_, i) => {
      const turn = (2 * Math.PI * i) / 20_000;
      return [[[0, 0], at(turn), at(turn + 1e-4), [0, 0]]];
    });
    const plot = { type: "MultiPolygon", coordinates: parts };
    const { code, details } = refusal(plot);
    expect(code).toBe("GEOMETRY_TOO_COMPLEX");
    expect(details.allowed).toBe(ANSWER_WORK);
    expect(refusal(plot).details).toEqual(details);
  });

  it("neither crashes nor accepts what it should not, whatever the JSON", () => {
    const type = fc.constantFrom(
      "Point",
      "MultiPoint",
      "LineString",
      "MultiLineString",
      "Polygon",
      "MultiPolygon",
      "Feature",
    );
    fc.assert(
      fc.property(type, fc.jsonValue({ maxDepth: 5 }), (type, value) => {
        for (const input of [value, { type, coordinates: value }, { type, geometry: value }]) {
          try {
            expect(parsePlot(input).plot.xy.every(Number.isFinite)).toBe(true);
          } catch (error) {
            if (!(error instanceof EngineError)) throw error;
            expect(error.details.faults).not.toEqual([]);
          }
        }
      }),
      { seed: 7946, numRuns: process.env.GROUNDRULE_FULL ? 2000 : 200 },
    );
  });

  it("gives plots as the kernel is promised them, or a repair that parses", () => {
    const coordinate = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.constantFrom(-0, 1e-14, 5e-324, 1 / 3),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 12 }), (points) => {
        const input = polygon([...points, points[0]]);
        try {
          const { plot } = parsePlot(input);
          const ring = plot.xy;
          expect(isCounterClockwise(ring)).toBe(true);
          for (let i = 2; i < ring.length; i += 2)
            expect([ring[i], ring[i + 1]]).not.toEqual([ring[i - 2], ring[i - 1]]);
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          expect(error.code).toBe("GEOMETRY_INVALID");
          const { repaired } = error.details;
          if (repaired !== undefined) expect(parsePlot(repaired).warnings).toEqual([]);
        }
      }),
      { seed: 42_4242, numRuns: process.env.GROUNDRULE_FULL ? 2000 : 200 },
    );
  });
});

import { createSlantedComb, VALID_SHAPES } from "@groundrule/testing/hard-rings";
import { mulberry32, type Random, toRandom } from "@groundrule/testing/random";
import { toPairs, toPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { WorkMeter } from "../../../base/work-meter.ts";
import { examinePlot, parsePlot } from "../parse-plot.ts";
import { findPolygonFaults } from "../validity/validity.ts";
import { readPlainPlot } from "./plain-plot.ts";
import { countStepsToProveApart, findWindingAbout } from "./simple-rings.ts";

type Position = [number, number];

/**
 * True if a geometry is plain; then the full reading must agree about it. All other geometries are left to the full
 * reading.
 */
function compare(input: unknown, options: Parameters<typeof parsePlot>[1] = {}): boolean {
  const meter = new WorkMeter();
  const plain = readPlainPlot(input, { ...options, meter });
  if (plain === undefined) return false;
  let whole: unknown;
  try {
    whole = examinePlot(input, options);
  } catch (error) {
    whole = error;
  }
  expect(plain, JSON.stringify(input)).toStrictEqual(whole);
  expect(meter.counted).toBeLessThan(200 * plain.plot.xy.length + 10_000);
  return true;
}

/** Share of geometries that were plain. */
function compareAll(inputs: Iterable<unknown>, options: Parameters<typeof parsePlot>[1] = {}): number {
  let [plain, all] = [0, 0];
  for (const input of inputs) {
    if (compare(input, options)) plain++;
    all++;
  }
  return plain / all;
}

const polygon = (...rings: Position[][]) => ({ type: "Polygon", coordinates: rings });
const closed = (positions: Position[]): Position[] => [...positions, [...positions[0]!]];

function* generateSeeded<Value>(count: number, make: (random: Random) => Value): Generator<Value> {
  const random = toRandom(mulberry32(count));
  for (let i = 0; i < count; i++) yield make(random);
}

/** A ring seen whole from its middle, in either direction. */
function randomStar(random: Random, x: number, y: number, size: number): Position[] {
  const count = 3 + random.integer(40);
  const ring = Array.from({ length: count }, (_, i): Position => {
    const angle = (2 * Math.PI * (i + random.between(0, 0.6))) / count;
    const r = size * random.between(0.4, 1.2);
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
  return closed(random.next() < 0.5 ? ring : ring.reverse());
}

/** A ring on a grid so small that edges run over, through and beside each other. */
function randomGridRing(random: Random, size: number, x = 0, y = 0, step = 1): Position[] {
  return closed(
    Array.from(
      { length: 3 + random.integer(8) },
      (): Position => [x + step * random.integer(size), y + step * random.integer(size)],
    ),
  );
}

/** A simple ring along two sides of a wavy line, hardly ever seen whole from within. */
function randomSnake(random: Random, count: number): Position[] {
  const line = Array.from(
    { length: count },
    (_, i): Position => [
      i * 0.01 + random.between(-0.004, 0.004),
      Math.sin(i) * 0.05 + random.between(-0.01, 0.01),
    ],
  );
  const back = line.map(([x, y]): Position => [x, y + 0.002 + random.between(0, 0.001)]).reverse();
  const ring = [...line, ...back];
  return closed(random.next() < 0.5 ? ring : ring.reverse());
}

const box = (x: number, y: number, size: number): Position[] =>
  closed(toPairs(x, y, x + size, y, x + size, y + size, x, y + size));

/** The position moved by a few units in the last place, or not at all. */
function nudgePosition([x, y]: Position, random: Random): Position {
  const by = (): number => (random.next() < 0.5 ? 0 : (random.integer(5) - 2) * 2 ** -50);
  return [x + by(), y + by()];
}

describe("readPlainPlot", () => {
  it("takes fields as they are drawn, clockwise or not", () => {
    expect(
      compareAll(generateSeeded(400, (random) => polygon(randomStar(random, -52, 3, 0.01)))),
    ).toBeGreaterThan(0.95);
    expect(
      compareAll(generateSeeded(200, (random) => polygon(randomSnake(random, 4 + random.integer(60))))),
    ).toBe(1);
  });

  it("agrees with the full reading on rings that cross, touch and fold back", () => {
    for (const size of [2, 3, 4, 6, 12]) {
      compareAll(generateSeeded(400 + size, (random) => polygon(randomGridRing(random, size))));
      compareAll(
        generateSeeded(400 + size, (random) => polygon(randomGridRing(random, size, 179.9, 89.5, 0.1))),
      );
      compareAll(
        generateSeeded(300 + size, (random) =>
          polygon(randomGridRing(random, size).map((p) => nudgePosition(p, random))),
        ),
      );
    }
  });

  it("agrees where positions all but lie on edges", () => {
    const third = (random: Random): unknown => {
      const ring = randomSnake(random, 5);
      const [a, b] = [ring[1]!, ring[2]!];
      const t = random.next();
      const on: Position = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
      ring.splice(2 + random.integer(ring.length - 3), 0, nudgePosition(on, random));
      return polygon(ring);
    };
    compareAll(generateSeeded(1500, third));
  });

  it("agrees on rings within, beside and across each other", () => {
    const rings = (random: Random): Position[][] =>
      Array.from({ length: 1 + random.integer(4) }, () =>
        random.next() < 0.3
          ? randomGridRing(random, 8)
          : box(random.integer(8), random.integer(8), 1 + random.integer(6)),
      );
    compareAll(generateSeeded(1200, (random) => polygon(...rings(random))));
    compareAll(
      generateSeeded(1201, (random) => ({
        type: "MultiPolygon",
        coordinates: Array.from({ length: 1 + random.integer(3) }, () => rings(random)),
      })),
    );
    const apart = (random: Random): unknown => ({
      type: "MultiPolygon",
      coordinates: [0, 1, 2].map((i) => [
        randomStar(random, 10 * i, 5, 1),
        ...[0, 1].map((k) => randomStar(random, 10 * i + 0.25 * k - 0.12, 5, 0.08)),
      ]),
    });
    expect(compareAll(generateSeeded(100, apart))).toBeGreaterThan(0.8);
  });

  it("agrees on every hard shape, at any place", () => {
    for (const shape of Object.values(VALID_SHAPES)) {
      for (const count of [8, 60, 400]) compare(polygon(toPositions(shape(count))));
    }
  });

  it("agrees on what no plot may be", () => {
    const square = box(-52, 3, 1);
    const inputs: unknown[] = [
      undefined,
      null,
      [],
      "Polygon",
      {},
      { type: "Polygon" },
      { type: "Polygon", coordinates: [] },
      { type: "Polygon", coordinates: [[]] },
      { type: "Polygon", coordinates: square },
      { type: "MultiPolygon", coordinates: [] },
      { type: "MultiPolygon", coordinates: [[]] },
      { type: "MultiPolygon", coordinates: [[], [square]] },
      { type: "GeometryCollection", geometries: [] },
      { type: "toString", coordinates: [] },
      { type: "Feature", geometry: null },
      { type: "Feature", geometry: { type: "Feature", geometry: polygon(square) } },
      { type: "Feature", geometry: polygon(square) },
      { type: "Feature", geometry: polygon(square), bbox: [1, 2, 3] },
      { type: "Feature", geometry: polygon(square), bbox: [-52, 3, -51, 4] },
      { ...polygon(square), bbox: [-52, 3, 0, -51, 4, 0] },
      { ...polygon(square), bbox: "none" },
      { ...polygon(square), bbox: null, crs: null },
      { ...polygon(square), crs: { type: "name", properties: { name: "EPSG:4326" } } },
      { ...polygon(square), crs: "EPSG:4326" },
      polygon(square.slice(0, -1)),
      polygon([square[0]!, square[1]!, square[0]!]),
      polygon([square[0]!, square[1]!, square[1]!, square[0]!]),
      polygon([...square.slice(0, 2), ...square.slice(1)]),
      polygon(square.map(([x, y]) => [x, y, 7] as unknown as Position)),
      polygon(square.map(([x, y]) => [x, y, "7"] as unknown as Position)),
      polygon(square.map(([x]) => [x] as unknown as Position)),
      polygon(square.map(([x, y]) => [String(x), y] as unknown as Position)),
      polygon(square.map(([x, y]) => [x + 1000, y] as Position)),
      polygon(square.map(([x, y]) => [y, x * 2] as Position)),
      // biome-ignore lint/suspicious/noSparseArray: what a caller may hand in.
      polygon([square[0]!, , square[2]!, square[0]!] as Position[]),
      polygon(square.map(() => [0, 0] as Position)),
      polygon(square.map(([x, y]) => [x * 0, y] as Position)),
      polygon(square.map(([, y], i) => [i % 2 ? 0 : -0, y] as Position)),
      polygon(box(-180, -90, 179), box(-170, -80, 10)),
      polygon(box(-90, -89, 178)),
      polygon(box(-90, -89, 179.5)),
      polygon(box(179.5, 0, 1)),
      polygon(box(539.5, 0, 1)),
      polygon(box(0, 89.5, 0.5)),
      polygon(box(5e-324, 5e-324, 1e-323)),
      polygon(box(1e-200, 1e-200, 1e-200)),
      { type: "Point", coordinates: [1, 2] },
      { type: "Point", coordinates: [1, 2, 3] },
      { type: "Point", coordinates: [NaN, 2] },
      { type: "Point", coordinates: [] },
      { type: "Point", coordinates: [-0, 0] },
      { type: "MultiPoint", coordinates: [[1, 2], [1, 2], [3, -90]] }, // biome-ignore format: a list
      { type: "MultiPoint", coordinates: [[1, 2], [200, 2]] }, // biome-ignore format: a list
      { type: "LineString", coordinates: [[1, 2], [3, 4]] }, // biome-ignore format: a list
      { type: "LineString", coordinates: [[1, 2], [1, 2]] }, // biome-ignore format: a list
      { type: "LineString", coordinates: [[1, 2], [1, 2], [3, 4]] }, // biome-ignore format: a list
      { type: "LineString", coordinates: [[179, 2], [-179, 2]] }, // biome-ignore format: a list
      { type: "MultiLineString", coordinates: [[[1, 2], [3, 4], [1, 2]], [[3, 4], [5, 6]]] }, // biome-ignore format: a list
      { type: "MultiLineString", coordinates: [[[1, 2], [3, 4]], [[3, 4]]] }, // biome-ignore format: a list
    ];
    let plain = 0;
    for (const options of [
      {},
      { crs: "EPSG:4326" },
      { crs: "urn:ogc:def:crs:OGC:1.3:CRS84" },
      { crs: "EPSG:3857" },
      { dimensions: ["polygon"] as const },
      { dimensions: ["line", "point"] as const, pointer: "/geometry" },
      { pointer: "/geometry" },
    ]) {
      plain += compareAll(inputs, options);
    }
    expect(plain).toBeGreaterThan(1);
  });

  it("passes over heights, of all positions or of some, and states at how many", () => {
    const height = (random: Random): number => (random.next() < 0.1 ? NaN : random.between(-10, 900));
    const withHeights = (share: number, random: Random, ring: Position[]): Position[] =>
      ring.map((p) => (random.next() < share ? [...p, height(random)] : p) as Position);
    for (const share of [0.2, 1]) {
      const inputs = generateSeeded(200, (random) => {
        const ring = withHeights(share, random, randomStar(random, -52, 3, 0.01));
        const other = withHeights(share, random, randomStar(random, -53, 3, 0.01));
        const geometry = [
          polygon(ring),
          { type: "MultiPolygon", coordinates: [[ring], [other]] },
          { type: "LineString", coordinates: ring },
          { type: "Point", coordinates: ring[0]! },
        ][random.integer(4)];
        return random.next() < 0.5 ? geometry : { type: "Feature", properties: null, geometry };
      });
      expect(compareAll(inputs, { pointer: "/input/geometry" })).toBeGreaterThan(0.95);
    }
    const { warnings } = parsePlot(polygon(box(0, 0, 1).map(([x, y]) => [x, y, 7] as unknown as Position)));
    expect(warnings).toMatchObject([{ code: "ORDINATES_IGNORED", pointer: "/coordinates/0/0" }]);
    for (const position of [
      [0, 0, null],
      [0, 0, "7"],
      [0, 0, 1, 2],
      [0, 0, undefined],
    ]) {
      const ring = [position, [1, 0], [1, 1], [0, 0]] as unknown as Position[];
      expect(compare(polygon(ring))).toBe(false);
    }
  });

  it("leaves what throws or changes while it is read to the full reading", () => {
    const throwing = (name: string) =>
      new Proxy(polygon(box(0, 0, 1)), {
        get: (target, key) => {
          if (key === name) throw new Error("no");
          return Reflect.get(target, key);
        },
      });
    for (const name of ["type", "coordinates", "bbox", "crs"]) {
      expect(compare(throwing(name))).toBe(false);
    }
    let calls = 0;
    const shrinking = new Proxy(box(0, 0, 1), {
      get: (target, key) => (key === "length" && calls++ > 0 ? 1e9 : Reflect.get(target, key)),
    });
    const { plot } = parsePlot(polygon(shrinking));
    expect(plot.xy).toHaveLength(10);
  });

  it("takes a hole, a part and a ring turned the wrong way, and states what it turned", () => {
    const clockwise = (ring: Position[]): Position[] => [...ring].reverse();
    const input = {
      type: "MultiPolygon",
      coordinates: [
        [clockwise(box(0, 0, 4)), box(1, 1, 1), clockwise(box(2.5, 2.5, 1))],
        [clockwise(box(5, 0, 1))],
      ],
    };
    expect(compare(input)).toBe(true);
    expect(parsePlot(input).warnings).toMatchObject([
      { code: "WINDING_REVERSED", message: expect.stringContaining("3 rings") },
    ]);
  });
});

describe("certificates of simple rings", () => {
  const flat = (ring: Position[]): Float64Array => Float64Array.from(ring.flat());

  it("never call a ring simple that is not", () => {
    for (const size of [3, 4, 5, 8]) {
      for (const ring of generateSeeded(1500 + size, (random) => randomGridRing(random, size))) {
        const xy = flat(ring);
        const isSimple = findPolygonFaults([[xy]]).length === 0;
        const winding = findWindingAbout(xy, 0, xy.length / 2, (size - 1) / 2, (size - 1) / 2.1);
        if (winding !== 0) expect(isSimple, JSON.stringify(ring)).toBe(true);
        if (countStepsToProveApart(xy, Uint32Array.of(0, xy.length / 2)) >= 0)
          expect(isSimple, JSON.stringify(ring)).toBe(true);
      }
    }
  });

  it("know every simple ring without repeated positions", () => {
    for (const ring of generateSeeded(3000, (random) => randomGridRing(random, 7))) {
      const xy = flat(ring);
      const repeats = ring.some(([x, y], i) => i > 0 && x === ring[i - 1]![0] && y === ring[i - 1]![1]);
      if (repeats || findPolygonFaults([[xy]]).length > 0) continue;
      expect(
        countStepsToProveApart(xy, Uint32Array.of(0, xy.length / 2)),
        JSON.stringify(ring),
      ).toBeGreaterThan(0);
    }
  });

  it("report the winding of a ring that goes twice round as unknown", () => {
    const twice = Array.from({ length: 11 }, (_, i): Position => {
      const angle = (4 * Math.PI * (i % 10)) / 10 + 0.1 * Math.trunc((i % 10) / 5);
      return [Math.cos(angle), Math.sin(angle)];
    });
    expect(findWindingAbout(flat(twice), 0, 11, 0, 0)).toBe(0);
  });

  it("compare few boxes and edges of a real outline, and stop early on what zigzags", () => {
    const steps = (ring: Position[]): number =>
      countStepsToProveApart(flat(ring), Uint32Array.of(0, ring.length));
    for (const count of [25, 100, 500]) {
      for (const ring of generateSeeded(20, (random) => randomSnake(random, count))) {
        expect(steps(ring) / ring.length).toBeLessThan(12);
      }
    }
    expect(steps(toPositions(createSlantedComb(1000)))).toBe(-1);
  });
});

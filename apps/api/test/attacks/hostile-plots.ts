import {
  createRegularStar,
  createSlantedComb,
  createWoundBand,
  randomRadii,
} from "@groundrule/testing/hard-rings";
import { mulberry32 } from "@groundrule/testing/random";
import { createBoxRing } from "@groundrule/testing/shapes";
import { fitRingToSquare, toPolygon } from "./hostile-world.ts";

const POSITIONS = 99_990;

/** A geometry as it is written into a body: not everything that is sent is JSON. */
export type WrittenPlot = string;

/** Plots by name, each made when it is sent. @param scale 1 for the sizes asked, less for a quick look */
export function makeHostilePlots(scale: number, seed: number): Readonly<Record<string, () => WrittenPlot>> {
  const most = Math.round(POSITIONS * scale);
  const sizes = [51, 101, 401, 1_001, 4_999, 19_999].filter((n) => n <= 20_000 * scale);
  const written = (geometry: object) => JSON.stringify(geometry);
  const ring = (xy: Float64Array) => written(toPolygon(fitRingToSquare(xy)));
  return {
    ...Object.fromEntries(
      sizes.map((n) => [
        `star {${n}, ${(n - 1) / 2 - 1}}`,
        () => ring(createRegularStar(n, (n - 1) / 2 - 1)),
      ]),
    ),
    "spiral that a zigzag crosses 10⁵ times": () => ring(makeCrossedSpiral(most)),
    "spiral, wound up": () => ring(createWoundBand(most)),
    "comb, slanted": () => ring(createSlantedComb(most)),
    "comb, teeth of 1e-9°": () => written(toPolygon(makeSliverComb(most))),
    jagged: () => ring(randomRadii(most)),
    "sliver of 1e-9°": () => written(toPolygon(createBoxRing(-4, 0, 4, 1e-9))),
    "slivers of 1e-9°, 10⁴ in a multipolygon": () => written(makeSlivers(Math.round(10_000 * scale))),
    "holes, 10⁴": () => written(makeHoledSquare(Math.round(100 * Math.sqrt(scale)), 0.6)),
    "holes, 10⁴ that touch": () => written(makeHoledSquare(Math.round(100 * Math.sqrt(scale)), 1)),
    "holes, 10⁴ that overlap": () => written(makeHoledSquare(Math.round(100 * Math.sqrt(scale)), 1.3)),
    "holes, 10⁴ in the same place": () =>
      written(
        toPolygon(createBoxRing(-4, -4, 4, 4), ...makeItems(10_000 * scale, () => createBoxRing(0, 0, 1, 1))),
      ),
    "the world": () => written(toPolygon(createBoxRing(-180, -90, 180, 90))),
    "the world twice around": () => written(toPolygon(createBoxRing(-360, -90, 360, 90))),
    "the world, jagged": () => written(toPolygon(fitRingToSquare(randomRadii(most), 178))),
    "across the antimeridian": () => written(toPolygon(createBoxRing(179, -1, 181, 1))),
    "across the antimeridian, the short way": () =>
      written(toPolygon(Float64Array.of(179, -1, -179, -1, -179, 1, 179, 1, 179, -1))),
    "across the antimeridian, jagged": () =>
      written(toPolygon(fitRingToSquare(randomRadii(most), 4, [180, 0]))),
    "to the north pole": () => written(toPolygon(createBoxRing(-180, 80, 180, 90))),
    "around the south pole": () => written(toPolygon(makeRingAroundGlobe(-89.9, Math.round(1_000 * scale)))),
    "at the pole, jagged": () => written(toPolygon(fitRingToSquare(randomRadii(most), 2, [0, 88.9]))),
    "of no size": () => written(toPolygon(Float64Array.from(makeItems(most, () => 1).flatMap(() => [1, 1])))),
    "to and fro on one line": () =>
      ring(Float64Array.from([...makeItems(most, (i) => i % 2)].flatMap((x) => [x, x / 3]))),
    "edges that all but meet": () => ring(makeNearlyMeetingZigzags(most, mulberry32(seed))),
    ...Object.fromEntries(
      [
        '"NaN"',
        '"1e3"',
        "1e400",
        "NaN",
        "-Infinity",
        "null",
        "[]",
        '{"valueOf":1}',
        "1e-400",
        "0x10",
        "-0",
      ].map((value) => [
        `coordinate ${value}`,
        () => `{"type":"Polygon","coordinates":[[[0,0],[${value},0],[1,1],[0,0]]]}`,
      ]),
    ),
  };
}

/** A spiral with a zigzag of 400 edges over it, which cross about 250 of its turns each. */
function makeCrossedSpiral(n: number): Float64Array {
  const wound = fitRingToSquare(createWoundBand(n - 400), 8);
  const xy = [...wound.subarray(0, wound.length - 2)];
  for (let i = 0; i < 400; i++) xy.push(i % 2 === 0 ? -4 : 4, ((i - 200) / 400) * 8);
  return Float64Array.from([...xy, xy[0]!, xy[1]!]);
}

function makeSliverComb(n: number): Float64Array {
  const xy: number[] = [];
  const teeth = n >> 2;
  for (let i = 0; i < teeth; i++) {
    const x = -4 + (8 * i) / teeth;
    xy.push(x, 0, x, 4, x + 1e-9, 4, x + 1e-9, 0);
  }
  return Float64Array.from([...xy, 0, -1, xy[0]!, xy[1]!]);
}

function makeSlivers(count: number): object {
  const coordinates = makeItems(count, (i) => {
    const south = -4 + (8 * i) / count;
    return toPolygon(createBoxRing(-4, south, 4, south + 1e-9)).coordinates;
  });
  return { type: "MultiPolygon", coordinates };
}

/** A square with `side`² holes; of `width` 1 they touch their neighbours, of more they overlap. */
function makeHoledSquare(side: number, width: number): object {
  const cell = 8 / (side + 1);
  const holes = makeItems(side * side, (i) => {
    const west = -4 + cell * ((i % side) + 0.5);
    const south = -4 + cell * (Math.floor(i / side) + 0.5);
    return createBoxRing(west, south, west + cell * width, south + cell * width);
  });
  return toPolygon(createBoxRing(-4, -4, 4, 4), ...holes);
}

function makeRingAroundGlobe(latitude: number, corners: number): Float64Array {
  const xy = makeItems(corners, (i) => [-180 + (360 * i) / corners, latitude + (i % 2) / 100]);
  return Float64Array.from([...xy, [180, latitude], xy[0]!].flat());
}

/** Two zigzags that come within a few units in the last place of each other, and may touch. */
function makeNearlyMeetingZigzags(n: number, random: () => number): Float64Array {
  const half = n >> 1;
  const there = makeItems(half, (i) => [i / half, (i % 2) * 1e-3]);
  const back = [...there].reverse().map(([x, y]) => [x!, y! + Number.EPSILON * 4 * random()]);
  return Float64Array.from([...there, ...back, there[0]!].flat());
}

function makeItems<Item>(count: number, make: (i: number) => Item): Item[] {
  return Array.from({ length: Math.round(count) }, (_, i) => make(i));
}

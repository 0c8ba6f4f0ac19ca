// Writes packages/borders/src/outlines-text.ts: Natural Earth's countries 1:50m, simplified for small maps
// (docs/semantics/borders.md):
//   npm run tool -- write-borders
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { iso31661 } from "iso-3166";
import { feature, quantize } from "topojson-client";
import { filter, presimplify, simplify, sphericalRingArea, sphericalTriangleArea } from "topojson-simplify";
import type { GeometryCollection, Polygon, Topology } from "topojson-specification";

type Countries = Topology<{ countries: GeometryCollection<{ name: string }> }>;
type Country = { readonly type: string; readonly id?: string | number; readonly arcs: unknown };

/** A corner goes where the triangle that it makes with its neighbours is smaller, in steradians: some 100 km². */
const LEAST_CORNER = 2.5e-6;
/** An island, or a hole, goes where it is smaller, unless it is the greatest of its country: some 60 km². */
const LEAST_RING = 1.5e-6;
/** No corner goes that is a greater share of its country. */
const GREATEST_SHARE = 1 / 400;
/** Positions lie on a grid of 360° by so many steps. */
const GRID = 20_000;
/** The digits of {@link encodeVlqNumber}, and of outlines.ts. */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const atlas = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve("world-atlas/countries-50m.json"), "utf8"),
) as Countries;
const topology: Countries = { ...atlas, objects: { countries: atlas.objects.countries } };
openAtThePole(topology);
const text = encodeOutlines(quantize(withoutIslets(simplifyCountries(topology)), GRID) as Countries);
writeFileSync(
  new URL("../../packages/borders/src/outlines-text.ts", import.meta.url),
  `/** Written by \`npm run tool -- write-borders\`; read by outlines.ts, which tells how it is made. */\nexport const OUTLINES_TEXT =\n  '${text}';\n`,
);
console.log(`outlines: ${text.length} bytes, ${gzipSync(text).length} gzipped`);

/** Antarctica is a line along the pole with a hole, the coast: only the coast stays, and outlines.ts closes it. */
function openAtThePole(whole: Countries): void {
  const antarctica = whole.objects.countries.geometries.find(({ id }) => id === "010") as unknown as {
    arcs: number[][][];
  };
  antarctica.arcs = antarctica.arcs.map((rings) => (rings.length > 1 ? rings.slice(1) : rings));
}

/** Corners weigh more on the outline of a small country, so that it keeps its form. */
function simplifyCountries(whole: Countries): Countries {
  const weighed = presimplify(whole, sphericalTriangleArea);
  const factors = new Float64Array(whole.arcs.length).fill(1);
  const areas = computeRingAreas(whole);
  for (const [i, country] of (whole.objects.countries.geometries as Country[]).entries()) {
    const factor = Math.max(1, LEAST_CORNER / (GREATEST_SHARE * Math.max(...areas[i]!)));
    for (const arc of [country.arcs].flat(3) as number[]) {
      const at = arc < 0 ? ~arc : arc;
      factors[at] = Math.max(factors[at]!, factor);
    }
  }
  const arcs = weighed.arcs.map((arc, i) =>
    arc.map(([x, y, weight]) => [x!, y!, isOnCut(x!) ? Number.POSITIVE_INFINITY : weight! * factors[i]!]),
  );
  return simplify({ ...weighed, arcs } as unknown as typeof weighed, LEAST_CORNER) as unknown as Countries;
}

/** The map is cut at ±180: on the sphere, the way from there to the pole and back is no corner. */
function isOnCut(longitude: number): boolean {
  return Math.abs(longitude) > 179.99;
}

function withoutIslets(whole: Countries): Countries {
  const greatest = new Set(computeRingAreas(whole).map((areas) => Math.max(...areas)));
  const isKept = (ring: number[], isHole: boolean): boolean => {
    const area = computeRingArea(whole, ring, isHole);
    return area >= LEAST_RING || greatest.has(area);
  };
  return filter(whole, isKept as never) as Countries;
}

/** For each country, the areas of its outer rings, in steradians. */
function computeRingAreas(whole: Countries): number[][] {
  return (whole.objects.countries.geometries as Country[]).map(({ type, arcs }) => {
    const polygons = (type === "Polygon" ? [arcs] : arcs) as number[][][];
    return polygons.map(([outer]) => computeRingArea(whole, outer!, false));
  });
}

function computeRingArea(whole: Countries, ring: number[], isHole: boolean): number {
  const { geometry } = feature(whole, { type: "Polygon", arcs: [ring] } as Polygon);
  return sphericalRingArea(geometry.coordinates[0] as never, isHole);
}

function encodeOutlines({ arcs, objects, transform }: Countries): string {
  const codes = new Map(iso31661.map(({ numeric, alpha3 }) => [numeric, alpha3]));
  const countries = (objects.countries.geometries as Country[]).map((country) => [
    codes.get(String(country.id)) ?? "",
    country.type === "Polygon" ? [country.arcs] : country.arcs,
  ]);
  return JSON.stringify({
    transform,
    countries,
    arcs: arcs.map((arc) => arc.flat().map(encodeVlqNumber).join("")).join(" "),
  });
}

/** Five bits a digit, low bits first, 32 more on all but the last; twice the number, or twice its complement and one. */
function encodeVlqNumber(value: number): string {
  let rest = value < 0 ? 2 * ~value + 1 : 2 * value;
  let text = "";
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += DIGITS[32 + (rest % 32)];
  return text + DIGITS[rest];
}

// Writes packages/crs/src/definitions.ts and areas-of-use.ts: projections from the npm package epsg-index (ISC),
// shifts to WGS 84 and areas of use from the EPSG registry (docs/decisions/0012-crs-shifts.md says which and why):
//   npm pack epsg-index && tar xzf epsg-index-*.tgz
//   node tools/write-crs-table.ts package/all.json
//   npx biome format --write packages/crs/src/definitions.ts packages/crs/src/areas-of-use.ts
// Only definitions that proj4 can compute by itself belong there: none that needs a grid file.
import { readFileSync, writeFileSync } from "node:fs";
import { type Helmert, openRegistry } from "../oracles/registry.ts";

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("usage: node tools/write-crs-table.ts <all.json of epsg-index>");

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

const CODES: number[] = [
  // World
  ...[4326, 3857, 3395, 4087, 6933, 8857, 3031, 3413, 3995],
  ...range(32601, 32660),
  ...range(32701, 32760),
  // Latin America: SIRGAS 2000, SAD69, Córrego Alegre, POSGAR, MAGNA, CRTM05, Mexico
  ...[4674, 5880, ...range(31965, 31985)],
  ...[4618, ...range(29170, 29172), ...range(29188, 29195)],
  ...[4225, ...range(22521, 22525)],
  ...[4190, 5340, ...range(5343, 5349)],
  ...[4686, ...range(3114, 3118), 9377, 5367, 6362, 6372],
  ...[5361, 5362, 5381, 5382, 5383, 5387, 5389],
  // North America
  ...[4269, ...range(26901, 26923), 5070, 3978, 3979, 3347, 3005],
  // Europe
  ...[4258, 3034, 3035, ...range(25828, 25837), 4647, ...range(23030, 23033), ...range(23035, 23038)],
  ...[2154, 27572, 27700, 4277, 2157, 29903, 31370, 3812, 28992, 2056, 21781, 4312, 31287, 3416],
  ...range(31254, 31259),
  ...[4314, ...range(31466, 31469), 3763, 5514, 2180, ...range(2176, 2179), 3006, 3067, 3301, 3059, 3346],
  ...[3765, 3794, 3912, 23700, 3844, 7801, 2100, 3003, 3004, 6707, 6708, 2039],
  ...range(5253, 5259),
  // Asia, Africa, Oceania
  ...[4612, 6668, ...range(6669, 6687), 5179, 5186, 4490, 3405, 3406, 24047, 24048, 3375, 3376],
  ...[9470, ...range(23830, 23845), 7755, 3119],
  ...[4283, ...range(28348, 28358), 3577, 7844, ...range(7846, 7859), 4167, 2193],
];

/**
 * How an older datum is shifted to WGS 84: by which EPSG operation, which codes. The parameters come
 * from the registry, never from the source, which shifts some datums by a grid file or not at all, and
 * prints coordinate frame rotations and microradians as they are: wrong by up to 170 m.
 */
const SHIFTS: readonly (readonly [operation: number, ...codes: number[]])[] = [
  [1193, 27572],
  [1272, 2100],
  [1275, 23031],
  [1134, 23032, 23033],
  [1633, 23030],
  [1784, ...range(23035, 23038)],
  [1304, 24047, 24048],
  [1314, 4277, 27700],
  [1448, 23700],
  [1618, 4312, 31287, ...range(31254, 31259)],
  [1660, 3003, 3004],
  [1676, 2056],
  [1766, 21781],
  [1777, 4314, ...range(31466, 31469)],
  [1954, 29903],
  [5239, 5514],
  [5882, 4618, ...range(29170, 29172), ...range(29188, 29195)],
  [6194, 4225, ...range(22521, 22525)],
  [6960, 3405, 3406],
  [8688, 3912],
  [9281, 28992],
  [9676, 2039],
  [15873, 3119],
  [15929, 31370],
  [15995, 3844],
];
const shiftOf = new Map(SHIFTS.flatMap(([operation, ...codes]) => codes.map((code) => [code, operation])));

/** Realizations of ITRS for which the registry has no operation to WGS 84: CGCS2000, SIRGAS-Chile, SRGI2013. */
const ALIGNED = new Set([4490, 5360, 9470]);

const registry = openRegistry();
const all = JSON.parse(readFileSync(source, "utf8")) as Record<
  string,
  { name: string; proj4: string | null }
>;
const codes = [...new Set(CODES)].sort((a, b) => a - b);
const lines = codes.map((code) => {
  const entry = all[`${code}`];
  if (typeof entry?.proj4 !== "string") throw new Error(`EPSG:${code} is not in the source`);
  const bare = entry.proj4.replace(/ \+(no_defs|type=crs|wktext|(nadgrids|towgs84)=\S+)/g, "");
  if (/\+(nadgrids|axis)/.test(bare)) throw new Error(`EPSG:${code} needs ${bare}`);
  const { note, shift } = shiftedBy(code);
  return `  // ${entry.name}${note}\n  [${code}, ${JSON.stringify(bare + shift)}],`;
});

const areas = codes.map((code) => {
  const crs = registry.findCrs(code);
  if (crs === undefined) throw new Error(`EPSG:${code} is not in the registry`);
  // One CRS can be in use in several places, and the same place be named for several uses.
  const boxes = new Set(
    crs.areas.map(({ west, south, east, north }) =>
      JSON.stringify([west, south, east < west ? east + 360 : east, north]),
    ),
  );
  return `  [${code}, [${[...boxes].join()}]],`;
});

function shiftedBy(code: number): { note: string; shift: string } {
  const operation = shiftOf.get(code);
  if (operation !== undefined) {
    const helmert = registry.getHelmert(operation);
    const { accuracyMeters, area } = helmert;
    return {
      note: `; by EPSG operation ${operation}, ${accuracyMeters} m in: ${area.name}`,
      shift: ` +towgs84=${towgs84(helmert)}`,
    };
  }
  const base = registry.findCrs(code)?.base ?? Number.NaN;
  const aligned = registry
    .helmertsFrom(base)
    .find(({ target, parameters }) => target === 4326 && parameters.every((parameter) => parameter === 0));
  if (aligned === undefined && base !== 4326 && !ALIGNED.has(base)) {
    throw new Error(`EPSG:${code} has a datum of its own and no shift`);
  }
  return { note: "", shift: "" };
}

/** Without trailing zeros: three numbers are translations alone. */
function towgs84({ parameters }: Helmert): string {
  const rotates = parameters.slice(3).some((parameter) => parameter !== 0);
  return parameters
    .slice(0, rotates ? 7 : 3)
    .map((parameter) => `${Number(parameter.toPrecision(15))}`)
    .join();
}

writeFileSync(
  new URL("../packages/crs/src/definitions.ts", import.meta.url),
  `// Written by tools/write-crs-table.ts from epsg-index (ISC, Jannis R) and the EPSG registry (IOGP); not to be
// edited by hand.

/**
 * Projection definitions by EPSG code, in the words of proj4. Where the datum is an older one, the
 * operation that shifts it to WGS 84, and how good the EPSG registry holds it to be and where; a datum
 * without a shift is WGS 84 to within 1 m (NAD83, GDA94 and GDA2020: 2 to 4 m, most of it plate motion).
 */
export const DEFINITIONS: ReadonlyMap<number, string> = new Map<number, string>([
${lines.join("\n")}
]);
`,
);

writeFileSync(
  new URL("../packages/crs/src/areas-of-use.ts", import.meta.url),
  `// Written by tools/write-crs-table.ts from the EPSG registry (IOGP); not to be edited by hand.
import type { Bbox } from "@groundrule/engine";

/** Areas of use by EPSG code, in degrees; where one crosses the antimeridian, east lies past 180. */
export const AREAS_OF_USE: ReadonlyMap<number, readonly Bbox[]> = new Map<number, readonly Bbox[]>([
${areas.join("\n")}
]);
`,
);

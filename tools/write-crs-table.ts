// Writes packages/engine/src/geometry/crs-table.ts from the npm package epsg-index (ISC):
//   npm pack epsg-index && tar xzf epsg-index-*.tgz
//   node tools/write-crs-table.ts package/all.json
// Only definitions that proj4 can compute by itself belong there: none that needs a grid file.
import { readFileSync, writeFileSync } from "node:fs";

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("usage: node tools/write-crs-table.ts <all.json of epsg-index>");

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

const CODES: number[] = [
  // World
  ...[4326, 3857, 3395, 4087, 6933, 8857, 3031, 3413, 3995],
  ...range(32601, 32660),
  ...range(32701, 32760),
  // Latin America: SIRGAS 2000, SAD69, Córrego Alegre, PSAD56, POSGAR, MAGNA, CRTM05, Mexico
  ...[4674, 5880, ...range(31965, 31985)],
  ...[4618, ...range(29168, 29172), ...range(29188, 29195)],
  ...[4225, ...range(22521, 22525)],
  ...[4248, ...range(24817, 24821), ...range(24877, 24882)],
  ...[4190, 5340, ...range(5343, 5349)],
  ...[4686, ...range(3114, 3118), 9377, 5367, 6362, 6372],
  ...[5361, 5362, 5381, 5382, 5383, 5387, 5389],
  // North America
  ...[4269, ...range(26901, 26923), 5070, 3978, 3979, 3347, 3005],
  // Europe
  ...[4258, 3034, 3035, ...range(25828, 25837), 4647, 4230, ...range(23028, 23038)],
  ...[2154, 27572, 27700, 4277, 2157, 29903, 31370, 3812, 28992, 2056, 21781, 4312, 31287, 3416],
  ...range(31254, 31259),
  ...[4314, ...range(31466, 31469), 3763, 5514, 2180, ...range(2176, 2179), 3006, 3067, 3301, 3059, 3346],
  ...[3765, 3794, 3912, 23700, 3844, 7801, 2100, 3003, 3004, 6707, 6708, 2039],
  ...range(5253, 5259),
  // Asia, Africa, Oceania
  ...[4612, 6668, ...range(6669, 6687), 5179, 5186, 4490, 3405, 3406, 24047, 24048, 3375, 3376],
  ...[9470, ...range(23830, 23845), 7755, 4210, 21036, 21037, 3119],
  ...[4283, ...range(28348, 28358), 3577, 7844, ...range(7846, 7859), 4167, 2193],
];

/**
 * Shifts to WGS 84 by EPSG operation, in the sense of towgs84: metres, position vector rotations in
 * arc seconds, parts per million. They stand in for what the source gives, which shifts some datums
 * by a grid file or not at all, and prints coordinate frame rotations and microradians as they are:
 * wrong by up to 170 m. So no rotation of the source's is taken unseen.
 */
const SHIFTS: readonly (readonly [shift: string, ...codes: number[]])[] = [
  ["446.448,-125.157,542.06,0.1502,0.247,0.8421,-20.4894", 4277, 27700], // 1314
  ["598.1,73.7,418.2,0.202,0.045,-2.455,6.7", 4314, ...range(31466, 31469)], // 1777
  ["-205.57,168.77,-4.12", 4225, ...range(22521, 22525)], // 6192
  ["-67.35,3.88,-38.22", 4618, ...range(29168, 29172), ...range(29188, 29195)], // IBGE, R.PR 1/2005
  ["577.326,90.129,463.919,5.137,1.474,5.297,2.4232", 4312, 31287, ...range(31254, 31259)], // 1618
  ["-168,-60,320", 27572], // 1193
  ["565.4171,50.3319,465.5524,-0.398957388243134,0.343987817378283,-1.87740163998045,4.0725", 28992], // 15934
  ["-106.8686,52.2978,-103.7239,0.3366,-0.457,1.8422,-1.2747", 31370], // 15929
  ["2.329,-147.042,-92.08,-0.309,0.325,0.497,5.69", 3844], // 15995
  ["23.772,17.49,17.859,-0.3132,-1.85274,1.67299,-5.4262", 2039], // Survey of Israel
  ["-0.16959,0.35312,0.51846,0.03385,-0.16325,0.03446,0.03693", 5367], // IGN Costa Rica
  ["-104.1,-49.1,-9.9,0.971,-2.917,0.714,-11.68", 3003, 3004], // 1660
  ["482.5,-130.6,564.6,-1.042,-0.214,-0.631,8.15", 29903], // 1954
  ["210,814,289", 24047, 24048], // 1304
  ["-192.873,-39.382,-111.202,-0.00205,-0.0005,0.00335,0.0188", 3405, 3406], // as PROJ has it
  ["0,0,0,0,0,0,0", 3979, ...range(5343, 5349)],
];
const shiftOf = new Map(SHIFTS.flatMap(([shift, ...codes]) => codes.map((code) => [code, shift] as const)));

const all = JSON.parse(readFileSync(source, "utf8")) as Record<
  string,
  { name: string; proj4: string | null }
>;
const lines = [...new Set(CODES)]
  .sort((a, b) => a - b)
  .map((code) => {
    const entry = all[`${code}`];
    if (typeof entry?.proj4 !== "string") throw new Error(`EPSG:${code} is not in the source`);
    const shift = shiftOf.get(code);
    let definition = entry.proj4.replace(/ \+(no_defs|type=crs|wktext|nadgrids=@null)/g, "");
    if (shift !== undefined) {
      definition = `${definition.replace(/ \+(nadgrids|towgs84)=\S+/g, "")} +towgs84=${shift}`;
    } else if (/\+towgs84=([^, ]+,){3}(?!0,0,0,0( |$))/.test(definition)) {
      throw new Error(`EPSG:${code} has rotations to be checked: ${definition}`);
    } else if (code !== 3857 && !/ellps=(GRS80|WGS84)|datum=WGS84|towgs84/.test(definition)) {
      throw new Error(`EPSG:${code} has an older datum and no shift: ${definition}`);
    }
    if (/\+(nadgrids|axis)/.test(definition)) throw new Error(`EPSG:${code} needs ${definition}`);
    return `  // ${entry.name}\n  [${code}, ${JSON.stringify(definition)}],`;
  });

writeFileSync(
  new URL("../packages/engine/src/geometry/crs-table.ts", import.meta.url),
  `// Written by tools/write-crs-table.ts from epsg-index (ISC, Jannis R); not to be edited by hand.

/** Projection definitions by EPSG code, in the words of proj4. */
export const CRS_TABLE: ReadonlyMap<number, string> = new Map<number, string>([
${lines.join("\n")}
]);
`,
);

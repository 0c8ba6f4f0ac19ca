import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installPythonPackages } from "@groundrule/testing/python-packages";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { crsTable } from "./crs-table.ts";
import { formatDefinition } from "./format-definition.ts";
import { SYSTEMS } from "./systems.ts";

const folder = installPythonPackages("oracle-pyproj", "pyproj==3.7.2");
if (folder === undefined)
  console.warn("Not compared with PROJ: a Python with pip that finds pyproj is missing.");

type Point = readonly [number, number];
interface Query {
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
}

function project(queries: readonly Query[]): { name: string; points: [number, number][] }[] {
  const input = queries.map((query) => JSON.stringify(query)).join("\n");
  const script = join(import.meta.dirname, "../test/query-proj.py");
  const env = { ...process.env, PYTHONPATH: folder };
  const { stdout, stderr, status } = spawnSync("python3", [script], {
    input,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Grids of producing countries, and the metres by which PROJ's own choice, by position, lies from the table's. */
const GRIDS: Readonly<Record<number, number>> = {
  ...createTolerances(0.01, 2041, 2043, 2136, 3168, 5550, 5551, 5552, 25000),
  ...createTolerances(0.01, ...createRange(23866, 23872), ...createRange(23877, 23884)),
  ...createTolerances(1, ...createRange(5896, 5899), ...createRange(9205, 9218)),
  ...createTolerances(2, 2165, 29871, 29872, 29873),
  ...createTolerances(10, 21035, 21036, 21037, 21095, 21096, 21097),
  ...createTolerances(15, 26391, 26392, 26393),
  ...createTolerances(25, 24817, 24818, ...createRange(24877, 24881), 24891, 24892, 24893),
};

function createTolerances(meters: number, ...codes: readonly number[]): Record<number, number> {
  return Object.fromEntries(codes.map((code) => [code, meters]));
}

function createRange(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function metersBetween(a: Point, b: Point): number {
  const east = (a[0] - b[0]) * Math.cos((a[1] * Math.PI) / 180);
  return 111_320 * Math.hypot(east, a[1] - b[1]);
}

function measureFarthest(points: readonly Point[], expected: readonly Point[], crs: string | number): number {
  const definition = typeof crs === "number" ? crsTable.find(crs) : crsTable.parse!(crs);
  return Math.max(
    ...points.map((point, i) => {
      const position: [number, number] = [...point];
      definition!.transform(position);
      return metersBetween(position, expected[i]!);
    }),
  );
}

describe.skipIf(folder === undefined)("the grids of producing countries, against PROJ", () => {
  const random = createSeededRandom(44);
  const places = new Map(
    Object.keys(GRIDS).map((code) => {
      const [west, south, east, north] = SYSTEMS.get(Number(code))!.areas[0]!;
      const points = Array.from(
        { length: 200 },
        () => [west + random.next() * (east - west), south + random.next() * (north - south)] as const,
      );
      return [Number(code), points] as const;
    }),
  );

  it("come back to where PROJ by its registry projected them from", { timeout: 300_000 }, () => {
    // Onto the grid by the code, from its own datum; back by the table's words, which PROJ computes too.
    const codes = [...places.keys()];
    const projected = project(
      codes.map((code) => ({
        from: `EPSG:${SYSTEMS.get(code)!.frames[0]}`,
        to: `EPSG:${code}`,
        points: places.get(code)!,
      })),
    );
    const shifted = project(
      codes.map((code, i) => ({
        from: formatDefinition(SYSTEMS.get(code)!),
        to: "EPSG:4326",
        points: projected[i]!.points,
      })),
    );
    const chosen = project(
      codes.map((code, i) => ({ from: `EPSG:${code}`, to: "EPSG:4326", points: projected[i]!.points })),
    );
    for (const [i, code] of codes.entries()) {
      const { points } = projected[i]!;
      expect(measureFarthest(points, shifted[i]!.points, code), `EPSG:${code}, the same shift`).toBeLessThan(
        0.002,
      );
      const own = measureFarthest(points, chosen[i]!.points, code);
      expect(own, `EPSG:${code}, PROJ's own choice`).toBeLessThan(GRIDS[code]!);
    }
  });
});

describe.skipIf(folder === undefined)("definitions by their parameters, against PROJ", () => {
  const random = createSeededRandom(4433);
  const between = (least: number, most: number) =>
    Math.round((least + random.next() * (most - least)) * 100) / 100;
  const datums = ["+datum=WGS84", "+ellps=GRS80", "+ellps=aust_SA +towgs84=-67.35,3.88,-38.22"];
  const rest = () =>
    `+x_0=${between(-1e6, 5e6)} +y_0=${between(-1e6, 1e7)} ${datums[random.integer(3)]} +units=m`;
  const center = () => [between(-80, 120), between(-30, 20)] as const;
  const projections: Readonly<Record<string, (lon: number, lat: number) => string>> = {
    aea: (lon, lat) => `+proj=aea +lat_1=${lat + 3} +lat_2=${lat + 12} +lat_0=${lat} +lon_0=${lon}`,
    lcc: (lon, lat) => `+proj=lcc +lat_1=${lat + 3} +lat_2=${lat + 12} +lat_0=${lat} +lon_0=${lon}`,
    "lcc of one parallel": (lon, lat) =>
      `+proj=lcc +lat_1=${lat || 1} +lat_0=${lat || 1} +lon_0=${lon} +k=0.9998`,
    laea: (lon, lat) => `+proj=laea +lat_0=${lat} +lon_0=${lon}`,
    tmerc: (lon, lat) => `+proj=tmerc +lat_0=${lat} +lon_0=${lon} +k=0.9995`,
    merc: (lon) => `+proj=merc +lon_0=${lon} +k=0.99`,
    cea: (lon) => `+proj=cea +lat_ts=12 +lon_0=${lon}`,
    poly: (lon, lat) => `+proj=poly +lat_0=${lat} +lon_0=${lon}`,
    sinu: (lon) => `+proj=sinu +lon_0=${lon}`,
    moll: (lon) => `+proj=moll +lon_0=${lon}`,
    sterea: (lon, lat) => `+proj=sterea +lat_0=${lat} +lon_0=${lon} +k=0.9999`,
    omerc: (lon, lat) => `+proj=omerc +lat_0=${lat || 1} +lonc=${lon} +alpha=40 +gamma=38 +k=0.9998`,
    eqdc: (lon, lat) => `+proj=eqdc +lat_1=${lat + 3} +lat_2=${lat + 12} +lat_0=${lat} +lon_0=${lon}`,
    aeqd: (lon, lat) => `+proj=aeqd +lat_0=${lat} +lon_0=${lon}`,
  };

  it.each(Object.keys(projections))("%s: within 5 mm", { timeout: 120_000 }, (name) => {
    const queries = Array.from({ length: 40 }, () => {
      const [lon, lat] = center();
      const definition = `${projections[name]!(lon, lat)} ${rest()}`;
      const points = Array.from({ length: 20 }, () => [lon + between(-3, 3), lat + between(-3, 3)] as const);
      return { definition, points };
    });
    const onto = project(
      queries.map(({ definition, points }) => ({ from: "EPSG:4326", to: definition, points })),
    );
    const back = project(
      queries.map(({ definition }, i) => ({ from: definition, to: "EPSG:4326", points: onto[i]!.points })),
    );
    for (const [i, { definition }] of queries.entries()) {
      expect(measureFarthest(onto[i]!.points, back[i]!.points, definition), definition).toBeLessThan(0.005);
    }
  });
});

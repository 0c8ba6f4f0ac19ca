import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import { type AreaSnapshot, openSnapshot } from "@groundrule/engine/build";
import { buildSnapshot } from "@groundrule/ingest";
import type { Polygons } from "@groundrule/testing/shapes";
import { plotBeside, seededRandom } from "../data.ts";
import type { Missing } from "./line.ts";

const SEED = 31;
/** Plots of a pass. */
export const PLOTS = 2000;

/** Layers of the folder GROUNDRULE_REAL_DATA names, and which of its files make each. */
const LAYERS = {
  "countries of Natural Earth 1:10m": (file: string) => file.startsWith("ne_10m_admin_0_countries"),
  "Brazilian municipalities": (file: string) => file.startsWith("br_ibge_municipalities"),
  "Brazilian layers together": (file: string) => /^(br_|amazon_).*geojson/.test(file),
  "GSHHG high, land with lakes": (file: string) => file.startsWith("gshhg_h_land_with_lakes"),
} as const;

export type RealLayerName = keyof typeof LAYERS;
export const REAL_LAYERS: readonly RealLayerName[] = Object.keys(LAYERS) as RealLayerName[];

/** A snapshot of each file of a layer, or what is missing. */
export async function snapshotsOf(name: RealLayerName): Promise<readonly ArrayBuffer[] | Missing> {
  const folder = process.env.GROUNDRULE_REAL_DATA;
  if (folder === undefined || !existsSync(folder)) {
    return { missing: "real layers: GROUNDRULE_REAL_DATA names no folder" };
  }
  const files = readdirSync(folder).filter((file) => LAYERS[name](file));
  if (files.length === 0) return { missing: `${name}: ${folder} does not hold it` };
  const snapshots: ArrayBuffer[] = [];
  for (const [i, file] of files.entries()) snapshots.push(await snapshotFrom(join(folder, file), i));
  return snapshots;
}

/** The snapshot of a source file. */
async function snapshotFrom(path: string, index: number): Promise<ArrayBuffer> {
  const { file } = await buildSnapshot(
    createReadStream(path, { highWaterMark: 1 << 20 }),
    { source_name: `bench:areas_${index}`, kind: "leaf" },
    { sha256: () => createHash("sha256"), crc32, crs: crsTable },
  );
  return Buffer.concat([...file.chunks]).buffer;
}

/** The areas of a snapshot: valid, repaired where the source's were not. */
export function areasOf(snapshot: ArrayBuffer): Polygons[] {
  const { layer } = openSnapshot(snapshot, { crc32 }) as AreaSnapshot;
  return Array.from({ length: layer.areaCount }, (_, area) => {
    const polygons: Float64Array[][] = [];
    for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
      const xy = layer.xy.slice(2 * layer.ringStarts[ring]!, 2 * layer.ringStarts[ring + 1]!);
      if (layer.ringRoles[ring] === 0) polygons.push([xy]);
      else polygons.at(-1)!.push(xy);
    }
    return polygons;
  });
}

/** A plot of one polygon. */
export function geoJsonOf(polygons: Polygons): { type: "Polygon"; coordinates: number[][][] } {
  return {
    type: "Polygon",
    coordinates: polygons[0]!.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]),
    ),
  };
}

/** Plots near positions of the areas, away from poles and antimeridian, where the peers' plane ends. */
export function plotsBeside(areas: readonly Polygons[]): Polygons[] {
  const random = seededRandom(SEED);
  const rings = areas.flat(2);
  const starts = [0];
  for (const ring of rings) starts.push(starts.at(-1)! + ring.length / 2);
  const plots: Polygons[] = [];
  while (plots.length < PLOTS) {
    const position = random.integer(starts.at(-1)!);
    const r = starts.findLastIndex((start) => start <= position);
    const x = rings[r]![2 * (position - starts[r]!)]!;
    const y = rings[r]![2 * (position - starts[r]!) + 1]!;
    if (Math.abs(x) < 175 && Math.abs(y) < 80) plots.push([[plotBeside(random, x, y, 0)]]);
  }
  return plots;
}

import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { crc32, createGunzip } from "node:zlib";
import { generateDemo } from "../../data/demo/generate.ts";
import { buildDemo } from "../../data/demo/index.ts";
import { crsTable } from "../../packages/crs/src/index.ts";
import { createRasterWriter } from "../../packages/engine/src/build.ts";
import { buildSnapshot, parseSource } from "../../packages/ingest/src/index.ts";
import { installEdition } from "../../packages/node/src/index.ts";

/** Sources that the five checks ask. */
const SOURCES = [
  "br_funai_indigenous_lands_2023",
  "br_cnuc_conservation_units_2024",
  "br_incra_quilombola_2026",
  "br_mma_deforestation_1977_1991",
  "br_amazon_areas_with_mining",
];

/** Where real plots are from. */
const PLOTS = "amazon_mining_scars_2019_2025";

const SOURCES_FOLDER = join(import.meta.dirname, "../../data/sources");

/**
 * Fills a data folder, and gives the ruleset and the features that plots are made of: real ones where
 * GROUNDRULE_REAL_DATA names a folder, else those of the demo.
 */
export async function makeWorld(data: string): Promise<{ ruleset: object; features: readonly Feature[] }> {
  const real = process.env.GROUNDRULE_REAL_DATA;
  if (real === undefined || !existsSync(real)) {
    console.log("GROUNDRULE_REAL_DATA names no folder: the plots are those of the demo.");
    const { ruleset } = await buildDemo(data);
    const features = generateDemo().plots as readonly Feature[];
    return { ruleset: await withCells(data, ruleset as Rules), features };
  }
  const names: string[] = [];
  for (const name of SOURCES) names.push(await install(data, name, join(real, `${name}.geojson.gz`)));
  const checks = names.map((_, i) => ({
    id: `check-${i + 1}`,
    set: `set_${i + 1}`,
    measure: "overlap_area_m2",
    outcome: i % 2 === 0 ? "NON_COMPLIANT" : "WARNING",
  }));
  const sets = Object.fromEntries(names.map((source, i) => [`set_${i + 1}`, { sources: [source] }]));
  return {
    ruleset: await withCells(data, { name: "five-checks", sets, checks }),
    features: await featuresOf(join(real, `${PLOTS}.geojson.gz`)),
  };
}

interface Rules {
  readonly name: string;
  readonly sets: object;
  readonly checks: readonly object[];
}

/** Adds a raster whose cells, of a hundredth of a degree, lie where the plots do, and a check of it. */
async function withCells(data: string, { name, sets, checks }: Rules): Promise<Rules> {
  const grid = { a: -7500, b: 500, s: 1, t: 1, n: 100, columns: 3200, rows: 2000 };
  const values = [1, 2, 3];
  const manifest = { source_name: "made:cells", kind: "leaf", observed_until: "2025-12-31" } as const;
  const areas = values.map((value) => ({
    id: `${value}`,
    name: null,
    countryIso3: null,
    properties: { value },
  }));
  const writer = createRasterWriter(manifest, grid, areas, { sha256: () => createHash("sha256"), crc32 });
  for (let row = 0; writer.nextRows > 0; ) {
    const rows = writer.nextRows;
    // Patches of 5 by 3 cells: an area, background (254) or nodata (255).
    const cellAt = (i: number): number => {
      const patch =
        Math.floor((row + Math.floor(i / grid.columns)) / 3) * 7 + Math.floor((i % grid.columns) / 5);
      return [0, 1, 254, 2, 254, 254, 0, 255, 1, 254, 2][patch % 11]!;
    };
    writer.add(Uint8Array.from({ length: rows * grid.columns }, (_, i) => cellAt(i)));
    row += rows;
  }
  await installEdition(data, writer.finish());
  const cells = { id: "cells", set: "cells", measure: "overlap_ratio", value: 0.4, outcome: "WARNING" };
  return {
    name,
    sets: { ...sets, cells: { sources: ["made:cells"], where: "value >= 2" } },
    checks: [...checks, cells],
  };
}

interface Feature {
  readonly geometry: object | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
}

/**
 * Writes so many plots, a Feature a line, under new ids: the features again and again. Some cannot be judged, some ids
 * are not ASCII.
 */
export function writePlots(path: string, features: readonly Feature[], count: number): void {
  const texts = features.map(({ geometry, properties }) => {
    const scheme = properties?.scheme;
    return [JSON.stringify(geometry), JSON.stringify(scheme === undefined ? {} : { scheme })];
  });
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const [geometry, properties] = texts[i % texts.length]!;
    const shape = i % 997 === 996 ? '{"type":"Polygon","coordinates":[]}' : geometry;
    const id = i % 101 === 100 ? `talhão ${i} 🌱` : `plot-${i}`;
    lines.push(`{"type":"Feature","id":"${id}","properties":${properties},"geometry":${shape}}\n`);
  }
  writeFileSync(path, lines.join(""));
}

async function install(data: string, name: string, path: string): Promise<string> {
  const { manifest } = parseSource(JSON.parse(readFileSync(join(SOURCES_FOLDER, `${name}.json`), "utf8")));
  const { file } = await buildSnapshot(createReadStream(path), manifest, {
    sha256: () => createHash("sha256"),
    crc32,
    crs: crsTable,
    openPolygons: (named) => createReadStream(join(SOURCES_FOLDER, named)),
  });
  await installEdition(data, file);
  return manifest.source_name;
}

/** One feature a line, between the lines of the collection. */
async function featuresOf(path: string): Promise<Feature[]> {
  const features: Feature[] = [];
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) {
    const text = line.replace(/^,|,$/g, "");
    if (!text.startsWith('{"type":"Feature"') && !text.startsWith('{"type": "Feature"')) continue;
    if (text.includes('"FeatureCollection"')) continue;
    const { geometry } = JSON.parse(text) as Feature;
    features.push({ geometry, properties: null });
  }
  return features;
}

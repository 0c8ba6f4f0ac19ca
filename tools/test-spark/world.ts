import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { crc32, createGunzip } from "node:zlib";
import { generateDemo } from "../../data/demo/generate.ts";
import { buildDemo } from "../../data/demo/index.ts";
import { crsTable } from "../../packages/crs/src/index.ts";
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
    return { ruleset: ruleset as object, features: generateDemo().plots as readonly Feature[] };
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
    ruleset: { name: "five-checks", sets, checks },
    features: await featuresOf(join(real, `${PLOTS}.geojson.gz`)),
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

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { generateDemo } from "../../data/demo/generate.ts";
import { buildDemo } from "../../data/demo/index.ts";
import { createRasterWriter } from "../../packages/engine/src/build.ts";
import { installEdition } from "../../packages/node/src/index.ts";
import { findRealFolder, installRealSource, readRealFeatures } from "../machine/real-data.ts";

/** Sources that the five checks ask, and the manifest of each. */
const SOURCES = {
  "br:funai": "br_funai_indigenous_lands_2023",
  "br:cnuc": "br_cnuc_conservation_units_2024",
  "br:quilombola": "br_incra_quilombola_2026",
  "br:mma_deforestation": "br_mma_deforestation_1977_1991",
  "amw:areas_with_mining": "br_amazon_areas_with_mining",
};

/**
 * Fills a data folder, and gives the ruleset and the features that plots are made of: real ones where
 * GROUNDRULE_REAL_DATA names a folder, else those of the demo.
 */
export async function prepareTestData(
  data: string,
): Promise<{ ruleset: object; features: readonly Feature[] }> {
  if (findRealFolder() === undefined) {
    console.log("GROUNDRULE_REAL_DATA names no folder: the plots are those of the demo.");
    const { ruleset } = await buildDemo(data);
    const features = generateDemo().plots as readonly Feature[];
    return { ruleset: await addCellRaster(data, ruleset as Rules), features };
  }
  for (const name of Object.values(SOURCES)) installRealSource(data, name);
  const names = Object.keys(SOURCES);
  const checks = names.map((_, i) => ({
    id: `check-${i + 1}`,
    set: `set_${i + 1}`,
    measure: "overlap_area_m2",
    outcome: i % 2 === 0 ? "NON_COMPLIANT" : "WARNING",
  }));
  const sets = Object.fromEntries(names.map((source, i) => [`set_${i + 1}`, { sources: [source] }]));
  return {
    ruleset: await addCellRaster(data, { name: "five-checks", sets, checks }),
    features: readRealFeatures("amazon_mining_scars_2019_2025").map(({ geometry }) => {
      return { geometry, properties: null };
    }),
  };
}

interface Rules {
  readonly name: string;
  readonly sets: object;
  readonly checks: readonly object[];
}

/** Adds a raster whose cells, of a hundredth of a degree, lie where the plots do, and a check of it. */
async function addCellRaster(data: string, { name, sets, checks }: Rules): Promise<Rules> {
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
export function writePlotLines(path: string, features: readonly Feature[], count: number): void {
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

/** The real layers, ruleset and plots with which `screen` is measured. */
import { once } from "node:events";
import { createWriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installRealSource, readRealFeatures } from "../tools/machine/real-data.ts";

/** The sources of the five checks, and the manifest of each. */
const SOURCES = {
  "br:funai": "br_funai_indigenous_lands_2023",
  "br:cnuc": "br_cnuc_conservation_units_2024",
  "br:icmbio": "br_icmbio_federal_units_amazon_2019",
  "br:mma_deforestation": "br_mma_deforestation_1977_1991",
  "br:quilombola": "br_incra_quilombola_2026",
};

export const RULESET = {
  name: "bench.screen",
  sets: Object.fromEntries(Object.keys(SOURCES).map((source, i) => [`set_${i}`, { sources: [source] }])),
  checks: Object.keys(SOURCES).map((_, i) => {
    return { id: `check_${i}`, set: `set_${i}`, measure: "overlap_area_m2", outcome: "NON_COMPLIANT" };
  }),
};

/** Fills a data folder, and returns the path of the ruleset. */
export function installScreenedSources(data: string): string {
  for (const name of Object.values(SOURCES)) installRealSource(data, name);
  const rules = join(data, "rules.json");
  writeFileSync(rules, JSON.stringify(RULESET));
  return rules;
}

/** Fields of 23 countries, example plots of the tropics, and mining scars of Brazil in 2023. */
export function readRealGeometries(): object[] {
  const scars = readRealFeatures("amazon_mining_scars_2019_2025").filter(
    ({ properties: { period, iso3 } }) => period === "2023" && iso3 === "BRA",
  );
  const plots = [
    ...readRealFeatures("plots_fields_world"),
    ...readRealFeatures("plots_whisp_examples"),
    ...scars,
  ];
  return plots.map(({ geometry }) => geometry);
}

/** Writes a Feature a line: the geometries over and over, each time under a new id. */
export async function writePlotLines(
  path: string,
  geometries: readonly object[],
  count: number,
): Promise<void> {
  const texts = geometries.map((geometry) => JSON.stringify(geometry));
  const file = createWriteStream(path);
  for (let i = 0; i < count; i++) {
    const geometry = texts[i % texts.length]!;
    const line = `{"type":"Feature","id":"plot-${i}","properties":{},"geometry":${geometry}}\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

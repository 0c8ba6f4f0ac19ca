import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";

/** Real plots: fields of 23 countries, example plots of the tropics, and mining scars of Brazil in 2023. */
const FILES = ["plots_fields_world", "plots_whisp_examples", "amazon_mining_scars_2019_2025"] as const;

/** What is read of a feature of those files. */
interface PlotFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: object;
}

/** @param folder of the real data */
export async function realGeometries(folder: string): Promise<object[]> {
  const kept: object[] = [];
  for (const file of FILES) {
    const unpacked = createReadStream(join(folder, `${file}.geojson.gz`)).pipe(createGunzip());
    const { features } = JSON.parse(await text(unpacked)) as { features: readonly PlotFeature[] };
    const isScars = file === "amazon_mining_scars_2019_2025";
    for (const { properties, geometry } of features) {
      if (!isScars || (properties.period === "2023" && properties.iso3 === "BRA")) kept.push(geometry);
    }
  }
  return kept;
}

/** Writes a Feature a line: the geometries over and over, each time under a new id. */
export async function writePlots(path: string, geometries: readonly object[], count: number): Promise<void> {
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

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Feature } from "../format-reader.ts";
import { openLocalFile } from "../host/node/files.ts";
import { geopackageReader } from "./reader.ts";

const data = process.env.GROUNDRULE_REAL_DATA;

async function read(name: string, layer?: string): Promise<{ crs: string | undefined; features: Feature[] }> {
  const file = await openLocalFile(join(data!, "original", name));
  const table = await geopackageReader.open(file, { layer });
  const features: Feature[] = [];
  for await (const feature of table.features()) features.push(feature);
  await table.close();
  await file.close();
  return { crs: table.crs, features };
}

interface Twin {
  readonly properties: Readonly<Record<string, unknown>>;
}

function twinsOf(name: string): Twin[] {
  const text = gunzipSync(readFileSync(join(data!, `${name}.geojson.gz`))).toString();
  return (JSON.parse(text) as { features: Twin[] }).features;
}

// Their rings are compared where they are imported (`packages/ingest/src/real-files.long.test.ts`).
describe.skipIf(data === undefined)("real GeoPackages", () => {
  it("give the attributes of the GeoJSON that GDAL made of them", async () => {
    const layers = Map.groupBy(twinsOf("br_uaca_layers"), ({ properties }) => properties.layer as string);
    expect(layers.size).toBe(6);
    for (const [layer, twins] of layers) {
      const { crs, features } = await read("uaca_estrada.gpkg", layer);
      expect(crs).toBe("EPSG:31976");
      expect(features).toHaveLength(twins.length);
      for (const [i, { fault, properties }] of features.entries()) {
        expect(fault).toBeUndefined();
        const { id, name, iso3, layer: _, ...attributes } = twins[i]!.properties;
        const { fid, ...own } = Object.fromEntries(properties);
        const dates = Object.entries(own).map(([key, value]) => [
          key,
          key.startsWith("data_") && typeof value === "string" ? value.replaceAll("-", "/") : value,
        ]);
        expect(Object.fromEntries(dates)).toEqual(attributes);
      }
    }
  });
});

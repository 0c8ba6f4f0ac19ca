import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Feature } from "../format-reader.ts";
import { openLocalFile } from "../host/node/files.ts";
import { openTable } from "../open/open-table.ts";

const data = process.env.GROUNDRULE_REAL_DATA;
const inData = (name: string): string => join(data ?? "", name);

async function read(name: string): Promise<{ crs: string | undefined; features: Feature[] }> {
  const file = await openLocalFile(inData(`original/${name}`));
  const table = await openTable(file);
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
  const text = gunzipSync(readFileSync(inData(name))).toString();
  return (JSON.parse(text) as { features: Twin[] }).features;
}

// Their polygons are compared where they are imported (`packages/ingest/src/real-files.long.test.ts`).
// The runner says when the real data is missing.
describe.skipIf(data === undefined)("real shapefiles", () => {
  it("have the same attributes as GDAL found in the conservation units", async () => {
    const { crs, features } = await read("UCs_AmzLegal.zip");
    const twins = twinsOf("br_icmbio_federal_units_amazon_2019.geojson.gz");
    expect([crs, features.length]).toEqual(["EPSG:4674", twins.length]);
    for (const [i, feature] of features.entries()) {
      for (const [name, value] of feature.properties) {
        if (name in twins[i]!.properties) expect(value, name).toEqual(twins[i]!.properties[name]);
      }
    }
    expect([...features[0]!.properties.keys()].every((name) => name in twins[0]!.properties)).toBe(true);
  });

  it.each([
    ["fields/dk_Marker_2026_epsg25832_shp.zip", "EPSG:25832", "Korn + bælgsæd under 50% bælgsæd"],
    ["fields/nz_irrigated_land_2020_epsg2193_shp.zip", "EPSG:2193", "Drip/micro"],
    ["fields/sk_HU2024_epsg5514_shp.zip", "EPSG:5514", "Dolný Bar"],
  ])("are read wholly: %s", async (name, expected, text) => {
    const { crs, features } = await read(name);
    expect([crs, features.length]).toEqual([expected, 100]);
    expect(features.every(({ fault }) => fault === undefined)).toBe(true);
    expect(features.some(({ properties }) => [...properties.values()].includes(text))).toBe(true);
  });
});

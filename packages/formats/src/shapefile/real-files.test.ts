import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { AreaGeometry } from "../area-geometry.ts";
import type { Feature } from "../format-reader.ts";
import { openLocalFile } from "../host/node/files.ts";
import { openTable } from "../open-table.ts";

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
  readonly geometry: { readonly type: string; readonly coordinates: number[][][] | number[][][][] };
  readonly properties: Readonly<Record<string, unknown>>;
}

function twinsOf(name: string): Twin[] {
  const text = gunzipSync(readFileSync(inData(name))).toString();
  return (JSON.parse(text) as { features: Twin[] }).features;
}

/** The rings of each polygon, whichever is written first and wherever each begins; holes sorted. */
function canonical({ coordinates, type }: Twin["geometry"]): string[] {
  const polygons = (type === "Polygon" ? [coordinates] : coordinates) as number[][][][];
  return polygons.map(([outer, ...holes]) => [turned(outer!), ...holes.map(turned).sort()].join(" ")).sort();
}

/** From its least position, eastwards. */
function turned(ring: number[][]): string {
  const open = ring.slice(0, -1).map((position) => position.slice(0, 2).join());
  const least = open.reduce((best, position, i) => (position < open[best]! ? i : best), 0);
  const forth = [...open.slice(least), ...open.slice(0, least)];
  const back = [forth[0]!, ...forth.slice(1).reverse()];
  return (forth.join(" ") < back.join(" ") ? forth : back).join(" ");
}

/** The twins were written with 15 digits, or 9 decimals. */
const rounded = (geometry: Twin["geometry"]): Twin["geometry"] =>
  JSON.parse(JSON.stringify(geometry), (_, value) =>
    typeof value === "number" ? Math.round(value * 1e9) / 1e9 : value,
  );

const geometryOf = ({ geometry }: Feature): Twin["geometry"] => {
  expect(geometry).toBeInstanceOf(AreaGeometry);
  return (geometry as AreaGeometry).toGeoJson() as Twin["geometry"];
};

// The runner says when the real data is missing.
describe.skipIf(data === undefined)("real shapefiles", () => {
  it("have the same polygons and attributes as GDAL found in the conservation units", async () => {
    const { crs, features } = await read("UCs_AmzLegal.zip");
    const twins = twinsOf("br_icmbio_federal_units_amazon_2019.geojson.gz");
    expect([crs, features.length]).toEqual(["EPSG:4674", twins.length]);
    for (const [i, feature] of features.entries()) {
      expect(canonical(rounded(geometryOf(feature)))).toEqual(canonical(rounded(twins[i]!.geometry)));
      for (const [name, value] of feature.properties) {
        if (name in twins[i]!.properties) expect(value, name).toEqual(twins[i]!.properties[name]);
      }
    }
    expect([...features[0]!.properties.keys()].every((name) => name in twins[0]!.properties)).toBe(true);
  });

  it("have the same polygons as GDAL found in the fields of Bahia", async () => {
    const { crs, features } = await read("fields/br_ba_lem_epsg4326_shp.zip");
    const twins = twinsOf("plots_fields_world.geojson.gz").filter(
      ({ properties }) => properties.dataset === "br_ba_lem",
    );
    expect([crs, features.length]).toEqual(["EPSG:4326", twins.length]);
    for (const [i, feature] of features.entries()) {
      expect(canonical(rounded(geometryOf(feature)))).toEqual(canonical(rounded(twins[i]!.geometry)));
    }
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

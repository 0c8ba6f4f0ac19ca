import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readTableFeatures, toPlainGeometry } from "../test/reading.ts";
import { openLocalFile } from "./host/node/files.ts";
import { openTable } from "./open/open-table.ts";

const data = process.env.GROUNDRULE_REAL_DATA;

async function read(name: string, layer?: string) {
  const file = await openLocalFile(join(data!, name));
  return readTableFeatures(openTable(file, { layer })).finally(() => file.close());
}

interface Twin {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}

/** The same as GeoJSON, as GDAL made it. */
function findTwins(name: string): Twin[] {
  const text = gunzipSync(readFileSync(join(data!, `${name}.geojson.gz`))).toString();
  return (JSON.parse(text) as { features: Twin[] }).features;
}

// Polygons are compared where they are imported (`packages/ingest/src/real-files.long.test.ts`).
// The runner says when the real data is missing.
describe.skipIf(data === undefined)("real files", () => {
  it("of shapefiles have the attributes that GDAL found in the conservation units", async () => {
    const { crs, features } = await read("original/UCs_AmzLegal.zip");
    const twins = findTwins("br_icmbio_federal_units_amazon_2019");
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
  ])("of shapefiles are read wholly: %s", async (name, expected, text) => {
    const { crs, features } = await read(`original/${name}`);
    expect([crs, features.length]).toEqual([expected, 100]);
    expect(features.every(({ fault }) => fault === undefined)).toBe(true);
    expect(features.some(({ properties }) => [...properties.values()].includes(text))).toBe(true);
  });

  it("of GeoPackages give the attributes of the GeoJSON that GDAL made of them", async () => {
    const layers = Map.groupBy(findTwins("br_uaca_layers"), ({ properties }) => properties.layer as string);
    expect(layers.size).toBe(6);
    for (const [layer, twins] of layers) {
      const { crs, features } = await read("original/uaca_estrada.gpkg", layer);
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

  it("of FlatGeobuf give the geometries and attributes of its GeoJSON twin", async () => {
    const name = "br_cnuc_conservation_units_2024";
    const { crs, features } = await read(`derived/${name}.fgb`);
    const twins = findTwins(name);
    expect(crs).toBe("EPSG:4326");
    expect(features).toHaveLength(twins.length);
    // GDAL makes every polygon a multipolygon where some are, and puts features along a curve.
    const byId = new Map(twins.map((twin) => [twin.properties.id as string, twin]));
    expect(byId.size).toBe(twins.length);
    for (const { geometry, properties } of features) {
      const twin = byId.get(properties.get("id") as string)!;
      byId.delete(properties.get("id") as string);
      expect(Object.fromEntries(properties)).toEqual(twin.properties);
      const { type, coordinates } = twin.geometry;
      const multi = type === "Polygon" ? [coordinates] : coordinates;
      expect(toPlainGeometry(geometry)).toEqual({ type: "MultiPolygon", coordinates: multi });
    }
  });
});

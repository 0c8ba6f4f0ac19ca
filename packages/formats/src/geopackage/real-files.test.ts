import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { AreaGeometry } from "../area-geometry.ts";
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
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}

function twinsOf(name: string): Twin[] {
  const text = gunzipSync(readFileSync(join(data!, `${name}.geojson.gz`))).toString();
  return (JSON.parse(text) as { features: Twin[] }).features;
}

/** The geometry with every number gone: its rings and how many positions each has. */
function shapeOf(coordinates: unknown): unknown {
  if (!Array.isArray(coordinates)) return 0;
  return Array.isArray(coordinates[0]) && typeof coordinates[0][0] === "number"
    ? coordinates.length
    : coordinates.map(shapeOf);
}

describe.skipIf(data === undefined)("real GeoPackages", () => {
  it("give the rings and attributes of the GeoJSON that GDAL made of them", async () => {
    const layers = Map.groupBy(twinsOf("br_uaca_layers"), ({ properties }) => properties.layer as string);
    expect(layers.size).toBe(6);
    for (const [layer, twins] of layers) {
      const { crs, features } = await read("uaca_estrada.gpkg", layer);
      expect(crs).toBe("EPSG:31976");
      expect(features).toHaveLength(twins.length);
      for (const [i, { geometry, fault, properties }] of features.entries()) {
        expect(fault).toBeUndefined();
        const area = (geometry as AreaGeometry).toGeoJson();
        expect(area.type).toBe(twins[i]!.geometry.type);
        expect(shapeOf(area.coordinates)).toEqual(shapeOf(twins[i]!.geometry.coordinates));
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

  it("give every field of every sample, in the sample's CRS", async () => {
    const datasets = Map.groupBy(twinsOf("plots_fields_world"), ({ properties }) => properties.dataset);
    for (const [dataset, name, layer] of [
      ["ch", "ch_lwb_nutzungsflaechen_epsg2056"],
      ["fi", "fi_GSAA_epsg3067"],
      ["ai4sf_kh", "kh_ai4sf_epsg32648"],
      ["nl", "nl_brpgewaspercelen_2023_epsg28992"],
      ["pt", "pt_Continente_epsg3763", "Culturas_Aveiro"],
      ["pt_osa", "pt_Continente_epsg3763", "OcupacoesSolo_Aveiro"],
    ] as const) {
      const twins = datasets.get(dataset)!;
      const { crs, features } = await read(`fields/${name}.gpkg`, layer);
      expect(crs, dataset).toBe(twins[0]!.properties.source_crs);
      expect(features, dataset).toHaveLength(twins.length);
      for (const [i, { geometry, id }] of features.entries()) {
        expect(id).toBe(twins[i]!.properties.source_fid);
        expect(geometry).toBeInstanceOf(AreaGeometry);
        const { coordinates } = (geometry as AreaGeometry).toGeoJson();
        expect(shapeOf(coordinates)).toEqual(shapeOf(twins[i]!.geometry.coordinates));
      }
    }
  });
});

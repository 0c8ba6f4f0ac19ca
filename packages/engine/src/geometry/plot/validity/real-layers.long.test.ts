import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { prepareArea } from "../mend/prepare-area.ts";
import { findPolygonFaults } from "./validity.ts";

const folder = process.env.GROUNDRULE_REAL_DATA;
const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".geojson.gz"));

type Position = readonly [number, number];

interface Layer {
  readonly features: readonly {
    readonly geometry: { readonly type: string; readonly coordinates: unknown };
  }[];
}

function readLayer(file: string): Layer {
  return JSON.parse(gunzipSync(readFileSync(`${folder}/${file}`)).toString("utf8"));
}

/** Invalid features by GEOS 3.11.1. */
const INVALID: Readonly<Record<string, number>> = {
  amazon_mining_scars_2019_2025: 377,
  br_cnuc_conservation_units_2024: 1,
  br_ibge_municipalities: 46,
  br_icmbio_federal_units_amazon_2019: 2,
  br_incra_quilombola_2026: 1,
  br_mma_deforestation_1977_1991: 10,
  gshhg_h_antimeridian_unsplit: 1,
  gshhg_h_land_with_lakes: 3,
  ne_10m_admin_0_countries: 1,
  plots_fields_world: 1,
};

describe.runIf(folder !== undefined)("on real layers", () => {
  it.each(files)("findFaults finds as many invalid features in %s as GEOS", (file) => {
    const invalid = readLayer(file).features.filter(({ geometry: { type, coordinates } }) => {
      const polygons = (type === "Polygon" ? [coordinates] : coordinates) as Position[][][];
      const flat = polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
      return findPolygonFaults(flat).length > 0;
    });
    expect(invalid).toHaveLength(INVALID[file.replace(".geojson.gz", "")] ?? 0);
  });

  it.each(files)(
    "prepareArea leaves nothing invalid in %s, and takes no land from another reading",
    (file) => {
      for (const feature of readLayer(file).features) {
        const area = prepareArea(feature);
        expect(area.repaired).toBe(area.faults.length > 0);
        expect(area.loss).toBeUndefined();
        if (area.repaired) expect(findPolygonFaults(area.polygons)).toEqual([]);
      }
    },
  );
});

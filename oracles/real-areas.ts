import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { closeRing } from "../packages/engine/src/geometry/noding/mend-rings.ts";
import { findPolygonFaults } from "../packages/engine/src/geometry/plot/validity/validity.ts";
import type { Polygons } from "./wkt.ts";

/** The polygons of a folder's layers in which something is wrong, by file and by number of the feature. */
export function* findInvalidAreas(folder: string): Generator<{ name: string; polygons: Polygons }> {
  for (const file of readdirSync(folder).filter((file) => file.endsWith(".geojson.gz"))) {
    const text = gunzipSync(readFileSync(`${folder}/${file}`)).toString("utf8");
    const { features } = JSON.parse(text) as { features: readonly { geometry: Geometry | null }[] };
    for (const [i, { geometry }] of features.entries()) {
      if (geometry === null) continue;
      const polygons = listPolygons(geometry).map((rings) =>
        rings.map((ring) => closeRing(Float64Array.from(ring.flat()))),
      );
      if (findPolygonFaults(polygons, { limit: 1 }).length > 0) yield { name: `${file} ${i + 1}`, polygons };
    }
  }
}

type Rings = readonly (readonly (readonly number[])[])[];
type Geometry =
  | { readonly type: "Polygon"; readonly coordinates: Rings }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly Rings[] }
  | { readonly type: "Point" };

function listPolygons(geometry: Geometry): readonly Rings[] {
  if (geometry.type === "Polygon") return [geometry.coordinates];
  return geometry.type === "MultiPolygon" ? geometry.coordinates : [];
}

import { isEsriFeature, readEsriFeature } from "./esri-feature.ts";
import type { ObjectAsFeature, RowOptions } from "./object-as-feature.ts";
import { readRowGeometry } from "./row-geometry.ts";

/** A feature of Esri, or a row whose geometry stands in one of its members; undefined where none is found. */
export function readFoundObject(
  object: Readonly<Record<string, unknown>>,
  options: RowOptions,
): ObjectAsFeature | undefined {
  return isEsriFeature(object) ? readEsriFeature(object) : readRowGeometry(object, options);
}

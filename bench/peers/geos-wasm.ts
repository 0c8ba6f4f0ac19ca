import type { Polygons } from "@groundrule/testing/shapes";
import Flatbush from "flatbush";

/** GEOS in WebAssembly with a flatbush over the areas, prepared: the fastest peer inside Node. */
export interface GeosWasm {
  /** One pass over some of the plots: hits and square degrees. */
  pass(from: number, count: number): { hits: number; overlap: number };
}

/** Loads areas and plots; undefined where geos-wasm is not installed. */
export async function startGeosWasm(
  areas: readonly Polygons[],
  plots: readonly Polygons[],
): Promise<GeosWasm | undefined> {
  const name = "geos-wasm";
  const found = await import(name).catch(() => undefined);
  if (found === undefined) return undefined;
  const geos = await found.default();
  const pointers = (values: readonly number[]): number => {
    if (values.length === 0) return 0;
    const at: number = geos.Module._malloc(4 * values.length);
    for (const [i, value] of values.entries()) geos.Module.setValue(at + 4 * i, value, "i32");
    return at;
  };
  const linearRing = (ring: Float64Array): number => {
    const count = ring.length / 2;
    const sequence = geos.GEOSCoordSeq_create(count, 2);
    for (let i = 0; i < count; i++) geos.GEOSCoordSeq_setXY(sequence, i, ring[2 * i], ring[2 * i + 1]);
    return geos.GEOSGeom_createLinearRing(sequence);
  };
  const geometryOf = (polygons: Polygons): number => {
    const made = polygons.map(([outer, ...holes]): number =>
      geos.GEOSGeom_createPolygon(linearRing(outer!), pointers(holes.map(linearRing)), holes.length),
    );
    const multiPolygon = 6;
    return made.length === 1
      ? made[0]!
      : geos.GEOSGeom_createCollection(multiPolygon, pointers(made), made.length);
  };
  const out: number = geos.Module._malloc(8);
  const areaOf = (geometry: number): number => {
    geos.GEOSArea(geometry, out);
    return geos.Module.getValue(out, "double");
  };
  const index = new Flatbush(areas.length);
  const loaded = areas.map((polygons) => {
    index.add(...bboxOf(polygons));
    const geometry = geometryOf(polygons);
    return { geometry, prepared: geos.GEOSPrepare(geometry) };
  });
  index.finish();
  const asked = plots.map((polygons) => {
    const geometry = geometryOf(polygons);
    return { geometry, bbox: bboxOf(polygons), area: areaOf(geometry) };
  });
  return {
    pass(from, count) {
      let hits = 0;
      let overlap = 0;
      for (const { geometry, bbox, area } of asked.slice(from, from + count)) {
        for (const i of index.search(...bbox)) {
          const { geometry: other, prepared } = loaded[i]!;
          if (geos.GEOSPreparedIntersects(prepared, geometry) !== 1) continue;
          hits++;
          if (geos.GEOSPreparedCovers(prepared, geometry) === 1) {
            overlap += area;
            continue;
          }
          const common = geos.GEOSIntersection(other, geometry);
          if (common === 0) continue;
          overlap += areaOf(common);
          geos.GEOSGeom_destroy(common);
        }
      }
      return { hits, overlap };
    },
  };
}

export function bboxOf(polygons: Polygons): [number, number, number, number] {
  const bbox: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of polygons.flat()) {
    for (let i = 0; i < ring.length; i += 2) {
      bbox[0] = Math.min(bbox[0], ring[i]!);
      bbox[1] = Math.min(bbox[1], ring[i + 1]!);
      bbox[2] = Math.max(bbox[2], ring[i]!);
      bbox[3] = Math.max(bbox[3], ring[i + 1]!);
    }
  }
  return bbox;
}

import type { Polygons } from "@groundrule/testing/shapes";

/** GEOS, by geos-wasm. */
export interface Geos {
  /** Why GEOS holds a MultiPolygon invalid; undefined where it is valid. */
  reasonInvalid(polygons: Polygons): string | undefined;
  /** Square degrees in one of two valid MultiPolygons and not in the other. */
  symmetricDifference(a: Polygons, b: Polygons): number;
}

/** Undefined where geos-wasm is not installed. */
export async function loadGeos(): Promise<Geos | undefined> {
  const name = "geos-wasm";
  const found = await import(name).catch(() => undefined);
  if (found === undefined) return undefined;
  const geos = await found.default();
  const pointers = (values: readonly number[]): number => {
    const at: number = geos.Module._malloc(4 * Math.max(1, values.length));
    for (const [i, value] of values.entries()) geos.Module.setValue(at + 4 * i, value, "i32");
    return at;
  };
  const linearRing = (ring: Float64Array): number => {
    const count = ring.length / 2;
    const sequence = geos.GEOSCoordSeq_create(count, 2);
    for (let i = 0; i < count; i++) geos.GEOSCoordSeq_setXY(sequence, i, ring[2 * i], ring[2 * i + 1]);
    return geos.GEOSGeom_createLinearRing(sequence);
  };
  const withArray = <Result>(values: readonly number[], use: (at: number) => Result): Result => {
    const at = pointers(values);
    const result = use(at);
    geos.Module._free(at);
    return result;
  };
  const MULTI_POLYGON = 6;
  const geometryOf = (polygons: Polygons): number => {
    const made = polygons.map(([outer, ...holes]) =>
      withArray(holes.map(linearRing), (at) =>
        geos.GEOSGeom_createPolygon(linearRing(outer!), at, holes.length),
      ),
    );
    return withArray(made, (at) => geos.GEOSGeom_createCollection(MULTI_POLYGON, at, made.length));
  };
  const out: number = geos.Module._malloc(8);
  return {
    reasonInvalid(polygons) {
      const geometry = geometryOf(polygons);
      const isValid = geos.GEOSisValid(geometry) === 1;
      const reason: unknown = isValid ? undefined : geos.GEOSisValidReason(geometry);
      geos.GEOSGeom_destroy(geometry);
      if (isValid) return undefined;
      return typeof reason === "number" ? geos.Module.UTF8ToString(reason) : String(reason);
    },
    symmetricDifference(a, b) {
      const [left, right] = [geometryOf(a), geometryOf(b)];
      const difference = geos.GEOSSymDifference(left, right);
      geos.GEOSArea(difference, out);
      for (const geometry of [left, right, difference]) geos.GEOSGeom_destroy(geometry);
      return geos.Module.getValue(out, "double");
    },
  };
}

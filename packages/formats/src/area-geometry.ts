/** A Polygon or MultiPolygon that was read from bytes straight into typed arrays. */
export class AreaGeometry {
  readonly #isMulti: boolean;
  /**
   * Rings of each polygon, flat `[x, y, …]` as they stand in the file, the first position repeated at the end where
   * the file repeats it. They may lie in memory that the next feature uses again.
   */
  readonly polygons: readonly (readonly Float64Array[])[];

  constructor(polygons: readonly (readonly Float64Array[])[], isMulti: boolean) {
    this.polygons = polygons;
    this.#isMulti = isMulti;
  }

  /** The geometry as `JSON.parse` would have made it. */
  toGeoJson(): {
    /** `Polygon` or `MultiPolygon`. */
    readonly type: string;
    readonly coordinates: unknown;
  } {
    const polygons = this.polygons.map((rings) => rings.map(toPositions));
    return this.#isMulti
      ? { type: "MultiPolygon", coordinates: polygons }
      : { type: "Polygon", coordinates: polygons[0] ?? [] };
  }
}

/** Rings as an area; polygons without rings are none. */
export function toAreaGeometry(
  polygons: readonly (readonly Float64Array[])[],
  isMulti: boolean,
): AreaGeometry {
  return new AreaGeometry(
    polygons.filter((rings) => rings.length > 0),
    isMulti,
  );
}

/** Flat positions as GeoJSON nests them. */
export function toPositions(ring: Float64Array): [number, number][] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
}

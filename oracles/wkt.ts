/** Polygons as rings of flat `[lon, lat, …]`, outer first. */
export type Polygons = readonly (readonly Float64Array[])[];

/** Well-known text that reads back to the same doubles. */
export function formatMultiPolygon(polygons: Polygons): string {
  return `MULTIPOLYGON(${polygons.map((rings) => `(${rings.map(formatWktRing).join()})`).join()})`;
}

export function formatWktPolygon(rings: readonly Float64Array[]): string {
  return `POLYGON(${rings.map(formatWktRing).join()})`;
}

/** One position as a point, more as a line. */
export function formatPointOrLine(positions: Float64Array): string {
  return `${positions.length === 2 ? "POINT" : "LINESTRING"}${formatWktRing(positions)}`;
}

function formatWktRing(ring: Float64Array): string {
  const positions: string[] = [];
  for (let i = 0; i < ring.length; i += 2) positions.push(`${ring[i]} ${ring[i + 1]}`);
  return `(${positions.join()})`;
}

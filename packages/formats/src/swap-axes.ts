import { AreaGeometry } from "./area-geometry.ts";

/** A geometry whose positions stand latitude first, as GeoJSON has it; what is no geometry is left as it is. */
export function swapAxes(geometry: unknown): unknown {
  if (geometry instanceof AreaGeometry) {
    for (const rings of geometry.polygons) for (const ring of rings) swapCoordinatePairs(ring);
    return geometry;
  }
  if (typeof geometry !== "object" || geometry === null) return geometry;
  if (Array.isArray((geometry as { geometries?: unknown }).geometries)) {
    const { geometries } = geometry as { readonly geometries: readonly unknown[] };
    return { ...geometry, geometries: geometries.map(swapAxes) };
  }
  const { coordinates } = geometry as { readonly coordinates?: unknown };
  return coordinates === undefined ? geometry : { ...geometry, coordinates: swapPositions(coordinates) };
}

function swapCoordinatePairs(ring: Float64Array): void {
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const latitude = ring[i]!;
    ring[i] = ring[i + 1]!;
    ring[i + 1] = latitude;
  }
}

function swapPositions(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (typeof value[0] !== "number") return value.map(swapPositions);
  const [first, second, ...rest] = value;
  return value.length < 2 ? value : [second, first, ...rest];
}

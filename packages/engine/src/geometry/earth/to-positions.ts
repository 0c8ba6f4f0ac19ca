/** The positions of x0, y0, x1, y1, …, as GeoJSON writes them. */
export function toPositions(xy: Float64Array): [number, number][] {
  return Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!]);
}

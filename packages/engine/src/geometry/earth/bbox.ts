/** `[west, south, east, north]` in degrees, GeoJSON order; west and east may lie past ±180. */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

/** The bbox of positions, flat `[lon, lat, …]`: those from number `from` to before `to`. */
export function computeBbox(xy: Float64Array, from = 0, to: number = xy.length / 2): Bbox {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let i = 2 * from; i < 2 * to; i += 2) {
    const x = xy[i]!;
    const y = xy[i + 1]!;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return [west, south, east, north];
}

/** Writes the box around those of the nodes `first` to `end` (exclusive), of which there is one, at a node. */
export function writeBoxUnion<Boxes extends Int32Array | Float64Array>(
  boxes: Boxes,
  first: number,
  end: number,
  into: Boxes,
  node: number,
): void {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 4 * first; at < 4 * end; at += 4) {
    west = Math.min(west, boxes[at]!);
    south = Math.min(south, boxes[at + 1]!);
    east = Math.max(east, boxes[at + 2]!);
    north = Math.max(north, boxes[at + 3]!);
  }
  into[4 * node] = west;
  into[4 * node + 1] = south;
  into[4 * node + 2] = east;
  into[4 * node + 3] = north;
}

/** A bbox grown by a distance; a full band of longitudes where a pole comes within reach. */
export function growBbox([west, south, east, north]: Bbox, meters: number): Bbox {
  if (meters === 0) return [west, south, east, north];
  const latitudes = meters / METERS_PER_DEGREE_AT_LEAST;
  const poleward = Math.max(Math.abs(south - latitudes), Math.abs(north + latitudes));
  if (poleward >= 89) return [-540, south - latitudes, 540, north + latitudes];
  // 1 − |φ|/90 is a lower bound of cos φ (concave on the interval), and needs no trigonometry.
  const longitudes = latitudes / (1 - poleward / 90);
  return [west - longitudes, south - latitudes, east + longitudes, north + latitudes];
}

/** Metres of one degree of latitude at the least (WGS 84, at the equator), so that search boxes are never too small. */
const METERS_PER_DEGREE_AT_LEAST = 110_000;

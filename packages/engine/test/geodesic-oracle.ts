import geographicLib from "geographiclib-geodesic";

/** An edge straight in longitude and latitude, degrees: [lonA, latA, lonB, latB]. */
export type Edge = readonly [lonA: number, latA: number, lonB: number, latB: number];

/** Greatest length of the pieces edges are cut into before they are searched, degrees of either axis. */
const PIECE_DEGREES = 0.5;
const RADIUS = 6_371_000;
const DEGREE = Math.PI / 180;

/**
 * Shortest geodesic between two sets of edges, metres, by search alone: every pair of pieces that a
 * sphere with 1 % to spare cannot exclude is searched over both shares by golden section, with
 * GeographicLib as the measure. It knows nothing of frames, trees or ends of edges. Good to about
 * 10 nm where pieces do not touch.
 */
export function searchShortestMeters(first: readonly Edge[], second: readonly Edge[]): number {
  const a = first.flatMap(splitEdge).map(toBall);
  const b = second.flatMap(splitEdge).map(toBall);
  const pairs: { least: number; e: Ball; f: Ball }[] = [];
  let best = Infinity;
  for (const e of a) {
    for (const f of b) {
      const between = computeSphereMeters(e.lon, e.lat, f.lon, f.lat);
      const least = between * 0.99 - e.radius - f.radius;
      best = Math.min(best, between * 1.01);
      if (least <= best) pairs.push({ least, e, f });
    }
  }
  pairs.sort((p, q) => p.least - q.least);
  for (const { least, e, f } of pairs) {
    if (least > best) break;
    best = Math.min(best, searchEdgePairMeters(e.piece, f.piece));
  }
  return best;
}

interface Ball {
  readonly piece: Edge;
  readonly lon: number;
  readonly lat: number;
  readonly radius: number;
}

function toBall(piece: Edge): Ball {
  const [lonA, latA, lonB, latB] = piece;
  const lon = (lonA + lonB) / 2;
  const lat = (latA + latB) / 2;
  const widest = Math.cos(Math.min(Math.abs(latA), Math.abs(latB), Math.abs(lat)) * DEGREE);
  const radius =
    0.5 * 1.01 * RADIUS * DEGREE * Math.hypot(latB - latA, (lonB - lonA) * (latA * latB < 0 ? 1 : widest));
  return { piece, lon, lat, radius };
}

function splitEdge([lonA, latA, lonB, latB]: Edge): Edge[] {
  const count = Math.max(
    1,
    Math.ceil(Math.max(Math.abs(lonB - lonA), Math.abs(latB - latA)) / PIECE_DEGREES),
  );
  const at = (i: number): [number, number] =>
    i === 0
      ? [lonA, latA]
      : i === count
        ? [lonB, latB]
        : [lonA + ((lonB - lonA) * i) / count, latA + ((latB - latA) * i) / count];
  return Array.from({ length: count }, (_, i): Edge => [...at(i), ...at(i + 1)]);
}

/** Golden section over one edge of golden section over the other, their ends looked at besides. */
function searchEdgePairMeters(e: Edge, f: Edge): number {
  const outer = (s: number): number => {
    const lon = e[0] + (e[2] - e[0]) * s;
    const lat = e[1] + (e[3] - e[1]) * s;
    return minimizeByGoldenSection((t) =>
      inverseGeodesicMeters(lon, lat, f[0] + (f[2] - f[0]) * t, f[1] + (f[3] - f[1]) * t),
    );
  };
  return minimizeByGoldenSection(outer);
}

function minimizeByGoldenSection(value: (t: number) => number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = 0;
  let high = 1;
  let c = 1 - ratio;
  let d = ratio;
  let atC = value(c);
  let atD = value(d);
  let best = Math.min(value(0), value(1), atC, atD);
  for (let i = 0; i < 36; i++) {
    if (atC < atD) {
      high = d;
      d = c;
      atD = atC;
      c = high - ratio * (high - low);
      atC = value(c);
      best = Math.min(best, atC);
    } else {
      low = c;
      c = d;
      atC = atD;
      d = low + ratio * (high - low);
      atD = value(d);
      best = Math.min(best, atD);
    }
  }
  return best;
}

function inverseGeodesicMeters(lonA: number, latA: number, lonB: number, latB: number): number {
  return geographicLib.Geodesic.WGS84.Inverse(latA, lonA, latB, lonB, geographicLib.Geodesic.DISTANCE).s12!;
}

function computeSphereMeters(lonA: number, latA: number, lonB: number, latB: number): number {
  const s = Math.sin(((latB - latA) * DEGREE) / 2);
  const t = Math.sin(((lonB - lonA) * DEGREE) / 2);
  const h = s * s + Math.cos(latA * DEGREE) * Math.cos(latB * DEGREE) * t * t;
  return 2 * RADIUS * Math.asin(Math.sqrt(Math.min(1, h)));
}

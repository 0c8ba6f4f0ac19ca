import { type Boundary, isSeam, meterWork, sideOfBoundary } from "./boundary.ts";
import { type Chains, forEdgesNear } from "./chains.ts";
import type { Relations } from "./kernel.ts";
import type { Plot } from "./plot.ts";
import { orient2d } from "./predicates.ts";
import type { WorkMeter } from "./work-meter.ts";

/*
 * Exact relations from the two boundaries alone. Where an edge of the one crosses an edge of the
 * other properly, interiors and exteriors all meet. Else they share only vertices of one or the other
 * and pieces along a common line; cut there, every piece of a boundary lies inside the other set,
 * outside it, or along its boundary, and the position in its middle tells which.
 */

/** Units of work that asking for one relation takes at least. */
const RELATION_UNITS = 300;
/** Of an edge that is classified. */
const EDGE_UNITS = 5;
/** Of two rings whose envelopes are compared. */
const PAIR_UNITS = 8;
const METERED_AT = 10_000;

/** Where a boundary is cut, by edge; and which pieces run along an edge of the other. */
interface Cuts {
  readonly positions: Map<number, [number, number][]>;
  /** Ends of the stretches along the other's boundary, and whether both interiors lie on the same side there. */
  readonly along: Map<number, { readonly from: number[]; readonly to: number[]; readonly same: boolean }[]>;
}

/** How the pieces of one boundary stand to the other set. */
interface Found {
  inside: boolean;
  outside: boolean;
  alongSame: boolean;
  alongOpposite: boolean;
}

/** How an area stands to a plot; `meets` says whether they share a point at all. */
export function relate(
  dimension: Plot["dimension"],
  plot: Boundary,
  area: Boundary,
  meter: WorkMeter,
): Relations & { meets: boolean } {
  meter.add(RELATION_UNITS);
  if (dimension === "point") return relatePoints(plot, area, meter);
  meter.add(PAIR_UNITS * plot.rings.length * area.rings.length);
  const plotCuts = plot.rings.map((): Cuts => ({ positions: new Map(), along: new Map() }));
  const areaCuts = area.rings.map((): Cuts => ({ positions: new Map(), along: new Map() }));
  for (const [r, ring] of plot.rings.entries()) {
    for (const [s, other] of area.rings.entries()) {
      const crossed = forEdgesNear(ring, other, (i, j) => {
        if (ring.work > METERED_AT) meterWork(plot, meter);
        // A seam bounds nothing, but pieces are cut there too: their middle must not lie on it.
        const plotSeam = isSeam(plot, ring, i);
        const areaSeam = isSeam(area, other, j);
        if (!plotSeam && !areaSeam) return cut(ring, i, other, j, plotCuts[r]!, areaCuts[s]!);
        if (areaSeam && !plotSeam) cutAtSeam(ring, i, other.xy[2 * j]!, plotCuts[r]!);
        if (plotSeam && !areaSeam) cutAtSeam(other, j, ring.xy[2 * i]!, areaCuts[s]!);
        return false;
      });
      if (crossed) return { meets: true, touches: false, covers: false, coveredBy: false };
    }
  }
  const touched = plotCuts.some((cuts) => cuts.positions.size > 0);
  const plotPieces = classify(plot, plotCuts, area, meter);
  if (dimension === "line") {
    const meets = touched || plotPieces.inside;
    return {
      meets,
      touches: meets && !plotPieces.inside,
      covers: meets && !plotPieces.outside,
      coveredBy: false,
    };
  }
  const areaPieces = classify(area, areaCuts, plot, meter);
  const interiors = plotPieces.inside || areaPieces.inside || plotPieces.alongSame;
  const meets = touched || interiors;
  const opposite = plotPieces.alongOpposite;
  return {
    meets,
    touches: meets && !interiors,
    covers: interiors && !plotPieces.outside && !areaPieces.inside && !opposite,
    coveredBy: interiors && !area.partial && !areaPieces.outside && !plotPieces.inside && !opposite,
  };
}

function relatePoints(plot: Boundary, area: Boundary, meter: WorkMeter): Relations & { meets: boolean } {
  let inside = 0;
  let boundary = 0;
  let count = 0;
  for (const { xy, first } of plot.rings) {
    const [x, y] = [xy[2 * first]!, xy[2 * first + 1]!];
    const side = sideOfBoundary(area, x, y, x, y, meter);
    if (side === 1) inside++;
    if (side === 2) boundary++;
    count++;
  }
  const meets = inside + boundary > 0;
  return { meets, touches: meets && inside === 0, covers: inside + boundary === count, coveredBy: false };
}

/** Notes where two edges meet; true if they cross properly. */
function cut(one: Chains, i: number, other: Chains, j: number, oneCuts: Cuts, otherCuts: Cuts): boolean {
  const p = one.xy;
  const q = other.xy;
  const [ax, ay, bx, by] = [p[2 * i]!, p[2 * i + 1]!, p[2 * i + 2]!, p[2 * i + 3]!];
  const [cx, cy, dx, dy] = [q[2 * j]!, q[2 * j + 1]!, q[2 * j + 2]!, q[2 * j + 3]!];
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return false;
  const c = orient2d(ax, ay, bx, by, cx, cy);
  const d = orient2d(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false;
  if (a !== 0 && b !== 0 && c !== 0 && d !== 0) return true;
  const met: [number, number][] = [];
  const note = (x: number, y: number): void => {
    if (!met.some((m) => m[0] === x && m[1] === y)) met.push([x, y]);
  };
  if (a === 0 && between(ax, ay, cx, cy, dx, dy)) note(ax, ay);
  if (b === 0 && between(bx, by, cx, cy, dx, dy)) note(bx, by);
  if (c === 0 && between(cx, cy, ax, ay, bx, by)) note(cx, cy);
  if (d === 0 && between(dx, dy, ax, ay, bx, by)) note(dx, dy);
  for (const [cuts, edge] of [
    [oneCuts, i],
    [otherCuts, j],
  ] as const) {
    const positions = cuts.positions.get(edge);
    if (positions === undefined) cuts.positions.set(edge, [...met]);
    else positions.push(...met);
  }
  if (met.length === 2) {
    // Interiors lie to the left of their edges: on the same side where both run the same way.
    const same = (bx - ax) * (dx - cx) + (by - ay) * (dy - cy) > 0;
    for (const [cuts, edge] of [
      [oneCuts, i],
      [otherCuts, j],
    ] as const) {
      const stretch = { from: met[0]!, to: met[1]!, same };
      const stretches = cuts.along.get(edge);
      if (stretches === undefined) cuts.along.set(edge, [stretch]);
      else stretches.push(stretch);
    }
  }
  return false;
}

/** Cuts an edge where it crosses the antimeridian's longitude. */
function cutAtSeam({ xy }: Chains, i: number, x: number, cuts: Cuts): void {
  const [ax, ay, bx, by] = [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
  if (x <= Math.min(ax, bx) || x >= Math.max(ax, bx)) return;
  const stop: [number, number] = [x, ay + (by - ay) * ((x - ax) / (bx - ax))];
  const positions = cuts.positions.get(i);
  if (positions === undefined) cuts.positions.set(i, [stop]);
  else positions.push(stop);
}

/** Whether a position on the line of a segment lies within the segment. */
function between(x: number, y: number, ax: number, ay: number, bx: number, by: number): boolean {
  return Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);
}

/** Classifies every piece of a boundary that lies in the other's bbox. */
function classify(boundary: Boundary, cuts: readonly Cuts[], other: Boundary, meter: WorkMeter): Found {
  const found: Found = { inside: false, outside: boundary.partial, alongSame: false, alongOpposite: false };
  const [west, south, east, north] = other.bbox;
  for (const { edges } of boundary.rings) meter.add(EDGE_UNITS * edges);
  for (const [r, ring] of boundary.rings.entries()) {
    const { xy, first, edges } = ring;
    const { positions, along } = cuts[r]!;
    // Between two cuts the side does not change: it is asked for once.
    let known = false;
    for (let i = first; i < first + edges; i++) {
      if (isSeam(boundary, ring, i)) {
        known = false;
        continue;
      }
      const [ax, ay, bx, by] = [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
      const here = positions.get(i);
      if (here === undefined) {
        if (known || (found.inside && found.outside)) continue;
        const far =
          Math.max(ax, bx) < west ||
          Math.min(ax, bx) > east ||
          Math.max(ay, by) < south ||
          Math.min(ay, by) > north;
        tell(found, far ? 0 : sideOfBoundary(other, ax, ay, bx, by, meter));
        known = true;
        continue;
      }
      known = false;
      const stops = [[ax, ay], ...here, [bx, by]] as [number, number][];
      const horizontal = Math.abs(bx - ax) >= Math.abs(by - ay);
      const forward = horizontal ? bx > ax : by > ay;
      const key = (stop: [number, number]): number => (horizontal ? stop[0] : stop[1]) * (forward ? 1 : -1);
      stops.sort((p, q) => key(p) - key(q));
      for (let k = 0; k + 1 < stops.length; k++) {
        const [p, q] = [stops[k]!, stops[k + 1]!];
        if (p[0] === q[0] && p[1] === q[1]) continue;
        const stretches = along.get(i)?.filter(({ from, to }) => {
          const [u, v] = [key(from as [number, number]), key(to as [number, number])];
          return Math.min(u, v) <= key(p) && key(q) <= Math.max(u, v);
        });
        if (stretches !== undefined && stretches.length > 0) {
          if (stretches.some(({ same }) => same)) found.alongSame = true;
          else found.alongOpposite = true;
        } else {
          const side = sideOfBoundary(other, p[0], p[1], q[0], q[1], meter);
          // On the other's boundary yet along no edge of it: on a seam, with the set on both sides.
          tell(found, side === 2 && other.seamed ? 1 : side);
        }
      }
    }
  }
  return found;
}

function tell(found: Found, side: number): void {
  if (side === 1) found.inside = true;
  if (side === 0) found.outside = true;
}

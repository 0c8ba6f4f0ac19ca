import { type Bounds, joinBounds } from "./layers/plot-features.ts";

/** Share of the plots that may be left out of the view, and their maximum number. */
const FAR_SHARE = 0.1;
const MOST_FAR = 20;
/** Minimum number of plots: of fewer, none is an exception. */
const LEAST_PLOTS = 5;
/** Plots are left out only if the view becomes smaller than this share of its width. */
const MUCH_SMALLER = 0.25;

/** The view of some plots. */
export interface NearBounds {
  readonly bounds: Bounds;
  /** Indices of the plots outside of it, far from all others; empty if the view has all plots. */
  readonly far: readonly number[];
}

/**
 * The view of plots, which one plot in another place does not spoil: without the farthest tenth (1 to 20 plots) from the
 * median of the centres, if it is then less than a quarter as wide. Across the antimeridian, the view runs on past 180°.
 *
 * @param boxes of the plots
 *
 * @returns undefined without plots
 */
export function computeNearBounds(boxes: readonly Bounds[]): NearBounds | undefined {
  const all = joinTurns(boxes);
  const bounds = joinBounds(all);
  if (bounds === undefined) return undefined;
  if (all.length < LEAST_PLOTS) return { bounds, far: [] };
  const centres = all.map(([west, south, east, north]) => [(west + east) / 2, (south + north) / 2] as const);
  const [x, y] = [0, 1].map((axis) => computeMedian(centres.map((centre) => centre[axis]!))) as [
    number,
    number,
  ];
  const distances = centres.map((centre) => Math.hypot(centre[0] - x, centre[1] - y));
  const byDistance = all.map((_, i) => i).sort((a, b) => distances[a]! - distances[b]!);
  const count = Math.min(MOST_FAR, Math.max(1, Math.ceil(FAR_SHARE * all.length)));
  const dropped = byDistance.splice(-count);
  let near = joinBounds(byDistance.map((i) => all[i]))!;
  const most = MUCH_SMALLER * computeWidth(bounds);
  if (computeWidth(near) >= most) return { bounds, far: [] };
  // Only plots that are far indeed are left out.
  const far = dropped.filter((i) => {
    const joined = joinBounds([near, all[i]])!;
    if (computeWidth(joined) >= most) return true;
    near = joined;
    return false;
  });
  return { bounds: near, far };
}

/** The boxes, turned by whole circles so that their widest gap is beside all of them and not between them. */
function joinTurns(all: readonly Bounds[]): readonly Bounds[] {
  const turned = all.map(([west, south, east, north]): Bounds => {
    const turn = 360 * Math.floor((west + 180) / 360);
    return [west - turn, south, east - turn, north];
  });
  const byWest = turned.toSorted((a, b) => a[0] - b[0]);
  let reach = byWest.reduce((most, [, , east]) => Math.max(most, east), -Infinity) - 360;
  let [start, widest] = [-180, -Infinity];
  for (const [west, , east] of byWest) {
    if (west - reach > widest) [start, widest] = [west, west - reach];
    reach = Math.max(reach, east);
  }
  return turned.map(([west, south, east, north]): Bounds => {
    const turn = west < start ? 360 : 0;
    return [west + turn, south, east + turn, north];
  });
}

function computeWidth([west, south, east, north]: Bounds): number {
  return Math.max(east - west, north - south);
}

function computeMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

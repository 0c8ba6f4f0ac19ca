import { WorkMeter } from "../../base/work-meter.ts";
import type { Edges } from "./sweep/near-edges.ts";

/** Edges that meet at their ends only, by the numbers of the positions they join. */
export interface PlaneGraph {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Ways to search edges that are quicker than those whose work is counted. */
export interface QuickWays {
  /** As `forEachPairOfChains`. */
  forEachPair(
    edges: Edges,
    starts: ArrayLike<number> | undefined,
    visit: (i: number, j: number) => boolean,
  ): boolean;
  /** As `findEdgesWestInOnePass`. */
  findEdgesWest(graph: PlaneGraph, positions: readonly number[]): Int32Array | undefined;
}

/**
 * The meter of callers whose work has no limit, and who bring the code of quicker ways along: what counts work does
 * not carry it.
 */
export class UncountedWork extends WorkMeter {
  readonly ways: QuickWays;

  constructor(ways: QuickWays) {
    super(Number.POSITIVE_INFINITY);
    this.ways = ways;
  }

  override add(): void {}
}

/** The quicker ways, where nobody counts the work. */
export function findQuickWays(meter: WorkMeter): QuickWays | undefined {
  return meter instanceof UncountedWork ? meter.ways : undefined;
}

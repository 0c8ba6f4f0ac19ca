import type { DistanceWorkspace } from "../distance/distance.ts";
import type { Surface } from "../earth/authalic.ts";
import { type BoundarySum, createBoundarySum } from "../overlap/boundary-sum.ts";
import { createGatheredList, type Gathered } from "../overlap/fast/gather.ts";
import { createSmallPlot, type SmallPlot } from "../overlap/fast/small-plot.ts";
import { type ChainSum, createChainSum } from "../overlap/fast/small-plot-sum.ts";
import type { RegionMeter } from "../overlap/region-area.ts";
import type { Plot } from "../plot/plot.ts";
import type { RingSearch } from "../trees/candidates.ts";
import { createRingList } from "../trees/ring-index.ts";

/**
 * Scratch space that the bound plots of a kernel share, so that binding a plot allocates almost nothing. It keeps
 * nothing after a question except the plot for which it was last set up.
 */
export interface Workspace extends RingSearch {
  readonly surface: Surface;
  readonly sum: BoundarySum;
  readonly small: SmallPlot;
  readonly gathered: Gathered;
  readonly chains: ChainSum;
  /** Created when the first distance is needed. */
  distance: DistanceWorkspace | undefined;
  /** Created when the first region is needed. */
  regions: RegionMeter | undefined;
  /** The plot whose bbox is the sum's window. */
  window: Plot | undefined;
}

export function createWorkspace(surface: Surface): Workspace {
  return {
    surface,
    sum: createBoundarySum(),
    small: createSmallPlot(),
    gathered: createGatheredList(),
    chains: createChainSum(),
    distance: undefined,
    regions: undefined,
    found: createRingList(),
    near: createRingList(),
    window: undefined,
  };
}

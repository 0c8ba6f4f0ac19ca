import { EngineError } from "../base/errors.ts";
import type { WorkMeter } from "../base/work-meter.ts";
import type { Kernel } from "../geometry/kernel/kernel.ts";
import { PlotOnLayers } from "../geometry/kernel/plot-on-layers.ts";
import type { Region } from "../geometry/overlap/region.ts";
import { type Plot, plotOf } from "../geometry/plot/plot.ts";
import type { AreaLayer } from "../geometry/trees/layer.ts";
import { layerOfPolygons } from "../geometry/trees/layer-of.ts";
import { printedArea } from "../verdict/rounding.ts";
import type { CheckedInput } from "./checked-input.ts";

/**
 * The property of an input, which covers the plot but for what is tolerated of a source that covers it: 1 m², or a
 * millionth of the plot, and never more than a hundredth.
 *
 * Fails: `VALIDATION_FAILED` with `PROPERTY_NOT_AROUND_PLOT`, which tells how much of the plot lies outside, and where.
 */
export function requireProperty(
  kernel: Kernel,
  { property }: Pick<CheckedInput, "property">,
  plot: PlotOnLayers | undefined,
  meter: WorkMeter,
): PlotOnLayers | undefined {
  if (property === undefined || plot === undefined) return undefined;
  const layer = layerOfPolygons("property", [polygonsOf(property)], kernel.surface);
  const isCovered =
    plot.intersections(layer).length > 0 && (plot.relation(layer, 0).covers || isNearlyCovered(plot, layer));
  if (!isCovered) refuse(kernel, plot, layer, meter);
  return new PlotOnLayers(kernel, property, meter);
}

function isNearlyCovered(plot: PlotOnLayers, layer: AreaLayer): boolean {
  const whole = plot.areaSquareMeters;
  return outsideSquareMeters(plot, layer) < Math.min(Math.max(1, 1e-6 * whole), whole / 100);
}

function outsideSquareMeters(plot: PlotOnLayers, layer: AreaLayer): number {
  const region: Region<AreaLayer> = {
    op: "difference",
    operands: [{ op: "plot" }, { op: "areas", areas: [{ layer, area: 0 }] }],
  };
  return plot.regionSquareMeters(region);
}

function refuse(kernel: Kernel, plot: PlotOnLayers, layer: AreaLayer, meter: WorkMeter): never {
  const { plot: sent } = plot;
  const squareMeters = printedArea(outsideSquareMeters(plot, layer));
  const corner = cornerOutside(kernel, sent, layer, meter);
  const where = corner === undefined ? "" : `, such as its corner ${corner[0]}, ${corner[1]}`;
  const message = `found a plot of which ${squareMeters} m² lie outside the property${where}; expected a property that covers the plot`;
  const faults = [{ pointer: "/property", code: "PROPERTY_NOT_AROUND_PLOT", message }];
  throw new EngineError("VALIDATION_FAILED", message, {
    faults,
    outside_m2: squareMeters,
    ...(corner !== undefined && { outside_at: corner }),
  });
}

/** Most corners of a plot that are looked at, to say where it lies outside. */
const MOST_CORNERS = 1_000;

/** A corner of the plot that lies outside the property; undefined where none of the first does. */
function cornerOutside(
  kernel: Kernel,
  { xy }: Plot,
  layer: AreaLayer,
  meter: WorkMeter,
): readonly [number, number] | undefined {
  for (let i = 0; i < Math.min(xy.length, 2 * MOST_CORNERS); i += 2) {
    const point = plotOf("point", [[xy.slice(i, i + 2)]]);
    if (kernel.bind(point, meter).intersections(layer).length === 0) return [xy[i]!, xy[i + 1]!];
  }
  return undefined;
}

function polygonsOf({ xy, ringStarts, polygonStarts }: Plot): Float64Array[][] {
  return Array.from({ length: polygonStarts.length - 1 }, (_, polygon) => {
    const rings = ringStarts.subarray(polygonStarts[polygon]!, polygonStarts[polygon + 1]! + 1);
    return Array.from({ length: rings.length - 1 }, (_, ring) =>
      xy.slice(2 * rings[ring]!, 2 * rings[ring + 1]!),
    );
  });
}

import { EngineError } from "../base/errors.ts";
import type { WorkMeter } from "../base/work-meter.ts";
import type { Kernel } from "../geometry/kernel/kernel.ts";
import { PlotOnLayers } from "../geometry/kernel/plot-on-layers.ts";
import { findUncovered } from "../geometry/overlap/relation.ts";
import type { Plot } from "../geometry/plot/plot.ts";
import { areaBoundary, plotBoundary } from "../geometry/trees/boundary.ts";
import type { AreaLayer } from "../geometry/trees/layer.ts";
import { layerOfPolygons } from "../geometry/trees/layer-of.ts";
import { printedArea } from "../verdict/rounding.ts";
import type { CheckedInput } from "./checked-input.ts";

/** Where what is wrong with a property is told. */
const PROPERTY_POINTER = "/property";

/**
 * The property of an input, which covers the plot but for what is tolerated of a source that covers it: 1 m², or a
 * millionth of the plot, and never more than a hundredth.
 *
 * Fails: `VALIDATION_FAILED` with `PROPERTY_NOT_AROUND_PLOT`, which tells how much of the plot lies outside, and where;
 * `GEOMETRY_TOO_COMPLEX` at the property where telling that takes more work than is left.
 */
export function requireProperty(
  kernel: Kernel,
  { property }: Pick<CheckedInput, "property">,
  plot: PlotOnLayers | undefined,
  meter: WorkMeter,
): PlotOnLayers | undefined {
  if (property === undefined || plot === undefined) return undefined;
  return atProperty(() => {
    const layer = layerOfPolygons("property", [polygonsOf(property)], kernel.surface);
    const [hit] = plot.intersections(layer);
    const whole = plot.areaSquareMeters;
    // Both sums are good to far less than what is tolerated; a plot that is so small that they are not is told exactly.
    const outside = whole - (hit?.overlapSquareMeters ?? 0);
    const isCovered =
      hit !== undefined &&
      (outside < Math.min(Math.max(1, 1e-6 * whole), whole / 100) || plot.relation(layer, 0).covers);
    if (!isCovered) refuse(plot.plot, layer, outside, meter);
    return new PlotOnLayers(kernel, property, meter);
  });
}

/**
 * What reading or comparing a property gives; where it takes more work than is left, the refusal names the property.
 *
 * Fails: as `ask`.
 */
export function atProperty<Given>(ask: () => Given): Given {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "GEOMETRY_TOO_COMPLEX") throw error;
    const { code, details } = error;
    const message = `found a property that is too complex: ${error.message}`;
    throw new EngineError(code, message, {
      ...details,
      faults: [{ pointer: PROPERTY_POINTER, code, message }],
    });
  }
}

function refuse(plot: Plot, layer: AreaLayer, outside: number, meter: WorkMeter): never {
  const area = areaBoundary(layer, 0, plot.bbox, meter);
  const found = findUncovered(plotBoundary(plot, meter), area, meter);
  // What meets in a pole alone has nothing to tell: all of it lies outside.
  const at = found === undefined ? [plot.xy[0]!, plot.xy[1]!] : [withinTurn(found[0]), found[1]];
  const squareMeters = printedArea(outside);
  const message = `found a plot of which ${squareMeters} m² lie outside the property, such as at ${at[0]}, ${at[1]}; expected a property that covers the plot`;
  const faults = [{ pointer: PROPERTY_POINTER, code: "PROPERTY_NOT_AROUND_PLOT", message }];
  throw new EngineError("VALIDATION_FAILED", message, {
    faults,
    outside_m2: squareMeters,
    outside_at: at,
  });
}

/** A longitude within ±180. */
function withinTurn(longitude: number): number {
  if (longitude > 180) return longitude - 360;
  return longitude < -180 ? longitude + 360 : longitude;
}

function polygonsOf({ xy, ringStarts, polygonStarts }: Plot): Float64Array[][] {
  return Array.from({ length: polygonStarts.length - 1 }, (_, polygon) => {
    const rings = ringStarts.subarray(polygonStarts[polygon]!, polygonStarts[polygon + 1]! + 1);
    return Array.from({ length: rings.length - 1 }, (_, ring) =>
      xy.slice(2 * rings[ring]!, 2 * rings[ring + 1]!),
    );
  });
}

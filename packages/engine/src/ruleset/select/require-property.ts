import { EngineError } from "../../base/errors.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import { ELLIPSOID } from "../../geometry/earth/authalic.ts";
import type { Kernel } from "../../geometry/kernel/kernel.ts";
import { PlotOnLayers } from "../../geometry/kernel/plot-on-layers.ts";
import { findUncoveredPosition } from "../../geometry/overlap/relation.ts";
import type { Plot, Warning } from "../../geometry/plot/plot.ts";
import { buildAreaBoundary, buildPlotBoundary } from "../../geometry/trees/boundary.ts";
import { createAreaLayer } from "../../geometry/trees/create-layer.ts";
import type { AreaLayer } from "../../geometry/trees/layer.ts";
import { roundSquareMeters } from "../../verdict/rounding.ts";
import type { CheckedInput } from "./checked-input.ts";

/** 10,000 km². */
const GREATEST_SQUARE_METERS = 1e10;
/** A property that is more times as large as its plot dilutes every share of it. */
const MANY_TIMES = 1000;

/**
 * The property of an input, which covers the plot but for what is tolerated of a source that covers it: 1 m², or a
 * millionth of the plot, and never more than a hundredth.
 *
 * Fails: `VALIDATION_FAILED` with `PROPERTY_TOO_LARGE` above 10,000 km², and with `PROPERTY_NOT_AROUND_PLOT`, which
 * tells how much of the plot lies outside, and where;
 * `GEOMETRY_TOO_COMPLEX` at the property where telling that takes more work than is left.
 */
export function requireProperty(
  kernel: Kernel,
  { property }: Pick<CheckedInput, "property">,
  plot: PlotOnLayers | undefined,
  meter: WorkMeter,
): PlotOnLayers | undefined {
  if (property === undefined || plot === undefined) return undefined;
  return runAtProperty(() => {
    const land = new PlotOnLayers(kernel, property, meter);
    const area_m2 = roundSquareMeters(land.areaSquareMeters);
    if (area_m2 > GREATEST_SQUARE_METERS) {
      const message = `found a property of ${area_m2} m², expected at most ${GREATEST_SQUARE_METERS} m² (10,000 km²): send the property that the plot is part of, not a region around it`;
      throwPropertyFault("PROPERTY_TOO_LARGE", message, { area_m2 });
    }
    const layer = createPropertyLayer(property, kernel);
    const [hit] = plot.intersections(layer);
    const whole = plot.areaSquareMeters;
    // Both sums are exact to far less than the tolerance; a plot so small that they are not is decided exactly.
    const outside = whole - (hit?.overlapSquareMeters ?? 0);
    const isSlight = outside < Math.min(Math.max(1, 1e-6 * whole), whole / 100);
    if (!isSlight && !(hit && plot.relation(layer, 0).covers))
      throwPropertyNotCovering(plot.plot, layer, outside, meter);
    return land;
  });
}

/**
 * The result of reading or comparing a property; if that takes more work than is left, the refusal names the property.
 *
 * Fails: as `ask`.
 */
export function runAtProperty<Result>(ask: () => Result): Result {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "GEOMETRY_TOO_COMPLEX") throw error;
    const { code, details } = error;
    const message = `found a property that is too complex: ${error.message}`;
    throw new EngineError(code, message, { ...details, faults: [{ pointer: "/property", code, message }] });
  }
}

function throwPropertyNotCovering(plot: Plot, layer: AreaLayer, outside: number, meter: WorkMeter): never {
  const area = buildAreaBoundary(layer, 0, plot.bbox, meter);
  // If they meet only in a pole, all of the plot lies outside.
  const [x = 0, y = 0] = findUncoveredPosition(buildPlotBoundary(plot, meter), area, meter) ?? plot.xy;
  const outside_m2 = roundSquareMeters(outside);
  const message = `found a plot of which ${outside_m2} m² lie outside the property, such as at ${x}, ${y}; expected a property that covers the plot`;
  throwPropertyFault("PROPERTY_NOT_AROUND_PLOT", message, { outside_m2, outside_at: [x, y] });
}

function throwPropertyFault(code: string, message: string, details: object): never {
  const faults = [{ pointer: "/property", code, message }];
  throw new EngineError("VALIDATION_FAILED", message, { faults, ...details });
}

/** A warning if a share of the property means little for the plot: the property is declared, not examined. */
export function findPropertyWarnings(
  plot: PlotOnLayers | undefined,
  property: PlotOnLayers | undefined,
): readonly Warning[] {
  if (plot === undefined || property === undefined) return [];
  const times = Math.floor(property.areaSquareMeters / plot.areaSquareMeters);
  if (times <= MANY_TIMES) return [];
  const message = `found a property ${times} times as large as the plot, expected at most ${MANY_TIMES} times: shares of the declared property say little about the plot; confirm that all of it is one property`;
  return [{ pointer: "/property", code: "PROPERTY_MUCH_LARGER", message }];
}

/** The property as the one area of a layer. */
function createPropertyLayer({ xy, ringStarts, polygonStarts }: Plot, kernel: Kernel): AreaLayer {
  const rings = Array.from(ringStarts.subarray(1), (end, ring) => xy.slice(2 * ringStarts[ring]!, 2 * end));
  const outers = new Set<Float64Array | undefined>(Array.from(polygonStarts, (ring) => rings[ring]));
  return createAreaLayer("property", [rings], kernel.surface ?? ELLIPSOID, (ring) => !outers.has(ring));
}

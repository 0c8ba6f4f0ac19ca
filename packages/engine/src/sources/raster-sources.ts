import { EngineError } from "../base/errors.ts";
import { isRaster, type Layer } from "../geometry/layer.ts";
import type { Plot, Warning } from "../geometry/plot/plot.ts";
import { cellMeters } from "../geometry/raster/cell-meters.ts";

/** Refuses a question for distances to nothing but rasters. Fails: `VALIDATION_FAILED`, always. */
export function refuseDistanceTo(names: readonly string[], pointer: string): never {
  const message = `found ${names.map((name) => `"${name}"`).join(", ")}, of cells, to which no distance is measured, expected a source of areas with rings; ask for intersections`;
  const faults = [{ pointer, code: "RASTER_DISTANCE", message }];
  throw new EngineError("VALIDATION_FAILED", message, { faults });
}

/** The warning that a question for distances passed a raster over. */
export function rasterPassedOverWarning(name: string): Warning {
  const message = `found the raster "${name}" among the sources, to which no distance is measured: it was passed over`;
  return { pointer: "/sources", code: "RASTER_DISTANCE", message };
}

/** Width and height in metres of a raster's cells at a plot; undefined of areas with rings. */
export function findCellSizeAt(
  layer: Layer,
  { bbox }: Plot,
): readonly [width: number, height: number] | undefined {
  return isRaster(layer) ? cellMeters(layer.grid, (bbox[1] + bbox[3]) / 2) : undefined;
}

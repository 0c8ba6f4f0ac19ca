import { type CrsTable, EngineError, type Plot, parsePlot } from "@groundrule/engine";
import type { WorkMeter } from "@groundrule/engine/internal";

interface TakingOptions {
  readonly crs?: string | undefined;
  readonly crsTable?: CrsTable | undefined;
  readonly meter?: WorkMeter | undefined;
}

/**
 * A geometry as the engine takes it, or the repair that it proposes; undefined where there is neither.
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` once the work that `meter` allows is done.
 */
export function parseOrRepairPlot(geometry: unknown, options: TakingOptions): Plot | undefined {
  try {
    return parsePlot(geometry, options).plot;
  } catch (error) {
    const { repaired } = toRefusal(error, options.meter).details;
    return repaired === undefined ? undefined : parseRepairedPlot(repaired, options.meter);
  }
}

/** The repair that a refusal proposes; undefined where the engine does not take it either. */
export function parseRepairedPlot(repaired: unknown, meter: WorkMeter | undefined): Plot | undefined {
  try {
    return parsePlot(repaired, { meter }).plot;
  } catch (error) {
    toRefusal(error, meter);
    return undefined;
  }
}

/** The refusal of one geometry. Throws what is none, and the end of the work that is allowed for all plots. */
export function toRefusal(error: unknown, meter: WorkMeter | undefined): EngineError {
  if (!(error instanceof EngineError)) throw error;
  meter?.add(0); // a refusal may hide that its proposal used up the work
  return error;
}

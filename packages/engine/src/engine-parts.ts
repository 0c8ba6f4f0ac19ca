import type { WorkMeter } from "./base/work-meter.ts";
import type { Kernel } from "./geometry/kernel/kernel.ts";
import type { ParsedPlot } from "./geometry/plot/parse-plot.ts";
import type { EngineOptions } from "./questions/questions.ts";
import type { ReadInput } from "./questions/read-question.ts";
import type { GeometryInput } from "./ruleset/compile/evaluation-input.ts";
import type { CoveragePieces } from "./snapshot/coverage.ts";
import type { SourceTable } from "./sources/source-table.ts";

/**
 * Parts of an engine, for functions that work on an engine from outside its class. They include its geometry
 * functions, so that these functions import no geometry.
 */
export interface EngineParts {
  readonly table: SourceTable;
  readonly options: EngineOptions;
  /** The borders of countries; undefined if none were passed in. */
  readonly borders: CoveragePieces | undefined;
  readonly kernel: Kernel;
  /** Reads a question's geometry. */
  parsePlot(geometry: GeometryInput, crs: string | undefined, meter: WorkMeter): ParsedPlot;
  /** Checks an evaluation's input. */
  readInput(input: unknown, meter: WorkMeter): ReadInput;
}

const partsByEngine = new WeakMap<object, () => EngineParts>();

/** Lets other entry points of this package, and nobody outside it, reach what an engine is made of. */
export function setEngineParts(engine: object, parts: EngineParts): void {
  partsByEngine.set(engine, () => parts);
}

/**
 * Declares that an engine forwards every question to another, as that of a data folder does, so that functions over an
 * engine take it too.
 *
 * @param current the engine that answers at the time of the call
 */
export function forwardEngineParts(engine: object, current: () => object): void {
  partsByEngine.set(engine, () => getEngineParts(current()));
}

/** The parts of an engine; of one that forwards to another, the parts of the other. */
export function getEngineParts(engine: object): EngineParts {
  const parts = partsByEngine.get(engine);
  if (parts === undefined) throw new TypeError("expected an engine that openEngine of this package opened");
  return parts();
}

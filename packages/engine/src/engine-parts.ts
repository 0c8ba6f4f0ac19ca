import type { WorkMeter } from "./base/work-meter.ts";
import type { Kernel } from "./geometry/kernel/kernel.ts";
import type { ParsedPlot } from "./geometry/plot/parse-plot.ts";
import type { EngineOptions } from "./questions/questions.ts";
import type { ReadInput } from "./questions/read-question.ts";
import type { EvaluateOptions, EvaluationInput, GeometryInput, Policy } from "./ruleset/compile/policy.ts";
import type { CoveragePieces } from "./snapshot/coverage.ts";
import type { SourceTable } from "./sources/source-table.ts";
import type { WrittenJson } from "./verdict/canonical-json.ts";
import type { Evaluation } from "./verdict/verdict.ts";

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

/** Evaluates plain data of the types that a policy declares to accept. The result is not frozen. */
export type PolicyRun = (
  input: EvaluationInput,
  options: EvaluateOptions,
  written?: WrittenJson,
) => Evaluation;

const runsByPolicy = new WeakMap<object, PolicyRun>();

/** Lets other entry points reach how a policy evaluates. */
export function setPolicyRun(policy: object, run: PolicyRun): void {
  runsByPolicy.set(policy, run);
}

/**
 * Evaluates as `policy.evaluate` does, for a caller that has checked the request against a schema and also writes it
 * down. The result belongs to the caller and is not frozen.
 *
 * @param policy as an engine compiled it
 * @param input plain data with the members of its type and no others
 * @param options the same
 * @param written canonical JSON of parts of the input, which are not written again for its digest
 *
 * Fails: as `policy.evaluate`.
 */
export function evaluateWithWrittenJson(
  policy: Policy,
  input: EvaluationInput,
  options: EvaluateOptions,
  written: WrittenJson,
): Evaluation {
  const run = runsByPolicy.get(policy);
  return run === undefined ? policy.evaluate(input, options) : run(input, options, written);
}

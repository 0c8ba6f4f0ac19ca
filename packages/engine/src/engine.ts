import type {
  Answer,
  CompiledRuleset,
  DistanceMatch,
  DistanceOptions,
  EvaluateOptions,
  EvaluationInput,
  GeometryInput,
  IntersectionMatch,
  IntersectionsOptions,
  Scheme,
  SourceEntry,
  SourceFailure,
  SubjectMatch,
  SubjectsOptions,
} from "./questions.ts";
import type { Evaluation } from "./verdict/verdict.ts";

export type * from "./questions.ts";

/** The whole path, from a plot and a ruleset to a verdict. Every method is synchronous and pure. */
export interface Engine {
  readonly kernel: "default" | "reference";
  readonly semantics: number;
  sources(): SourceEntry[];
  /** Sources that could not be opened, ascending by name. */
  failures(): SourceFailure[];
  intersections(geometry: GeometryInput, options?: IntersectionsOptions): Answer<IntersectionMatch>;
  distance(geometry: GeometryInput, options: DistanceOptions): Answer<DistanceMatch>;
  subjects(scheme: Scheme, options?: SubjectsOptions): Answer<SubjectMatch>;
  /** Fails: `RULESET_INVALID` with every fault, `SOURCE_UNKNOWN`. */
  compile(ruleset: unknown, origin?: { readonly name: string; readonly version: number }): CompiledRuleset;
  evaluate(compiled: CompiledRuleset, input: EvaluationInput, options: EvaluateOptions): Evaluation;
}

import type {
  Answer,
  DistanceMatch,
  DistanceOptions,
  Engine,
  EvaluateOptions,
  Evaluation,
  EvaluationInput,
  Explanation,
  GeometryInput,
  IntersectionMatch,
  IntersectionsOptions,
  LintFinding,
  Question,
  Scheme,
  SourceEntry,
  SourceFailure,
  SubjectMatch,
  SubjectsOptions,
} from "@groundrule/engine";

/** Questions to engines, answered in this thread ({@link hostInProcess}) or in others ({@link hostInWorkers}). */
export interface EngineQuestions {
  intersections(geometry: GeometryInput, options: IntersectionsOptions): Promise<Answer<IntersectionMatch>>;
  distance(geometry: GeometryInput, options: DistanceOptions): Promise<Answer<DistanceMatch>>;
  subjects(scheme: Scheme, options: SubjectsOptions): Promise<Answer<SubjectMatch>>;
  /** Takes the ruleset as it was written: what is compiled cannot cross threads. */
  evaluate(
    ruleset: object,
    input: EvaluationInput,
    options: EvaluateOptions,
    origin?: { readonly name: string; readonly version: number },
  ): Promise<Evaluation>;
  lint(ruleset: object): Promise<readonly LintFinding[]>;
  explain(question: Question): Promise<Explanation>;
}

/** What the service is built around: questions, and what can be asked. */
export interface EngineHost extends EngineQuestions {
  sources(): readonly SourceEntry[];
  /** Sources that cannot be asked now, and why. */
  failures(): readonly SourceFailure[];
}

/**
 * Answers in this thread, one question at a time.
 *
 * @param current the engine over the current editions; taken once a question, which so finishes on
 *   the editions it began with
 */
export function hostInProcess(current: () => Engine): EngineHost {
  return {
    sources: () => current().sources(),
    failures: () => current().failures(),
    intersections: async (geometry, options) => current().intersections(geometry, options),
    distance: async (geometry, options) => current().distance(geometry, options),
    subjects: async (scheme, options) => current().subjects(scheme, options),
    evaluate: async (ruleset, input, options, origin) => {
      const engine = current();
      return engine.evaluate(engine.compile(ruleset, origin), input, options);
    },
    lint: async (ruleset) => current().lint(ruleset),
    explain: async (question) => current().explain(question),
  };
}

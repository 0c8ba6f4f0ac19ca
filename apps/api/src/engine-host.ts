import type {
  Answer,
  DistanceMatch,
  DistanceOptions,
  Engine,
  EvaluateOptions,
  Evaluation,
  EvaluationInput,
  GeometryInput,
  IntersectionMatch,
  IntersectionsOptions,
  Scheme,
  SourceEntry,
  SourceFailure,
  SubjectMatch,
  SubjectsOptions,
} from "@groundrule/engine";

/**
 * Where questions are answered: in this thread ({@link hostInProcess}) or elsewhere. Questions and
 * answers are plain values that can cross threads, so a ruleset travels as it was written.
 *
 * Fails: as the engine does; a host that gives up on a question says so with a `Refusal`.
 */
export interface EngineHost {
  sources(): Promise<readonly SourceEntry[]>;
  /** Sources that cannot be asked now, and why. Empty when every source answers. */
  failures(): Promise<readonly SourceFailure[]>;
  intersections(geometry: GeometryInput, options: IntersectionsOptions): Promise<Answer<IntersectionMatch>>;
  distance(geometry: GeometryInput, options: DistanceOptions): Promise<Answer<DistanceMatch>>;
  subjects(scheme: Scheme, options: SubjectsOptions): Promise<Answer<SubjectMatch>>;
  evaluate(question: EvaluateQuestion, options: EvaluateOptions): Promise<Evaluation>;
}

export interface EvaluateQuestion {
  readonly ruleset: unknown;
  /** Where the ruleset was saved, if it was. */
  readonly origin?: { readonly name: string; readonly version: number };
  readonly input: EvaluationInput;
}

/**
 * Answers in this thread, one question at a time.
 *
 * @param current the engine over the current editions; asked once a question, so that a question
 *   finishes on the editions it began with
 */
export function hostInProcess(current: () => Engine): EngineHost {
  return {
    sources: async () => current().sources(),
    failures: async () => current().failures(),
    intersections: async (geometry, options) => current().intersections(geometry, options),
    distance: async (geometry, options) => current().distance(geometry, options),
    subjects: async (scheme, options) => current().subjects(scheme, options),
    evaluate: async ({ ruleset, origin, input }, options) => {
      const engine = current();
      return engine.evaluate(engine.compile(ruleset, origin), input, options);
    },
  };
}

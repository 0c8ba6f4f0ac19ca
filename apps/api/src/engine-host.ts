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
  explain(question: Question): Promise<Explanation>;
  lint(ruleset: object): Promise<readonly LintFinding[]>;
}

/** What the service is built around: questions, and what can be asked. */
export interface EngineHost extends EngineQuestions {
  sources(): readonly SourceEntry[];
  /** Group names to their members. */
  groups(): Readonly<Record<string, readonly string[]>>;
  /** Sources that cannot be asked now, and why. */
  failures(): readonly SourceFailure[];
  /**
   * The host for somebody to whom only some of the whole's sources are available; see {@link Engine.within}.
   */
  within(patterns: readonly string[]): EngineHost;
}

/**
 * Answers in this thread, one question at a time.
 *
 * @param current the engine over the current editions; taken once a question, which so finishes on
 *   the editions it began with
 */
export function hostInProcess(current: () => Engine): EngineHost {
  return partInProcess(current, (patterns) =>
    partInProcess(
      () => engineWithin(current(), patterns),
      (others) => hostInProcess(current).within(others),
    ),
  );
}

function partInProcess(current: () => Engine, within: EngineHost["within"]): EngineHost {
  return {
    sources: () => current().sources(),
    groups: () => current().groups(),
    failures: () => current().failures(),
    within,
    intersections: async (geometry, options) => current().intersections(geometry, options),
    distance: async (geometry, options) => current().distance(geometry, options),
    subjects: async (scheme, options) => current().subjects(scheme, options),
    evaluate: async (ruleset, input, options, origin) => {
      const engine = current();
      return engine.evaluate(engine.compile(ruleset, origin), input, options);
    },
    explain: async (question) => current().explain(question),
    lint: async (ruleset) => current().lint(ruleset),
  };
}

/** Every part of an engine that was asked for, as long as the engine is. */
const parts = new WeakMap<Engine, Map<string, Engine>>();

/** {@link Engine.within}, made once an engine. */
export function engineWithin(engine: Engine, patterns: readonly string[]): Engine {
  const known = parts.get(engine) ?? new Map<string, Engine>();
  parts.set(engine, known);
  const key = patterns.join(",");
  const part = known.get(key) ?? engine.within(patterns);
  known.set(key, part);
  return part;
}

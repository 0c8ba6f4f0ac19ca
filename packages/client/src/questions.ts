import type {
  DistanceFeatures,
  DistanceResponse,
  EvaluateFeatures,
  EvaluateResponse,
  ExplainResponse,
  IntersectionsResponse,
  SubjectsResponse,
} from "@groundrule/contract";
import { type Answered, type Call, call, createJsonCall } from "./call.ts";
import type { CallOptions, QuestionOptions, Settings } from "./options.ts";
import { readJsonAnswer } from "./read-answer.ts";
import type {
  DistanceBody,
  EvaluateBody,
  EvaluateQuery,
  IntersectionsBody,
  IntersectionsQuery,
  SubjectsBody,
} from "./wire/requests.ts";

/**
 * An answer as the service sent it, with two members that do not show in JSON or in `for … in`, so that a record of the
 * answer stays unchanged.
 */
export type Keyed<Response> = Response & {
  /** True if the service had answered this key before, and charged it then. */
  readonly isReplayed: boolean;
  /** The idempotency key of the call. */
  readonly idempotencyKey: string;
};

/** Bodies of the questions, by name. */
export interface QuestionBodies {
  /** A verdict. */
  readonly evaluate: EvaluateBody;
  /** Areas that share a point with a geometry. */
  readonly intersections: IntersectionsBody;
  /** Areas within a distance. */
  readonly distance: DistanceBody;
  /** Records that an identifier names. */
  readonly subjects: SubjectsBody;
}

/** The questions that are charged, and their plans, which are not. */
export interface Questions {
  /**
   * The verdict of a ruleset on a plot, on identifiers, or both. One unit. A verdict that stays DEGRADED through every
   * attempt is returned, and is not charged.
   *
   * Fails: as every call of {@link Client}.
   */
  evaluate(body: EvaluateBody, options?: QuestionOptions<EvaluateQuery>): Promise<Keyed<EvaluateResponse>>;
  /**
   * The same as GeoJSON: a feature for each piece of evidence, clipped to the plot. It is charged separately.
   *
   * Fails: as every call of {@link Client}.
   */
  evaluateFeatures(
    body: EvaluateBody,
    options?: QuestionOptions<EvaluateQuery>,
  ): Promise<Keyed<EvaluateFeatures>>;
  /**
   * Every area that shares a point with the geometry. One unit.
   *
   * Fails: as every call of {@link Client}.
   */
  intersections(
    body: IntersectionsBody,
    options?: QuestionOptions<IntersectionsQuery>,
  ): Promise<Keyed<IntersectionsResponse>>;
  /**
   * Areas within a range of distances, nearest first. One unit.
   *
   * Fails: as every call of {@link Client}.
   */
  distance(body: DistanceBody, options?: QuestionOptions<never>): Promise<Keyed<DistanceResponse>>;
  /**
   * The same as GeoJSON, with each area whole. It is charged separately.
   *
   * Fails: as every call of {@link Client}.
   */
  distanceFeatures(body: DistanceBody, options?: QuestionOptions<never>): Promise<Keyed<DistanceFeatures>>;
  /**
   * Records that an identifier names. One unit.
   *
   * Fails: as every call of {@link Client}.
   */
  subjects(body: SubjectsBody, options?: QuestionOptions<never>): Promise<Keyed<SubjectsResponse>>;
  /**
   * The plan of a question, without answering it. Never charged.
   *
   * @param question its name
   * @param body of the question
   *
   * Fails: as every call of {@link Client}.
   */
  explain<Name extends keyof QuestionBodies>(
    question: Name,
    body: QuestionBodies[Name],
    options?: CallOptions,
  ): Promise<ExplainResponse>;
}

const GEOJSON_TYPE = "application/geo+json";

export function createQuestionsClient(settings: Settings): Questions {
  async function ask<Response extends object>(
    name: keyof QuestionBodies,
    body: object,
    options: QuestionOptions<object> = {},
    accept = "application/json",
  ): Promise<Keyed<Response>> {
    const request: Call<Response> = {
      ...createJsonCall(`/v1/${name}${formatQuery(options.query)}`, body),
      accept,
      isKeyed: true,
      read: (received) => readJsonAnswer(received, "meta"),
      isDegraded,
    };
    return addKeyMembers(await call(settings, request, options));
  }
  return {
    evaluate: (body, options) => ask("evaluate", body, options),
    evaluateFeatures: (body, options) => ask("evaluate", body, options, GEOJSON_TYPE),
    intersections: (body, options) => ask("intersections", body, options, GEOJSON_TYPE),
    distance: (body, options) => ask("distance", body, options),
    distanceFeatures: (body, options) => ask("distance", body, options, GEOJSON_TYPE),
    subjects: (body, options) => ask("subjects", body, options),
    async explain(question, body, options) {
      const request = createJsonCall<ExplainResponse>(`/v1/${question}?explain=true`, body);
      return (await call(settings, request, options)).body;
    },
  };
}

/** Adds the members about its key to an answer. */
export function addKeyMembers<Response extends object>(answered: Answered<Response>): Keyed<Response> {
  return Object.defineProperties(answered.body, {
    isReplayed: { value: answered.headers.get("Idempotent-Replayed") === "true" },
    idempotencyKey: { value: answered.idempotencyKey },
  }) as Keyed<Response>;
}

/** A failed source could still change the answer: it was not charged, and may be complete at the next attempt. */
function isDegraded(body: object): boolean {
  const {
    data,
    meta,
    sources = [],
  } = body as {
    readonly data?: { readonly status?: string; readonly sources?: readonly { readonly status: string }[] };
    readonly meta: { readonly charged: boolean };
    readonly sources?: readonly { readonly status: string }[];
  };
  if (meta.charged) return false;
  return data?.status === "degraded" || [...sources, ...(data?.sources ?? [])].some(hasFailed);
}

function hasFailed({ status }: { readonly status: string }): boolean {
  return status === "failed";
}

/** Formats the members of a query; undefined ones are left out. */
export function formatQuery(query: object | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    parameters.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

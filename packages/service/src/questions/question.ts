import type { Limits, SavedRuleset } from "@groundrule/contract";
import type { EngineError, LiveNeed, Policy, Provided, SourceOutcome } from "@groundrule/engine";
import type { WrittenJson } from "@groundrule/engine/records";
import type { Question as EngineQuestion } from "@groundrule/engine/rulesets";
import type { ZodType } from "zod";
import type { AnswererHost } from "../body/answerer-host.ts";
import type { ScopedEngine } from "../engines/scoped-engines.ts";
import type { SavedBody } from "../task/body-task.ts";
import type { PointerInBody, Refusal } from "../task/refusal.ts";

/** A billable endpoint: a JSON body in, an answer of the engine out. Nothing in it waits. */
export interface Question<Request extends AnyRequest, Query extends AnyQuery, MediaType extends string> {
  /** Its route, which is also its name in a {@link BodyTask}, e.g. `/v1/evaluate`. */
  readonly path: string;
  /** Media types of its answers; the first is the default. */
  readonly mediaTypes: readonly [MediaType, ...MediaType[]];
  /** Schema of the body. */
  readonly requestSchema: ZodType<Request, unknown>;
  /**
   * The request in a body that is quickly seen to be valid.
   *
   * @param body its value
   */
  plainRequest?(body: unknown): Request | undefined;
  /** Schema of the query, which fills in the defaults. */
  readonly querySchema: ZodType<Query, unknown>;
  /** Converts pointers into the engine's arguments to pointers into the body. */
  readonly pointerInBody: PointerInBody;
  /** The refusal for an error of the engine, if it depends on more than a pointer; otherwise undefined. */
  refusalOf?(error: EngineError, request: Request): Refusal | undefined;
  /** The saved ruleset that the request names; it is then passed as {@link Call.saved}. */
  rulesetNamed?(request: Request): SavedRuleset | undefined;
  /** The editions on which it would be answered, by source name. Fails as `answer` does. */
  editions?(request: Request, call: Call<string>): Policy["editions"];
  /** Queries of live sources that are needed before it can be answered; absent: none. Fails as `answer` does. */
  liveNeeds?(request: Request, call: Call<string>): readonly LiveNeed[];
  /** Queries the engine. Fails: with an `EngineError`, as the engine does. */
  answer(request: Request, query: Query, call: Call<MediaType>): Answered;
  /** The question that the engine explains instead of answering it. */
  toExplain(request: Request, call: Call<string>): EngineQuestion;
}

/** Any question, for requests and queries known to match it. */
export type AnyQuestion = Question<AnyRequest, AnyQuery, string>;

/** Members that every request may have. */
export interface AnyRequest {
  /** The caller's own reference, which the answer repeats. */
  readonly reference_id?: string | undefined;
}

/** Parameters that every query has. */
export interface AnyQuery {
  /** True to explain how the question would be answered, instead of answering it. */
  readonly explain: boolean;
}

/** The context of an answer, above all an engine over the sources of the caller. */
export interface Call<MediaType extends string> extends ScopedEngine {
  readonly saved: SavedBody | undefined;
  /** Canonical JSON of parts of the request. */
  readonly written: WrittenJson;
  readonly limits: Limits;
  readonly host: AnswererHost;
  readonly mediaType: MediaType;
  readonly requestId: string;
  readonly engineVersion: string;
  /** The instant of the evaluation, ISO 8601 UTC. */
  readonly now: string;
  /** Areas from live sources, if the question needs any. */
  readonly provided: Provided | undefined;
  /** See {@link BodyTask.without}. */
  readonly without?: readonly string[];
}

/** The answer as sent, with the data for charging and archives. */
export interface Answered {
  readonly body: object;
  /** True for a body that is always small: the checks of a ruleset, not areas and their shapes. */
  readonly isSmall?: boolean;
  readonly sources: readonly SourceOutcome[];
  /** True if every source answered: the request is charged. */
  readonly complete: boolean;
  /** Digests the answer depends on. */
  readonly digests: Readonly<Record<string, unknown>>;
  /** The content of references in the body, above all a saved ruleset, for the record. */
  readonly resolved?: Readonly<Record<string, unknown>> | undefined;
}

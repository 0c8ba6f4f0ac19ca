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
   * The request in a body in which the schema would find no fault, where that is quickly seen.
   *
   * @param body its value
   */
  plainRequest?(body: unknown): Request | undefined;
  /** Schema of the query, which fills in the defaults. */
  readonly querySchema: ZodType<Query, unknown>;
  /** Where in the body the arguments of the engine come from. */
  readonly pointerInBody: PointerInBody;
  /** The refusal for an error of the engine, where it depends on more than a pointer; undefined where it does not. */
  refusalOf?(error: EngineError, request: Request): Refusal | undefined;
  /** The saved ruleset that the request names; it is then given as {@link Call.saved}. */
  rulesetNamed?(request: Request): SavedRuleset | undefined;
  /** The editions that it would be answered with, by source name. Fails as `answer` does. */
  editions?(request: Request, call: Call<string>): Policy["editions"];
  /** What live sources have to be asked before it can be answered; absent: nothing. Fails as `answer` does. */
  liveNeeds?(request: Request, call: Call<string>): readonly LiveNeed[];
  /** Asks the engine. Fails: with an `EngineError`, as the engine does. */
  answer(request: Request, query: Query, call: Call<MediaType>): Answered;
  /** The question that the engine explains instead of answering it. */
  toExplain(request: Request, call: Call<string>): EngineQuestion;
}

/** Any question, where its request and query are known to fit it. */
export type AnyQuestion = Question<AnyRequest, AnyQuery, string>;

/** Members that every request may have. */
export interface AnyRequest {
  /** The caller's own reference, which the answer repeats. */
  readonly reference_id?: string | undefined;
}

/** Parameters that every query has. */
export interface AnyQuery {
  /** Whether to explain how the question would be answered, instead of answering it. */
  readonly explain: boolean;
}

/** What an answer needs besides the request, above all an engine over the sources of the caller. */
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
  /** What live sources answered, where it asks any. */
  readonly provided: Provided | undefined;
  /** See {@link BodyTask.without}. */
  readonly without?: readonly string[];
}

/** The answer that is sent, and what charging and archives need to know about it. */
export interface Answered {
  readonly body: object;
  /** Whether the body is small by its nature: the checks of a ruleset, not areas and their shapes. */
  readonly isSmall?: boolean;
  readonly sources: readonly SourceOutcome[];
  /** Every source answered: the request is charged. */
  readonly complete: boolean;
  /** Digests the answer depends on. */
  readonly digests: Readonly<Record<string, unknown>>;
  /** What the body refers to, above all a saved ruleset, written out for the record. */
  readonly resolved?: Readonly<Record<string, unknown>> | undefined;
}

import type { Limits, SavedRuleset } from "@groundrule/contract";
import type { EngineError, SourceOutcome } from "@groundrule/engine";
import type { Question as EngineQuestion } from "@groundrule/engine/rulesets";
import type { ZodType } from "zod";
import type { ScopedEngine } from "../engines/scoped-engines.ts";
import type { SavedBody } from "../task/body-task.ts";
import type { Refusal } from "../task/refusal.ts";
import type { PointerInBody } from "../task/refusal-of.ts";

/** A billable endpoint: a JSON body in, an answer of the engine out. Nothing in it waits. */
export interface Question<Request extends AnyRequest, Query extends AnyQuery, MediaType extends string> {
  /** Where it is asked, and its name in a {@link BodyTask}: `/v1/evaluate`. */
  readonly path: string;
  /** What an API key must be allowed to ask it. */
  readonly scope: "evaluate" | "discover";
  /** What answers travel in; the first unless asked otherwise. */
  readonly mediaTypes: readonly [MediaType, ...MediaType[]];
  /** What the body must be. */
  readonly requestSchema: ZodType<Request, unknown>;
  /** What the query must be; it fills in the defaults. */
  readonly querySchema: ZodType<Query, unknown>;
  /** Where the values lie that are handed to the engine. */
  readonly pointerInBody: PointerInBody;
  /** What the engine would not answer, where that depends on more than a pointer; undefined where it does not. */
  refusalOf?(error: EngineError, request: Request): Refusal | undefined;
  /** The ruleset of the catalog that the request names; {@link Call.saved} is that one then. */
  rulesetNamed?(request: Request): SavedRuleset | undefined;
  /** Asks the engine. Fails: with an `EngineError`, as the engine does. */
  answer(request: Request, query: Query, call: Call<MediaType>): Answered;
  /** What `explain` asks the engine; nothing is answered then. */
  toExplain(request: Request, call: Call<string>): EngineQuestion;
}

/** Any of them, where what is asked fits by construction. */
export type AnyQuestion = Question<AnyRequest, AnyQuery, string>;

/** What every request may hold. */
export interface AnyRequest {
  /** The caller's own name for it, which is sent back. */
  readonly reference_id?: string | undefined;
}

/** What every query holds. */
export interface AnyQuery {
  /** Whether the plan of the answer is asked for, in the answer's place. */
  readonly explain: boolean;
}

/** What an answer is made with, besides the request: an engine over the caller's sources above all. */
export interface Call<MediaType extends string> extends ScopedEngine {
  readonly saved: SavedBody | undefined;
  readonly limits: Limits;
  readonly mediaType: MediaType;
  readonly requestId: string;
  readonly engineVersion: string;
  /** The instant of the question, ISO 8601 UTC. */
  readonly now: string;
}

/** What is sent, and what charging and archives need to know of it. */
export interface Answered {
  readonly body: object;
  /** The body's size is bounded by what it is: the checks of a ruleset, not areas and their shapes. */
  readonly isSmall?: boolean;
  readonly sources: readonly SourceOutcome[];
  /** Every source answered: the request is charged. */
  readonly complete: boolean;
  /** Digests the answer depends on. */
  readonly digests: Readonly<Record<string, unknown>>;
  /** What the body left open, the ruleset of a name above all, written out for the record. */
  readonly resolved?: Readonly<Record<string, unknown>> | undefined;
}

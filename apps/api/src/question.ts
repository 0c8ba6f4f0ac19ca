import { createHash } from "node:crypto";
import {
  type ExplainResponse,
  jsonPointer,
  type Limits,
  type ParsedRequest,
  parseRequest,
} from "@groundrule/contract";
import {
  canonicalJson,
  EngineError,
  type Question as EngineQuestion,
  FAULT_LIMIT,
  type Fault,
  type SourceOutcome,
} from "@groundrule/engine";
import type { Context, Handler } from "hono";
import type { ZodType } from "zod";
import { metaOf } from "./answer-parts.ts";
import { boundedJson } from "./bounded-json.ts";
import type { RulesetCatalog } from "./catalog/ruleset-catalog.ts";
import type { PeriodUsage } from "./charging/arbitrate.ts";
import type { ChargeRefusal, Charging, Execution } from "./charging/charging.ts";
import { fingerprintOf } from "./charging/fingerprint.ts";
import type { EngineHost } from "./engine-host.ts";
import type { ApiEnv } from "./env.ts";
import type { Caller } from "./gates/authenticate.ts";
import { idempotencyKey } from "./gates/idempotency-key.ts";
import { readJsonBody } from "./json-body.ts";
import type { KeyScope } from "./manage.ts";
import { JSON_TYPE, negotiate } from "./media-type.ts";
import { type PointerInBody, refusalOf } from "./problems.ts";
import { Refusal } from "./refusal.ts";

/** A billable endpoint: a JSON body in, an answer of the engine out. */
export interface Question<Request extends AnyRequest, Query extends AnyQuery, MediaType extends string> {
  readonly path: string;
  readonly scope: KeyScope;
  /** What answers travel in; the first unless asked otherwise. */
  readonly mediaTypes: readonly [MediaType, ...MediaType[]];
  readonly requestSchema: ZodType<Request, unknown>;
  readonly querySchema: ZodType<Query, unknown>;
  /** Where the values lie that `answer` hands to the engine. */
  readonly pointerInBody: PointerInBody;
  answer(request: Request, query: Query, call: Call<MediaType>): Promise<Answered>;
  /** What `explain` asks the engine; nothing is answered then. */
  toExplain(request: Request, call: Call<string>): Promise<EngineQuestion>;
}

export interface AnyRequest {
  readonly reference_id?: string | undefined;
}

export interface AnyQuery {
  readonly explain: boolean;
}

/** What is sent, and what charging and archives need to know of it. */
export interface Answered {
  readonly body: object;
  readonly sources: readonly SourceOutcome[];
  /** Every source answered: the request is charged. */
  readonly complete: boolean;
  /** Digests the answer depends on. */
  readonly digests: Readonly<Record<string, unknown>>;
  /** What the body left open, the ruleset of a name above all, written out for the record. */
  readonly resolved?: Readonly<Record<string, unknown>>;
}

/** What an answer is made with, besides the request. */
export interface Call<MediaType extends string> {
  /** Over the sources that are available to the caller. */
  readonly engine: EngineHost;
  readonly caller: Caller;
  readonly rulesets: RulesetCatalog;
  readonly limits: Limits;
  readonly mediaType: MediaType;
  readonly requestId: string;
  readonly engineVersion: string;
  /** The instant of the question, ISO 8601 UTC. */
  readonly now: string;
}

export interface QuestionContext {
  readonly engine: EngineHost;
  readonly rulesets: RulesetCatalog;
  readonly charging: Charging;
  readonly limits: Limits;
  readonly engineVersion: string;
  readonly now: () => Date;
  /** Hears how the sources of an answer fared. */
  readonly onSources: (sources: readonly SourceOutcome[]) => void;
}

/**
 * A billable request from its body on: read and parse; replay, subscription, quota (within
 * {@link Charging.charge}); check its shape; ask; write the answer within its limit; settle.
 *
 * A stored answer was paid for, so it is found before anything else can refuse the request.
 */
export function questionHandler<Request extends AnyRequest, Query extends AnyQuery, MediaType extends string>(
  question: Question<Request, Query, MediaType>,
  context: QuestionContext,
): Handler<ApiEnv> {
  const { rulesets, charging, limits, engineVersion } = context;

  return async (c) => {
    const caller = c.get("caller");
    const query = parseQuery(question.querySchema, c);
    // A plan is JSON, whatever the question offers.
    if (query.explain) acceptedType(c, [JSON_TYPE]);
    const mediaType = query.explain ? question.mediaTypes[0] : acceptedType(c, question.mediaTypes);
    const body = await readJsonBody(c, limits);
    const key = idempotencyKey(c);
    const call: Call<MediaType> = {
      engine: engineFor(context.engine, caller),
      caller,
      rulesets,
      limits,
      mediaType,
      requestId: c.get("requestId"),
      engineVersion,
      now: context.now().toISOString(),
    };
    if (query.explain) {
      const plan = await explain(question, parseBody(question.requestSchema, body), call);
      c.set("outcome", "explained");
      return c.json(plan);
    }

    const canonicalBody = await asked(AS_SENT, async () => canonicalJson(body));
    const execute = async (): Promise<Execution<string>> => {
      const request = parseBody(question.requestSchema, body);
      const answered = await asked(question, () => question.answer(request, query, call));
      context.onSources(answered.sources);
      const response = boundedJson(answered.body, limits.resultBytes);
      if (!answered.complete) return { kind: "uncharged", answer: response };
      return {
        kind: "complete",
        request:
          Object.keys(answered.resolved ?? {}).length === 0
            ? canonicalBody
            : canonicalJson({ ...(body as object), ...answered.resolved }),
        response,
        mediaType,
        digests: canonicalJson(answered.digests),
      };
    };
    const { organization, mode } = caller;
    const outcome = await charging.charge(
      {
        scope: { organization, mode },
        key,
        fingerprint: fingerprintOf({
          method: c.req.method,
          route: question.path,
          query,
          mediaType,
          bodyDigest: createHash("sha256").update(canonicalBody).digest("hex"),
        }),
        route: question.path,
        requestId: call.requestId,
        referenceId: referenceIdOf(body),
        isGone: () => c.env?.outgoing?.destroyed === true,
      },
      execute,
    );
    if (outcome.kind === "refused") throw refusalOfCharge(outcome);
    c.set("outcome", outcome.kind);
    // Nobody hears this.
    if (outcome.kind === "abandoned") return new Response(null, { status: 499 });
    const headers: Record<string, string> = {
      ...quotaHeaders(outcome.period),
      ...(question.mediaTypes.length > 1 ? { Vary: "Accept" } : {}),
    };
    if (outcome.kind === "uncharged") {
      return c.body(outcome.answer, 200, { ...headers, "Content-Type": mediaType });
    }
    if (outcome.kind === "replayed") headers["Idempotent-Replayed"] = "true";
    headers["X-Decision-Id"] = outcome.decisionId;
    return c.body(outcome.response, 200, { ...headers, "Content-Type": outcome.mediaType });
  };
}

const AS_SENT = { pointerInBody: (pointer: string) => pointer };

/** The host as far as the caller's sources go. */
export function engineFor(engine: EngineHost, { sources }: Caller): EngineHost {
  return sources.includes("*") ? engine : engine.within(sources);
}

/** How the question would be answered. Not charged, and nothing is kept of it. */
async function explain<Request extends AnyRequest>(
  question: Pick<Question<Request, AnyQuery, string>, "toExplain" | "pointerInBody">,
  request: Request,
  call: Call<string>,
): Promise<ExplainResponse> {
  const { pointerInBody } = question;
  const { plan, warnings } = await asked(question, async () =>
    call.engine.explain(await question.toExplain(request, call)),
  );
  const refusals = plan.refusals.map((fault) => ({
    ...fault,
    pointer: pointerInBody(fault.pointer, fault.code),
  }));
  return {
    data: { plan: { ...plan, refusals }, reference_id: request.reference_id ?? null },
    meta: metaOf(call, false, warnings, pointerInBody),
    errors: [],
  };
}

/** Asks the engine, its errors in terms of the request. */
async function asked<Result>(
  { pointerInBody }: { readonly pointerInBody: PointerInBody },
  ask: () => Promise<Result>,
): Promise<Result> {
  return ask().catch((error: unknown) => {
    throw error instanceof EngineError ? refusalOf(error, pointerInBody) : error;
  });
}

/** The caller's own reference, before the body's shape is checked; one that is none is refused later. */
function referenceIdOf(body: unknown): string | null {
  const sent = (body as { readonly reference_id?: unknown } | null)?.reference_id;
  return typeof sent === "string" ? sent : null;
}

function refusalOfCharge({ code, message, details, retryAfterSeconds, period }: ChargeRefusal): Refusal {
  return new Refusal(code, message, {
    members: details,
    headers: {
      ...(period === undefined ? {} : quotaHeaders(period)),
      ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) }),
    },
  });
}

/** Of the quota; `Reset` is when its period ends, in seconds since 1970. */
function quotaHeaders({ quota, used, endsAtMs }: PeriodUsage): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(quota),
    "X-RateLimit-Remaining": String(Math.max(0, quota - used)),
    "X-RateLimit-Reset": String(Math.ceil(endsAtMs / 1_000)),
  };
}

/** The media type the caller accepts best. Refuses: `NOT_ACCEPTABLE`. */
export function acceptedType<MediaType extends string>(
  c: Context<ApiEnv>,
  offered: readonly MediaType[],
): MediaType {
  const accept = c.req.header("Accept");
  const mediaType = negotiate(accept, offered);
  if (mediaType === undefined) {
    throw new Refusal(
      "NOT_ACCEPTABLE",
      `Accepted is "${accept}"; the answer can be ${offered.join(" or ")}.`,
      {
        details: { offered },
      },
    );
  }
  return mediaType;
}

/** A JSON request that is not billable: negotiated, read, checked against its schemas. */
export async function readRequest<Request, Query>(
  c: Context<ApiEnv>,
  limits: Limits,
  requestSchema: ZodType<Request, unknown>,
  querySchema: ZodType<Query, unknown>,
): Promise<{ readonly request: Request; readonly query: Query }> {
  acceptedType(c, [JSON_TYPE]);
  const body = await readJsonBody(c, limits);
  const query = parseQuery(querySchema, c);
  return { request: parseBody(requestSchema, body), query };
}

/** The query's members, each at most once and known. Refuses: `VALIDATION_FAILED`. */
export function parseQuery<Query>(schema: ZodType<Query, unknown>, c: Context<ApiEnv>): Query {
  const members: Record<string, string> = Object.create(null);
  const repeated: Fault[] = [];
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (name in members) {
      repeated.push({
        pointer: queryPointer([name]),
        code: "REPEATED_PARAMETER",
        message: "the parameter is given more than once; expected it at most once",
      });
    }
    members[name] = value;
  }
  const [first, ...others] = repeated;
  if (first !== undefined) return valid({ faults: [first, ...others.slice(0, FAULT_LIMIT - 1)] }, "query");
  return valid(parseRequest(schema, members, queryPointer), "query");
}

function parseBody<Request>(schema: ZodType<Request, unknown>, body: unknown): Request {
  return valid(parseRequest(schema, body), "body");
}

function queryPointer(path: readonly PropertyKey[]): string {
  return `?${jsonPointer(path).slice(1)}`;
}

function valid<Value>(parsed: ParsedRequest<Value>, part: "body" | "query"): Value {
  if ("value" in parsed) return parsed.value;
  const [first] = parsed.faults;
  const count = parsed.faults.length;
  throw new Refusal(
    "VALIDATION_FAILED",
    `The ${part} has ${count === 1 ? "a fault" : `${count} faults`}${
      first.pointer === "" ? "" : ` at ${first.pointer}`
    }: ${first.message}`,
    { errors: parsed.faults },
  );
}

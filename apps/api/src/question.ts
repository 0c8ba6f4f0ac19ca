import {
  type ExplainResponse,
  jsonPointer,
  type Limits,
  type ParsedRequest,
  parseRequest,
} from "@groundrule/contract";
import { EngineError, type Question as EngineQuestion, FAULT_LIMIT, type Fault } from "@groundrule/engine";
import type { Context, Handler } from "hono";
import type { ZodType } from "zod";
import { metaOf } from "./answer-parts.ts";
import { boundedJson } from "./bounded-json.ts";
import type { EngineHost } from "./engine-host.ts";
import type { ApiEnv } from "./env.ts";
import { readJsonBody } from "./json-body.ts";
import { JSON_TYPE, negotiate } from "./media-type.ts";
import { type PointerInBody, refusalOf } from "./problems.ts";
import { Refusal } from "./refusal.ts";

/** A billable endpoint: a JSON body in, an answer of the engine out. */
export interface Question<Request extends AnyRequest, Query extends AnyQuery, MediaType extends string> {
  readonly path: string;
  /** What answers travel in; the first unless asked otherwise. */
  readonly mediaTypes: readonly [MediaType, ...MediaType[]];
  readonly requestSchema: ZodType<Request, unknown>;
  readonly querySchema: ZodType<Query, unknown>;
  /** Where the values lie that `answer` hands to the engine. */
  readonly pointerInBody: PointerInBody;
  answer(request: Request, query: Query, call: Call<MediaType>): Promise<object>;
  /** What `explain` asks the engine; nothing is answered then. */
  toExplain(request: Request, call: Call<string>): EngineQuestion;
}

interface AnyRequest {
  readonly reference_id?: string | undefined;
}

interface AnyQuery {
  readonly explain: boolean;
}

/** What an answer is made with, besides the request. */
export interface Call<MediaType extends string> {
  readonly engine: EngineHost;
  readonly limits: Limits;
  readonly mediaType: MediaType;
  readonly requestId: string;
  readonly engineVersion: string;
  /** The instant of the question, ISO 8601 UTC. */
  readonly now: string;
}

export interface QuestionContext {
  readonly engine: EngineHost;
  readonly limits: Limits;
  readonly engineVersion: string;
  readonly now: () => Date;
}

/** Reads the query, negotiates, reads and checks the body, asks, and writes the answer within its limit. */
export function questionHandler<Request extends AnyRequest, Query extends AnyQuery, MediaType extends string>(
  question: Question<Request, Query, MediaType>,
  { engine, limits, engineVersion, now }: QuestionContext,
): Handler<ApiEnv> {
  return async (c) => {
    const query = parseQuery(question.querySchema, c);
    const offered = query.explain ? ([JSON_TYPE] as const) : question.mediaTypes;
    const mediaType = acceptedType<MediaType | typeof JSON_TYPE>(c, offered);
    const body = await readJsonBody(c.req.raw, limits);
    const request = valid(parseRequest(question.requestSchema, body), "body");
    const call = {
      engine,
      limits,
      // What a question offers is what it is told; an explanation is JSON whatever it offers.
      mediaType: mediaType as MediaType,
      requestId: c.get("requestId"),
      engineVersion,
      now: now().toISOString(),
    };
    const ask = query.explain ? explain(question, request, call) : question.answer(request, query, call);
    const answer = await ask.catch((error: unknown) => {
      throw error instanceof EngineError ? refusalOf(error, question.pointerInBody) : error;
    });
    return c.body(boundedJson(answer, limits.resultBytes), 200, {
      "Content-Type": mediaType,
      ...(offered.length > 1 ? { Vary: "Accept" } : {}),
    });
  };
}

/** How the question would be answered. Not charged, and nothing is kept of it. */
async function explain<Request extends AnyRequest>(
  { toExplain, pointerInBody }: Pick<Question<Request, AnyQuery, string>, "toExplain" | "pointerInBody">,
  request: Request,
  call: Call<string>,
): Promise<ExplainResponse> {
  const { plan, warnings } = await call.engine.explain(toExplain(request, call));
  const refusals = plan.refusals.map((fault) => ({
    ...fault,
    pointer: pointerInBody(fault.pointer, fault.code),
  }));
  return {
    data: { plan: { ...plan, refusals }, reference_id: request.reference_id ?? null },
    meta: metaOf(call, warnings, pointerInBody),
    errors: [],
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

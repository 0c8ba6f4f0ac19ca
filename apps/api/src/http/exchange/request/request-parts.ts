import {
  DEFAULT_LIMITS,
  type Limits,
  type ParsedRequest,
  parseRequest,
  textFaults,
  type UnstorableText,
  unstorableTexts,
} from "@groundrule/contract";
import type { Fault } from "@groundrule/engine";
import { FAULT_LIMIT, formatJsonPointer } from "@groundrule/engine/internal/json";
import { type BodyResult, type BodyTask, type EngineHost, Refusal, refuseFaults } from "@groundrule/service";
import type { Context } from "hono";
import type { ZodType } from "zod";
import type { Caller } from "../caller.ts";
import type { ApiEnv } from "../env.ts";
import { parseAcceptEncoding } from "./content-coding.ts";
import { negotiateMediaType } from "./media-type.ts";
import { readRequestBody } from "./read-body.ts";

// The parts of the app that handlers of requests with a body need.

/** The parts of the app that handlers of requests with a body need. */
export interface BodyContext {
  readonly engine: EngineHost;
  readonly limits: Limits;
  readonly engineVersion: string;
  readonly now: () => Date;
}

/**
 * A request with a body as a task, without the step to carry out. Reads the body without parsing it; resolves when the
 * request may be worked on.
 */
export async function readBodyTask(
  c: Context<ApiEnv>,
  { limits, engineVersion, now }: BodyContext,
  {
    route,
    mediaTypes,
    bodyTypes,
    bodyBytes = limits.bodyBytes,
  }: {
    readonly route: string;
    /** Media types of the answer. */
    readonly mediaTypes: readonly string[];
    /** Media types of the body. Default: JSON. */
    readonly bodyTypes?: readonly string[];
    /** Maximum bytes of the body. Default: that of the limits. */
    readonly bodyBytes?: number;
  },
): Promise<Omit<BodyTask, "step" | "query">> {
  const mediaType = requireAcceptableType(c, mediaTypes);
  const body = await readRequestBody(c, { bodyBytes }, bodyTypes);
  await c.get("ticket").enter();
  const caller = c.get("caller");
  const within = getAllowedSourcePatterns(caller);
  return {
    route,
    body,
    mediaType,
    requestId: c.get("requestId"),
    engineVersion,
    now: now().toISOString(),
    organization: caller.organization,
    mode: caller.mode,
    ...(limits !== DEFAULT_LIMITS && { limits }),
    ...(within !== undefined && { within }),
  };
}

/** Patterns of the sources a caller may use; undefined: all. */
export function getAllowedSourcePatterns({ sources }: Caller): readonly string[] | undefined {
  return sources.includes("*") ? undefined : sources;
}

/** Narrows a result to the expected kind. Refuses with the task's own refusal. */
export function requireResultKind<Kind extends BodyResult["kind"]>(
  kind: Kind,
  result: BodyResult,
): Extract<BodyResult, { readonly kind: Kind }> {
  if (result.kind === "refused")
    throw new Refusal(result.refusal.code, result.refusal.message, result.refusal);
  if (result.kind !== kind) throw new Error(`a body was ${result.kind}, expected it ${kind}`);
  return result as Extract<BodyResult, { readonly kind: Kind }>;
}

/** The media type the caller accepts best. Refuses: `NOT_ACCEPTABLE`. */
export function requireAcceptableType<MediaType extends string>(
  c: Context<ApiEnv>,
  offered: readonly MediaType[],
): MediaType {
  const encoding = c.req.header("Accept-Encoding");
  if (encoding?.includes("=0") === true) requireAcceptableCoding(encoding);
  const accept = c.req.header("Accept");
  const mediaType = negotiateMediaType(accept, offered);
  if (mediaType === undefined) {
    throw new Refusal(
      "NOT_ACCEPTABLE",
      `Found Accept: ${accept}, expected a range that includes ${offered.join(" or ")}.`,
      { details: { offered } },
    );
  }
  return mediaType;
}

/** Refuses: `NOT_ACCEPTABLE` if the caller accepts neither a packed nor a plain answer. */
function requireAcceptableCoding(encoding: string): void {
  const { gzip, identity } = parseAcceptEncoding(encoding);
  if (gzip || identity) return;
  const offered = ["gzip", "identity"];
  throw new Refusal(
    "NOT_ACCEPTABLE",
    `Found Accept-Encoding: ${encoding}, expected a coding among ${offered.join(" and ")}.`,
    { details: { offered } },
  );
}

/** Parses the query's members, each known and at most once. Refuses: `VALIDATION_FAILED`. */
export function parseQuery<Query>(schema: ZodType<Query, unknown>, c: Context<ApiEnv>): Query {
  const { url } = c.req;
  const from = url.indexOf("?");
  if (from === -1 || from === url.length - 1) return getDefaultQuery(schema);
  const members: Record<string, string> = Object.create(null);
  const repeated: Fault[] = [];
  const texts: UnstorableText[] = [];
  for (const [name, value] of new URL(url).searchParams) {
    for (const each of unstorableTexts({ [name]: value })) texts.push(each);
    if (name in members) {
      repeated.push({
        pointer: formatQueryPointer([name]),
        code: "REPEATED_PARAMETER",
        message: "found the parameter more than once, expected it at most once",
      });
    }
    members[name] = value;
  }
  const [first, ...others] = [...repeated, ...textFaults(texts, formatQueryPointer)];
  if (first !== undefined) refuseFaults([first, ...others.slice(0, FAULT_LIMIT - 1)], "query");
  return requireValidQuery(parseRequest(schema, members, formatQueryPointer));
}

/** The parsed form of an empty query; computed once per schema. */
function getDefaultQuery<Query>(schema: ZodType<Query, unknown>): Query {
  const known = defaults.get(schema);
  if (known !== undefined) return known as Query;
  const query = requireValidQuery(parseRequest(schema, {}, formatQueryPointer));
  defaults.set(schema, query);
  return query;
}

const defaults = new WeakMap<ZodType, unknown>();

function requireValidQuery<Query>(parsed: ParsedRequest<Query>): Query {
  return "value" in parsed ? parsed.value : refuseFaults(parsed.faults, "query");
}

function formatQueryPointer(path: readonly PropertyKey[]): string {
  return `?${formatJsonPointer(path).slice(1)}`;
}

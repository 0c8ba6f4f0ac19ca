import { JSON_TYPE, type SavedRuleset } from "@groundrule/contract";
import {
  type AnswerOptions,
  type AnyQuery,
  type AnyRequest,
  type BodyResult,
  type BodyTask,
  type Question,
  Refusal,
  type SavedBody,
} from "@groundrule/service";
import type { Context, Handler } from "hono";
import type { ChargeRefusal, Execution } from "../../charging/charging.ts";
import type { PeriodUsage } from "../../ledger/arbitrate.ts";
import type { Caller } from "../exchange/caller.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { HttpRefusal } from "../exchange/http-refusal.ts";
import { parseQuery, readBodyTask, requireResultKind } from "../exchange/request/request-parts.ts";
import { respondBody } from "../exchange/respond.ts";
import { readIdempotencyKey } from "../gates/idempotency-key.ts";
import type { ServiceParts } from "./record/service-parts.ts";

/**
 * A billable request from its body on: read it; replay, subscription, quota (within `Charging.charge`);
 * check it, ask, write the answer within its limit; settle.
 *
 * A stored answer was paid for, so it is found before anything else can refuse the request, except
 * that a body which is no JSON is refused before all that. Nearly every request finds the gates open: its body
 * is then read once, for the answer, and the fingerprint comes with it.
 */
export function createQuestionHandler<
  Request extends AnyRequest,
  Query extends AnyQuery,
  MediaType extends string,
>(question: Question<Request, Query, MediaType>, context: ServiceParts): Handler<ApiEnv> {
  const { engine, charging } = context;
  const { path: route } = question;

  return async (c) => {
    const caller = c.get("caller");
    const query = parseQuery(question.querySchema, c);
    // A plan is JSON, whatever the question offers.
    const mediaTypes = query.explain ? [JSON_TYPE] : question.mediaTypes;
    const call = { ...(await readBodyTask(c, context, { route, mediaTypes })), query };

    let known: Promise<string> | undefined;
    const identify = async (): Promise<string> =>
      requireResultKind("identified", await engine.answer({ ...call, step: "identify" })).fingerprint;
    const fingerprint = (): Promise<string> => {
      known ??= identify();
      return known;
    };
    const task: BodyTask = { ...call, step: "answer" };
    const perform = async (): Promise<BodyResult> => {
      const gone = createDisconnectOptions(c);
      const result = await engine.answer(task, gone);
      if (result.kind !== "ruleset wanted") return result;
      return engine.answer({ ...task, saved: await getSavedRuleset(result.named, caller, context) }, gone);
    };
    const execute = async (): Promise<Execution<string>> => {
      const answered = requireResultKind("answered", await perform());
      known = Promise.resolve(answered.fingerprint);
      context.onSources(answered.sources);
      if (!answered.complete) return { kind: "uncharged", answer: answered.response };
      const { request, response, digests, referenceId } = answered;
      return { kind: "complete", request, response, mediaType: call.mediaType, digests, referenceId };
    };

    const key = await resolveIdempotencyKey(c, fingerprint);
    if (query.explain) {
      const { json } = requireResultKind("told", await perform());
      c.set("outcome", "explained");
      return respondBody(c, json, 200, { "Content-Type": JSON_TYPE });
    }
    const outcome = await charging.charge(
      {
        scope: { organization: caller.organization, mode: caller.mode },
        key,
        fingerprint,
        route,
        requestId: call.requestId,
        isGone: () => c.env?.outgoing?.destroyed === true,
      },
      execute,
    );
    if (outcome.kind === "refused") {
      // Faults of the body are reported before any other refusal.
      await fingerprint();
      throw toHttpRefusal(outcome);
    }
    c.set("outcome", outcome.kind);
    // Nobody hears this.
    if (outcome.kind === "abandoned") return respondBody(c, null, 499, {});
    const headers: Record<string, string> = {
      ...buildQuotaHeaders(outcome.period),
      ...(question.mediaTypes.length > 1 && { Vary: "Accept" }),
    };
    if (outcome.kind === "uncharged") {
      return respondBody(c, outcome.answer, 200, { ...headers, "Content-Type": call.mediaType });
    }
    if (outcome.kind === "replayed") headers["Idempotent-Replayed"] = "true";
    headers["X-Decision-Id"] = outcome.decisionId;
    return respondBody(c, outcome.response, 200, { ...headers, "Content-Type": outcome.mediaType });
  };
}

/** Tells who waits for live sources that the client has left. The signal is made when somebody first waits. */
function createDisconnectOptions(c: Context<ApiEnv>): AnswerOptions {
  let signal: AbortSignal | undefined;
  return {
    get signal() {
      const outgoing = c.env?.outgoing;
      if (signal !== undefined || outgoing === undefined) return signal;
      const controller = new AbortController();
      const abort = (): void => controller.abort();
      if (outgoing.destroyed) abort();
      else outgoing.once("close", abort);
      signal = controller.signal;
      return signal;
    },
  };
}

/** Faults of the body are reported before those of its key. */
export async function resolveIdempotencyKey(
  c: Context<ApiEnv>,
  fingerprint: () => Promise<string>,
): Promise<string | null> {
  try {
    return readIdempotencyKey(c);
  } catch (refusal) {
    await fingerprint();
    throw refusal;
  }
}

/** The ruleset of the catalog. Refuses: `RULESET_NOT_FOUND`. */
export async function getSavedRuleset(
  { name, version }: SavedRuleset,
  { organization, mode }: Caller,
  { rulesets }: Pick<ServiceParts, "rulesets">,
): Promise<SavedBody> {
  const saved = await rulesets.find({ organization, mode }, name, version);
  if (saved !== undefined) return { name: saved.name, version: saved.version, body: saved.body };
  const id = version === undefined ? name : `${name}@${version}`;
  throw new Refusal(
    "RULESET_NOT_FOUND",
    `The catalog has no ruleset "${id}"; GET /v1/rulesets lists its rulesets.`,
    {
      errors: [
        { pointer: "/ruleset_id", code: "RULESET_NOT_FOUND", message: `the catalog has no ruleset "${id}"` },
      ],
    },
  );
}

/** A refusal of charging, with the headers that it has. */
export function toHttpRefusal({
  code,
  message,
  details,
  facts,
  retryAfterSeconds,
  period,
}: ChargeRefusal): Refusal {
  return new HttpRefusal(code, message, {
    members: details,
    ...(facts !== undefined && { details: facts }),
    headers: {
      ...(period !== undefined && buildQuotaHeaders(period)),
      ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
    },
  });
}

/** Headers of the quota; `Reset` is when its period ends, in seconds since 1970. */
function buildQuotaHeaders({ quota, used, endsAtMs }: PeriodUsage): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(quota),
    "X-RateLimit-Remaining": String(Math.max(0, quota - used)),
    "X-RateLimit-Reset": String(Math.ceil(endsAtMs / 1_000)),
  };
}

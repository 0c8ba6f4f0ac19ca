import {
  createRulesetQuerySchema,
  createRulesetRequestSchema,
  createRulesetResponseShape,
  JSON_TYPE,
  RULESET_VERSION_MAX,
  type RulesetResponse,
  type RulesetsResponse,
  rulesetResponseShape,
  rulesetsQuerySchema,
  rulesetsResponseShape,
  toPagination,
} from "@groundrule/contract";
import { RULESET_NAME_PATTERN } from "@groundrule/engine/internal";
import { palette, parseRuleset } from "@groundrule/engine/rulesets";
import { type BodyTask, CHECK_RULESET_PATH, Refusal } from "@groundrule/service";
import type { Context, Handler } from "hono";
import { formatInstant } from "../../ledger/clock.ts";
import {
  formatPublicationAnswer,
  type KeyedRequest,
  type MetPublication,
  toRulesetSummary,
} from "../../ledger/publication.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { HttpRefusal } from "../exchange/http-refusal.ts";
import {
  type BodyContext,
  parseQuery,
  readBodyTask,
  requireAcceptableType,
  requireResultKind,
} from "../exchange/request/request-parts.ts";
import { respondBody, respondJson, respondWithTag } from "../exchange/respond.ts";
import { readIdempotencyKey } from "../gates/idempotency-key.ts";
import { holdingLimitRefusal } from "./holding-refusal.ts";
import { RULESET } from "./record/demo-input.ts";
import { IDEMPOTENCY_KEY } from "./record/headers.ts";
import {
  defineJsonContent,
  defineOperation,
  type Operation,
  type PathParameter,
} from "./record/operation.ts";
import type { ServiceParts } from "./record/service-parts.ts";

const RULESET_NAME: PathParameter = {
  description: "Name of the ruleset",
  schema: { type: "string", pattern: RULESET_NAME_PATTERN.source },
  sample: "forest-plots",
};

/** `GET /v1/rulesets`: the rulesets of the catalog, newest first, without the bodies. */
const listRulesets = defineOperation({
  id: "listRulesets",
  method: "GET",
  path: "/v1/rulesets",
  tag: "Catalog",
  summary: "List the saved rulesets, newest first, without their bodies; `name=preset.` lists the presets",
  key: "catalog:read",
  room: "reads",
  query: rulesetsQuerySchema,
  answer: { content: defineJsonContent("RulesetsResponse", rulesetsResponseShape) },
  codes: [],
  handler: listRulesetsHandler,
});

/**
 * `POST /v1/rulesets`: publishes a version, once it compiles against the caller's sources. Never billed.
 * Under an idempotency key a retry is answered with the first answer, before anything else can refuse it.
 */
export const createRuleset: Operation = defineOperation({
  id: "createRuleset",
  method: "POST",
  path: CHECK_RULESET_PATH,
  tag: "Catalog",
  summary: "Publish a version of a ruleset; a published version never changes",
  key: "catalog:write",
  room: "work",
  query: createRulesetQuerySchema,
  headers: [
    {
      ...IDEMPOTENCY_KEY,
      description:
        "The caller's name for this publication; a retry with the same key gets the same answer and publishes nothing",
    },
  ],
  request: {
    schema: { name: "CreateRulesetRequest", of: createRulesetRequestSchema },
    examples: {
      forestPlots: {
        summary: "The next free version of a ruleset",
        value: {
          name: "forest-plots",
          description: "No overlap with protected areas, and no owner on a sanctions list.",
          ...RULESET,
        },
      },
    },
  },
  answer: {
    status: 201,
    content: defineJsonContent("CreateRulesetResponse", createRulesetResponseShape),
    always: ["Location"],
    sometimes: ["Idempotent-Replayed"],
    links: {
      version: {
        operationId: "ruleset",
        parameters: { name: "$response.body#/data/ruleset", version: "$response.body#/data/version" },
      },
      latest: { operationId: "latestRuleset", parameters: { name: "$response.body#/data/ruleset" } },
    },
  },
  codes: [
    "DATA_UNAVAILABLE",
    "FORBIDDEN",
    "HOLDING_LIMIT_REACHED",
    "IDEMPOTENCY_KEY_CONFLICT",
    "IDEMPOTENCY_KEY_EXHAUSTED",
    "IDEMPOTENCY_KEY_INVALID",
    "IDEMPOTENCY_REPLAY_EXPIRED",
    "OUTCOME_UNKNOWN",
    "RULESET_ALREADY_EXISTS",
    "RULESET_INVALID",
    "SOURCE_UNKNOWN",
  ],
  handler: createRulesetHandler,
});

/** A version of a ruleset, with its palette. */
const VERSION = {
  method: "GET",
  tag: "Catalog",
  key: "catalog:read",
  room: "work",
  query: "none",
  answer: { content: defineJsonContent("RulesetResponse", rulesetResponseShape), always: ["ETag", "Vary"] },
  codes: ["RULESET_NOT_FOUND"],
  handler: createRulesetReadHandler,
} as const;

/** `GET /v1/rulesets/{name}` */
const latestRuleset = defineOperation({
  ...VERSION,
  id: "latestRuleset",
  path: "/v1/rulesets/:name",
  summary: "Get the latest version of a ruleset, with colours for display",
  parameters: { name: RULESET_NAME },
});

/** `GET /v1/rulesets/{name}/{version}` */
const ruleset = defineOperation({
  ...VERSION,
  id: "ruleset",
  path: "/v1/rulesets/:name/:version",
  summary: "Get a version of a ruleset, with colours for display",
  parameters: {
    name: RULESET_NAME,
    version: {
      description: "Version of the ruleset",
      schema: { type: "integer", minimum: 1, maximum: RULESET_VERSION_MAX },
      sample: "1",
    },
  },
});

export const RULESETS: readonly Operation[] = [listRulesets, createRuleset, latestRuleset, ruleset];

function createRulesetHandler(service: ServiceParts): Handler<ApiEnv> {
  const { rulesets: catalog, holdings: limits } = service;
  const terms = service.charging.settings;
  return async (c) => {
    const scope = c.get("caller");
    const query = parseQuery(createRulesetQuerySchema, c);
    const call = {
      ...(await readBodyTask(c, service, { route: CHECK_RULESET_PATH, mediaTypes: [JSON_TYPE] })),
      query,
    };
    const request = await readKeyedRequest(c, service, call);
    if (request !== null) {
      const met = await catalog.meet({ scope, request, terms });
      if (met.kind !== "free") return respondEarlierPublication(c, met);
    }
    const checked = requireResultKind("ruleset", await service.engine.answer({ ...call, step: "answer" }));
    const { name, version, body, digest, warnings } = checked;
    const lint = query.lint ? checked.lint : undefined;
    const created = await catalog.create({
      scope,
      name,
      version: version ?? "next",
      body,
      digest,
      limits,
      ...(request !== null && {
        publication: { request, terms, warnings, ...(lint !== undefined && { lint }) },
      }),
    });
    if (created.kind === "met") return respondEarlierPublication(c, created.met);
    if (created.kind === "held") throw holdingLimitRefusal(created.excess);
    if (created.kind === "exists") {
      const taken = version ?? RULESET_VERSION_MAX;
      const remedy =
        version === undefined
          ? "no higher version number exists; publish under another name"
          : "publish a new version";
      throw new Refusal(
        "RULESET_ALREADY_EXISTS",
        `"${name}@${taken}" is already published, and a published version never changes; ${remedy}.`,
        { details: { name, version: taken } },
      );
    }
    return respondPublishedRuleset(
      c,
      created.ruleset,
      formatPublicationAnswer(created.ruleset, warnings, lint),
    );
  };
}

/** The identity of the request under its key; null without one. Refuses: `IDEMPOTENCY_KEY_INVALID`. */
async function readKeyedRequest(
  c: Context<ApiEnv>,
  { engine }: BodyContext,
  call: Omit<BodyTask, "step">,
): Promise<KeyedRequest | null> {
  // Faults of the body are reported before those of its key.
  const { fingerprint } = requireResultKind("identified", await engine.answer({ ...call, step: "identify" }));
  const key = readIdempotencyKey(c);
  return key === null ? null : { key, fingerprint };
}

function respondEarlierPublication(
  c: Context<ApiEnv>,
  met: Exclude<MetPublication, { readonly kind: "free" }>,
): Response | Promise<Response> {
  const { publication } = met;
  const { key, name, version } = publication;
  const details = { name, version };
  switch (met.kind) {
    case "replayed":
      return respondPublishedRuleset(c, publication, publication.response, { "Idempotent-Replayed": "true" });
    case "conflict":
      throw new Refusal(
        "IDEMPOTENCY_KEY_CONFLICT",
        `The idempotency key "${key}" was already used for another request, which published "${name}@${version}"; use a new key for a new request.`,
        { details },
      );
    case "exhausted":
      throw new HttpRefusal(
        "IDEMPOTENCY_KEY_EXHAUSTED",
        `The idempotency key is exhausted: the answer that published "${name}@${version}" was replayed ${publication.replays} times, which is the limit; use a new key.`,
        {
          details,
          members: { reason: "replays" },
          headers: buildRetryAfterHeader(publication.expiresAtMs - met.nowMs),
        },
      );
    case "expired": {
      const reusableAtMs = publication.acknowledgeUntilMs ?? met.nowMs;
      throw new HttpRefusal(
        "IDEMPOTENCY_REPLAY_EXPIRED",
        `This idempotency key published "${name}@${version}", but the stored answer has expired; a retry with this key is executed as a new request.`,
        {
          details,
          members: { key_reusable_at: formatInstant(reusableAtMs) },
          headers: buildRetryAfterHeader(reusableAtMs - met.nowMs),
        },
      );
    }
  }
}

function buildRetryAfterHeader(milliseconds: number): Record<string, string> {
  return { "Retry-After": String(Math.max(1, Math.ceil(milliseconds / 1_000))) };
}

function respondPublishedRuleset(
  c: Context<ApiEnv>,
  { name, version }: { readonly name: string; readonly version: number },
  answer: string,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  const Location = `/v1/rulesets/${name}/${version}`;
  return respondBody(c, answer, 201, { "Content-Type": JSON_TYPE, Location, ...headers });
}

function listRulesetsHandler({ rulesets: catalog }: ServiceParts): Handler<ApiEnv> {
  return async (c) => {
    requireAcceptableType(c, [JSON_TYPE]);
    const { name, page, page_size } = parseQuery(rulesetsQuerySchema, c);
    const found = await catalog.list(c.get("caller"), { name, page, pageSize: page_size });
    return respondJson(c, {
      data: {
        items: found.items.map(toRulesetSummary),
        pagination: toPagination({ page, page_size }, found.totalCount),
      },
    } satisfies RulesetsResponse);
  };
}

function createRulesetReadHandler({ rulesets: catalog }: ServiceParts): Handler<ApiEnv> {
  return async (c) => {
    requireAcceptableType(c, [JSON_TYPE]);
    const name = c.req.param("name") ?? "";
    const version = c.req.param("version");
    const number = version === undefined ? undefined : parseRulesetVersion(version);
    const isName = RULESET_NAME_PATTERN.test(name);
    const found =
      number === "none" || !isName ? undefined : await catalog.find(c.get("caller"), name, number);
    if (found === undefined) throw rulesetNotFoundRefusal(c, name, version);
    const body = JSON.parse(found.body);
    const answer: RulesetResponse = {
      data: { ...toRulesetSummary(found), body, digest: found.digest, palette: palette(parseRuleset(body)) },
    };
    return respondWithTag(c, JSON.stringify(answer), {
      "Content-Type": JSON_TYPE,
      "Cache-Control": version === undefined ? LATEST_CACHING : VERSION_CACHING,
    });
  };
}

/** The latest version may change at any moment; a version does not, but its colours may with a release. */
const LATEST_CACHING = "private, no-cache";
const VERSION_CACHING = "private, max-age=86400, immutable";

function parseRulesetVersion(text: string): number | "none" {
  const version = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : Number.NaN;
  return version <= RULESET_VERSION_MAX ? version : "none";
}

function rulesetNotFoundRefusal(c: Context<ApiEnv>, name: string, version: string | undefined): Refusal {
  const id = version === undefined ? name : `${name}@${version}`;
  return new Refusal("RULESET_NOT_FOUND", `The catalog has no ruleset "${id}".`, {
    details: { path: c.req.path },
  });
}

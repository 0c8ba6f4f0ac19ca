import {
  type CreateRulesetResponse,
  createRulesetQuerySchema,
  paginationOf,
  RULESET_VERSION_MAX,
  type RulesetResponse,
  type RulesetSummary,
  type RulesetsResponse,
  rulesetsQuerySchema,
} from "@groundrule/contract";
import { palette, parseRuleset } from "@groundrule/engine";
import type { Context, Handler } from "hono";
import { CHECK_RULESET_PATH } from "../answering/check-ruleset.ts";
import type { CatalogSummary, RulesetCatalog } from "../catalog/ruleset-catalog.ts";
import type { ApiEnv } from "../env.ts";
import { given } from "../given.ts";
import { JSON_TYPE } from "../media-type.ts";
import { Refusal } from "../refusal.ts";
import { acceptedType, type BodyContext, callOf, expected, parseQuery } from "../request-parts.ts";
import { respondJson } from "../respond.ts";
import type { StoredRuleset } from "../store/port.ts";

/** `POST /v1/rulesets`: publishes a version, once it compiles against the caller's sources. */
export function createRulesetHandler(context: BodyContext, catalog: RulesetCatalog): Handler<ApiEnv> {
  return async (c) => {
    const call = await callOf(c, context, { route: CHECK_RULESET_PATH, mediaTypes: [JSON_TYPE] });
    const query = parseQuery(createRulesetQuerySchema, c);
    const checked = expected("ruleset", await context.engine.answer({ ...call, step: "answer", query: {} }));
    const { name, version, body, digest, lint } = checked;
    const created = await catalog.create(c.get("caller"), { name, version, body, digest });
    if (created === undefined) {
      throw new Refusal(
        "RULESET_ALREADY_EXISTS",
        `"${name}@${version}" is in the catalog already, and never changes; publish another version.`,
        { details: { name, version } },
      );
    }
    const response: CreateRulesetResponse = {
      data: {
        ...summaryOf(created),
        body: JSON.parse(body),
        ...given({ lint: query.lint ? lint : undefined }),
      },
    };
    return respondJson(c, response, 201, { Location: `/v1/rulesets/${created.name}/${created.version}` });
  };
}

/** `GET /v1/rulesets`: what is in the catalog, newest first, without the bodies. */
export function listRulesetsHandler(catalog: RulesetCatalog): Handler<ApiEnv> {
  return async (c) => {
    acceptedType(c, [JSON_TYPE]);
    const { name, page, page_size } = parseQuery(rulesetsQuerySchema, c);
    const found = await catalog.list(c.get("caller"), { name, page, pageSize: page_size });
    return respondJson(c, {
      data: {
        items: found.items.map(summaryOf),
        pagination: paginationOf({ page, page_size }, found.totalCount),
      },
    } satisfies RulesetsResponse);
  };
}

/** `GET /v1/rulesets/{name}` and `/{name}/{version}`: the latest version, or that one, with its palette. */
export function rulesetHandler(catalog: RulesetCatalog): Handler<ApiEnv> {
  return async (c) => {
    acceptedType(c, [JSON_TYPE]);
    const name = c.req.param("name") ?? "";
    const version = c.req.param("version");
    const number = version === undefined ? undefined : versionOf(version);
    const found = number === "none" ? undefined : await catalog.find(c.get("caller"), name, number);
    if (found === undefined) throw notFound(c, name, version);
    const body = JSON.parse(found.body);
    return respondJson(c, {
      data: { ...summaryOf(found), body, digest: found.digest, palette: palette(parseRuleset(body)) },
    } satisfies RulesetResponse);
  };
}

function versionOf(text: string): number | "none" {
  const version = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : Number.NaN;
  return version <= RULESET_VERSION_MAX ? version : "none";
}

function notFound(c: Context<ApiEnv>, name: string, version: string | undefined): Refusal {
  const id = version === undefined ? name : `${name}@${version}`;
  return new Refusal("RULESET_NOT_FOUND", `No ruleset "${id}" is in the catalog.`, {
    details: { path: c.req.path },
  });
}

function summaryOf({ name, version, createdAtMs }: CatalogSummary | StoredRuleset): RulesetSummary {
  return { ruleset: name, version, created_at: new Date(createdAtMs).toISOString() };
}

import {
  JSON_TYPE,
  listedSource,
  type SourcesResponse,
  sourcesQuerySchema,
  sourcesResponseShape,
} from "@groundrule/contract";
import type { SourceEntry } from "@groundrule/engine";
import type { Handler } from "hono";
import type { ApiEnv } from "../exchange/env.ts";
import {
  getAllowedSourcePatterns,
  parseQuery,
  requireAcceptableType,
} from "../exchange/request/request-parts.ts";
import { respondJson } from "../exchange/respond.ts";
import { defineJsonContent, defineOperation, type Operation } from "./record/operation.ts";
import type { ServiceParts } from "./record/service-parts.ts";

/**
 * `GET /v1/sources`: the sources that are available to the caller, by kind and country if the query has them. A global
 * source is one of every country.
 */
const sources = defineOperation({
  id: "sources",
  method: "GET",
  path: "/v1/sources",
  tag: "Catalog",
  summary: "List the data sources that are available to the caller",
  key: "any",
  room: "work",
  query: sourcesQuerySchema,
  answer: { content: defineJsonContent("SourcesResponse", sourcesResponseShape) },
  codes: [],
  handler: createSourcesHandler,
});

export const SOURCES: readonly Operation[] = [sources];

function createSourcesHandler({ engine, now }: ServiceParts): Handler<ApiEnv> {
  return (c) => {
    requireAcceptableType(c, [JSON_TYPE]);
    const { kind, country_iso3 } = parseQuery(sourcesQuerySchema, c);
    const instant = now().toISOString();
    const items = engine
      .sources(getAllowedSourcePatterns(c.get("caller")))
      .filter(
        (source) =>
          (kind === undefined || source.kind === kind) &&
          (country_iso3 === undefined || coversCountry(country_iso3, source)),
      )
      .map((source) => listedSource(source, instant));
    return respondJson(c, { data: { items } } satisfies SourcesResponse);
  };
}

function coversCountry(country: string, { coverage, country_coverage }: SourceEntry): boolean {
  return coverage?.extent === "global" || country_coverage?.includes(country) === true;
}

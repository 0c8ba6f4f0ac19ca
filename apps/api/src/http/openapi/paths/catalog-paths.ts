import {
  createRulesetQuerySchema,
  JSON_TYPE,
  RULESET_VERSION_MAX,
  rulesetsQuerySchema,
  sourcesQuerySchema,
} from "@groundrule/contract";
import { RULESET_NAME_PATTERN } from "@groundrule/engine/internal";
import { MAX_ZOOM, TILE_MEDIA_TYPE } from "@groundrule/tiles";
import { BODY_CODES, KEYED_CODES } from "../codes.ts";
import { queryParameters } from "../components.ts";
import { answer, body, NOT_MODIFIED } from "../contents.ts";
import { headersOf } from "../headers.ts";
import type { Json } from "../json.ts";
import { problems } from "../problems.ts";
import { free } from "./operation.ts";
import { IDEMPOTENCY_KEY, IF_NONE_MATCH, inPath } from "./parameters.ts";

/** Sources and rulesets. */
export function catalogPaths(): Readonly<Record<string, Json>> {
  return {
    "/v1/sources": {
      get: free({
        id: "sources",
        tag: "Catalog",
        summary: "List the data sources that are available to the caller",
        parameters: queryParameters(sourcesQuerySchema),
        schema: "SourcesResponse",
        codes: [],
      }),
    },
    "/v1/sources/{name}/tiles/{z}/{x}/{y}": {
      get: {
        operationId: "sourceTile",
        tags: ["Catalog"],
        summary: "Get a vector tile with the areas and the coverage of a source; never charged",
        description:
          "Features of the layer `areas` have `source_id`, `name` and `index`. Those of a raster are rectangles of cells, with the `color` of their value; from afar some have `share`, the part of the cells there that are areas.",
        parameters: [
          {
            name: "name",
            in: "path",
            required: true,
            description: "Name of a source of areas; for a group, request each member",
            schema: { type: "string" },
            example: "demo:parks",
          },
          ...TILE_PLACE,
          IF_NONE_MATCH,
        ],
        responses: {
          200: {
            ...answer("sourceTile", {}, ["ETag"]),
            content: {
              [TILE_MEDIA_TYPE]: { schema: { type: "string", contentMediaType: TILE_MEDIA_TYPE } },
            },
          },
          204: {
            description: "The source has no area in this tile",
            headers: { ...headersOf(["ETag", "X-Request-Id"], true) },
          },
          ...NOT_MODIFIED,
          ...problems("sourceTile", [
            ...KEYED_CODES,
            "EVALUATION_ABORTED",
            "NOT_FOUND",
            "SNAPSHOT_CORRUPT",
            "SOURCE_UNKNOWN",
          ]),
        },
      },
    },
    "/v1/rulesets": {
      get: free({
        id: "listRulesets",
        tag: "Catalog",
        summary:
          "List the saved rulesets, newest first, without their bodies; `name=preset.` lists the presets",
        parameters: queryParameters(rulesetsQuerySchema),
        schema: "RulesetsResponse",
        codes: ["SCOPE_INSUFFICIENT"],
      }),
      post: {
        operationId: "createRuleset",
        tags: ["Catalog"],
        summary: "Publish a version of a ruleset; a published version never changes",
        parameters: [...queryParameters(createRulesetQuerySchema), PUBLICATION_KEY],
        requestBody: body("createRuleset", "CreateRulesetRequest"),
        responses: {
          201: {
            ...answer(
              "createRuleset",
              { [JSON_TYPE]: "CreateRulesetResponse" },
              ["Location"],
              ["Idempotent-Replayed"],
            ),
            links: {
              version: {
                operationId: "ruleset",
                parameters: {
                  name: "$response.body#/data/ruleset",
                  version: "$response.body#/data/version",
                },
              },
              latest: {
                operationId: "latestRuleset",
                parameters: { name: "$response.body#/data/ruleset" },
              },
            },
          },
          ...problems("createRuleset", [
            ...KEYED_CODES,
            ...BODY_CODES,
            "FORBIDDEN",
            "HOLDING_LIMIT_REACHED",
            "IDEMPOTENCY_KEY_CONFLICT",
            "IDEMPOTENCY_KEY_EXHAUSTED",
            "IDEMPOTENCY_KEY_INVALID",
            "IDEMPOTENCY_REPLAY_EXPIRED",
            "OUTCOME_UNKNOWN",
            "RULESET_ALREADY_EXISTS",
            "RULESET_INVALID",
            "SCOPE_INSUFFICIENT",
            "SOURCE_UNKNOWN",
          ]),
        },
      },
    },
    "/v1/rulesets/{name}": {
      get: free({
        id: "latestRuleset",
        tag: "Catalog",
        summary: "Get the latest version of a ruleset, with colours for display",
        parameters: [RULESET_NAME],
        schema: "RulesetResponse",
        headers: ["ETag", "Vary"],
        codes: ["RULESET_NOT_FOUND", "SCOPE_INSUFFICIENT"],
      }),
    },
    "/v1/rulesets/{name}/{version}": {
      get: free({
        id: "ruleset",
        tag: "Catalog",
        summary: "Get a version of a ruleset, with colours for display",
        parameters: [RULESET_NAME, RULESET_VERSION],
        schema: "RulesetResponse",
        headers: ["ETag", "Vary"],
        codes: ["RULESET_NOT_FOUND", "SCOPE_INSUFFICIENT"],
      }),
    },
  };
}

const PUBLICATION_KEY: Json = {
  ...IDEMPOTENCY_KEY,
  description:
    "The caller's name for this publication; a retry with the same key gets the same answer and publishes nothing",
};

const RULESET_NAME = inPath("name", { type: "string", pattern: RULESET_NAME_PATTERN.source });
const RULESET_VERSION = inPath("version", { type: "integer", minimum: 1, maximum: RULESET_VERSION_MAX });

/** Zoom, column and row of a tile. */
const TILE_PLACE: readonly Json[] = [
  ["z", `Zoom, up to ${MAX_ZOOM}; at higher zooms, maps enlarge the tiles of this zoom`, MAX_ZOOM, 8],
  ["x", "Column of the Web Mercator pyramid, from the west", 2 ** MAX_ZOOM - 1, 86],
  ["y", "Row, from the north", 2 ** MAX_ZOOM - 1, 135],
].map(([name, description, maximum, example]) => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "integer", minimum: 0, maximum },
  example,
})) as readonly Json[];

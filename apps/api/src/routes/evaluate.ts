import {
  type EvaluateFeatures,
  type EvaluateQuery,
  type EvaluateRequest,
  type EvaluateResponse,
  evaluateQuerySchema,
  evaluateRequestSchema,
  type SavedRuleset,
} from "@groundrule/contract";
import { metaOf } from "../answer-parts.ts";
import { GEOJSON_TYPE, JSON_TYPE } from "../media-type.ts";
import type { Question } from "../question.ts";
import { Refusal } from "../refusal.ts";
import { evidenceFeatures } from "./evidence-features.ts";

type MediaType = typeof GEOJSON_TYPE | typeof JSON_TYPE;

/** `POST /v1/evaluate`: the verdict of a ruleset on a plot and the subjects behind it. */
export const evaluate: Question<EvaluateRequest, EvaluateQuery, MediaType> = {
  path: "/v1/evaluate",
  mediaTypes: [JSON_TYPE, GEOJSON_TYPE],
  requestSchema: evaluateRequestSchema,
  querySchema: evaluateQuerySchema,
  pointerInBody,
  answer: async (request, query, call): Promise<EvaluateResponse | EvaluateFeatures> => {
    const ruleset = rulesetOf(request);
    const { verdict, warnings } = await call.engine.evaluate(ruleset, request.input, {
      now: call.now,
      evidenceLimit: query.evidence_limit,
    });
    const data = { ...verdict, reference_id: request.reference_id ?? null };
    const lint = query.lint ? { lint: await call.engine.lint(ruleset) } : {};
    const meta = { ...metaOf(call, warnings, pointerInBody), ...lint };
    if (call.mediaType === JSON_TYPE) return { data, meta, errors: [] };
    const features = await evidenceFeatures(verdict.checks, ruleset, request.input, call);
    return { type: "FeatureCollection", features, data, meta };
  },
  toExplain: (request) => ({ ask: "evaluate", ruleset: rulesetOf(request), input: request.input }),
};

function rulesetOf({ ruleset }: EvaluateRequest): object {
  return "inline" in ruleset ? ruleset.inline : savedRuleset(ruleset);
}

function pointerInBody(pointer: string, code: string): string {
  return (code === "RULESET_INVALID" || code === "SOURCE_UNKNOWN" ? "/ruleset" : "/input") + pointer;
}

/** The catalog holds no rulesets yet, so none is found. */
function savedRuleset({ name, version }: SavedRuleset): never {
  const id = version === undefined ? name : `${name}@${version}`;
  throw new Refusal("RULESET_NOT_FOUND", `No ruleset "${id}" is in the catalog.`, {
    errors: [{ pointer: "/ruleset_id", code: "RULESET_NOT_FOUND", message: `"${id}" is not in the catalog` }],
  });
}

import {
  EVIDENCE_DEFAULT,
  type EvaluateFeatures,
  type EvaluateQuery,
  type EvaluateRequest,
  type EvaluateResponse,
  evaluateQuerySchema,
  evaluateRequestSchema,
  GEOJSON_TYPE,
  JSON_TYPE,
} from "@groundrule/contract";
import type { EvaluateOptions, Policy } from "@groundrule/engine";
import { evaluateWithWrittenJson } from "@groundrule/engine/internal";
import { isObject } from "@groundrule/engine/internal/json";
import { canonicalJson, verdictOf } from "@groundrule/engine/records";
import { lintRuleset } from "@groundrule/engine/rulesets";
import type { RulesetInUse } from "../engines/scoped-engines.ts";
import type { SavedBody } from "../task/body-task.ts";
import { toRefusal } from "../task/refusal.ts";
import { buildAnswerMeta, toEditions } from "./answer-parts.ts";
import { buildEvidenceFeatures } from "./evidence-features.ts";
import type { Answered, Call, Question } from "./question.ts";

type MediaType = typeof GEOJSON_TYPE | typeof JSON_TYPE;

/** `POST /v1/evaluate`: the verdict of a ruleset on a plot and the subjects behind it. */
export const evaluate: Question<EvaluateRequest, EvaluateQuery, MediaType> = {
  path: "/v1/evaluate",
  mediaTypes: [JSON_TYPE, GEOJSON_TYPE],
  requestSchema: evaluateRequestSchema,
  plainRequest: parsePlainRequest,
  querySchema: evaluateQuerySchema,
  pointerInBody: toBodyPointer,
  // A fault of a saved ruleset, such as a source that no longer exists, is located at the member that names the
  // ruleset.
  refusalOf: (error, { ruleset }) =>
    "inline" in ruleset || !RULESET_CODES.has(error.code) ? undefined : toRefusal(error, () => "/ruleset_id"),
  rulesetNamed: ({ ruleset }) => ("inline" in ruleset ? undefined : ruleset),
  editions: (request, call) => resolveRulesetInUse(request, call).policy.editions,
  liveNeeds: (request, call) => resolveRulesetInUse(request, call).policy.liveNeeds(request.input),
  answer: (request, query, call) => {
    const { ruleset, origin, policy, groups } = resolveRulesetInUse(request, call);
    const isJson = call.mediaType === JSON_TYPE;
    const options: EvaluateOptions = {
      now: call.now,
      evidenceLimit: query.evidence_limit,
      strictCoverage: request.options?.strict_coverage,
      geometry: isJson ? "none" : "overlap",
      provided: call.provided,
    };
    const evaluation = evaluateWithWrittenJson(policy, request.input, options, call.written);
    const verdict = verdictOf(evaluation);
    const complete = verdict.status === "ok";
    const data = { ...verdict, reference_id: request.reference_id ?? null };
    const meta = {
      ...buildAnswerMeta(call, complete, evaluation.warnings, (pointer, code) =>
        origin !== undefined && isInRuleset(pointer) ? "/ruleset_id" : toBodyPointer(pointer, code),
      ),
      ...(query.lint && { lint: lintRuleset(call.engine, ruleset) }),
    };
    const body: EvaluateResponse | EvaluateFeatures = isJson
      ? { data, meta, errors: [] }
      : {
          type: "FeatureCollection",
          features: buildEvidenceFeatures(verdict, evaluation.overlaps, ruleset, call),
          data,
          meta,
        };
    return {
      body,
      // A thousand discs are not small.
      isSmall: isJson && verdict.input.disc?.type !== "MultiPolygon",
      sources: verdict.sources,
      complete,
      digests: {
        verdict: verdict.digest,
        ruleset: verdict.ruleset.digest,
        input: verdict.input.digest,
        semantics: verdict.semantics,
        editions: toEditions(verdict.sources),
        engine_version: call.engineVersion,
        ...(groups !== undefined && { groups }),
      },
      resolved: buildResolvedParts(query, origin && ruleset, policy.live),
    };
  },
  toExplain: (request, call) => {
    const { ruleset, origin } = resolveRuleset(request, call);
    const options = call.without === undefined ? undefined : { without: call.without };
    return {
      ask: "evaluate",
      ruleset,
      input: request.input,
      options,
      ...(origin !== undefined && { origin }),
    };
  },
};

/** A body with only a geometry and a ruleset, as most are; undefined for any other. */
function parsePlainRequest(body: unknown): EvaluateRequest | undefined {
  if (!isObject(body) || Object.keys(body).length !== 2) return undefined;
  const { input, ruleset } = body;
  if (!isObject(input) || !isObject(ruleset) || Object.keys(input).length !== 1) return undefined;
  const { geometry } = input;
  if (!isObject(geometry)) return undefined;
  return { input: { geometry }, ruleset: { inline: ruleset }, options: undefined, reference_id: undefined };
}

/**
 * The parts that the body only refers to, in full for the record: a saved ruleset, the limit of the query, the live
 * sources.
 */
function buildResolvedParts(
  { evidence_limit }: EvaluateQuery,
  ruleset: object | undefined,
  live: Policy["live"],
): Answered["resolved"] {
  const isUsual = evidence_limit === EVIDENCE_DEFAULT;
  const isLive = Object.keys(live).length > 0;
  if (isUsual && ruleset === undefined && !isLive) return undefined;
  return {
    ...(ruleset !== undefined && { ruleset }),
    ...(!isUsual && { evidence_limit }),
    ...(isLive && { live }),
  };
}

function toBodyPointer(pointer: string, code: string): string {
  if (isInRuleset(pointer)) return pointer;
  if (RULESET_CODES.has(code)) return `/ruleset${pointer}`;
  if (pointer === "" && code === "CRS_UNKNOWN") return "/input/crs";
  return pointer === "" && code.startsWith("GEOMETRY_") ? "/input/geometry" : `/input${pointer}`;
}

/** True if a warning is about the ruleset. */
function isInRuleset(pointer: string): boolean {
  return pointer.startsWith("/ruleset/");
}

const RULESET_CODES: ReadonlySet<string> = new Set(["RULESET_INVALID", "SOURCE_UNKNOWN"]);

interface ResolvedRuleset {
  readonly ruleset: object;
  /** Its JSON. */
  readonly text: string;
  /** Present for a saved one. */
  readonly origin?: { readonly name: string; readonly version: number };
}

/** The ruleset in the body, or the saved one. */
function resolveRuleset({ ruleset }: EvaluateRequest, { saved, written }: Call<string>): ResolvedRuleset {
  if ("inline" in ruleset) return { ruleset: ruleset.inline, text: canonicalJson(ruleset.inline, written) };
  if (saved === undefined) throw new Error("a saved ruleset was used before it was looked up");
  const { name, version, body } = saved;
  return { ruleset: parseSavedRuleset(saved), text: body, origin: { name, version } };
}

/** The same, compiled. */
function resolveRulesetInUse(request: EvaluateRequest, call: Call<string>): ResolvedRuleset & RulesetInUse {
  const resolved = resolveRuleset(request, call);
  return {
    ...resolved,
    ...call.rulesets.get(resolved.ruleset, resolved.text, resolved.origin, call.without),
  };
}

const PARSED = new WeakMap<SavedBody, object>();

/** A cached saved ruleset is parsed once. */
function parseSavedRuleset(saved: SavedBody): object {
  const known = PARSED.get(saved);
  if (known !== undefined) return known;
  const parsed = JSON.parse(saved.body) as object;
  PARSED.set(saved, parsed);
  return parsed;
}

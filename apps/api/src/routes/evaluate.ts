import {
  EVIDENCE_DEFAULT,
  type EvaluateFeatures,
  type EvaluateQuery,
  type EvaluateRequest,
  type EvaluateResponse,
  evaluateQuerySchema,
  evaluateRequestSchema,
  type SavedRuleset,
} from "@groundrule/contract";
import { EngineError, parseRuleset } from "@groundrule/engine";
import { editionsOf, given, metaOf } from "../answer-parts.ts";
import type { EngineHost } from "../engine-host.ts";
import { GEOJSON_TYPE, JSON_TYPE } from "../media-type.ts";
import { refusalOf } from "../problems.ts";
import type { Call, Question } from "../question.ts";
import { Refusal } from "../refusal.ts";
import { evidenceFeatures } from "./evidence-features.ts";

type MediaType = typeof GEOJSON_TYPE | typeof JSON_TYPE;

/** `POST /v1/evaluate`: the verdict of a ruleset on a plot and the subjects behind it. */
export const evaluate: Question<EvaluateRequest, EvaluateQuery, MediaType> = {
  path: "/v1/evaluate",
  scope: "evaluate",
  mediaTypes: [JSON_TYPE, GEOJSON_TYPE],
  requestSchema: evaluateRequestSchema,
  querySchema: evaluateQuerySchema,
  pointerInBody,
  answer: async (request, query, call) => {
    const { ruleset, origin } = await resolve(request, call);
    const options = { now: call.now, evidenceLimit: query.evidence_limit };
    const { verdict, warnings } = await call.engine
      .evaluate(ruleset, request.input, options, origin)
      .catch(refuse(origin));
    const groups = groupsNamed(ruleset, call.engine);
    const complete = verdict.status === "ok";
    const data = { ...verdict, reference_id: request.reference_id ?? null };
    const meta = {
      ...metaOf(call, complete, warnings, pointerInBody),
      ...given({ lint: query.lint ? await call.engine.lint(ruleset) : undefined }),
    };
    const body: EvaluateResponse | EvaluateFeatures =
      call.mediaType === JSON_TYPE
        ? { data, meta, errors: [] }
        : {
            type: "FeatureCollection",
            features: await evidenceFeatures(verdict.checks, ruleset, request.input, call),
            data,
            meta,
          };
    return {
      body,
      sources: verdict.sources,
      complete,
      digests: {
        verdict: verdict.digest,
        ruleset: verdict.ruleset.digest,
        input: verdict.input.digest,
        semantics: verdict.semantics,
        editions: editionsOf(verdict.sources),
        engine_version: call.engineVersion,
        ...given({ groups }),
      },
      resolved: {
        ...(origin === undefined ? {} : { ruleset }),
        ...(query.evidence_limit === EVIDENCE_DEFAULT ? {} : { evidence_limit: query.evidence_limit }),
      },
    };
  },
  toExplain: async (request, call) => {
    const { ruleset, origin } = await resolve(request, call);
    return { ask: "evaluate", ruleset, input: request.input, ...given({ origin }) };
  },
};

function pointerInBody(pointer: string, code: string): string {
  return (RULESET_CODES.has(code) ? "/ruleset" : "/input") + pointer;
}

/** A fault of a saved ruleset, as of one whose source vanished, has its place where the request names it. */
function refuse(origin: ResolvedRuleset["origin"]): (error: unknown) => never {
  return (error) => {
    const isOfRuleset = error instanceof EngineError && RULESET_CODES.has(error.code);
    throw origin !== undefined && isOfRuleset ? refusalOf(error, () => "/ruleset_id") : error;
  };
}

const RULESET_CODES: ReadonlySet<string> = new Set(["RULESET_INVALID", "SOURCE_UNKNOWN"]);

/** The groups that a ruleset names, with their members of this day: without them it cannot be replayed. */
function groupsNamed(
  ruleset: object,
  engine: EngineHost,
): Readonly<Record<string, readonly string[]>> | undefined {
  // As it is read by the engine, which answered: members that are null count as absent.
  const named = new Set(
    Object.values(parseRuleset(ruleset).sets).flatMap((set) =>
      "sources" in set ? set.sources : "registers" in set ? set.registers : [],
    ),
  );
  const groups = Object.entries(engine.groups()).filter(([name]) => named.has(name));
  return groups.length === 0 ? undefined : Object.fromEntries(groups);
}

interface ResolvedRuleset {
  readonly ruleset: object;
  /** Of a saved one. */
  readonly origin?: { readonly name: string; readonly version: number };
}

/** The ruleset sent along, or the one of the catalog. Refuses: `RULESET_NOT_FOUND`. */
async function resolve({ ruleset }: EvaluateRequest, call: Call<string>): Promise<ResolvedRuleset> {
  if ("inline" in ruleset) return { ruleset: ruleset.inline };
  const { organization, mode } = call.caller;
  const saved = await call.rulesets.find({ organization, mode }, ruleset.name, ruleset.version);
  if (saved === undefined) throw rulesetNotFound(ruleset);
  return { ruleset: JSON.parse(saved.body), origin: { name: saved.name, version: saved.version } };
}

function rulesetNotFound({ name, version }: SavedRuleset): Refusal {
  const id = version === undefined ? name : `${name}@${version}`;
  return new Refusal("RULESET_NOT_FOUND", `No ruleset "${id}" is in the catalog.`, {
    errors: [{ pointer: "/ruleset_id", code: "RULESET_NOT_FOUND", message: `"${id}" is not in the catalog` }],
  });
}

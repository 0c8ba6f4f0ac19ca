import * as z from "zod";
import { EngineError, type Fault } from "../base/errors.ts";
import { jsonPointer } from "../base/json-pointer.ts";
import type { Warning } from "../geometry/plot/plot.ts";
import type { EvaluationInput } from "../questions.ts";
import type { Ruleset } from "../ruleset/schema.ts";
import { SOURCE_NAME_MAX_LENGTH, SOURCE_NAME_PATTERN } from "../snapshot/manifest.ts";
import { requireInstant } from "../verdict/instant.ts";
import { type Evaluation, type Verdict, verdictOf } from "../verdict/verdict.ts";

/**
 * A verdict with what was asked: all it takes to reach it again, years later, from archived editions.
 * `docs/formats/record.md` describes it member for member.
 */
export interface VerdictRecord {
  /** The plot's id in the file it came from. */
  readonly id?: string | number;
  readonly request: {
    readonly input: EvaluationInput;
    /** The ruleset as it was sent. */
    readonly ruleset: object;
    /** Where it was not the default. */
    readonly evidence_limit?: number;
    readonly reference_id?: string | null;
  };
  readonly response: {
    readonly data: Verdict & { readonly reference_id?: string | null };
    readonly meta: { readonly engine_version?: string; readonly warnings: readonly Warning[] };
    readonly errors: readonly never[];
  };
  /** The groups that the ruleset names, with their members of that day. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
}

export interface RecordedEvaluation {
  readonly id?: string | number | undefined;
  readonly input: EvaluationInput;
  /** As it was sent. */
  readonly ruleset: object;
  /** What it was compiled to. */
  readonly policy: { readonly ruleset: Ruleset };
  readonly evidenceLimit?: number | undefined;
  /** Every group of the engine that evaluated. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly engineVersion: string;
}

/** The record of an evaluation. */
export function verdictRecord(asked: RecordedEvaluation, evaluation: Evaluation): VerdictRecord {
  const { id, input, ruleset, policy, evidenceLimit, engineVersion } = asked;
  const named = namesIn(policy.ruleset);
  const groups = Object.entries(asked.groups).filter(([name]) => named.has(name));
  return {
    ...(id !== undefined && { id }),
    request: { input, ruleset, ...(evidenceLimit !== undefined && { evidence_limit: evidenceLimit }) },
    response: {
      data: verdictOf(evaluation),
      meta: { engine_version: engineVersion, warnings: evaluation.warnings },
      errors: [],
    },
    ...(groups.length > 0 && { groups: Object.fromEntries(groups) }),
  };
}

/** Names of sources and groups that a ruleset's sets hold. */
function namesIn({ sets }: Ruleset): ReadonlySet<string> {
  return new Set(
    Object.values(sets).flatMap((set) =>
      "sources" in set ? set.sources : "registers" in set ? set.registers : [],
    ),
  );
}

/**
 * Checks a record from outside. Members it does not know are left alone.
 *
 * Fails: `VALIDATION_FAILED` with each fault and its pointer.
 */
export function parseRecord(value: unknown): VerdictRecord {
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue): Fault => {
      const pointer = jsonPointer(issue.path);
      return { pointer, code: "VALUE_INVALID", message: issue.message };
    });
    const [{ pointer, message }] = faults as [Fault];
    throw new EngineError("VALIDATION_FAILED", `no record of a verdict: at "${pointer}": ${message}`, {
      faults,
    });
  }
  requireInstant(parsed.data.response.data.evaluated_at);
  return value as VerdictRecord; // as it was written: the parsed one has its members in another order
}

const digest = z.string().regex(/^[0-9a-f]{64}$/, "expected the 64 hex digits of a digest");
const sourceName = z
  .string()
  .max(SOURCE_NAME_MAX_LENGTH)
  .regex(SOURCE_NAME_PATTERN, "expected a source name");
const outcome = z.enum(["NON_COMPLIANT", "WARNING", "NOTICE"]);
const certain = z.enum(["COMPLIANT", "WARNING", "NON_COMPLIANT"]);
const named = { source_name: z.string(), source_id: z.string() };

const evidenceSchema = z.union([
  z.looseObject({
    ...named,
    name: z.string().nullable(),
    country_iso3: z.string().nullable(),
    edition: digest,
    overlap_area_m2: z.number(),
    overlap_ratio: z.number(),
    area_overlap_ratio: z.number().nullable(),
    distance_m: z.number().exactOptional(),
    undetermined: z.literal(true).exactOptional(),
  }),
  z.looseObject({ ...named, value: z.string(), scheme: z.string(), role: z.string().exactOptional() }),
]);

const checkSchema = z.looseObject({
  id: z.string(),
  title: z.string().exactOptional(),
  outcome: outcome.nullable(),
  triggered: z.boolean(),
  status: z.enum(["ok", "failed"]),
  comparisons: z.array(
    z.looseObject({
      set: z.string(),
      measure: z.union([z.string(), z.record(z.string(), z.string())]),
      op: z.enum([">", ">=", "<", "<=", "=", "<>"]),
      value: z.number().nullable(),
      threshold: z.number(),
      of: z.string().exactOptional(),
    }),
  ),
  undetermined: z.int(),
  evidence: z.array(evidenceSchema),
  evidence_total: z.int(),
});

const sourceSchema = z
  .looseObject({
    source_name: sourceName,
    status: z.enum(["ok", "failed"]),
    edition: digest.exactOptional(),
    collected_at: z.string().exactOptional(),
    age_days: z.number().exactOptional(),
    matched: z.int(),
    left_out: z.int().exactOptional(),
    without_country: z.int().exactOptional(),
    reason: z.string().exactOptional(),
  })
  .refine(({ status, edition }) => status === "failed" || edition !== undefined, {
    message: "expected the edition of a source that answered",
    path: ["edition"],
  });

const verdictSchema = z.looseObject({
  verdict: z.enum(["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"]),
  status: z.enum(["ok", "degraded"]),
  at_least: certain,
  ruleset: z.looseObject({ name: z.string().nullable(), version: z.int().nullable(), digest }),
  input: z.looseObject({
    digest,
    area_m2: z.number().exactOptional(),
    bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).exactOptional(),
  }),
  checks: z.array(checkSchema),
  sources: z.array(sourceSchema),
  digest: digest.nullable(),
  semantics: z.int(),
  evaluated_at: z.string(),
  reference_id: z.string().nullable().exactOptional(),
});

const scheme = z.looseObject({ type: z.string(), value: z.string(), role: z.string().exactOptional() });

const recordSchema: z.ZodType<VerdictRecord> = z.looseObject({
  id: z.union([z.string(), z.number()]).exactOptional(),
  request: z.looseObject({
    input: z.looseObject({
      geometry: z.unknown().optional(),
      crs: z.string().exactOptional(),
      scheme: z.union([scheme, z.array(scheme)]).exactOptional(),
    }),
    ruleset: z.looseObject({}, "expected the ruleset in full"),
    evidence_limit: z.int().exactOptional(),
    reference_id: z.string().nullable().exactOptional(),
  }),
  response: z.looseObject({
    data: verdictSchema,
    meta: z.looseObject({
      engine_version: z.string().exactOptional(),
      warnings: z.array(z.looseObject({ pointer: z.string(), code: z.string(), message: z.string() })),
    }),
    errors: z.array(z.never()),
  }),
  groups: z.record(sourceName, z.array(sourceName).min(1)).exactOptional(),
});

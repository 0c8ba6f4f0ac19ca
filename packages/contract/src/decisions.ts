import { parseInstant, RULESET_NAME_PATTERN } from "@groundrule/engine/internal";
import * as z from "zod";
import { REFERENCE_ID_MAX_LENGTH } from "./limits.ts";
import { instantSchema } from "./members.ts";
import { type PageQuery, type Pagination, pageShape, paginationSchema } from "./pagination.ts";
import { RULESET_VERSION_MAX } from "./rulesets.ts";

/** Query of `GET /v1/decisions`. */
export interface DecisionsQuery extends PageQuery {
  /** Inclusive, milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Exclusive, milliseconds since 1970. */
  readonly to?: number | undefined;
  readonly reference_id?: string | undefined;
  readonly request_id?: string | undefined;
  readonly verdict?: ChargedVerdict | undefined;
  readonly ruleset?: RulesetFilter | undefined;
  /** The id of a decision: those that were charged before it. */
  readonly before?: string | undefined;
}

/** Of decisions found by more than time, the newest that pages reach; `before` goes on from there. */
export const DECISIONS_PAGED_MAX = 10_000;

/** A verdict that is charged: DEGRADED never is. */
export type ChargedVerdict = "COMPLIANT" | "WARNING" | "NON_COMPLIANT";

/** A ruleset by its digest, or by its name in the catalog; without a version all of them. */
export type RulesetFilter =
  | {
      /** 64 hexadecimal digits. */
      readonly digest: string;
    }
  | { readonly name: string; readonly version?: number | undefined };

/** ISO 639-1 codes of the languages that the page of a decision is written in. */
export const PAGE_LANGUAGES = ["en", "pt", "es"] as const;

/** Query of `GET /v1/decisions/{id}`. */
export interface DecisionQuery {
  /** What the page is written in; absent: what `Accept-Language` asks for. */
  readonly language?: (typeof PAGE_LANGUAGES)[number] | undefined;
}

/** A charge, and what it was for. */
export interface DecisionSummary {
  readonly decision_id: string;
  readonly created_at: string;
  readonly route: string;
  readonly units: number;
  readonly request_id: string;
  readonly reference_id: string | null;
  readonly idempotency_key: string | null;
  readonly media_type: string;
  /** SHA-256 of the request's canonical JSON and of the answer as it was sent. */
  readonly request_digest: string;
  readonly response_digest: string;
  /** What the answer depends on: ruleset, editions, input, semantics. */
  readonly digests: DecisionDigests;
}

/** What an answer depends on. Those of questions without a ruleset have the editions and the version. */
export interface DecisionDigests {
  /** Of the verdict; null where it is degraded. */
  readonly verdict?: string | null;
  /** Of the ruleset's sets and checks. */
  readonly ruleset?: string;
  readonly input?: string;
  /** Version of the meaning of verdicts. */
  readonly semantics?: number;
  /** Digest of the edition of each source, by its name. */
  readonly editions?: Readonly<Record<string, string>>;
  readonly engine_version?: string;
  /** What other releases store. */
  readonly [member: string]: unknown;
}

/** Answer of `GET /v1/decisions`, newest first. */
export interface DecisionsResponse {
  readonly data: { readonly items: readonly DecisionSummary[]; readonly pagination: Pagination };
}

/** Answer of `GET /v1/decisions/{id}`. */
export interface DecisionResponse {
  readonly data: DecisionSummary & {
    /** What `groundrule replay` and `report` take; null once erased, the digests stay. */
    readonly record: {
      readonly request: unknown;
      readonly response: unknown;
      /** The groups that a ruleset names, with their members of that day. */
      readonly groups?: Readonly<Record<string, readonly string[]>>;
    } | null;
  };
}

const instantParameter = z
  .string()
  .transform((text) => {
    const parsed = parseInstant(text);
    return parsed === undefined ? Number.NaN : parsed;
  })
  .refine((ms) => !Number.isNaN(ms), "expected an instant such as 2026-11-20T10:00:00Z")
  .meta({ format: "date-time", pattern: "Z$" });

/** A digest is no name: it is as long as a name may be, and names of that form are not to be made. */
const DIGEST = /^[0-9a-f]{64}$/;

/** A name, a version of it, or a digest, which looks like a name. */
const RULESET = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?:@[1-9][0-9]{0,9})?$/;

const rulesetParameter = z
  .string()
  .transform((text): RulesetFilter | undefined => {
    if (DIGEST.test(text)) return { digest: text };
    const [name = "", version, ...more] = text.split("@");
    if (!RULESET_NAME_PATTERN.test(name) || more.length > 0) return undefined;
    if (version === undefined) return { name };
    const isVersion = /^[1-9][0-9]{0,9}$/.test(version) && Number(version) <= RULESET_VERSION_MAX;
    return isVersion ? { name, version: Number(version) } : undefined;
  })
  .refine(
    (filter) => filter !== undefined,
    "expected a ruleset's name, such as forest-plots, a version of it, such as forest-plots@3, or a digest",
  )
  .meta({
    type: "string",
    pattern: RULESET.source,
    examples: ["forest-plots", "forest-plots@3"],
  }) as z.ZodType<RulesetFilter, unknown>;

export const decisionsQuerySchema: z.ZodType<DecisionsQuery, unknown> = z.strictObject({
  ...pageShape,
  from: instantParameter.optional().describe("Earliest instant, inclusive"),
  to: instantParameter.optional().describe("Latest instant, exclusive"),
  reference_id: z.string().max(REFERENCE_ID_MAX_LENGTH).optional(),
  request_id: z.string().max(128).optional(),
  verdict: z
    .enum(["COMPLIANT", "WARNING", "NON_COMPLIANT"])
    .optional()
    .describe("Only decisions with this verdict: those of /v1/evaluate that are not erased"),
  ruleset: rulesetParameter
    .optional()
    .describe(
      "Only decisions of /v1/evaluate with this ruleset: name (any version), name@version or digest. Decisions with the same sets and checks sent inline are found too",
    ),
  before: z
    .string()
    .max(128)
    .optional()
    .describe(
      `Only decisions that were charged before this one: the decision_id of a page's last item, in place of page. Pages of decisions that are filtered by reference_id, request_id, verdict or ruleset reach only the newest ${DECISIONS_PAGED_MAX.toLocaleString("en")}`,
    )
    .meta({ examples: ["dec_019abc"] }),
});

export const decisionQuerySchema: z.ZodType<DecisionQuery, unknown> = z.strictObject({
  language: z
    .enum(PAGE_LANGUAGES)
    .optional()
    .describe("Language of the page; overrides `Accept-Language`. Only with `Accept: text/html`"),
});

export const decisionDigestsSchema: z.ZodType<DecisionDigests> = z.looseObject({
  verdict: z.string().nullable().exactOptional().describe("Of the verdict; null where it is degraded"),
  ruleset: z.string().exactOptional().describe("Of the ruleset's sets and checks"),
  input: z.string().exactOptional().describe("Of the input"),
  semantics: z.int().exactOptional(),
  editions: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe("Digest of the edition of each source, by its name"),
  engine_version: z.string().exactOptional(),
});

const summaryShape = {
  decision_id: z.string(),
  created_at: instantSchema,
  route: z.string(),
  units: z.int(),
  request_id: z.string(),
  reference_id: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  media_type: z.string(),
  request_digest: z.string(),
  response_digest: z.string(),
  digests: decisionDigestsSchema,
};

export const decisionSummarySchema: z.ZodType<DecisionSummary> = z.strictObject(summaryShape);

export const decisionsResponseSchema: z.ZodType<DecisionsResponse> = z.strictObject({
  data: z.strictObject({ items: z.array(decisionSummarySchema), pagination: paginationSchema }),
});

export const decisionResponseSchema: z.ZodType<DecisionResponse> = z.strictObject({
  data: z.strictObject({
    ...summaryShape,
    record: z
      .strictObject({
        request: z.looseObject({}),
        response: z.looseObject({}),
        groups: z.record(z.string(), z.array(z.string())).exactOptional(),
      })
      .nullable(),
  }),
});

import {
  answerShapes,
  array,
  type Described,
  describedAs,
  named,
  nullable,
  objectOf,
  openObjectOf,
  optional,
  parseInstant,
  RULESET_NAME_PATTERN,
  record,
  type Shape,
  text,
  type ValueOf,
} from "@groundrule/engine/internal";
import { LANGUAGES, type Language } from "@groundrule/words/tags";
import * as z from "zod";
import {
  anyMembers,
  countShape,
  createdAtShape,
  engineVersionShape,
  referenceIdShape,
  requestIdShape,
} from "./answer-members.ts";
import { REFERENCE_ID_MAX_LENGTH } from "./limits.ts";
import { type PageQuery, pagedShape, pageShape } from "./reading/pagination.ts";
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
  /** Only decisions with this ruleset. */
  readonly ruleset?: RulesetFilter | undefined;
  /** The id of a decision: lists those charged before it. */
  readonly before?: string | undefined;
}

/** The number of newest decisions that pages reach when filtered by more than time; `before` continues from there. */
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

/** Tags of the languages in which the page of a decision is available. */
export const PAGE_LANGUAGES: typeof LANGUAGES = LANGUAGES;

/** Query of `GET /v1/decisions/{id}`. */
export interface DecisionQuery {
  /** The language of the page; absent: chosen by `Accept-Language`. */
  readonly language?: Language | undefined;
}

const digestsMembers = {
  verdict: optional(nullable(text()), "Of the verdict; null where it is degraded"),
  ruleset: optional(text(), "Of the ruleset's sets and checks"),
  input: optional(text(), "Of the input"),
  semantics: optional(answerShapes.semantics),
  editions: optional(record(text(), text()), "Digest of the edition of each source, by its name"),
  engine_version: optional(engineVersionShape),
};

/** The digests on which an answer depends. Questions without a ruleset have only the editions and the version. */
export interface DecisionDigests extends Described<typeof digestsMembers> {
  /** Members that other releases store. */
  readonly [member: string]: unknown;
}

const digestsShape = named("DecisionDigests", () => openObjectOf(digestsMembers)) as Shape<DecisionDigests>;

const summaryMembers = {
  decision_id: describedAs(
    text(),
    "Identifier of the decision, which is the stored answer to one charged request",
  ),
  created_at: createdAtShape,
  route: describedAs(text(), "The path of the request"),
  units: describedAs(countShape, "Number of requests that it counts as"),
  request_id: requestIdShape,
  reference_id: referenceIdShape,
  idempotency_key: describedAs(nullable(text()), "The caller's name for the request; null if it had none"),
  media_type: describedAs(text(), "Media type of the stored answer"),
  request_digest: describedAs(text(), "SHA-256 of the request's body, which is kept when the body is erased"),
  response_digest: describedAs(text(), "SHA-256 of the answer's body, which is kept when the body is erased"),
  digests: describedAs(
    digestsShape,
    "The digests that the answer depends on: of the ruleset, the input and each edition",
  ),
};

/** A charge and its subject. */
export interface DecisionSummary extends Described<typeof summaryMembers> {}

export const decisionsResponseShape = pagedShape<DecisionSummary>(
  named("DecisionSummary", () => objectOf(summaryMembers)),
);
/** Answer of `GET /v1/decisions`, newest first. */
export type DecisionsResponse = ValueOf<typeof decisionsResponseShape>;

export const decisionResponseShape = objectOf({
  data: named("Decision", () =>
    objectOf({
      ...summaryMembers,
      record: describedAs(
        nullable(
          named("DecisionRecord", () =>
            objectOf({
              request: describedAs(anyMembers, "The request"),
              response: describedAs(anyMembers, "The response"),
              groups: optional(
                record(text(), array(text())),
                "The groups that the ruleset names, with their members at that time",
              ),
            }),
          ),
        ),
        "The verdict with its request, from which replays and reports are made; null after it was erased",
      ),
    }),
  ),
});
/** Answer of `GET /v1/decisions/{id}`. */
export type DecisionResponse = ValueOf<typeof decisionResponseShape>;

const instantParameter = z
  .string()
  .transform((text) => {
    const parsed = parseInstant(text);
    return parsed === undefined ? Number.NaN : parsed;
  })
  .refine((ms) => !Number.isNaN(ms), "expected an instant such as 2026-11-20T10:00:00Z")
  .meta({ format: "date-time", pattern: "Z$" });

/** A digest cannot be used as a name: it is as long as a name may be, and names of that form are forbidden. */
const DIGEST = /^[0-9a-f]{64}$/;

/** A name, a version of it, or a digest, which has the form of a name. */
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
  reference_id: z
    .string()
    .max(REFERENCE_ID_MAX_LENGTH)
    .optional()
    .describe("Only decisions with this `reference_id`"),
  request_id: z.string().max(128).optional().describe("Only the decision of this request"),
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
    .enum(LANGUAGES)
    .optional()
    .describe("Language of the page; overrides `Accept-Language`. Only with `Accept: text/html`"),
});

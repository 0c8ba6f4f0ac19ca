import {
  DECISIONS_PAGED_MAX,
  type DecisionResponse,
  type DecisionSummary,
  type DecisionsQuery,
  type DecisionsResponse,
  decisionQuerySchema,
  decisionResponseShape,
  decisionsQuerySchema,
  decisionsResponseShape,
  JSON_TYPE,
  PAGE_LANGUAGES,
  toPagination,
} from "@groundrule/contract";
import { crsTable } from "@groundrule/crs";
import type { Fault } from "@groundrule/engine";
import { parseRecord } from "@groundrule/engine/records";
import { csvCell, gatherMaterial, type Language, renderReport } from "@groundrule/report";
import { Refusal, refuseFaults } from "@groundrule/service";
import type { Handler } from "hono";
import type { Scope } from "../../ledger/scope.ts";
import type { Decision, Store } from "../../store/port/port.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { negotiateLanguage } from "../exchange/request/accepted-language.ts";
import { parseQuery, requireAcceptableType } from "../exchange/request/request-parts.ts";
import { respondBody, respondJson } from "../exchange/respond.ts";
import { defineJsonContent, defineOperation, type Operation, TEXT } from "./record/operation.ts";
import type { ServiceParts } from "./record/service-parts.ts";

const CSV_TYPE = "text/csv";
const HTML_TYPE = "text/html";

/** The form of every id that was ever minted; the store is not queried for any other. */
const DECISION_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** `GET /v1/decisions`: what was charged, newest first, by time, reference, request id, verdict or ruleset. */
const decisions = defineOperation({
  id: "decisions",
  method: "GET",
  path: "/v1/decisions",
  tag: "Metering",
  summary: "List the charges, newest first",
  key: "usage:read",
  room: "reads",
  query: decisionsQuerySchema,
  exampleQuery: "page_size=1",
  answer: {
    content: { ...defineJsonContent("DecisionsResponse", decisionsResponseShape), [CSV_TYPE]: TEXT },
    always: ["Vary"],
    sometimes: ["X-Total-Count"],
  },
  codes: [],
  handler: createDecisionsHandler,
});

/**
 * `GET /v1/decisions/{id}`: a charge with the request and the answer it was for; a verdict's also as a page to read and
 * print, in the language of the query or of `Accept-Language`.
 */
const decision = defineOperation({
  id: "decision",
  method: "GET",
  path: "/v1/decisions/:id",
  tag: "Metering",
  summary: "Get a charge, with its request and its answer",
  parameters: {
    id: {
      description: "Identifier of the decision, as its answer has it",
      schema: { type: "string", examples: ["dec_019abc"] },
      sample: "dec_none",
    },
  },
  key: "usage:read",
  room: "work",
  query: decisionQuerySchema,
  headers: [
    {
      name: "Accept-Language",
      description: "Preferred languages of the page; English if none of them is available",
      schema: { type: "string", examples: ["pt-BR, pt;q=0.9, en;q=0.5"] },
    },
  ],
  answer: {
    content: { ...defineJsonContent("DecisionResponse", decisionResponseShape), [HTML_TYPE]: TEXT },
    always: ["Vary"],
    sometimes: ["Content-Language"],
  },
  codes: ["NOT_FOUND"],
  handler: createDecisionHandler,
});

export const DECISIONS: readonly Operation[] = [decisions, decision];

function createDecisionsHandler({ store, rulesets }: ServiceParts): Handler<ApiEnv> {
  return async (c) => {
    const mediaType = requireAcceptableType(c, [JSON_TYPE, CSV_TYPE]);
    const query = parseQuery(decisionsQuerySchema, c);
    const { page, page_size, from, to, reference_id, request_id, verdict, ruleset, before } = query;
    const fault = findPageFault(query);
    if (fault !== undefined) refuseFaults([fault], "query");
    const scope = c.get("caller");
    const beforeSeq = before === undefined ? undefined : await getDecisionNumber(before, scope, store);
    const isFiltered = verdict !== undefined || ruleset !== undefined;
    if (isFiltered && !(await store.areDecisionsIndexed({}))) {
      throw new Refusal(
        "STORAGE_UNAVAILABLE",
        "Decisions of an earlier release are still being indexed by verdict and ruleset; retry later, or ask without these filters.",
      );
    }
    const found = await store.listDecisions({
      scope,
      page,
      pageSize: page_size,
      ...(from !== undefined && { fromMs: from }),
      ...(to !== undefined && { toMs: to }),
      ...(reference_id !== undefined && { referenceId: reference_id }),
      ...(request_id !== undefined && { requestId: request_id }),
      ...(verdict !== undefined && { verdict }),
      ...(ruleset !== undefined && { ruleset: rulesets.choice(ruleset) }),
      ...(beforeSeq !== undefined && { beforeSeq }),
    });
    const items = found.items.map(toDecisionSummary);
    const pagination = toPagination({ page, page_size }, found.totalCount);
    if (mediaType === CSV_TYPE) {
      return respondBody(c, formatDecisionsCsv(items), 200, {
        "Content-Type": `${CSV_TYPE}; charset=utf-8`,
        "X-Total-Count": String(pagination.total_count),
        Vary: "Accept",
      });
    }
    return respondJson(c, { data: { items, pagination } } satisfies DecisionsResponse, 200, {
      Vary: "Accept",
    });
  };
}

/** The fault of the place at which a list is to continue. */
function findPageFault(query: DecisionsQuery): Fault | undefined {
  const { page, page_size, reference_id, request_id, verdict, ruleset, before } = query;
  if (before !== undefined && page > 1) {
    return {
      pointer: "?page",
      code: "UNEXPECTED_PARAMETER",
      message: `found both page and before, expected only one of them: before replaces page`,
    };
  }
  const isFiltered = [reference_id, request_id, verdict, ruleset].some((filter) => filter !== undefined);
  if (!isFiltered || page * page_size <= DECISIONS_PAGED_MAX) return undefined;
  return {
    pointer: "?page",
    code: "PAGE_TOO_DEEP",
    message: `found page ${page} of ${page_size} decisions, expected a page within the newest ${DECISIONS_PAGED_MAX} decisions that match the filters; continue with before=<decision_id of the last item>, or narrow from and to`,
  };
}

/** Refuses: `VALIDATION_FAILED` where the caller has no such decision. */
async function getDecisionNumber(
  before: string,
  scope: Scope,
  store: Pick<Store, "findDecisionSeq">,
): Promise<number> {
  const seq = DECISION_ID.test(before)
    ? await store.findDecisionSeq({ scope, decisionId: before })
    : undefined;
  if (seq !== undefined) return seq;
  const message = `found ${JSON.stringify(before)}, expected the id of a decision of this organization and mode`;
  return refuseFaults([{ pointer: "?before", code: "DECISION_UNKNOWN", message }], "query");
}

function createDecisionHandler({ store }: ServiceParts): Handler<ApiEnv> {
  return async (c) => {
    const mediaType = requireAcceptableType(c, [JSON_TYPE, HTML_TYPE]);
    const query = parseQuery(decisionQuerySchema, c);
    if (mediaType === JSON_TYPE && query.language !== undefined) refuseFaults([WORDLESS], "query");
    const decisionId = c.req.param("id") ?? "";
    const found = DECISION_ID.test(decisionId)
      ? await store.findDecision({ scope: c.get("caller"), decisionId })
      : undefined;
    if (found === undefined) throw new Refusal("NOT_FOUND", `No decision has the id "${decisionId}".`);
    const { request, response } = found;
    const { groups } = JSON.parse(found.digests) as { readonly groups?: DecisionRecordGroups };
    const record =
      request === null || response === null
        ? null
        : {
            request: JSON.parse(request),
            response: JSON.parse(response),
            ...(groups !== undefined && { groups }),
          };
    if (mediaType === JSON_TYPE) {
      return respondJson(
        c,
        { data: { ...toDecisionSummary(found), record } } satisfies DecisionResponse,
        200,
        {
          Vary: "Accept",
        },
      );
    }
    const language = query.language ?? negotiateLanguage(c, PAGE_LANGUAGES);
    // Its own policy lets the page's style in, and nothing else.
    return respondBody(c, renderDecisionReport(found, record, language), 200, {
      Vary: "Accept, Accept-Language",
      "Content-Type": `${HTML_TYPE}; charset=utf-8`,
      "Content-Language": language,
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    });
  };
}

/** Members that would be ignored. */
const WORDLESS: Fault = {
  pointer: "?language",
  code: "UNEXPECTED_PARAMETER",
  message: `found a language, expected none for an answer as ${JSON_TYPE}, which is the same in every language`,
};

type DecisionRecordGroups = Readonly<Record<string, readonly string[]>>;

/** Refuses: `NOT_ACCEPTABLE` where the decision is no verdict in JSON, or is erased. */
function renderDecisionReport({ route, mediaType }: Decision, record: unknown, language: Language): string {
  if (record === null || route !== "/v1/evaluate" || mediaType !== JSON_TYPE) {
    throw new Refusal(
      "NOT_ACCEPTABLE",
      "Only a decision with a verdict has a report page, and only if it was answered as JSON and has not been erased.",
      { details: { offered: [JSON_TYPE] } },
    );
  }
  const verdict = parseRecord(record);
  const lack =
    "The service does not evaluate stored records again; groundrule replay and groundrule report do.";
  return renderReport(verdict, gatherMaterial(verdict, { lack, crs: crsTable }), { language });
}

function toDecisionSummary(decision: Decision): DecisionSummary {
  return {
    decision_id: decision.id,
    created_at: new Date(decision.createdAtMs).toISOString(),
    route: decision.route,
    units: decision.units,
    request_id: decision.requestId,
    reference_id: decision.referenceId,
    idempotency_key: decision.key,
    media_type: decision.mediaType,
    request_digest: decision.requestDigest,
    response_digest: decision.responseDigest,
    digests: parseDecisionDigests(decision),
  };
}

/** Members of groups are no digests: they are part of the record. */
function parseDecisionDigests({ digests }: Decision): Readonly<Record<string, unknown>> {
  const { groups: _, ...rest } = JSON.parse(digests) as Record<string, unknown>;
  return rest;
}

const CSV_COLUMNS = [
  "decision_id",
  "created_at",
  "route",
  "units",
  "request_id",
  "reference_id",
  "idempotency_key",
  "media_type",
  "request_digest",
  "response_digest",
] as const satisfies readonly (keyof DecisionSummary)[];

/** RFC 4180, the columns named in its first line. */
function formatDecisionsCsv(items: readonly DecisionSummary[]): string {
  const lines = items.map((item) => CSV_COLUMNS.map((column) => csvCell(item[column])));
  return [CSV_COLUMNS, ...lines].map((fields) => `${fields.join(",")}\r\n`).join("");
}

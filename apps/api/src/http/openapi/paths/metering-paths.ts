import { decisionQuerySchema, decisionsQuerySchema } from "@groundrule/contract";
import { CSV_TYPE, HTML_TYPE } from "../../operations/decisions.ts";
import { queryParameters } from "../components.ts";
import type { Json } from "../json.ts";
import { free } from "./operation.ts";
import { inPath } from "./parameters.ts";

/** Whose key it is, and what was charged. */
export function meteringPaths(): Readonly<Record<string, Json>> {
  return {
    "/v1/me": {
      get: free({
        id: "me",
        tag: "Metering",
        summary: "Get the organization, the scopes and the limits of the API key",
        parameters: [],
        schema: "MeResponse",
        codes: [],
      }),
    },
    "/v1/usage": {
      get: free({
        id: "usage",
        tag: "Metering",
        summary: "Get the usage of the quota in the current period",
        parameters: [],
        schema: "UsageResponse",
        codes: ["SCOPE_INSUFFICIENT"],
      }),
    },
    "/v1/decisions": {
      get: free({
        id: "decisions",
        tag: "Metering",
        summary: "List the charges, newest first",
        parameters: queryParameters(decisionsQuerySchema),
        schema: "DecisionsResponse",
        more: { [CSV_TYPE]: { schema: { type: "string" } } },
        headers: ["Vary"],
        headersOfMore: ["X-Total-Count"],
        codes: ["SCOPE_INSUFFICIENT"],
      }),
    },
    "/v1/decisions/{id}": {
      get: free({
        id: "decision",
        tag: "Metering",
        summary: "Get a charge, with its request and its answer",
        parameters: [
          inPath("id", { type: "string", examples: ["dec_019abc"] }),
          ...queryParameters(decisionQuerySchema),
          ACCEPT_LANGUAGE,
        ],
        schema: "DecisionResponse",
        more: { [HTML_TYPE]: { schema: { type: "string" } } },
        headers: ["Vary"],
        headersOfMore: ["Content-Language"],
        codes: ["NOT_FOUND", "SCOPE_INSUFFICIENT"],
      }),
    },
  };
}

const ACCEPT_LANGUAGE: Json = {
  name: "Accept-Language",
  in: "header",
  required: false,
  description: "Preferred languages of the page; English if none of them is available",
  schema: { type: "string", examples: ["pt-BR, pt;q=0.9, en;q=0.5"] },
};

import { JSON_TYPE, type UsageResponse, usageResponseShape } from "@groundrule/contract";
import { buildUsageReport } from "../../ledger/usage.ts";
import { requireAcceptableType } from "../exchange/request/request-parts.ts";
import { respondJson } from "../exchange/respond.ts";
import { defineJsonContent, defineOperation, type Operation } from "./record/operation.ts";

/** `GET /v1/usage`: the part of the quota that the current period has used. */
const usage = defineOperation({
  id: "usage",
  method: "GET",
  path: "/v1/usage",
  tag: "Metering",
  summary: "Get the usage of the quota in the current period",
  key: "usage:read",
  room: "reads",
  query: "none",
  answer: { content: defineJsonContent("UsageResponse", usageResponseShape) },
  codes: [],
  handler:
    ({ store }) =>
    async (c) => {
      requireAcceptableType(c, [JSON_TYPE]);
      const scope = c.get("caller");
      const usage = await store.usage({ scope });
      if (usage === undefined) throw new Error(`organization ${scope.organization} is not in the store`);
      return respondJson(c, { data: buildUsageReport(scope.mode, usage) } satisfies UsageResponse);
    },
});

export const USAGE: readonly Operation[] = [usage];

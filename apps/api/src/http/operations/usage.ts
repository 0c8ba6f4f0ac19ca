import { JSON_TYPE, type UsageResponse } from "@groundrule/contract";
import type { Handler } from "hono";
import { usageReport } from "../../ledger/usage.ts";
import type { Store } from "../../store/port/port.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { acceptedType } from "../exchange/request/request-parts.ts";
import { respondJson } from "../exchange/respond.ts";

/** `GET /v1/usage`: what the current period has used of the quota. */
export function usageHandler(store: Pick<Store, "usage">): Handler<ApiEnv> {
  return async (c) => {
    acceptedType(c, [JSON_TYPE]);
    const scope = c.get("caller");
    const usage = await store.usage({ scope });
    if (usage === undefined) throw new Error(`organization ${scope.organization} is not in the store`);
    return respondJson(c, { data: usageReport(scope.mode, usage) } satisfies UsageResponse);
  };
}

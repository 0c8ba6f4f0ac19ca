import type { UsageResponse } from "@groundrule/contract";
import type { Handler } from "hono";
import type { ApiEnv } from "../env.ts";
import { usageReport } from "../manage.ts";
import { JSON_TYPE } from "../media-type.ts";
import { acceptedType } from "../request-parts.ts";
import { respondJson } from "../respond.ts";
import type { Store } from "../store/port.ts";

/** `GET /v1/usage`: what the current period has used of the quota. */
export function usageHandler(store: Pick<Store, "usage">): Handler<ApiEnv> {
  return async (c) => {
    acceptedType(c, [JSON_TYPE]);
    const { organization, mode } = c.get("caller");
    const usage = await store.usage({ scope: { organization, mode } });
    if (usage === undefined) throw new Error(`organization ${organization} is not in the store`);
    return respondJson(c, { data: usageReport(mode, usage) } satisfies UsageResponse);
  };
}

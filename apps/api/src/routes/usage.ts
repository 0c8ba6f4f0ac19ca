import { type UsageResponse, usageQuerySchema } from "@groundrule/contract";
import type { Handler } from "hono";
import type { Scope } from "../charging/scope.ts";
import type { ApiEnv } from "../env.ts";
import { JSON_TYPE } from "../media-type.ts";
import { acceptedType, parseQuery } from "../question.ts";
import type { Store, Usage } from "../store/port.ts";

/** `GET /v1/usage`: what the current period has used of the quota. */
export function usageHandler(store: Pick<Store, "usage">): Handler<ApiEnv> {
  return async (c) => {
    acceptedType(c, [JSON_TYPE]);
    parseQuery(usageQuerySchema, c);
    const { organization, mode } = c.get("caller");
    const usage = await store.usage({ scope: { organization, mode } });
    if (usage === undefined) throw new Error(`organization ${organization} is not in the store`);
    return c.json({ data: usageOf({ organization, mode }, usage) } satisfies UsageResponse);
  };
}

/** A scope's usage as it travels, and as the command prints it. */
export function usageOf({ mode }: Scope, { period, byRoute }: Usage): UsageResponse["data"] {
  return {
    mode,
    limit: period.quota,
    used: period.used,
    remaining: Math.max(0, period.quota - period.used),
    period_started_at: new Date(period.startsAtMs).toISOString(),
    period_ends_at: new Date(period.endsAtMs).toISOString(),
    by_route: Object.fromEntries(byRoute.map(({ route, units }) => [route, units])),
  };
}

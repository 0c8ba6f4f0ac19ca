import { JSON_TYPE, type Limits, type MeResponse } from "@groundrule/contract";
import { PLOT_POSITION_LIMIT } from "@groundrule/engine/internal";
import type { Handler } from "hono";
import { instantOf } from "../../ledger/clock.ts";
import { quotaReport } from "../../ledger/usage.ts";
import type { KeyHolder, Store } from "../../store/port/port.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { acceptedType } from "../exchange/request/request-parts.ts";
import { respondJson } from "../exchange/respond.ts";
import type { BurstLimit } from "../gates/limit-bursts.ts";

/** `GET /v1/me`: whose the key is, and what it may ask. For any key in force, whatever its scopes. */
export function meHandler(
  store: Pick<Store, "findHolder">,
  limits: Limits,
  burst: BurstLimit,
): Handler<ApiEnv> {
  return async (c) => {
    acceptedType(c, [JSON_TYPE]);
    const { organization, mode, keyId, sources } = c.get("caller");
    const holder = await store.findHolder({ scope: c.get("caller"), keyId });
    if (holder === undefined) throw new Error(`key ${keyId} is not in the store`);
    return respondJson(c, {
      data: {
        organization: { id: organization, name: holder.organizationName },
        mode,
        ...standingOf(holder),
        limits: {
          requests_per_second: burst.perSecond,
          burst: burst.burst,
          body_bytes: limits.bodyBytes,
          positions: PLOT_POSITION_LIMIT,
          result_areas: limits.resultAreas,
          result_bytes: limits.resultBytes,
          distance_m: limits.distanceMeters,
        },
        sources,
      },
    } satisfies MeResponse);
  };
}

function standingOf({
  key,
  subscription,
  period,
}: KeyHolder): Pick<MeResponse["data"], "key" | "subscription" | "quota"> {
  return {
    key: {
      id: key.id,
      name: key.name,
      scopes: key.scopes,
      created_at: instantOf(key.createdAtMs),
      expires_at: key.expiresAtMs === null ? null : instantOf(key.expiresAtMs),
      last_used_at: key.lastUsedAtMs === null ? null : instantOf(key.lastUsedAtMs),
    },
    subscription,
    quota: quotaReport(period),
  };
}

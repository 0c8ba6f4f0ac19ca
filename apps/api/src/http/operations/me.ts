import { JSON_TYPE, type MeResponse, meResponseShape } from "@groundrule/contract";
import { PLOT_POSITION_LIMIT } from "@groundrule/engine/internal";
import type { Handler } from "hono";
import { formatInstant } from "../../ledger/clock.ts";
import { buildQuotaReport } from "../../ledger/usage.ts";
import type { KeyHolder } from "../../store/port/port.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { requireAcceptableType } from "../exchange/request/request-parts.ts";
import { respondJson } from "../exchange/respond.ts";
import { defineJsonContent, defineOperation, type Operation } from "./record/operation.ts";
import type { ServiceParts } from "./record/service-parts.ts";

/** `GET /v1/me`: the organization of the key, and the limits of its requests. */
const me = defineOperation({
  id: "me",
  method: "GET",
  path: "/v1/me",
  tag: "Metering",
  summary: "Get the organization, the scopes and the limits of the API key",
  key: "any",
  room: "work",
  query: "none",
  answer: { content: defineJsonContent("MeResponse", meResponseShape) },
  codes: [],
  handler: createMeHandler,
});

export const ME: readonly Operation[] = [me];

function createMeHandler({ store, limits, burst }: ServiceParts): Handler<ApiEnv> {
  return async (c) => {
    requireAcceptableType(c, [JSON_TYPE]);
    const { organization, mode, keyId, sources } = c.get("caller");
    const holder = await store.findHolder({ scope: c.get("caller"), keyId });
    if (holder === undefined) throw new Error(`key ${keyId} is not in the store`);
    return respondJson(c, {
      data: {
        organization: { id: organization, name: holder.organizationName },
        mode,
        ...formatSubscription(holder),
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

function formatSubscription({
  key,
  subscription,
  period,
}: KeyHolder): Pick<MeResponse["data"], "key" | "subscription" | "quota"> {
  return {
    key: {
      id: key.id,
      name: key.name,
      scopes: key.scopes,
      created_at: formatInstant(key.createdAtMs),
      expires_at: key.expiresAtMs === null ? null : formatInstant(key.expiresAtMs),
      last_used_at: key.lastUsedAtMs === null ? null : formatInstant(key.lastUsedAtMs),
    },
    subscription,
    quota: buildQuotaReport(period),
  };
}

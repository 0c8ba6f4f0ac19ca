import { describedAs, named, objectOf, record, text, type ValueOf } from "@groundrule/engine/internal";
import { countShape } from "./answer-members.ts";
import { modeShape, quotaMembers } from "./me.ts";

export const usageResponseShape = objectOf({
  data: named("Usage", () =>
    objectOf({
      mode: modeShape,
      ...quotaMembers,
      by_route: describedAs(record(text(), countShape), "Charged requests of this period, by route"),
    }),
  ),
});

/** Answer of `GET /v1/usage`: the quota, and how much of it the current period has used. */
export type UsageResponse = ValueOf<typeof usageResponseShape>;

import {
  array,
  choice,
  describedAs,
  named,
  nullable,
  number,
  objectOf,
  text,
  type ValueOf,
} from "@groundrule/engine/internal";
import { countShape, createdAtShape, instantShape } from "./answer-members.ts";

/** How much of a quota is used. */
export const quotaMembers = {
  limit: describedAs(countShape, "Charged requests that the period allows; null: no limit"),
  used: describedAs(countShape, "Charged requests of the period so far"),
  remaining: describedAs(countShape, "Billable requests that are left in the period; null: no limit"),
  period_started_at: describedAs(instantShape, "When the billing period began, ISO 8601 UTC"),
  period_ends_at: describedAs(instantShape, "When the billing period ends, ISO 8601 UTC"),
};

/** The mode whose rulesets, decisions and quota a key uses. */
export const modeShape = describedAs(
  choice("live", "test"),
  "`live` or `test`: keys of one mode never use the rulesets, decisions or quota of the other",
);

export const meResponseShape = objectOf({
  data: named("Me", () =>
    objectOf({
      organization: describedAs(
        objectOf({ id: describedAs(text(), "Its identifier"), name: describedAs(text(), "Its name") }),
        "The organization that the key belongs to",
      ),
      mode: modeShape,
      key: describedAs(
        objectOf({
          id: describedAs(text(), "Its identifier"),
          name: describedAs(text(), "Its name"),
          scopes: describedAs(array(text()), "The operations that the key allows"),
          created_at: createdAtShape,
          expires_at: describedAs(nullable(instantShape), "When it expires, ISO 8601 UTC; null: never"),
          last_used_at: describedAs(
            nullable(instantShape),
            "Time of the last use, precise to about a minute; null as long as none is noted",
          ),
        }),
        "The API key that the request came with",
      ),
      subscription: describedAs(
        choice("active", "suspended", "expired"),
        "The subscription of the organization, and whether it is active",
      ),
      quota: describedAs(
        objectOf(quotaMembers),
        "The limit of the billing period, and the part that is left",
      ),
      limits: describedAs(
        objectOf({
          requests_per_second: describedAs(
            number(),
            "Requests per second that the key may make on average, per process of the service",
          ),
          burst: describedAs(countShape, "Requests that the key may make in a burst"),
          body_bytes: describedAs(countShape, "Greatest size of a request body, after decompression"),
          positions: describedAs(countShape, "Greatest number of positions in a geometry"),
          result_areas: describedAs(countShape, "The most areas in one answer"),
          result_bytes: describedAs(countShape, "The most bytes of one answer"),
          distance_m: describedAs(number(), "The greatest distance that a request may have, metres"),
        }),
        "What this service allows in one request",
      ),
      sources: describedAs(
        array(text()),
        "Patterns of the sources that the organization may use; `*` stands for any characters",
      ),
    }),
  ),
});

/** Answer of `GET /v1/me`: the key's organization, and its permissions and limits. */
export type MeResponse = ValueOf<typeof meResponseShape>;

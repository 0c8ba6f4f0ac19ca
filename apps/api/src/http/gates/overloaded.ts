import { Refusal } from "@groundrule/service";

/** The refusal of a request that cannot be answered in time. */
export function createOverloadedRefusal(): Refusal {
  return new Refusal(
    "OVERLOADED",
    "Too many requests are waiting, so this one was not executed; wait and retry.",
  );
}

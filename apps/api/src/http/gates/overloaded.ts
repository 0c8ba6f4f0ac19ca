import { Refusal } from "@groundrule/service";

/** Refuses what cannot be answered in time. */
export function overloaded(): Refusal {
  return new Refusal("OVERLOADED", "More requests wait than can be answered in time; nothing was executed.");
}

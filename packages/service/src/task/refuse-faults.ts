import type { Fault } from "@groundrule/engine";
import { Refusal } from "./refusal.ts";

/** Refuses a request whose body or query does not have the route's shape: `VALIDATION_FAILED`. */
export function refuseFaults(faults: readonly [Fault, ...Fault[]], part: "body" | "query"): never {
  const [{ pointer, message }] = faults;
  const count = faults.length === 1 ? "a fault" : `${faults.length} faults, the first`;
  const place = pointer === "" ? "" : ` at ${pointer}`;
  throw new Refusal("VALIDATION_FAILED", `The ${part} has ${count}${place}: ${message}`, { errors: faults });
}

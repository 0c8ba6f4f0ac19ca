import { DECISIONS } from "./decisions.ts";
import { DOCUMENTATION } from "./documentation.ts";
import { PROBES } from "./health.ts";
import { me } from "./me.ts";
import type { Operation } from "./record/operation.ts";
import { usage } from "./usage.ts";

/** Every operation of the service, in the order of its description. */
export const OPERATIONS: readonly Operation[] = [me, usage, ...DECISIONS, ...DOCUMENTATION, ...PROBES];

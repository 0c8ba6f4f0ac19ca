import { DOCUMENTATION } from "./documentation.ts";
import { PROBES } from "./health.ts";
import type { Operation } from "./record/operation.ts";

/** Every operation of the service, in the order of its description. */
export const OPERATIONS: readonly Operation[] = [...DOCUMENTATION, ...PROBES];

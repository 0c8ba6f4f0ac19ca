import { BILLABLE } from "./billable.ts";
import { DECISIONS } from "./decisions.ts";
import { DOCUMENTATION } from "./documentation.ts";
import { PROBES } from "./health.ts";
import { JOBS } from "./jobs.ts";
import { ME } from "./me.ts";
import type { Operation } from "./record/operation.ts";
import { RULESETS } from "./rulesets.ts";
import { SOURCES } from "./sources.ts";
import { TILES } from "./tiles.ts";
import { USAGE } from "./usage.ts";
import { VALIDATION } from "./validate.ts";

/**
 * Every operation of the service, in the order of its description. Routes, gates, the description and the tests over every
 * operation iterate over it.
 */
export const OPERATIONS: readonly Operation[] = [
  ...BILLABLE,
  ...VALIDATION,
  ...JOBS,
  ...SOURCES,
  ...TILES,
  ...RULESETS,
  ...ME,
  ...USAGE,
  ...DECISIONS,
  ...DOCUMENTATION,
  ...PROBES,
];

import { BILLABLE } from "./billable.ts";
import { DECISIONS } from "./decisions.ts";
import { DOCUMENTATION } from "./documentation.ts";
import { PROBES } from "./health.ts";
import { JOBS } from "./jobs.ts";
import { me } from "./me.ts";
import type { Operation } from "./record/operation.ts";
import { RULESETS } from "./rulesets.ts";
import { sources } from "./sources.ts";
import { sourceTile } from "./tiles.ts";
import { usage } from "./usage.ts";
import { validate } from "./validate.ts";

/**
 * Every operation of the service, in the order of its description. Routes, gates, the description and the tests over every
 * operation iterate over it.
 */
export const OPERATIONS: readonly Operation[] = [
  ...BILLABLE,
  validate,
  ...JOBS,
  sources,
  sourceTile,
  ...RULESETS,
  me,
  usage,
  ...DECISIONS,
  ...DOCUMENTATION,
  ...PROBES,
];

/** A place that stays as it is. */
export interface Exception {
  /** The file, or the folder with everything in it. */
  readonly path: string;
  /** The name, or the comment's first line. */
  readonly text: string;
  readonly reason: string;
}

const ALIAS = "a name that 0.2.0 published, kept as a deprecated alias";
const OPTION = "an option of the pool that 0.2.0 published";
const SETTING = "a setting that 0.2.0 published";
const UNSUPPORTED = "a member of the details of SCHEME_UNSUPPORTED, which travel over HTTP";
const LIMIT = "a member of the details of HOLDING_LIMIT_REACHED, which travel over HTTP";
const MIGRATION = "apps/api/src/store/migrations/0004-standing.ts";

export const EXCEPTIONS: readonly Exception[] = [
  { path: "apps/api/src/http/operations/holding-refusal.ts", text: "held", reason: LIMIT },
  { path: "apps/api/src/ledger/holdings.ts", text: "held", reason: LIMIT },
  { path: "apps/api/src/store", text: "held", reason: LIMIT },
  { path: MIGRATION, text: MIGRATION, reason: "named as the migration that stores record" },
  { path: "apps/cli/src/settings/settings.ts", text: "jobs_held_mib", reason: SETTING },
  { path: "apps/cli/src/settings/settings.ts", text: "rulesets_held_mib", reason: SETTING },
  {
    path: "apps/console/src/map/drawing/plot-drawing.ts",
    text: "heldKeys",
    reason: "a member of Terra Draw's events",
  },
  { path: "packages/engine/src/ruleset/select/checked-input.ts", text: "held", reason: UNSUPPORTED },
  { path: "packages/engine/src/subjects", text: "held", reason: UNSUPPORTED },
  { path: "packages/engine/src/subjects", text: "asked", reason: UNSUPPORTED },
  { path: "packages/engine/src/subjects/registered-elsewhere.ts", text: "HeldElsewhere", reason: ALIAS },
  { path: "packages/formats/src/open/detect.ts", text: "Told", reason: ALIAS },
  { path: "packages/node/src", text: "lot", reason: OPTION },
  { path: "packages/service/src/answer-pool.ts", text: "lot", reason: OPTION },
];

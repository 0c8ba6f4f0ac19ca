import { EngineError } from "../base/errors.ts";
import { isRaster, type Layer } from "../geometry/layer.ts";
import type { SourceCoverage, SourceOutcome } from "../verdict/verdict.ts";
import { computeAgeDays } from "./age.ts";
import { type EngineSource, isAssumed } from "./source-table.ts";

export interface SourceCounts {
  /** Number of areas or records of the source in the answer. */
  readonly matched: number;
  /** Number of areas left out because they have no country; present only if the question selects a country. */
  readonly withoutCountry?: number | undefined;
  /** Coverage of the plot by the source; present only for areas, and with a plot. */
  readonly coverage?: SourceCoverage | undefined;
  /** Width and height of its cells at the plot, metres; present only for rasters. */
  readonly cell?: readonly [number, number] | undefined;
  /** True if a set finds it too old; present only if a set limits its age. */
  readonly overage?: boolean | undefined;
}

/**
 * How a source took part in an answer.
 *
 * @param now ISO 8601 UTC, or in milliseconds; without it the age of the edition is left out
 * Fails: `VALIDATION_FAILED` where `now` is no such timestamp; `SNAPSHOT_CORRUPT` where the bytes were
 * transferred to somebody else since they were opened: they hold nothing, which must not pass for an answer.
 */
export function createSourceOutcome(
  source: EngineSource,
  counts: SourceCounts,
  now: string | number | undefined,
): SourceOutcome {
  const { source_name, collected_at, observed_until, scope, fictional, allow } = source.manifest;
  if ("failed" in source) {
    return {
      source_name,
      status: "failed",
      matched: 0,
      ...(scope !== undefined && { scope }),
      ...(fictional && { fictional }),
      reason: source.failed,
    };
  }
  if ("without" in source) return { source_name, status: "without", matched: 0 };
  const { snapshot } = source;
  // Arrays over a buffer that was detached are empty; this one never is otherwise.
  if (snapshot.kind === "leaf" && isDetached(snapshot.layer)) {
    const message = `the bytes of "${source_name}" were transferred away`;
    throw new EngineError("SNAPSHOT_CORRUPT", message);
  }
  const age_days = now === undefined ? undefined : computeAgeDays(source, now);
  // In the order in which answers list them.
  const outcome: { -readonly [Name in keyof SourceOutcome]?: SourceOutcome[Name] } = { source_name };
  outcome.status = "ok";
  outcome.edition = snapshot.meta.edition;
  if (collected_at !== undefined) outcome.collected_at = collected_at;
  if (observed_until !== undefined) outcome.observed_until = observed_until;
  if (age_days !== undefined) outcome.age_days = age_days;
  outcome.matched = counts.matched;
  if (source.leftOut !== undefined) outcome.left_out = source.leftOut;
  if (counts.withoutCountry !== undefined) outcome.without_country = counts.withoutCountry;
  if (counts.coverage !== undefined) {
    outcome.coverage = counts.coverage;
    if (isAssumed(source)) outcome.coverage_known = "derived";
  }
  if (counts.cell !== undefined) outcome.cell_m = counts.cell;
  if (counts.overage !== undefined) outcome.overage = counts.overage;
  if (scope !== undefined) outcome.scope = scope;
  if (fictional) outcome.fictional = fictional;
  if (allow?.includes("before_cutoff")) outcome.before_cutoff = true;
  return Object.freeze(outcome) as SourceOutcome;
}

function isDetached(layer: Layer): boolean {
  if (isRaster(layer)) return layer.areaCount > 0 && layer.areaSquareMeters.length === 0;
  return layer.ringStarts.length === 0;
}

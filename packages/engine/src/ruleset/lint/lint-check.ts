import { canonicalJson } from "../../verdict/canonical-json.ts";
import { roundAttributeNumber } from "../../verdict/rounding.ts";
import {
  findInCheck,
  formatComparisonItem,
  type Item,
  toItems,
  toMeasureKey,
} from "../certain/check-findings.ts";
import type { LintFindings } from "../certain/findings.ts";
import { SetRegions, type Sets } from "../certain/set-regions.ts";
import { createNumberRange, isEmptyRange, narrowRange } from "../measures/number-range.ts";
import { listComparisons } from "../parse/parse.ts";
import type { Check } from "../parse/schema.ts";

/**
 * Finds likely mistakes in checks: conditions that never or always hold, thresholds in another unit than the
 * measure's, counts that a shared border adds to.
 *
 * @param unmatched names of sets of areas that select no area of the editions in use
 */
export function lintChecks(
  checks: readonly Check[],
  sets: Sets,
  unmatched: ReadonlySet<string>,
  findings: LintFindings,
): void {
  const regions = new SetRegions(sets, unmatched);
  for (const [i, check] of checks.entries()) {
    const pointer = `/checks/${i}`;
    const items = toItems(check, pointer, sets, regions);
    for (const item of items) {
      lintThresholdUnit(item, findings);
      lintDenominator(item, regions, findings);
    }
    lintRepeatedItems(items, findings);
    findInCheck(check, items, pointer, findings);
    if (check.outcome !== "NOTICE") lintSharedBorder(items, listComparisons(check).mode, findings);
  }
}

function lintRepeatedItems(items: readonly Item[], findings: LintFindings): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = canonicalJson([toMeasureKey(item), item.op, item.value]);
    if (seen.has(key))
      findings.warn(
        "COMPARISON_DUPLICATE",
        item.pointer,
        `this check already contains ${formatComparisonItem(item)}`,
      );
    seen.add(key);
  }
}

/** A number of square metres below this is likelier one of hectares. */
const LIKELY_HECTARES_BELOW = 100;
/** A number of metres below this is likelier one of kilometres; the narrowest buffers in law are 30 m. */
export const LIKELY_KILOMETERS_BELOW = 25;

function lintThresholdUnit(
  { entry: { unit }, of, op, value, pointer, range }: Item,
  findings: LintFindings,
): void {
  const at = `${pointer}/value`;
  const isShare = unit === "share" && (of === undefined || range.high === 1);
  if (isShare && value > 1 && value <= 100) {
    findings.warn(
      "UNIT_SUSPICIOUS",
      at,
      `found ${value}, but a share is between 0 and 1`,
      `for ${value} % write ${roundAttributeNumber(value / 100)}`,
    );
    return;
  }
  const comparesSize = op === ">" || op === ">=" || op === "<" || op === "<=";
  if (!comparesSize || value <= 0) return;
  if (unit === "m²" && value < LIKELY_HECTARES_BELOW) {
    findings.info(
      "UNIT_SUSPICIOUS",
      at,
      `found ${value}, which is read as square metres`,
      `for ${value} ha write ${roundAttributeNumber(value * 10_000)}`,
    );
    return;
  }
  if (unit === "m" && value < LIKELY_KILOMETERS_BELOW) {
    const hint = `for ${value} km write ${roundAttributeNumber(value * 1000)}`;
    findings.info("UNIT_SUSPICIOUS", at, `found ${value}, which is read as metres`, hint);
    return;
  }
  return;
}

function lintDenominator({ setName, of, pointer }: Item, regions: SetRegions, findings: LintFindings): void {
  if (of === undefined) return;
  if (of === setName) {
    const message = `the region of "${of}" is compared with itself: the ratio is 1, or null if the region is empty`;
    findings.warn("RATIO_OF_OTHERS", `${pointer}/of`, message);
  } else if (!regions.isPartOf(setName, of)) {
    findings.warn(
      "RATIO_OF_OTHERS",
      `${pointer}/of`,
      `the region of "${setName}" may lie outside that of "${of}", so the ratio can exceed 1`,
      `measure an intersection of "${setName}" and "${of}"`,
    );
  }
}

/** Counts of whatever meets the plot, which a neighbour's shared border adds to. */
function lintSharedBorder(items: readonly Item[], mode: "all" | "any", findings: LintFindings): void {
  for (const item of items) {
    const { entry, set, setName, on, op, value, pointer } = item;
    if (entry.unit !== "count" || !("sources" in set)) continue;
    if (set.within_m !== undefined || (set.relation ?? "intersects") !== "intersects") continue;
    const isMet = (count: number): boolean =>
      !isEmptyRange(narrowRange(createNumberRange(count, count), op, value));
    if (isMet(0) || !isMet(1)) continue;
    const asksForMore = items.some(
      (other) =>
        other.setName === setName &&
        other.on === on &&
        other.entry.isOfOverlap &&
        !isEmptyRange(narrowRange(other.range, other.op, other.value)),
    );
    if (mode === "all" && asksForMore) continue;
    findings.warn(
      "BORDER_COUNTS",
      pointer,
      `an area of "${setName}" that only shares a border with the plot is counted`,
      'to require a shared area, write "measure": "overlap_area_m2"',
    );
  }
}

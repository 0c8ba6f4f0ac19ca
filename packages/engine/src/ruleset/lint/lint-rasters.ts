import { parseCalendarDay } from "../../base/calendar-day.ts";
import { isRasterSource } from "../../sources/source-table.ts";
import type { OpenAreas } from "../certain/column-values.ts";
import { type Condition, listPropertyConditions } from "../certain/filter-findings.ts";
import type { LintFindings } from "../certain/findings.ts";
import { createNumberRange, isEmptyRange, narrowRange } from "../measures/number-range.ts";
import { getFilterTree } from "../parse/cql2.ts";
import { listComparisons } from "../parse/parse.ts";
import type { AreaSet, Check, FilterExpression, RulesetSet } from "../parse/schema.ts";

/** Most values that one finding names. */
const SHOWN = 3;

/** Finds what dates of rasters leave open: values whose days lie on both sides of one, and data without an end. */
export function lintRasterDates(
  { where, max_age_days }: AreaSet,
  setPointer: string,
  sources: readonly OpenAreas[],
  findings: LintFindings,
): void {
  if (where === undefined) return;
  const rasters = sources.filter(isRasterSource);
  const pointer = `${setPointer}/where`;
  const dated = new Set<OpenAreas>();
  for (const { condition, at } of listConditionsWithPointers(getFilterTree(where), pointer)) {
    for (const source of rasters) {
      if (findColumnIndex(source, condition.property, "date") === undefined) continue;
      dated.add(source);
      reportStraddledValues(source, condition, at, findings);
    }
  }
  for (const { manifest } of dated) {
    if (manifest.observed_until !== undefined) continue;
    const message = `raster "${manifest.source_name}" does not say until when its data speak, so that finding nothing is taken for all days until now`;
    const hint =
      max_age_days === undefined
        ? 'declare "observed_until" in its manifest, and limit the age with "max_age_days"'
        : 'declare "observed_until" in its manifest: the age then counts from it';
    findings.info("OBSERVED_UNTIL_MISSING", pointer, message, hint);
  }
}

/** Values of which a comparison of `from` and the same of `to` decide otherwise. */
function reportStraddledValues(
  source: OpenAreas,
  { property, op, value }: Condition,
  pointer: string,
  findings: LintFindings,
): void {
  if (property !== "from" && property !== "to") return;
  const [from, to] = [findColumnIndex(source, "from", "date"), findColumnIndex(source, "to", "date")];
  if (from === undefined || to === undefined) return;
  const { attributes } = source.snapshot;
  const found: string[] = [];
  for (let row = 0; row < attributes.rowCount; row++) {
    const [first, last] = [from, to].map((column) => parseCalendarDay(String(attributes.value(row, column))));
    if (first === undefined || last === undefined) continue;
    const [isFirst, isLast] = [first, last].map(
      (day) => !isEmptyRange(narrowRange(createNumberRange(day, day), op, value)),
    );
    if (isFirst !== isLast) found.push(attributes.name(row) ?? attributes.id(row));
  }
  if (found.length === 0) return;
  const others = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : "";
  const named = found.slice(0, SHOWN).map((name) => `"${name}"`);
  const message = `the days of ${named.join(", ")}${others} of "${source.manifest.source_name}" lie on both sides of this date: by "from" they are judged otherwise than by "to"`;
  const hint = 'compare "from" for what is certain, and "to" in a set of its own for what is possible';
  findings.info("DATES_STRADDLED", pointer, message, hint);
}

/** Finds counts of rasters that are compared with more than nothing. */
export function lintRasterCounts(
  checks: readonly Check[],
  sets: Readonly<Record<string, RulesetSet>>,
  rasterOf: (set: AreaSet) => string | undefined,
  findings: LintFindings,
): void {
  for (const [i, check] of checks.entries()) {
    for (const { comparison, pointer } of listComparisons(check).comparisons) {
      if ("fact" in comparison) continue;
      const { set: name, measure = "count", op = ">", value = 0 } = comparison;
      const set = sets[name];
      if (measure !== "count" || set === undefined || !("sources" in set)) continue;
      // An existence test is the same for cells with values as for patches.
      if (value === 0 || (value === 1 && (op === ">=" || op === "<"))) continue;
      const raster = rasterOf(set);
      if (raster === undefined) continue;
      const message = `count of "${name}" counts the values of the raster "${raster}", not its cells or patches`;
      findings.warn(
        "VALUES_COUNTED",
        `/checks/${i}${pointer}`,
        message,
        "compare overlap_area_m2 or overlap_ratio",
      );
    }
  }
}

function listConditionsWithPointers(
  expression: FilterExpression,
  pointer: string,
): readonly { readonly condition: Condition; readonly at: string }[] {
  const { op, args } = expression;
  if (op === "and" || op === "or" || op === "not") {
    return args.flatMap((arg, i) =>
      listConditionsWithPointers(arg as FilterExpression, `${pointer}/args/${i}`),
    );
  }
  return listPropertyConditions(expression).map((condition) => ({ condition, at: pointer }));
}

function findColumnIndex({ snapshot }: OpenAreas, name: string, type: "date"): number | undefined {
  const column = snapshot.attributes.columns.findIndex((each) => each.name === name && each.type === type);
  return column < 0 ? undefined : column;
}

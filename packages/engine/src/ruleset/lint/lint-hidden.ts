import { type CommonProperty, countHidden, isCommonProperty } from "../common-properties.ts";
import { filterTree } from "../parse/cql2.ts";
import type { AreaSet, FilterArgument } from "../parse/schema.ts";
import type { LintFindings } from "./lint-findings.ts";
import type { OpenAreas } from "./lint-rasters.ts";

/**
 * Finds properties that every area has, where a source of the set has a column of the same name with other values:
 * the filter has no answer for those areas.
 */
export function lintHidden(
  set: AreaSet,
  pointer: string,
  open: readonly OpenAreas[],
  findings: LintFindings,
): void {
  const read = new Map<CommonProperty, string>();
  if (set.country_iso3 !== undefined) read.set("country_iso3", `${pointer}/country_iso3`);
  if (set.where !== undefined) {
    noteCommon(filterTree(set.where, `${pointer}/where`, findings.texts), `${pointer}/where`, read);
  }
  for (const [name, at] of read) {
    for (const { manifest, snapshot } of open) {
      const count = countHidden(snapshot, name);
      if (count === 0) continue;
      findings.warn(
        "COLUMN_HIDDEN",
        at,
        `"${name}" is a property that every area has, and source "${manifest.source_name}" has a column of that name with other values in ${count} of ${snapshot.meta.feature_count} areas: for these it is not known which is meant`,
        `build the source again with another name for its column: "read": {"rename": {"${name}": "NEW_NAME"}} in the manifest`,
      );
    }
  }
}

function noteCommon(argument: FilterArgument, pointer: string, read: Map<CommonProperty, string>): void {
  if (Array.isArray(argument)) {
    for (const [i, each] of argument.entries()) noteCommon(each as FilterArgument, `${pointer}/${i}`, read);
    return;
  }
  if (typeof argument !== "object" || argument === null) return;
  if ("property" in argument) {
    const { property } = argument;
    if (isCommonProperty(property) && !read.has(property)) read.set(property, `${pointer}/property`);
  } else if ("args" in argument) {
    noteCommon(argument.args as object as FilterArgument, `${pointer}/args`, read);
  }
}

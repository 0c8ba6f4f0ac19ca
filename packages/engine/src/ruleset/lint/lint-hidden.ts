import type { OpenAreas } from "../certain/column-values.ts";
import type { LintFindings } from "../certain/findings.ts";
import { countHidden, isCommonProperty } from "../compile/common-properties.ts";
import { compileFilter } from "../parse/cql2.ts";
import { RulesetFaults } from "../parse/faults.ts";
import type { AreaSet } from "../parse/schema.ts";

/**
 * Finds properties that every area has, where a source of the set has a column of the same name with other values:
 * the filter has no answer for those areas.
 */
export function lintHidden(
  { where, country_iso3 }: AreaSet,
  pointer: string,
  open: readonly OpenAreas[],
  findings: LintFindings,
): void {
  const read = new Map<string, string>();
  if (country_iso3 !== undefined) read.set("country_iso3", `${pointer}/country_iso3`);
  if (where !== undefined) {
    const at = `${pointer}/where`;
    for (const name of compileFilter(where, at, () => undefined, new RulesetFaults()).properties) {
      if (!read.has(name)) read.set(name, at);
    }
  }
  for (const [name, at] of read) {
    if (!isCommonProperty(name)) continue;
    for (const { manifest, snapshot } of open) {
      const count = countHidden(snapshot, name);
      if (count === 0) continue;
      findings.warn(
        "COLUMN_HIDDEN",
        at,
        `"${name}" is a property of every area, and in ${count} of ${snapshot.meta.feature_count} areas of "${manifest.source_name}" the column of that name has another value: it is not known which is meant`,
        "rename the column in the manifest of the source, under read.rename",
      );
    }
  }
}

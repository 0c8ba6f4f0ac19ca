import type { ListedSource } from "@groundrule/contract";
import { computeAgeDays } from "@groundrule/engine/internal";
import { language } from "../../languages/language.ts";
import { findCountryName } from "../layers/base-map.ts";
import { getSourceTitle } from "./source-title.ts";

/** A source of the panel. */
export interface SourceFacts {
  readonly source: ListedSource;
  /** True if the chosen ruleset uses it. */
  readonly isUsed: boolean;
  /** True if it has areas that the map can show. */
  readonly canBeShown: boolean;
  /** Whole days since its last observed day, otherwise since it was collected; undefined if unknown. */
  readonly ageDays: number | undefined;
}

/**
 * Sources in the order of the panel: those of the ruleset first, then those that can be shown, each by title. Groups
 * are left out: their members are listed.
 *
 * @param nowMs milliseconds since 1970
 */
export function listSourceFacts(
  sources: readonly ListedSource[],
  usedNames: ReadonlySet<string>,
  nowMs: number,
): readonly SourceFacts[] {
  return sources
    .filter(({ kind }) => kind !== "group")
    .map((source) => ({
      source,
      isUsed: usedNames.has(source.source_name),
      canBeShown: source.kind === "leaf" && source.live !== true,
      ageDays: computeAgeDays(
        {
          manifest: { collected_at: source.collected_at_latest, observed_until: source.observed_until },
        },
        nowMs,
      ),
    }))
    .sort(
      (a, b) =>
        Number(b.isUsed) - Number(a.isUsed) ||
        Number(b.canBeShown) - Number(a.canBeShown) ||
        (getSourceTitle(a.source) < getSourceTitle(b.source) ? -1 : 1),
    );
}

/** The countries of a source's coverage, or of its areas, by name. */
export function listCoveredCountries({ country_coverage = [] }: ListedSource): readonly string[] {
  return country_coverage.map((iso3) => findCountryName(language.value, { iso3 }) ?? iso3).sort();
}

import { EngineError } from "../../base/errors.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import type { Kernel } from "../../geometry/kernel/kernel.ts";
import { PlotOnLayers } from "../../geometry/kernel/plot-on-layers.ts";
import type { Plot, Warning } from "../../geometry/plot/plot.ts";
import type { Coverage, CoveragePieces } from "../../snapshot/coverage.ts";
import { PlotCoverage } from "../../sources/plot-coverage.ts";
import { type EngineSource, findSourceCoverage, isAssumed } from "../../sources/source-table.ts";
import type { RulesetPlan } from "../compile/compile.ts";

/** The inputs from which warnings about one plot are made. */
export interface CoverageQuestion {
  readonly plan: RulesetPlan;
  readonly kernel: Kernel;
  readonly plot: PlotOnLayers;
  readonly coverage: PlotCoverage;
  readonly isStrict: boolean;
  /** The country that the input states, ISO 3166-1 alpha-3 in upper case. */
  readonly countryIso3: string | undefined;
  /** The borders of countries; undefined where none are at hand. */
  readonly borders: CoveragePieces | undefined;
  readonly meter: WorkMeter;
}

/** Doubts about the coverage of the sources at the plot. They change no verdict and refuse none. */
export function findCoverageWarnings(question: CoverageQuestion): Warning[] {
  const warnings: Warning[] = [];
  for (const find of [
    findUndeclaredWarning,
    findAssumedWarning,
    findSwappedAxesWarning,
    findOtherCountryWarning,
  ]) {
    const warning = findWithinWork(question.meter, find, question);
    if (warning !== undefined) warnings.push(warning);
  }
  return warnings;
}

/** Undefined if the work that is left does not suffice to decide; that work is not counted. */
function findWithinWork(
  meter: WorkMeter,
  find: (question: CoverageQuestion) => Warning | undefined,
  question: CoverageQuestion,
): Warning | undefined {
  const { counted } = meter;
  try {
    return find(question);
  } catch (error) {
    if (!(error instanceof EngineError && error.code === "GEOMETRY_TOO_COMPLEX")) throw error;
    meter.counted = counted;
    return undefined;
  }
}

function findUndeclaredWarning({ plan, isStrict }: CoverageQuestion): Warning | undefined {
  const silent = selectSourcesByCoverage(plan.sources, ({ extent }) => extent === "undeclared");
  if (silent.length === 0) return undefined;
  const taken = isStrict ? "to cover no plot, because strict_coverage is set" : "to cover every plot";
  const message = `found no coverage of ${formatSourceNames(silent)}: each is assumed ${taken}; expected a coverage in the manifest of each`;
  return { pointer: "/geometry", code: "COVERAGE_UNDECLARED", message };
}

function findAssumedWarning({ plan }: CoverageQuestion): Warning | undefined {
  const names = plan.sources.filter(isAssumed);
  if (names.length === 0) return undefined;
  const message = `found no declared coverage of ${formatSourceNames(names)}: their coverage is assumed from the countries of their areas; expected a coverage in the manifest of each`;
  return { pointer: "/geometry", code: "COVERAGE_ASSUMED", message };
}

function findSwappedAxesWarning({
  plan,
  kernel,
  plot,
  coverage,
  meter,
}: CoverageQuestion): Warning | undefined {
  const missed = selectSourcesByCoverage(
    plan.sources,
    (found) => "pieces" in found && coverage.of(found) === "none",
  );
  const [west, , east] = plot.plot.bbox;
  if (missed.length === 0 || west <= -90 || east >= 90) return undefined;
  const swapped = new PlotOnLayers(kernel, withAxesSwapped(plot.plot), meter);
  const there = new PlotCoverage(swapped, plan.territories, false, meter);
  const within = selectSourcesByCoverage(missed, (found) => there.of(found) === "full");
  if (within.length === 0) return undefined;
  const message = `found a plot that is outside the coverage of ${formatSourceNames(within)}, but would be inside with longitude and latitude swapped; expected longitude first`;
  return { pointer: "/geometry", code: "AXES_SWAPPED", message };
}

function findOtherCountryWarning({ plot, countryIso3, borders }: CoverageQuestion): Warning | undefined {
  if (countryIso3 === undefined || borders === undefined) return undefined;
  const pieces = plot.intersections(borders.layer).map(({ area }) => borders.countries[area]!);
  const countries = [...new Set(pieces.flat())].sort();
  if (countries.includes(countryIso3)) return undefined;
  const placed = countries.length === 0 ? "in no country" : `in ${countries.join(", ")}`;
  const message = `found the country ${countryIso3}, but the borders place the plot ${placed}`;
  return { pointer: "/country_iso3", code: "COUNTRY_MISMATCH", message };
}

/** The sources of areas that have not failed and whose coverage is such. */
function selectSourcesByCoverage(
  sources: readonly EngineSource[],
  isSuch: (coverage: Coverage) => boolean,
): readonly EngineSource[] {
  return sources.filter((source) => {
    const coverage = findSourceCoverage(source);
    return coverage !== undefined && isSuch(coverage);
  });
}

function formatSourceNames(sources: readonly EngineSource[]): string {
  return sources.map(({ manifest }) => `"${manifest.source_name}"`).join(", ");
}

/** The plot with longitudes for latitudes; its rings run the other way round, so that they wind as before. */
function withAxesSwapped({ xy, ringStarts, bbox: [west, south, east, north], ...plot }: Plot): Plot {
  const swapped = new Float64Array(xy.length);
  for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
    const [start, end] = [ringStarts[ring]!, ringStarts[ring + 1]!];
    for (let i = start; i < end; i++) {
      const from = 2 * (start + end - 1 - i);
      swapped[2 * i] = xy[from + 1]!;
      swapped[2 * i + 1] = xy[from]!;
    }
  }
  return { ...plot, xy: swapped, ringStarts, bbox: [south, west, north, east] };
}

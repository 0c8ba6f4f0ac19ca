import { iso2OfCountry, iso3OfCountry } from "@groundrule/borders/country-names";
import { countryName } from "@groundrule/borders/iso-3166";
import {
  type CheckedPlots,
  PLOT_FINDINGS_MAX,
  type ValidateFinding,
  type ValidateRequest,
} from "@groundrule/contract";
import { crsTable } from "@groundrule/crs";
import { EngineError } from "@groundrule/engine";
import { WorkMeter } from "@groundrule/engine/internal";
import {
  FINDINGS,
  findProfile,
  overlapFinding,
  PlotChecker,
  PlotComparer,
  type PlotFinding,
  type Profile,
} from "@groundrule/plots";
import type { AnswererHost } from "../body/answerer-host.ts";
import { describeSentValue, findCrsName, isFeature, toPlot } from "../body/sent-features.ts";
import { toRefusal } from "../task/refusal.ts";

/**
 * Maximum work for all plots of a request, in units of the engine: about six answers, under a second of CPU. Large
 * requests must be split.
 */
const WORK = 160_000_000;
/** Units of one finding: crossing rings have a hundred each, whose messages cost more than detecting them. */
const FINDING_UNITS = 6_000;

type PlotsHost = Pick<AnswererHost, "territoryOf" | "countriesAt" | "onMeter">;
type PlotsRequest = ValidateRequest & { readonly plots: NonNullable<ValidateRequest["plots"]> };

/**
 * Checks plots one by one and against each other.
 *
 * Fails: with a refusal, `GEOMETRY_TOO_COMPLEX`, if that takes more work than allowed.
 */
export function validatePlots(request: PlotsRequest, host: PlotsHost): CheckedPlots {
  const meter = new WorkMeter(WORK);
  host.onMeter?.(meter);
  const findings = new FindingList(meter);
  try {
    collectPlotFindings(request, host, findings, meter);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw toRefusal(error, () => "/plots");
  }
  return findings.conclude(request.plots.features.length);
}

function collectPlotFindings(
  request: PlotsRequest,
  { territoryOf, countriesAt }: PlotsHost,
  findings: FindingList,
  meter: WorkMeter,
): void {
  const { plots, profile, commodity } = request;
  const checker = new PlotChecker({
    profile: findUnlimitedProfile(profile),
    commodity: commodity?.toLowerCase(),
    countries: { countryName, iso2Of: iso2OfCountry, iso3Of: iso3OfCountry, territoryOf, countriesAt },
    crsTable,
    meter,
  });
  const comparer = new PlotComparer({ crsTable, iso3Of: iso3OfCountry, meter });
  const crs = request.crs ?? findCrsName(plots);
  plots.features.forEach((feature, i) => {
    if (!isFeature(feature)) {
      findings.add(createUnreadableFinding(feature, i + 1));
      return;
    }
    const plot = toPlot(feature, i + 1, crs);
    for (const finding of checker.check(plot)) findings.add(finding);
    comparer.add(plot);
  });
  for (const finding of checker.finish()) findings.add(finding);
  for (const overlap of comparer.compare()) findings.add(overlapFinding(overlap));
}

/** A profile without its file size limit: no body is as large. */
function findUnlimitedProfile(name: ValidateRequest["profile"]): Profile | undefined {
  const profile = name === undefined ? undefined : findProfile(name);
  return profile === undefined ? undefined : { ...profile, greatestFileBytes: Number.POSITIVE_INFINITY };
}

/** Findings with pointers into the request: the first ones, and their total number. */
class FindingList {
  readonly #meter: WorkMeter;
  #errors = 0;
  #warnings = 0;
  readonly #findings: ValidateFinding[] = [];

  constructor(meter: WorkMeter) {
    this.#meter = meter;
  }

  add({ line: _, swapped: __, square_meters, ...finding }: PlotFinding): void {
    this.#meter.add(FINDING_UNITS);
    if (finding.severity === "error") this.#errors++;
    else this.#warnings++;
    if (this.#findings.length >= PLOT_FINDINGS_MAX) return;
    const { plot, pointer } = finding;
    this.#findings.push({
      ...finding,
      pointer: plot === 0 ? "/plots" : `/plots/features/${plot - 1}${pointer}`,
      ...(square_meters !== undefined && { area_m2: square_meters }),
    });
  }

  conclude(plotCount: number): CheckedPlots {
    return {
      valid: this.#errors === 0,
      plot_count: plotCount,
      error_count: this.#errors,
      warning_count: this.#warnings,
      truncated: this.#errors + this.#warnings > this.#findings.length,
      findings: this.#findings,
    };
  }
}

function createUnreadableFinding(found: unknown, plot: number): PlotFinding {
  return {
    plot,
    id: plot,
    code: "PLOT_UNREADABLE",
    severity: "error",
    pointer: "",
    found: describeSentValue(found),
    expected: "a GeoJSON Feature",
    mend: FINDINGS.PLOT_UNREADABLE.mend,
  };
}

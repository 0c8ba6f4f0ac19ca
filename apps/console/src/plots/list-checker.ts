import { countryName, iso2Of, iso3Of } from "@groundrule/borders/iso-3166";
import { crsTable } from "@groundrule/crs";
import {
  type Countries,
  overlapFinding,
  PlotChecker,
  PlotComparer,
  type PlotFeature,
  type PlotFinding,
} from "@groundrule/plots";
import type { PageFinding } from "../state/findings.ts";
import type { CheckedPlot, CheckMessage, CheckReply } from "./check-protocol.ts";

/** Findings of one plot that are kept: a ring of a million faults helps nobody. */
const MOST = 100;

/** The borders of countries, once they are there. */
export type Borders = Pick<Countries, "territoryOf" | "countriesAt">;

const CODES = { countryName, iso2Of, iso3Of };
/** Without borders nothing is told of where plots lie: of no country is it known where it is, and all is land. */
const UNKNOWN: Countries = { ...CODES, territoryOf: () => undefined, countriesAt: () => [] };
/** What tells that a plot lies elsewhere than it should. */
const ELSEWHERE: ReadonlySet<string> = new Set(["AXES_SWAPPED", "IN_SEA", "OUTSIDE_COUNTRY"]);

/** Checks the plots of the list as `groundrule plots check --compare` does, each anew only where it was changed. */
export class ListChecker {
  /** In the order of the list, but for plots that were changed in place. */
  readonly #plots = new Map<string, CheckedPlot>();
  /** What was found of each plot alone. */
  readonly #alone = new Map<string, readonly PageFinding[]>();
  #countries = UNKNOWN;

  /** From here on plots are compared with the borders of countries. */
  know({ territoryOf, countriesAt }: Borders): void {
    this.#countries = { ...CODES, territoryOf, countriesAt };
    this.#alone.clear();
  }

  /** Takes in what has changed. */
  change({ put, removed }: CheckMessage): void {
    for (const key of removed) {
      this.#plots.delete(key);
      this.#alone.delete(key);
    }
    for (const plot of put) {
      this.#plots.set(plot.key, plot);
      this.#alone.delete(plot.key);
    }
  }

  /** Checks every plot by itself that was not, then all against each other. It waits at each `undefined`: little was done since. */
  *run(): Generator<undefined, CheckReply, undefined> {
    const plots = [...this.#plots.values()];
    const comparer = new PlotComparer({ crsTable });
    const together = new Map<string, PageFinding[]>();
    for (const [i, plot] of plots.entries()) {
      const feature = featureOf(plot, i + 1);
      if (!this.#alone.has(plot.key)) this.#alone.set(plot.key, this.#checkAlone(feature));
      comparer.add(feature);
      yield undefined;
    }
    for (const overlap of comparer.compare()) {
      const finding = overlapFinding(overlap);
      const [earlier, later] = [plots[overlap.plot.number - 1]!, plots[overlap.other.number - 1]!];
      for (const [plot, other] of [
        [earlier, later],
        [later, earlier],
      ] as const) {
        const found = together.get(plot.key) ?? [];
        together.set(plot.key, found);
        if (found.length < MOST) found.push({ ...shown(finding, this.#countries), other: other.id });
      }
      yield undefined;
    }
    return plots.flatMap(({ key }) => {
      const found = [...(together.get(key) ?? []), ...(this.#alone.get(key) ?? [])].slice(0, MOST);
      return found.length === 0 ? [] : [[key, found] as const];
    });
  }

  #checkAlone(feature: PlotFeature): readonly PageFinding[] {
    const countries = this.#countries;
    const found = new PlotChecker({ crsTable, countries }).check(feature).slice(0, MOST);
    return found.map((finding) => shown(finding, countries));
  }
}

function featureOf({ id, input, properties }: CheckedPlot, number: number): PlotFeature {
  const { geometry, crs } = input as { readonly geometry?: unknown; readonly crs?: string };
  return { number, id, geometry, properties, crs };
}

function shown(
  { code, severity, position, swapped, square_meters }: PlotFinding,
  { countriesAt }: Pick<Countries, "countriesAt">,
): PageFinding {
  const holding = ([x, y]: readonly [number, number]): readonly string[] => countriesAt(x, y) ?? [];
  return {
    code,
    severity,
    ...(position !== undefined && { position }),
    ...(position !== undefined && ELSEWHERE.has(code) && { countries: holding(position) }),
    ...(swapped !== undefined && { swapped: { position: swapped, countries: holding(swapped) } }),
    ...(square_meters !== undefined && { squareMeters: square_meters }),
  };
}

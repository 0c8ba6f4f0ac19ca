import { iso2Of, iso3Of } from "@groundrule/borders/iso-3166";
import { crsTable } from "@groundrule/crs";
import {
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

/** The borders are too large to be loaded for this, so whether a plot lies in its country is not checked. */
const COUNTRIES = { iso2Of, iso3Of, territoryOf: () => undefined };

/** Checks the plots of the list as `groundrule plots check --compare` does, each anew only where it was changed. */
export class ListChecker {
  /** In the order of the list, but for plots that were changed in place. */
  readonly #plots = new Map<string, CheckedPlot>();
  /** What was found of each plot alone. */
  readonly #alone = new Map<string, readonly PageFinding[]>();

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
      if (!this.#alone.has(plot.key)) this.#alone.set(plot.key, checkAlone(feature));
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
        if (found.length < MOST) found.push({ ...shown(finding), other: other.id });
      }
      yield undefined;
    }
    return plots.flatMap(({ key }) => {
      const found = [...(together.get(key) ?? []), ...(this.#alone.get(key) ?? [])].slice(0, MOST);
      return found.length === 0 ? [] : [[key, found] as const];
    });
  }
}

function featureOf({ id, input, properties }: CheckedPlot, number: number): PlotFeature {
  const { geometry, crs } = input as { readonly geometry?: unknown; readonly crs?: string };
  return { number, id, geometry, properties, crs };
}

function checkAlone(feature: PlotFeature): readonly PageFinding[] {
  return new PlotChecker({ crsTable, countries: COUNTRIES }).check(feature).slice(0, MOST).map(shown);
}

function shown({ code, severity, position, square_meters }: PlotFinding): PageFinding {
  return {
    code,
    severity,
    ...(position !== undefined && { position }),
    ...(square_meters !== undefined && { squareMeters: square_meters }),
  };
}

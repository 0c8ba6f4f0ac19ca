import { crsTable } from "@groundrule/crs";
import {
  type Countries,
  eudr,
  FINDINGS,
  findProfile,
  fixPlot,
  overlapFinding,
  PlotChecker,
  PlotComparer,
  type PlotFeature,
  type PlotFinding,
  ProducerGroups,
  placeIn,
  qualityChecks,
  statedArea,
} from "@groundrule/plots";
import type { Geometry } from "geojson";
import type { MendedPlot, PageFinding } from "../../state/findings.ts";
import type { CheckedPlot, CheckMessage, CheckReply } from "./check-protocol.ts";

/** Maximum findings kept per plot: a ring with a million faults helps nobody. */
const MOST = 100;

/** If no system is chosen, plots are fixed for the EU's system, but keep their holes. */
const ANY = { ...eudr, takesHoles: true };

const SQUARE_METERS_PER_HECTARE = 10_000;

/** Findings that mean a plot is in the wrong place. */
const ELSEWHERE: ReadonlySet<string> = new Set(["AXES_SWAPPED", "IN_SEA", "OUTSIDE_COUNTRY"]);

/** Checks the plots of the list like `groundrule plots check --compare`, each again only when it was changed. */
export class ListChecker {
  /** Plots in the order of the list, except those that were changed in place. */
  readonly #plots = new Map<string, CheckedPlot>();
  /** The findings of each plot by itself. */
  readonly #alone = new Map<string, Alone>();
  readonly #countries: Countries | undefined;
  #profile: CheckMessage["profile"];
  #quality: boolean = false;

  /** @param countries absent: plots are not compared with their countries */
  constructor(countries?: Countries) {
    this.#countries = countries;
  }

  /** Applies changes of the list. */
  change({ put, removed, profile, quality = false }: CheckMessage): void {
    if (profile !== this.#profile || quality !== this.#quality) this.#alone.clear();
    this.#profile = profile;
    this.#quality = quality;
    for (const key of removed) {
      this.#plots.delete(key);
      this.#alone.delete(key);
    }
    for (const plot of put) {
      this.#plots.set(plot.key, plot);
      this.#alone.delete(plot.key);
    }
  }

  /**
   * Checks every unchecked plot by itself, then all against each other. It yields `undefined` after each small step.
   */
  *run(): Generator<undefined, CheckReply, undefined> {
    const plots = [...this.#plots.values()];
    const iso3Of = this.#countries?.iso3Of;
    const comparer = new PlotComparer({ crsTable, iso3Of });
    const producers = new ProducerGroups();
    const together = new Map<string, PageFinding[]>();
    const add = (plot: CheckedPlot, finding: PageFinding): void => {
      const found = together.get(plot.key) ?? [];
      together.set(plot.key, found);
      if (found.length < MOST) found.push(finding);
    };
    for (const [i, plot] of plots.entries()) {
      const feature = toPlotFeature(plot, i + 1);
      if (!this.#alone.has(plot.key)) this.#alone.set(plot.key, this.#checkAlone(feature));
      comparer.add(feature);
      if (this.#quality) producers.add(feature, this.#alone.get(plot.key)!.place, iso3Of);
      yield undefined;
    }
    for (const overlap of comparer.compare()) {
      const finding = overlapFinding(overlap);
      const [earlier, later] = [plots[overlap.plot.number - 1]!, plots[overlap.other.number - 1]!];
      for (const [plot, other] of [
        [earlier, later],
        [later, earlier],
      ] as const) {
        add(plot, { ...this.#shown(finding), other: other.id });
      }
      yield undefined;
    }
    for (const finding of producers.findings()) add(plots[finding.plot - 1]!, this.#shown(finding));
    const found = plots.flatMap(({ key }) => {
      const all = [...(together.get(key) ?? []), ...(this.#alone.get(key)?.findings ?? [])].slice(0, MOST);
      return all.length === 0 ? [] : [[key, all] as const];
    });
    const mends = plots.flatMap(({ key }) => {
      const mended = this.#alone.get(key)?.mended;
      return mended === undefined ? [] : [[key, mended] as const];
    });
    return { found, mends };
  }

  #checkAlone(feature: PlotFeature): Alone {
    const found = this.#findingsOf(feature, this.#quality);
    return {
      findings: found.slice(0, MOST).map((finding) => ({
        ...this.#shown(finding),
        ...(finding.code === "AREA_DIFFERS" && { areas: compareAreas(feature, finding) }),
      })),
      // Doubtful shapes are never fixed.
      mended: this.#mendOf(
        feature,
        found.filter(({ code }) => FINDINGS[code].profile === undefined),
      ),
      place: this.#quality ? placeIn(feature, crsTable) : undefined,
    };
  }

  /** Uses a new checker per plot, so that no state is shared between plots. */
  #findingsOf(feature: PlotFeature, isQuality = false): readonly PlotFinding[] {
    const profile = this.#profile === undefined ? undefined : findProfile(this.#profile);
    return new PlotChecker({
      crsTable,
      countries: this.#countries,
      profile,
      quality: isQuality ? qualityChecks : undefined,
    }).check(feature);
  }

  /** The fix of a plot, verified by a check of the result. */
  #mendOf(feature: PlotFeature, found: readonly PlotFinding[]): readonly MendedPlot[] | undefined {
    if (found.length === 0) return undefined;
    const profile = (this.#profile === undefined ? undefined : findProfile(this.#profile)) ?? ANY;
    const swapAxes = found.some(({ swapped }) => swapped !== undefined) || undefined;
    const { plots, findings } = fixPlot(feature, { profile, crsTable, countries: this.#countries, swapAxes });
    if (findings.length > 0 || plots[0] === feature) return undefined;
    const left = plots.flatMap((plot) => this.#findingsOf(plot));
    if (!isBetter(left, found)) return undefined;
    return plots.map(({ id, geometry, properties }) => ({
      id: String(id),
      geometry: geometry as Geometry,
      properties: this.#profile === undefined ? feature.properties : properties,
    }));
  }

  #shown({ code, severity, position, swapped, square_meters, measure }: PlotFinding): PageFinding {
    const countries = this.#countries;
    const holding = ([x, y]: readonly [number, number]): readonly string[] =>
      (countries?.countriesAt(x, y) ?? []).map((iso3) => countries?.iso2Of(iso3) ?? iso3);
    return {
      code,
      severity,
      ...(position !== undefined && { position }),
      ...(position !== undefined && ELSEWHERE.has(code) && { countries: holding(position) }),
      ...(swapped !== undefined && { swapped: { position: swapped, countries: holding(swapped) } }),
      ...(square_meters !== undefined && { squareMeters: square_meters }),
      ...(measure !== undefined && { measure }),
    };
  }
}

/** The areas of a plot that differ, of which its finding has the difference. */
function compareAreas({ properties }: PlotFeature, { square_meters = 0 }: PlotFinding) {
  const declared = statedArea(properties)!.hectares! * SQUARE_METERS_PER_HECTARE;
  return { declared, measured: declared - square_meters };
}

/**
 * True if a fix removes an error, or nothing but warnings, and adds no error. An error may hide a warning: only a plot
 * in its place has an area that can be compared with the declared one.
 */
function isBetter(left: readonly PlotFinding[], before: readonly PlotFinding[]): boolean {
  const [errorsLeft, errorsBefore] = [collectErrorCodes(left), collectErrorCodes(before)];
  if ([...errorsLeft].some((code) => !errorsBefore.has(code))) return false;
  if (errorsLeft.size < errorsBefore.size) return true;
  const [codesLeft, codesBefore] = [collectCodes(left), collectCodes(before)];
  return codesLeft.size < codesBefore.size && [...codesLeft].every((code) => codesBefore.has(code));
}

function collectCodes(findings: readonly PlotFinding[]): ReadonlySet<string> {
  return new Set(findings.map(({ code }) => code));
}

function collectErrorCodes(findings: readonly PlotFinding[]): ReadonlySet<string> {
  return collectCodes(findings.filter(({ severity }) => severity === "error"));
}

interface Alone {
  readonly findings: readonly PageFinding[];
  readonly mended: readonly MendedPlot[] | undefined;
  /** One of its positions, if plots are compared with others of their producer. */
  readonly place: readonly [number, number] | undefined;
}

function toPlotFeature({ id, input, properties }: CheckedPlot, number: number): PlotFeature {
  const { geometry, crs } = input as { readonly geometry?: unknown; readonly crs?: string };
  return { number, id, geometry, properties, crs };
}

import type { WorkMeter } from "../base/work-meter.ts";
import type { PlotOnLayers } from "../geometry/kernel/plot-on-layers.ts";
import type { Layer } from "../geometry/layer.ts";
import { type AreaRef, EXAMINED, type Region } from "../geometry/overlap/region.ts";
import type { Coverage } from "../snapshot/coverage.ts";
import type { LeftOutBox } from "../snapshot/left-out.ts";
import { PRINTED_DISTANCE_SLACK_METERS } from "../verdict/rounding.ts";
import type { SourceCoverage } from "../verdict/verdict.ts";
import type { CellTerritory, LandTerritory, Territories, Territory } from "./territories.ts";

/** A part of the plot that some sources do not cover, or that a source does not because its build left features out. */
export interface Uncovered {
  /** More than the tolerance (1 m², or a millionth of the plot), or 0; of features left out, whatever they may have. */
  readonly squareMeters: number;
  /** Undefined where it is empty. */
  readonly region: Region<Layer> | undefined;
}

/** All of the plot, as a region. */
const WHOLE_PLOT: Region<Layer> = { op: "plot" };

const COVERED: Uncovered = { squareMeters: 0, region: undefined };

/** The features left out by the build of a source that may share a point with the plot. */
export interface LeftOutOnPlot {
  /** Their number. */
  readonly areas: number;
  /** The part of the plot that they may cover; its region is defined, even if only a border is shared. */
  readonly part: Uncovered;
}

/** The part of the plot that a territory covers. */
interface CoveredPart {
  readonly territory: Territory;
  readonly coverage: "full" | "partial" | "none";
  /** Its pieces that share more than a border with the plot; of cells those that are examined. */
  readonly pieces: readonly AreaRef<Layer>[];
  readonly uncoveredSquareMeters: number;
}

/** Units of work of a source whose coverage is looked up. */
const SOURCE_UNITS = 20;

/** Measures the parts of one plot that sources cover. Each territory is measured once, however many sources have it. */
export class PlotCoverage {
  readonly #plot: PlotOnLayers;
  readonly #territories: Territories;
  readonly #isStrict: boolean;
  readonly #meter: WorkMeter;
  /** Created when the first is needed, as most sources declare the whole earth or nothing. */
  #parts: Map<Territory, CoveredPart> | undefined;
  #uncovered: Map<string, Uncovered> | undefined;
  #reaches: Map<string, number> | undefined;
  #leftOut: Map<readonly LeftOutBox[], LeftOutOnPlot | undefined> | undefined;
  #whole: Uncovered | undefined;

  /** @param isStrict whether an undeclared source covers nothing, rather than everything */
  constructor(plot: PlotOnLayers, territories: Territories, isStrict: boolean, meter: WorkMeter) {
    this.#plot = plot;
    this.#territories = territories;
    this.#isStrict = isStrict;
    this.#meter = meter;
  }

  /** The whole plot. */
  get whole(): Uncovered {
    this.#whole ??= { squareMeters: this.#plot.areaSquareMeters, region: WHOLE_PLOT };
    return this.#whole;
  }

  /**
   * How much of the plot a source with this coverage covers.
   *
   * @param leftOut where features lie that its build left out: it does not cover them
   */
  of(coverage: Coverage, leftOut?: readonly LeftOutBox[] | undefined): SourceCoverage {
    const covered = this.#of(coverage);
    if (covered === "none" || leftOut === undefined) return covered;
    const onPlot = this.leftOut(leftOut);
    if (onPlot === undefined) return covered;
    return onPlot.part === this.whole ? "none" : "partial";
  }

  /** The features left out by a build that may lie on the plot; undefined where none may. */
  leftOut(boxes: readonly LeftOutBox[]): LeftOutOnPlot | undefined {
    this.#leftOut ??= new Map();
    if (!this.#leftOut.has(boxes)) this.#leftOut.set(boxes, this.#findLeftOut(boxes));
    return this.#leftOut.get(boxes);
  }

  /**
   * The features left out by a build that may lie within a distance of the plot: their number, and metres to the nearest or
   * less, infinite where there are none.
   */
  leftOutNear(
    boxes: readonly LeftOutBox[],
    maxMeters: number,
  ): { readonly areas: number; readonly reachMeters: number } {
    const layer = this.#territories.ofLeftOut(boxes);
    const hits = this.#plot.distances(layer, maxMeters + PRINTED_DISTANCE_SLACK_METERS);
    const reachMeters = hits.reduce((least, hit) => Math.min(least, hit.distanceMeters), Infinity);
    return { areas: countLeftOutFeatures(boxes, hits), reachMeters };
  }

  #findLeftOut(boxes: readonly LeftOutBox[]): LeftOutOnPlot | undefined {
    this.#meter.add(SOURCE_UNITS);
    const layer = this.#territories.ofLeftOut(boxes);
    const hits = this.#plot.intersections(layer);
    if (hits.length === 0) return undefined;
    const region: Region<Layer> = { op: "areas", areas: hits.map(({ area }) => ({ layer, area })) };
    const isOne = hits.length === 1;
    const squareMeters = isOne ? hits[0]!.overlapSquareMeters : this.#plot.regionSquareMeters(region);
    const whole = this.whole.squareMeters;
    const isWhole =
      whole > 0
        ? this.#isEmpty(whole - squareMeters)
        : hits.some(({ area }) => this.#plot.relation(layer, area).covers);
    return {
      areas: countLeftOutFeatures(boxes, hits),
      part: isWhole ? this.whole : { squareMeters, region },
    };
  }

  #of(coverage: Coverage): SourceCoverage {
    this.#meter.add(SOURCE_UNITS);
    if (coverage.extent === "global") return "full";
    if (coverage.extent === "undeclared") return this.#isStrict ? "none" : "undeclared";
    return this.#findPart(this.#territories.of(coverage)).coverage;
  }

  /** The part of the plot that none of these covers. */
  uncovered(coverages: readonly Coverage[]): Uncovered {
    this.#meter.add(SOURCE_UNITS * coverages.length);
    const territories = this.#findTerritories(coverages);
    return territories === "everywhere" ? COVERED : this.#uncoveredBy(territories);
  }

  #uncoveredBy(territories: readonly Territory[]): Uncovered {
    const parts = territories.map((territory) => this.#findPart(territory));
    if (parts.some(({ coverage }) => coverage === "full")) return COVERED;
    const covering = parts.filter(({ pieces }) => pieces.length > 0);
    if (covering.length === 0) return this.whole;
    const key = toKey(covering.map(({ territory }) => territory));
    this.#uncovered ??= new Map();
    let uncovered = this.#uncovered.get(key);
    if (uncovered === undefined) {
      uncovered = this.#withoutParts(covering);
      this.#uncovered.set(key, uncovered);
    }
    return uncovered;
  }

  /**
   * True if cells that nobody examined share a point with a plot that these cover: none of them covers it by itself
   * with all that it touches.
   */
  isBorderOpen(coverages: readonly Coverage[]): boolean {
    const territories = this.#findTerritories(coverages);
    if (territories === "everywhere") return false;
    const isClosed = (territory: Territory): boolean =>
      this.#findPart(territory).coverage === "full" &&
      (isLand(territory) || !this.#plot.touchesUnexamined(territory.cells.layer));
    return (
      !territories.some(isClosed) &&
      territories.some((one) => !isLand(one) && this.#plot.touchesUnexamined(one.cells.layer))
    );
  }

  /**
   * Metres from the plot to the nearest point that none of these covers, or less: 0 where they do not cover the
   * plot, infinite where that point is farther off than `maxMeters` as distances are printed.
   */
  reach(coverages: readonly Coverage[], maxMeters: number): number {
    if (this.uncovered(coverages) !== COVERED) return 0;
    const territories = this.#findTerritories(coverages);
    if (territories === "everywhere") return Infinity;
    if (!territories.every(isLand)) return 0;
    const key = `${toKey(territories)} ${maxMeters}`;
    this.#reaches ??= new Map();
    let reach = this.#reaches.get(key);
    if (reach === undefined) {
      reach = this.#measureReach(territories, maxMeters + PRINTED_DISTANCE_SLACK_METERS);
      this.#reaches.set(key, reach);
    }
    return reach;
  }

  /** Square metres of the plot that lie in no uncovered part. */
  coveredSquareMeters(uncovered: Iterable<Uncovered>): number {
    const [first, ...others] = [...new Set(uncovered)].filter(({ region }) => region !== undefined);
    if (first === undefined) return this.whole.squareMeters;
    if (first === this.whole || others.includes(this.whole)) return 0;
    if (others.length === 0) return this.whole.squareMeters - first.squareMeters;
    const regions = [first, ...others].map(({ region }) => region!);
    return this.#plot.regionSquareMeters({ op: "difference", operands: [WHOLE_PLOT, ...regions] });
  }

  /** The territories of coverages, each once, ascending; or that one of them is the whole earth. */
  #findTerritories(coverages: readonly Coverage[]): readonly Territory[] | "everywhere" {
    const territories: Territory[] = [];
    for (const coverage of coverages) {
      if (coverage.extent === "global") return "everywhere";
      if (coverage.extent === "undeclared") {
        if (!this.#isStrict) return "everywhere";
        continue;
      }
      const territory = this.#territories.of(coverage);
      if (!territories.includes(territory)) territories.push(territory);
    }
    return territories.length < 2 ? territories : territories.sort((a, b) => a.id - b.id);
  }

  #findPart(territory: Territory): CoveredPart {
    this.#parts ??= new Map();
    let part = this.#parts.get(territory);
    if (part === undefined) {
      part = this.#measure(territory);
      this.#parts.set(territory, part);
    }
    return part;
  }

  #measure(territory: Territory): CoveredPart {
    if (!isLand(territory)) return this.#measureCells(territory);
    const { layer } = territory;
    const hits = this.#plot.intersections(layer, (piece) => territory.holds(piece));
    const pieces = hits
      .filter(({ overlapSquareMeters }) => overlapSquareMeters > 0)
      .map(({ area }) => ({ layer, area }));
    const whole = this.whole.squareMeters;
    if (whole === 0) {
      const coverage = this.#coverageWithoutArea(territory, hits);
      return { territory, coverage, pieces, uncoveredSquareMeters: 0 };
    }
    const overlaps = hits.map(({ overlapSquareMeters }) => overlapSquareMeters);
    const uncoveredSquareMeters = this.#uncoveredBesides(territory, pieces, overlaps);
    return {
      territory,
      coverage: this.#coverageWithout(uncoveredSquareMeters),
      pieces,
      uncoveredSquareMeters,
    };
  }

  /** The unexamined area is a sum of its own, so that its digits are exact. */
  #measureCells(territory: CellTerritory): CoveredPart {
    const { cells, land } = territory;
    const { layer } = cells;
    if (this.whole.squareMeters === 0) {
      const coverage = this.#isWithin(land) ? toCoverageKind(this.#plot.examinedRatio(layer)) : "none";
      return { territory, coverage, pieces: [], uncoveredSquareMeters: 0 };
    }
    const pieces: AreaRef<Layer>[] = [{ layer, area: EXAMINED }];
    const uncoveredSquareMeters = this.#isWithin(land)
      ? this.#plot.unexaminedSquareMeters(layer)
      : this.#plot.regionSquareMeters(this.#without([{ territory, pieces }]));
    const coverage = this.#coverageWithout(uncoveredSquareMeters);
    return { territory, coverage, pieces: coverage === "none" ? [] : pieces, uncoveredSquareMeters };
  }

  #isWithin(land: LandTerritory | undefined): boolean {
    return land === undefined || this.#findPart(land).coverage === "full";
  }

  /** The part of the plot in the land that cells have to lie in; undefined where that is all of it. */
  #findLand(territory: Territory): Region<Layer> | undefined {
    if (isLand(territory) || territory.land === undefined) return undefined;
    const { coverage, pieces } = this.#findPart(territory.land);
    return coverage === "full" ? undefined : { op: "areas", areas: pieces };
  }

  #coverageWithout(uncoveredSquareMeters: number): CoveredPart["coverage"] {
    if (this.#isEmpty(uncoveredSquareMeters)) return "full";
    return this.#isEmpty(this.whole.squareMeters - uncoveredSquareMeters) ? "none" : "partial";
  }

  /** Pieces of countries never overlap, so that no region has to be measured; polygons may. */
  #uncoveredBesides(
    { countries }: LandTerritory,
    pieces: readonly AreaRef<Layer>[],
    overlaps: readonly number[],
  ): number {
    const whole = this.whole.squareMeters;
    if (pieces.length === 0) return whole;
    if (countries !== undefined) return Math.max(0, whole - overlaps.reduce((a, b) => a + b, 0));
    return this.#isEmpty(whole - overlaps.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY))
      ? 0
      : this.#plot.regionSquareMeters(buildRegionWithoutPieces(pieces));
  }

  /**
   * Coverage of lines by length, and of points by number; for a plot whose area comes to 0, by the territory that
   * contains all of it.
   */
  #coverageWithoutArea(
    { layer, countries }: LandTerritory,
    hits: readonly { readonly area: number; readonly overlapRatio: number }[],
  ): CoveredPart["coverage"] {
    if (this.#plot.plot.dimension === "polygon") {
      return hits.some(({ area }) => this.#plot.relation(layer, area).covers) ? "full" : "none";
    }
    const ratios = hits.map(({ overlapRatio }) => overlapRatio);
    const least =
      countries === undefined
        ? ratios.reduce((a, b) => Math.max(a, b), 0)
        : ratios.reduce((a, b) => a + b, 0);
    return toCoverageKind(least);
  }

  /** The plot without what territories cover of it. */
  #without(parts: readonly Pick<CoveredPart, "territory" | "pieces">[]): Region<Layer> {
    const ofLand = parts.filter(({ territory }) => isLand(territory)).flatMap(({ pieces }) => pieces);
    const covered: Region<Layer>[] = ofLand.length === 0 ? [] : [{ op: "areas", areas: ofLand }];
    for (const { territory, pieces: areas } of parts) {
      if (isLand(territory)) continue;
      const examined: Region<Layer> = { op: "areas", areas };
      const land = this.#findLand(territory);
      covered.push(land === undefined ? examined : { op: "intersection", operands: [examined, land] });
    }
    return { op: "difference", operands: [WHOLE_PLOT, ...covered] };
  }

  #withoutParts(parts: readonly CoveredPart[]): Uncovered {
    const region = this.#without(parts);
    const squareMeters =
      parts.length === 1 ? parts[0]!.uncoveredSquareMeters : this.#plot.regionSquareMeters(region);
    return this.#isEmpty(squareMeters) ? COVERED : { squareMeters, region };
  }

  #isEmpty(squareMeters: number): boolean {
    const whole = this.whole.squareMeters;
    return squareMeters < Math.min(Math.max(1, 1e-6 * whole), whole / 100);
  }

  #measureReach(territories: readonly LandTerritory[], maxMeters: number): number {
    const toBoundaries = territories
      .filter(
        (territory) => territory.countries === undefined && this.#findPart(territory).coverage === "full",
      )
      .map(({ layer, holds }) => this.#plot.nearestMeters(layer, maxMeters, holds, "boundary"));
    return toBoundaries.reduce(
      (a, b) => Math.max(a, b),
      Math.max(0, this.#reachOfCountries(territories, maxMeters)),
    );
  }

  /** To the nearest land of others; 0 where the countries do not cover the plot: land far from them is not stored. */
  #reachOfCountries(territories: readonly LandTerritory[], maxMeters: number): number {
    const ofCountries = territories.filter(({ countries }) => countries !== undefined);
    if (this.#uncoveredBy(ofCountries) !== COVERED) return 0;
    const codes = new Set(ofCountries.flatMap(({ countries }) => countries!));
    const toOthers = ofCountries.map(({ layer, countriesOf }) => {
      const isOthers = (piece: number) => !countriesOf[piece]!.some((country) => codes.has(country));
      return this.#plot.nearestMeters(layer, maxMeters, isOthers, "area");
    });
    return toOthers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  }
}

/** Number of the features in some boxes. */
function countLeftOutFeatures(
  boxes: readonly LeftOutBox[],
  hits: readonly { readonly area: number }[],
): number {
  return hits.reduce((sum, { area }) => sum + boxes[area]![4], 0);
}

function isLand(territory: Territory): territory is LandTerritory {
  return !("cells" in territory);
}

function toCoverageKind(ratio: number): CoveredPart["coverage"] {
  return ratio > 1 - 1e-6 ? "full" : ratio < 1e-6 ? "none" : "partial";
}

function buildRegionWithoutPieces(pieces: readonly AreaRef<Layer>[]): Region<Layer> {
  return { op: "difference", operands: [WHOLE_PLOT, { op: "areas", areas: pieces }] };
}

function toKey(territories: readonly Territory[]): string {
  return territories.map(({ id }) => id).join();
}

import { compareStrings } from "../../base/ascending.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import type { PlotOnLayers } from "../../geometry/kernel/plot-on-layers.ts";
import type { Layer } from "../../geometry/layer.ts";
import type { Region } from "../../geometry/overlap/region.ts";
import { RegionNear } from "../../geometry/overlap/region-near.ts";
import type { RegisterSnapshot } from "../../snapshot/snapshot.ts";
import type { Uncovered } from "../../sources/plot-coverage.ts";
import { findEqualIdentifiers, isOpenRegister } from "../../subjects/look-up.ts";
import { findSchemeFault } from "../../subjects/scheme-fault.ts";
import type { RoleScheme } from "../../subjects/schemes.ts";
import { roundSquareMeters } from "../../verdict/rounding.ts";
import {
  type AreaSetPlan,
  type AreaSetSource,
  type DerivedSetPlan,
  type RegionSetPlan,
  readKnownCountry,
  type SetPlan,
  type SubjectSetPlan,
} from "../compile/compile.ts";
import type { Facts } from "../facts/facts.ts";
import { type AreaFact, measureSourceAreas, type SourceFacts } from "../measures/area-facts.ts";
import type { Growth } from "../measures/possible.ts";
import type { UnknownAreas, UnknownContent } from "../unknown/unknown-content.ts";
import { selectUnsettledAreas } from "../unknown/unsettled-areas.ts";
import { type Membership, MembershipTest } from "./membership.ts";
import { PlotRegion, type RegionBounds, type Role } from "./plot-region.ts";

export interface AreaSelection {
  readonly kind: "area" | "derived";
  /** By source name, then area index. */
  readonly areas: readonly AreaFact[];
  /** Areas whose filter has no answer, whether selected or not. */
  readonly undetermined: readonly AreaFact[];
  /** Areas that may be in the set. */
  readonly possible: readonly PossibleArea[];
  /** Region by the known content of the open sources. */
  readonly region: PlotRegion;
  readonly bounds: RegionBounds;
  /** How its number of areas may change. */
  readonly growth: Growth;
  /** The same, of areas that share more than a border with the plot, which alone matter to derived sets. */
  readonly growthInPlot: Growth;
  /** True if a source with the role "adds" is too old. */
  readonly hasOldSource: boolean;
  /** Unknown content of an area set. */
  readonly unknown: UnknownAreas | undefined;
}

/** An area that is in a set or not, depending on what is not known. */
export interface PossibleArea extends Pick<Membership, "byNull" | "byFact"> {
  readonly fact: AreaFact;
  /** Cells that were not examined leave it open: it is the value of a raster. */
  readonly byCells: boolean;
}

/** A record of a register that one of the input's identifiers hits. */
export interface SubjectHit {
  readonly register: RegisterSnapshot;
  readonly row: number;
  /** The register's own spelling. */
  readonly value: string;
  readonly scheme: RoleScheme;
}

export interface SubjectSelection {
  readonly kind: "subject";
  readonly hits: readonly SubjectHit[];
  /** Records that are hit, each once. */
  readonly count: number;
  readonly growth: Growth;
}

export type Selection = AreaSelection | SubjectSelection;

/** Units of work of an area that a set considers. */
const SELECTED_UNITS = 150;

/** Selects every set of a plan; each source is measured once however many sets name it. */
export class Selector {
  readonly #plot: PlotOnLayers | undefined;
  readonly #schemes: readonly RoleScheme[];
  readonly #meter: WorkMeter;
  readonly #unknown: UnknownContent;
  readonly #declared: Facts;
  readonly #greatestMeters: Map<string, number>;
  /** Measurements of sources, independent of declared facts. */
  readonly #facts: Map<string, SourceFacts>;
  readonly #selections = new Map<SetPlan, Selection>();
  readonly #withoutCountry = new Map<string, Set<number>>();

  /**
   * @param plot absent where no set of the plan is one of areas
   * @param like one that measured the same sources
   */
  constructor(
    plot: PlotOnLayers | undefined,
    schemes: readonly RoleScheme[],
    sets: readonly SetPlan[],
    unknown: UnknownContent,
    declared: Facts,
    meter: WorkMeter,
    like?: Selector,
  ) {
    this.#plot = plot;
    this.#schemes = schemes;
    this.#meter = meter;
    this.#unknown = unknown;
    this.#declared = declared;
    this.#greatestMeters = like === undefined ? new Map() : like.#greatestMeters;
    this.#facts = like === undefined ? new Map() : like.#facts;
    for (const set of sets) {
      if (set.kind !== "area" || set.within === undefined) continue;
      for (const { source } of set.sources) {
        const name = source.manifest.source_name;
        const greatest = Math.max(this.#greatestMeters.get(name) ?? 0, set.within.maxMeters);
        this.#greatestMeters.set(name, greatest);
      }
    }
    for (const set of sets) this.#selections.set(set, this.#select(set));
  }

  /** These sets where other facts are declared. */
  supposing(declared: Facts, sets: readonly SetPlan[]): Selector {
    return new Selector(this.#plot, this.#schemes, sets, this.#unknown, declared, this.#meter, this);
  }

  get(set: RegionSetPlan): AreaSelection;
  get(set: SubjectSetPlan): SubjectSelection;
  get(set: SetPlan): Selection;
  get(set: SetPlan): Selection {
    const selection = this.#selections.get(set);
    if (selection === undefined) throw new Error(`set ${set.name} was not selected before those made of it`);
    return selection;
  }

  /** Areas of a source left out because they have no country; undefined if no set selects by country. */
  withoutCountry(sourceName: string): ReadonlySet<number> | undefined {
    return this.#withoutCountry.get(sourceName);
  }

  #select(set: SetPlan): Selection {
    switch (set.kind) {
      case "area":
        return this.#selectAreas(set);
      case "derived":
        return this.#derive(set);
      case "subject":
        return this.#selectSubjects(set);
    }
  }

  #selectAreas(set: AreaSetPlan): AreaSelection {
    const areas: AreaFact[] = [];
    const undetermined: AreaFact[] = [];
    const possible: PossibleArea[] = [];
    if (set.countries !== undefined) this.#countWithoutCountry(set);
    const test = new MembershipTest(set, this.#declared, this.#meter);
    const unknown = this.#unknown.ofAreas(set);
    for (const member of set.sources) {
      const measured = this.#findFacts(member);
      if (measured === undefined) continue;
      this.#meter.add(SELECTED_UNITS * (measured.intersecting.length + measured.near.length));
      const open = this.#unsettled(set, member, measured, unknown);
      for (const fact of selectCandidates(set, measured)) {
        if (open.includes(fact)) continue;
        const { is, isUndetermined, byNull, byFact } = test.of(
          member,
          fact,
          this.#findCountry(set, member, fact),
        );
        if (isUndetermined) undetermined.push(fact);
        if (is === "in") areas.push(fact);
        if (is === "maybe") possible.push({ fact, byNull, byFact, byCells: false });
      }
      for (const fact of open) {
        const country = fact.snapshot.attributes.countryIso3(fact.area);
        const { is, byNull, byFact } = test.of(member, fact, country);
        if (is !== "out") possible.push({ fact, byNull, byFact, byCells: true });
      }
    }
    const within = possible.map(({ fact }) => fact).filter((fact) => fact.unroundedOverlapSquareMeters > 0);
    const isOpen = unknown.uncovered.length > 0 || within.length > 0;
    const regions = this.#regionsOfAreas(areas, within, unknown);
    return {
      kind: "area",
      areas,
      undetermined,
      possible,
      ...regions,
      growth: isOpen || unknown.isSurroundingsOpen || possible.length > 0 ? "grows" : "none",
      growthInPlot: isOpen ? "grows" : "none",
      hasOldSource: unknown.tooOld.size > 0,
      unknown,
    };
  }

  /** The areas of a source that may have the relation to the plot that a set needs, by {@link selectUnsettledAreas}. */
  #unsettled(
    set: AreaSetPlan,
    { source }: AreaSetSource,
    { intersecting }: SourceFacts,
    { uncoveredBySource: uncoveredOf }: UnknownAreas,
  ): readonly AreaFact[] {
    const uncovered = uncoveredOf.get(source.manifest.source_name) ?? 0;
    return selectUnsettledAreas(set.relation, intersecting, uncovered, this.#boundPlot().areaSquareMeters);
  }

  #regionsOfAreas(
    areas: readonly AreaFact[],
    possible: readonly AreaFact[],
    { uncovered: unseen, tooOld }: UnknownAreas,
  ): Pick<AreaSelection, "region" | "bounds"> {
    const inside = areas.filter((fact) => fact.unroundedOverlapSquareMeters > 0);
    const fresh = tooOld.size === 0 ? inside : inside.filter(({ sourceName }) => !tooOld.has(sourceName));
    const region = this.#regionOfAreas(inside);
    const uncovered = possible.length === 0 ? unseen : [...unseen, this.#regionOfAreas(possible)];
    const greatest = uncovered.length === 0 ? region : this.#joined(region, uncovered);
    const ofFresh = fresh.length === inside.length ? region : this.#regionOfAreas(fresh);
    return {
      region,
      bounds: { adds: { least: region, greatest }, subtracts: { least: ofFresh, greatest } },
    };
  }

  /** A region and the uncovered parts of the plot. */
  #joined({ region }: PlotRegion, uncovered: readonly Uncovered[]): PlotRegion {
    const [first, ...others] = uncovered;
    if (region === undefined && first !== undefined && others.length === 0) {
      return new PlotRegion(first.region, () => first.squareMeters);
    }
    return this.#measured(combineRegions("union", [region, ...uncovered.map((part) => part.region)]));
  }

  #regionOfAreas(inside: readonly AreaFact[]): PlotRegion {
    const [first] = inside;
    if (inside.length === 1) {
      return new PlotRegion(buildAreasRegion(inside), () => first!.unroundedOverlapSquareMeters);
    }
    return this.#measured(buildAreasRegion(inside));
  }

  #measured(region: Region<Layer> | undefined): PlotRegion {
    return new PlotRegion(region, () => {
      if (region === undefined) return 0;
      const plot = this.#boundPlot();
      if (region.op === "plot") return plot.areaSquareMeters;
      return Math.min(plot.regionSquareMeters(region), plot.areaSquareMeters);
    });
  }

  #findFacts({ source }: AreaSetSource): SourceFacts | undefined {
    if (!("snapshot" in source) || source.snapshot.kind !== "leaf") return undefined;
    const name = source.manifest.source_name;
    let facts = this.#facts.get(name);
    if (facts === undefined) {
      facts = measureSourceAreas(
        this.#boundPlot(),
        source.snapshot,
        this.#greatestMeters.get(name),
        this.#meter,
      );
      this.#facts.set(name, facts);
    }
    return facts;
  }

  #countWithoutCountry({ sources }: AreaSetPlan): void {
    for (const { source } of sources) {
      const name = source.manifest.source_name;
      if (!this.#withoutCountry.has(name)) this.#withoutCountry.set(name, new Set());
    }
  }

  /** The country of an area, where the set names countries; counts the areas without one. */
  #findCountry({ countries }: AreaSetPlan, member: AreaSetSource, fact: AreaFact): string | null | undefined {
    if (countries === undefined) return undefined;
    const country = readKnownCountry(member, fact.area);
    if (country === null) this.#withoutCountry.get(fact.sourceName)?.add(fact.area);
    return country;
  }

  #derive({ op, operands }: DerivedSetPlan): AreaSelection {
    const selections = operands.map((operand) => this.get(operand));
    const region = combineRegions(
      op,
      selections.map((selection) => selection.region.region),
    );
    const contributing = op === "difference" ? selections.slice(0, 1) : selections;
    for (const { areas, undetermined } of selections) {
      this.#meter.add(SELECTED_UNITS * (areas.length + undetermined.length));
    }
    const near = region === undefined ? undefined : new RegionNear(region, this.#meter);
    const areas = listDistinctFacts(contributing.map((selection) => selection.areas)).filter((fact) =>
      this.#meets(fact, op, near),
    );
    const undetermined = listDistinctFacts(selections.map((selection) => selection.undetermined));
    // The overlap of a single area with the plot is known; a derived set may hold only part of it.
    const own =
      region?.op === "areas" && region.areas.length === 1 && areas.length === 1
        ? this.#regionOfAreas(areas)
        : this.#measured(region);
    const bounds = {
      adds: this.#findBounds(op, selections, "adds", own),
      subtracts: this.#findBounds(op, selections, "subtracts", own),
    };
    const possible = computeSetGrowth(op, selections);
    const isEmpty = possible !== "none" && roundSquareMeters(bounds.adds.greatest.squareMeters) === 0;
    const growth = isEmpty ? "none" : possible;
    return {
      kind: "derived",
      areas,
      undetermined,
      possible: [],
      region: own,
      bounds,
      growth,
      growthInPlot: growth,
      hasOldSource: contributing.some(({ hasOldSource }) => hasOldSource),
      unknown: undefined,
    };
  }

  /** Possible regions of a derived set; its own region if no operand could be different. */
  #findBounds(
    op: DerivedSetPlan["op"],
    operands: readonly AreaSelection[],
    role: Role,
    own: PlotRegion,
  ): RegionBounds[Role] {
    const bounds = operands.map((operand, i) =>
      isSubtracted(op, i) ? operand.bounds[REVERSED_ROLE[role]] : operand.bounds[role],
    );
    if (bounds.every(({ least, greatest }) => least === greatest)) return { least: own, greatest: own };
    const combined = (bound: "least" | "greatest"): PlotRegion => {
      const regions = bounds.map((one, i) => one[isSubtracted(op, i) ? REVERSED_BOUND[bound] : bound].region);
      return this.#measured(combineRegions(op, regions));
    };
    return { least: combined("least"), greatest: combined("greatest") };
  }

  /**
   * True if an operand's area meets a derived region in more than a line, so that their shared area prints as more
   * than 0. In a union, all that one of its own areas shares with the plot lies in the region.
   */
  #meets(fact: AreaFact, op: DerivedSetPlan["op"], region: RegionNear | undefined): boolean {
    if (region === undefined || fact.overlapSquareMeters === 0) return false;
    if (op === "union") return true;
    const area = { layer: fact.snapshot.layer, area: fact.area };
    const operands = [{ op: "areas", areas: [area] } as const, region.of(area)];
    return (
      roundSquareMeters(this.#boundPlot().regionSquareMeters({ op: "intersection", operands }, area)) > 0
    );
  }

  #boundPlot(): PlotOnLayers {
    if (this.#plot === undefined) throw new Error("a set of areas was selected without a plot");
    return this.#plot;
  }

  #selectSubjects(set: SubjectSetPlan): SubjectSelection {
    const { registers, match, asks } = set;
    const hits: SubjectHit[] = [];
    let count = 0;
    const wanted = selectSchemesForRole(this.#schemes, asks);
    for (const source of registers) {
      if (!isOpenRegister(source)) continue;
      const rows = new Set<number>();
      for (const scheme of wanted) {
        for (const { row, value } of findEqualIdentifiers(source.snapshot, scheme, match)) {
          rows.add(row);
          hits.push({ register: source.snapshot, row, value, scheme });
        }
      }
      count += rows.size;
    }
    const isOpen =
      this.#unknown.isOpen(set) || wanted.some((scheme) => findSchemeFault(scheme, match) !== undefined);
    return { kind: "subject", hits, count, growth: isOpen ? "grows" : "none" };
  }
}

/** The input's identifiers that a set looks up: those of its role if it has one, else all. */
export function selectSchemesForRole<Kept extends RoleScheme>(
  schemes: readonly Kept[],
  asks: string | undefined,
): readonly Kept[] {
  return asks === undefined ? schemes : schemes.filter(({ role }) => role === asks);
}

/** The areas with the relation to the plot that a set needs, before its countries and its filter. */
export function selectCandidates({ relation, within }: AreaSetPlan, facts: SourceFacts): readonly AreaFact[] {
  if (within !== undefined) {
    const { minMeters, maxMeters } = within;
    return facts.near.filter(
      ({ distanceMeters }) => distanceMeters >= minMeters && distanceMeters <= maxMeters,
    );
  }
  switch (relation) {
    case "intersects":
      return facts.intersecting;
    case "touches":
      return facts.intersecting.filter(({ relations }) => relations.touches);
    case "covers":
      return facts.intersecting.filter(({ relations }) => relations.covers);
    case "covered_by":
      return facts.intersecting.filter(({ relations }) => relations.coveredBy);
  }
}

function buildAreasRegion(inside: readonly AreaFact[]): Region<Layer> | undefined {
  if (inside.length === 0) return undefined;
  return { op: "areas", areas: inside.map(({ snapshot, area }) => ({ layer: snapshot.layer, area })) };
}

/** The combined region, simplified: without operands that change nothing; undefined where it is empty. */
function combineRegions(
  op: DerivedSetPlan["op"],
  regions: readonly (Region<Layer> | undefined)[],
): Region<Layer> | undefined {
  const [first, ...others] = regions;
  if (op === "difference") {
    if (first === undefined || others.some(isWhole)) return undefined;
    const subtracted = others.filter((region) => region !== undefined);
    return subtracted.length === 0 ? first : { op, operands: [first, ...subtracted] };
  }
  if (op === "intersection" && regions.includes(undefined)) return undefined;
  const whole = regions.find(isWhole);
  if (op === "union" && whole !== undefined) return whole;
  const operands = regions.filter((region) => region !== undefined && !isWhole(region)) as Region<Layer>[];
  return operands.length < 2 ? (operands[0] ?? whole) : { op, operands };
}

function isWhole(region: Region<Layer> | undefined): boolean {
  return region?.op === "plot";
}

function isSubtracted(op: DerivedSetPlan["op"], operand: number): boolean {
  return op === "difference" && operand > 0;
}

/** How the number of areas of a derived set may change, where its region may hold any. */
function computeSetGrowth(op: DerivedSetPlan["op"], operands: readonly AreaSelection[]): Growth {
  return operands
    .map(({ growthInPlot, hasOldSource }, i): Growth => {
      if (!isSubtracted(op, i)) return growthInPlot;
      const reversed = REVERSED[growthInPlot];
      return hasOldSource ? combineGrowth(reversed, "grows") : reversed;
    })
    .reduce(combineGrowth);
}

const REVERSED: Readonly<Record<Growth, Growth>> = {
  none: "none",
  grows: "shrinks",
  shrinks: "grows",
  any: "any",
};
const REVERSED_ROLE: Readonly<Record<Role, Role>> = { adds: "subtracts", subtracts: "adds" };
const REVERSED_BOUND = { least: "greatest", greatest: "least" } as const;

function combineGrowth(a: Growth, b: Growth): Growth {
  if (a === "none" || a === b) return b;
  return b === "none" ? a : "any";
}

/** Facts of several selections, each once, by source name and area. */
function listDistinctFacts(selections: readonly (readonly AreaFact[])[]): AreaFact[] {
  const facts = [...new Set(selections.flat())];
  if (facts.length < 2) return facts;
  return facts.sort((a, b) => compareStrings(a.sourceName, b.sourceName) || a.area - b.area);
}

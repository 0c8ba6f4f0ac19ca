import { ascending } from "../base/ascending.ts";
import type { WorkMeter } from "../base/work-meter.ts";
import type { BoundPlot, Kernel } from "../geometry/kernel/kernel.ts";
import type { Region } from "../geometry/overlap/region.ts";
import { RegionNear } from "../geometry/overlap/region-near.ts";
import type { RegisterSnapshot } from "../snapshot/snapshot.ts";
import { findEqual, isOpenRegister } from "../subjects/look-up.ts";
import type { RoleScheme } from "../subjects/schemes.ts";
import { printedArea } from "../verdict/rounding.ts";
import type {
  AreaSetPlan,
  AreaSetSource,
  DerivedSetPlan,
  RegionSetPlan,
  SetPlan,
  SubjectSetPlan,
} from "./compile.ts";
import { type AreaFact, measureSource, type SourceFacts } from "./measures/area-facts.ts";
import type { Measured } from "./measures/measures.ts";
import type { Growth } from "./measures/possible.ts";

export interface AreaSelection extends Measured {
  readonly kind: "area" | "derived";
  /** By source name, then area index. */
  readonly areas: readonly AreaFact[];
  /** Areas whose filter has no answer, whether selected or not. */
  readonly undetermined: readonly AreaFact[];
  /** Undefined where it is empty. */
  readonly region: Region | undefined;
  /** Of the region, unrounded; measured when first asked for, as many checks only count. */
  readonly squareMeters: number;
  readonly growth: Growth;
}

/** A record of a register that one of the input's identifiers hits. */
export interface SubjectHit {
  readonly register: RegisterSnapshot;
  readonly row: number;
  /** The register's own spelling. */
  readonly value: string;
  readonly scheme: RoleScheme;
}

export interface SubjectSelection extends Measured {
  readonly kind: "subject";
  readonly hits: readonly SubjectHit[];
  readonly growth: Growth;
}

export type Selection = AreaSelection | SubjectSelection;

/** Units of work of an area that a set considers. */
const SELECTED_UNITS = 150;

/** Selects every set of a plan; each source is measured once however many sets name it. */
export class Selector {
  readonly #kernel: Kernel;
  readonly #plot: BoundPlot | undefined;
  readonly #schemes: readonly RoleScheme[];
  readonly #meter: WorkMeter;
  readonly #greatestMeters = new Map<string, number>();
  readonly #facts = new Map<string, SourceFacts>();
  readonly #selections = new Map<SetPlan, Selection>();
  readonly #withoutCountry = new Map<string, Set<number>>();

  /** @param plot absent where no set of the plan is one of areas */
  constructor(
    kernel: Kernel,
    plot: BoundPlot | undefined,
    schemes: readonly RoleScheme[],
    sets: readonly SetPlan[],
    meter: WorkMeter,
  ) {
    this.#kernel = kernel;
    this.#plot = plot;
    this.#schemes = schemes;
    this.#meter = meter;
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

  get(set: RegionSetPlan): AreaSelection;
  get(set: SubjectSetPlan): SubjectSelection;
  get(set: SetPlan): Selection;
  get(set: SetPlan): Selection {
    const selection = this.#selections.get(set);
    if (selection === undefined) throw new Error(`set ${set.name} was not selected before those made of it`);
    return selection;
  }

  /** Areas of a source left out for want of a country; undefined where no set asked for one. */
  withoutCountry(sourceName: string): number | undefined {
    return this.#withoutCountry.get(sourceName)?.size;
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
    let growth: Growth = "none";
    for (const member of set.sources) {
      const facts = this.#factsOf(member);
      if (facts === undefined) {
        growth = "grows";
        continue;
      }
      this.#meter.add(SELECTED_UNITS * (facts.intersecting.length + facts.near.length));
      for (const fact of this.#inCountries(set, candidates(set, facts))) {
        const answer =
          set.where === undefined || set.where.evaluate((i) => member.readers[i]!(fact.area), this.#meter);
        if (answer === null) undetermined.push(fact);
        if (answer ?? set.includesUnknown) areas.push(fact);
      }
    }
    const inside = areas.filter((fact) => fact.unroundedOverlapSquareMeters > 0);
    return this.#withRegion({ kind: "area", areas, undetermined, growth }, regionOfAreas(inside), inside);
  }

  #factsOf({ source }: AreaSetSource): SourceFacts | undefined {
    if (!("snapshot" in source) || source.snapshot.kind !== "leaf") return undefined;
    const name = source.manifest.source_name;
    let facts = this.#facts.get(name);
    if (facts === undefined) {
      facts = measureSource(
        this.#kernel,
        this.#boundPlot(),
        source.snapshot,
        this.#greatestMeters.get(name),
        this.#meter,
      );
      this.#facts.set(name, facts);
    }
    return facts;
  }

  #inCountries({ countries, sources }: AreaSetPlan, facts: readonly AreaFact[]): readonly AreaFact[] {
    if (countries === undefined) return facts;
    for (const { source } of sources) {
      const name = source.manifest.source_name;
      if (!this.#withoutCountry.has(name)) this.#withoutCountry.set(name, new Set());
    }
    return facts.filter((fact) => {
      const country = fact.snapshot.attributes.countryIso3(fact.area);
      if (country === null) this.#withoutCountry.get(fact.sourceName)?.add(fact.area);
      return country !== null && countries.has(country);
    });
  }

  #derive({ op, operands }: DerivedSetPlan): AreaSelection {
    const selections = operands.map((operand) => this.get(operand));
    const region = combineRegions(
      op,
      selections.map((selection) => selection.region),
    );
    const contributing = op === "difference" ? selections.slice(0, 1) : selections;
    for (const { areas, undetermined } of selections) {
      this.#meter.add(SELECTED_UNITS * (areas.length + undetermined.length));
    }
    const near = region === undefined ? undefined : new RegionNear(region, this.#meter);
    const areas = distinct(contributing.map((selection) => selection.areas)).filter((fact) =>
      this.#meets(fact, op, near),
    );
    const undetermined = distinct(selections.map((selection) => selection.undetermined));
    return this.#withRegion(
      { kind: "derived", areas, undetermined, growth: growthOf(op, selections) },
      region,
      areas,
    );
  }

  /**
   * Whether an operand's area meets a derived region in more than a line: whether what they share
   * prints as more than 0. All that an area shares with the plot lies in a union it is part of.
   */
  #meets(fact: AreaFact, op: DerivedSetPlan["op"], region: RegionNear | undefined): boolean {
    if (region === undefined || fact.overlapSquareMeters === 0) return false;
    if (op === "union") return true;
    const area = { layer: fact.snapshot.layer, area: fact.area };
    const operands = [{ op: "areas", areas: [area] } as const, region.of(area)];
    return printedArea(this.#boundPlot().regionSquareMeters({ op: "intersection", operands }, area)) > 0;
  }

  #withRegion(
    selection: Pick<AreaSelection, "kind" | "areas" | "undetermined" | "growth">,
    region: Region | undefined,
    inside: readonly AreaFact[],
  ): AreaSelection {
    const measureRegion = (): number => this.#squareMeters(region, inside);
    let measured: number | undefined;
    return {
      ...selection,
      count: selection.areas.length,
      region,
      get squareMeters() {
        measured ??= measureRegion();
        return measured;
      },
    };
  }

  #squareMeters(region: Region | undefined, inside: readonly AreaFact[]): number {
    if (region === undefined) return 0;
    if (region.op === "areas" && region.areas.length === 1 && inside.length === 1) {
      return inside[0]!.unroundedOverlapSquareMeters;
    }
    const plot = this.#boundPlot();
    return Math.min(plot.regionSquareMeters(region), plot.areaSquareMeters);
  }

  #boundPlot(): BoundPlot {
    if (this.#plot === undefined) throw new Error("a set of areas was selected without a plot");
    return this.#plot;
  }

  #selectSubjects({ registers, match, asks }: SubjectSetPlan): SubjectSelection {
    const hits: SubjectHit[] = [];
    const records = new Map<RegisterSnapshot, Set<number>>();
    let growth: Growth = "none";
    for (const source of registers) {
      if (!isOpenRegister(source)) {
        growth = "grows";
        continue;
      }
      const rows = new Set<number>();
      records.set(source.snapshot, rows);
      for (const scheme of schemesAsked(this.#schemes, asks)) {
        for (const { row, value } of findEqual(source.snapshot, scheme, match)) {
          rows.add(row);
          hits.push({ register: source.snapshot, row, value, scheme });
        }
      }
    }
    const count = [...records.values()].reduce((sum, rows) => sum + rows.size, 0);
    return { kind: "subject", hits, areas: [], count, squareMeters: 0, growth };
  }
}

/** The input's identifiers that a set looks up: those of the role it asks for, else all. */
export function schemesAsked(
  schemes: readonly RoleScheme[],
  asks: string | undefined,
): readonly RoleScheme[] {
  return asks === undefined ? schemes : schemes.filter(({ role }) => role === asks);
}

function candidates({ relation, within }: AreaSetPlan, facts: SourceFacts): readonly AreaFact[] {
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

function regionOfAreas(inside: readonly AreaFact[]): Region | undefined {
  if (inside.length === 0) return undefined;
  return { op: "areas", areas: inside.map(({ snapshot, area }) => ({ layer: snapshot.layer, area })) };
}

/** The combined region, without operands that change nothing; undefined where it is empty. */
function combineRegions(
  op: DerivedSetPlan["op"],
  regions: readonly (Region | undefined)[],
): Region | undefined {
  const operands = regions.filter((region) => region !== undefined);
  if (op === "difference" && regions[0] === undefined) return undefined;
  if (op === "intersection" && operands.length < regions.length) return undefined;
  return operands.length < 2 ? operands[0] : { op, operands };
}

function growthOf(op: DerivedSetPlan["op"], operands: readonly AreaSelection[]): Growth {
  const isEmptyForGood = ({ growth, squareMeters }: AreaSelection): boolean =>
    (growth === "none" || growth === "shrinks") && printedArea(squareMeters) === 0;
  if (op === "intersection" && operands.some(isEmptyForGood)) return "none";
  if (op === "difference" && isEmptyForGood(operands[0]!)) return "none";
  return operands
    .map(({ growth }, i) => (op === "difference" && i > 0 ? REVERSED[growth] : growth))
    .reduce(together);
}

const REVERSED: Readonly<Record<Growth, Growth>> = {
  none: "none",
  grows: "shrinks",
  shrinks: "grows",
  any: "any",
};

function together(a: Growth, b: Growth): Growth {
  if (a === "none" || a === b) return b;
  return b === "none" ? a : "any";
}

/** Facts of several selections, each once, by source name and area. */
function distinct(selections: readonly (readonly AreaFact[])[]): AreaFact[] {
  const facts = [...new Set(selections.flat())];
  return facts.sort((a, b) => ascending(a.sourceName, b.sourceName) || a.area - b.area);
}

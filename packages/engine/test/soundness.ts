import { createSeededRandom, type Random } from "@groundrule/testing/random";
import type { FilterExpression, Ruleset } from "../src/ruleset/parse/schema.ts";
import type { AttributeValue } from "../src/snapshot/snapshot.ts";
import type { RoleScheme } from "../src/subjects/schemes.ts";
import { evaluateComparably, TablesOfWorld } from "./differential.ts";
import {
  type AreaSet,
  isMalformed,
  listComparisons,
  listMeasurements,
  listRasterBoxes,
  measureMetersBetween,
  type NaiveCheck,
  NaiveEvaluator,
  type Question,
} from "./naive-evaluator.ts";
import type { Box } from "./planar-kernel.ts";
import { pickItem, randomArea, randomChance, randomRecord } from "./random-rulesets.ts";
import type { AreaData, CaseInput, RasterData, RecordData, SourceData, World } from "./ruleset-cases.ts";

/** Answer of an evaluator to a question; both the naive one and the engine can be tested. */
export interface Promised {
  readonly verdict: string;
  readonly at_least: string;
  readonly checks: readonly Pick<NaiveCheck, "status" | "triggered" | "outcome">[];
}

/** A filling under which something promised is not so. */
export interface Contradiction {
  readonly question: Question;
  readonly filled: World;
  readonly what: string;
}

export interface SoundnessReport {
  /** Verdicts to which something was unknown, and those of them with open checks. */
  readonly verdicts: number;
  readonly openVerdicts: number;
  readonly fillings: number;
  /** Areas and records put in, and areas of sources too old taken from sets that subtract. */
  readonly added: number;
  readonly removed: number;
  /** Cells of rasters that were filled. */
  readonly cells: number;
  readonly decidedChecks: number;
  readonly openChecks: number;
  /** Open checks that trigger under one filling and not under another. */
  readonly trulyOpen: number;
  readonly contradictions: readonly Contradiction[];
  /** Open checks that came out the same under every filling. */
  readonly sameAlways: readonly { readonly question: Question; readonly check: Check }[];
}

type Check = Ruleset["checks"][number];

/**
 * Fills what a verdict could not know (land that sources do not cover, sources that failed, sources too
 * old) with random areas and records, judges the filled world as one without gaps, and looks whether what
 * was decided still stands.
 *
 * @param most how many verdicts are tried, of those to which not all was known, and fillings of each
 * @param promiseOf the verdict to be tried; undefined where it was refused
 */
export function checkFillingSoundness(
  questions: Iterable<Question>,
  most: { readonly verdicts: number; readonly fillings: number },
  promiseOf: (question: Question) => Promised | undefined,
): SoundnessReport {
  const contradictions: Contradiction[] = [];
  const sameAlways: { question: Question; check: Check }[] = [];
  const counts = { verdicts: 0, openVerdicts: 0, fillings: 0, added: 0, removed: 0, cells: 0 };
  const checks = { decidedChecks: 0, openChecks: 0, trulyOpen: 0 };
  for (const question of questions) {
    if (counts.verdicts === most.verdicts) break;
    const promise = promiseOf(question);
    if (promise === undefined) continue;
    // A failed source may be a raster, of which no distance is measured once it answers.
    if (new NaiveEvaluator({ ...question, failed: [] }).refusal() !== undefined) continue;
    const unknown = new Unknown(question);
    if (!unknown.isAny()) continue;
    counts.verdicts++;
    if (promise.checks.some(({ status }) => status !== "ok")) counts.openVerdicts++;
    const random = createSeededRandom(counts.verdicts);
    const triggers = question.ruleset.checks.map(() => new Set<boolean>());
    for (let i = 0; i < most.fillings; i++) {
      const filling = unknown.fill(random, i === 0);
      counts.fillings++;
      counts.added += filling.added;
      counts.removed += filling.removed;
      counts.cells += filling.cells;
      const { faults, triggered } = findContradictions(unknown.evaluator, promise, filling);
      for (const what of faults) contradictions.push({ question, filled: filling.question.world, what });
      for (const [check, found] of triggered.entries()) triggers[check]!.add(found);
    }
    promise.checks.forEach(({ status }, i) => {
      if (status === "ok") checks.decidedChecks++;
      else checks.openChecks++;
      if (status === "ok") return;
      if (triggers[i]!.size === 2) checks.trulyOpen++;
      else sameAlways.push({ question, check: question.ruleset.checks[i]! });
    });
  }
  return { ...counts, ...checks, contradictions, sameAlways };
}

/** Parts of a promise that a filling contradicts, and the checks that trigger in the filled world. */
function findContradictions(
  before: NaiveEvaluator,
  promise: Promised,
  { question, sees, fillsNulls }: Filling,
): { readonly faults: readonly string[]; readonly triggered: readonly boolean[] } {
  const after = new NaiveEvaluator(question, { fineness: FINENESS, sees, trusts: true });
  const faults: string[] = [];
  const filled = after.ruleset.checks.map((check) => after.check(check));
  promise.checks.forEach(({ status, triggered, outcome }, i) => {
    const check = before.ruleset.checks[i]!;
    const isLeft = filled[i]!.status === "undetermined" && !fillsNulls;
    if (filled[i]!.status !== "ok" && !isLeft) faults.push(`${check.id} is open though all is known`);
    if (status === "ok" && triggered !== filled[i]!.triggered) faults.push(`${check.id} was decided`);
    if (status !== "ok" && status !== "failed" && outcome !== "NOTICE" && promise.verdict === "COMPLIANT")
      faults.push(`${check.id} is open and not waived, and the verdict compliant`);
    listComparisons(check).forEach((comparison, k) => {
      const { low, high, maybeNull } = before.judge(comparison);
      const value = filled[i]!.comparisons[k]!.value;
      // A distance without a value is farther than its threshold.
      const mayLack = maybeNull || !fillsNulls || high === Number.POSITIVE_INFINITY;
      const isPossible = value === null ? mayLack : low <= value && value <= high;
      if (!isPossible) faults.push(`${check.id}[${k}] is ${value}, not from ${low} to ${high}`);
    });
  });
  const certain = promise.checks.filter(({ status, triggered }) => status === "ok" && triggered);
  const worst = computeWorstSeverity(filled.map(({ outcome }) => outcome));
  if (worst < computeWorstSeverity(certain.map(({ outcome }) => outcome)))
    faults.push("the verdict is better than decided");
  const isAllDecided = promise.checks.every(({ status }) => status === "ok");
  if (promise.verdict === "COMPLIANT" && isAllDecided && worst > 0) faults.push("the verdict was compliant");
  return { faults, triggered: filled.map(({ triggered }) => triggered) };
}

/** The engine's verdicts. */
export function createEngineEvaluator(): (question: Question) => Promised | undefined {
  const tables = new TablesOfWorld();
  return (question) => {
    const answer = evaluateComparably(tables.of(question).table, question);
    return "error" in answer ? undefined : answer;
  };
}

/** True if a verdict is at least as bad as `at_least` promised, once the failed sources answer. */
export function isAtLeast(question: Question, promise: Promised, random: Random): boolean {
  const world = { ...question.world, sources: { ...question.world.sources } };
  for (const name of question.failed ?? []) {
    world.sources[name] = withOtherContent(random, name, question.world.sources[name]!);
  }
  const verdict = new NaiveEvaluator({ ...question, world, failed: [] }).verdict();
  return (
    "error" in verdict || computeWorstSeverity([verdict.at_least]) >= computeWorstSeverity([promise.at_least])
  );
}

function computeWorstSeverity(outcomes: readonly (string | null)[]): number {
  return outcomes.includes("NON_COMPLIANT") ? 2 : outcomes.includes("WARNING") ? 1 : 0;
}

interface Filling {
  readonly question: Question;
  /** Which sets see which of its areas and records. */
  readonly sees: (set: string, source: string, id: string) => boolean;
  /** True if every value that an area lacked is filled in. */
  readonly fillsNulls: boolean;
  readonly added: number;
  readonly removed: number;
  readonly cells: number;
}

/** An entry of an area set, and the land in which it tells all there is. */
interface Entry {
  readonly set: string;
  readonly definition: AreaSet;
  readonly members: readonly string[];
  /** Undefined: everywhere. */
  readonly territory: readonly Box[] | undefined;
  /** Its part in the examined cells of rasters: their values go on beyond them, those of other sources do not. */
  readonly cells: readonly Box[];
  /** Unknown areas beyond the plot lie on land: the plot is covered, and countries cover no sea. */
  readonly onLand: boolean;
}

/** Areas have corners at quarters, so that they come near to a territory without sharing a point with it. */
const FINENESS = 4;

/** Unknown content behind a verdict, and ways to fill it. */
class Unknown {
  readonly question: Question;
  readonly evaluator: NaiveEvaluator;
  readonly failed: readonly string[];
  readonly reached: readonly string[];
  readonly entries: readonly Entry[];

  constructor(question: Question) {
    this.question = question;
    this.evaluator = new NaiveEvaluator(question);
    this.reached = this.evaluator.reached(this.evaluator.ruleset.checks);
    this.failed = (question.failed ?? []).filter((name) =>
      this.reached.some((set) => this.evaluator.listSources(set).includes(name)),
    );
    this.entries = this.reached.flatMap((set) => this.listEntries(set));
  }

  isAny(): boolean {
    return (
      this.failed.length > 0 ||
      this.entries.some(({ territory }) => territory !== undefined) ||
      this.reached.some((set) => this.evaluator.hasTooOld(set)) ||
      this.malformed().length > 0 ||
      (this.fillsNulls() &&
        this.evaluator.lands(this.evaluator.ruleset.checks).some(([land, sets]) => hasNulls(land, sets)))
    );
  }

  /** True if values that areas lack can be filled in: no filter tests for them, and no set decides about them. */
  fillsNulls(): boolean {
    const { sets } = this.question.ruleset;
    return !Object.values(sets).some(
      (set) =>
        "sources" in set &&
        ((set.unknown ?? "open") !== "open" ||
          (set.where !== undefined && testsForNull(set.where as FilterExpression))),
    );
  }

  /** Identifiers of the input that some set looks up and their scheme excludes. */
  malformed(): readonly RoleScheme[] {
    const sets = this.reached.map((name) => this.evaluator.ruleset.sets[name]!);
    return [this.question.input.scheme ?? []]
      .flat()
      .filter((scheme) => sets.some((set) => "registers" in set && isMalformed(scheme, set.match)));
  }

  /** The input with what its malformed identifiers could have been meant to be. */
  meant(random: Random): CaseInput {
    const { input } = this.question;
    const others = this.malformed().flatMap((scheme) =>
      randomChance(random, 0.5) ? [] : [{ ...scheme, value: pickItem(random, WELL_FORMED[scheme.type]!) }],
    );
    return others.length === 0 ? input : { ...input, scheme: [...[input.scheme ?? []].flat(), ...others] };
  }

  listEntries(set: string): Entry[] {
    const definition = this.evaluator.ruleset.sets[set]!;
    if (!("sources" in definition)) return [];
    return this.evaluator.entries(definition).map((members): Entry => {
      const fresh = members.filter(
        (name) => !this.failed.includes(name) && !this.evaluator.isTooOld(definition, name),
      );
      const coverages = fresh.map((name) => this.question.world.sources[name]!.coverage);
      const isEverywhere = fresh.some((name) => this.evaluator.isEverywhere(name));
      const isCovered = this.evaluator.uncoveredPart(definition, members).size === 0;
      const boxes = fresh
        .filter((name) => !this.evaluator.isRaster(name))
        .flatMap((name): readonly Box[] => {
          const { coverage } = this.question.world.sources[name]!;
          if (coverage === undefined || coverage === "global") return [];
          if ("boxes" in coverage) return coverage.boxes;
          return this.pieces(coverage.countries);
        });
      const cells = fresh
        .filter((name) => this.evaluator.isRaster(name))
        .flatMap((name) => [...this.evaluator.findCoverage(name)].map((cell) => this.evaluator.toBox(cell)));
      return {
        set,
        definition,
        members,
        territory: isEverywhere ? undefined : [...boxes, ...cells],
        cells,
        onLand: isCovered && coverages.some((one) => typeof one === "object" && "countries" in one),
      };
    });
  }

  pieces(codes?: readonly string[]): readonly Box[] {
    const isOwn = (piece: { readonly countries: readonly string[] }): boolean =>
      codes === undefined || piece.countries.some((code) => codes.includes(code));
    return this.evaluator
      .borders()
      .filter(isOwn)
      .flatMap(({ boxes }) => boxes);
  }

  /** @param isBare puts nothing in, and leaves out what it may */
  fill(random: Random, isBare: boolean): Filling {
    const areas = isBare ? [] : this.unknownAreas(random);
    const records = isBare ? [] : this.unknownRecords(random);
    const values = isBare ? new Map<string, RasterFilling>() : this.unknownValues(random);
    const seen = new Map<string, ReadonlySet<string>>();
    for (const { source, data, sets } of areas) seen.set(`${source} ${data.id}`, new Set(sets));
    for (const { source, data, sets } of records) seen.set(`${source} ${data.id}`, new Set(sets));
    const gone = this.goneAreas(random);
    const { world } = this.question;
    const fillsNulls = this.fillsNulls();
    const whole = (area: AreaData, columns: SourceData["columns"]) =>
      fillsNulls ? fillNullValues(random, area, columns) : area;
    const sources = Object.entries(world.sources).map(([name, data]): [string, SourceData] => {
      const {
        collected_at: _,
        raster,
        ...known
      } = this.failed.includes(name)
        ? isBare
          ? withoutContent(data)
          : withOtherContent(random, name, data)
        : data;
      const ownAreas = areas.filter(({ source }) => source === name).map((area) => area.data);
      const ownRecords = records.filter(({ source }) => source === name).map((record) => record.data);
      return [
        name,
        {
          ...known,
          coverage: "global",
          ...(fillsNulls && raster === undefined && { category: known.category ?? pickItem(random, WORDS) }),
          ...(known.areas !== undefined && {
            areas: [...withFillingCells(known.areas, values.get(name)), ...ownAreas].map((area) =>
              whole(area, known.columns),
            ),
          }),
          ...(known.records !== undefined && { records: [...known.records, ...ownRecords] }),
        },
      ];
    });
    return {
      question: {
        world: { ...world, sources: Object.fromEntries(sources) },
        ruleset: withoutAgeLimits(this.question.ruleset),
        input: isBare ? this.question.input : this.meant(random),
      },
      fillsNulls,
      sees: (set, source, id) => seen.get(`${source} ${id}`)?.has(set) ?? !gone.has(`${set} ${source} ${id}`),
      added: areas.length + records.length,
      removed: gone.size,
      cells: [...values.values()].reduce((sum, { cells }) => sum + cells, 0),
    };
  }

  /** Contents that cells of rasters which were not examined could have: values that the raster has, and others. */
  unknownValues(random: Random): ReadonlyMap<string, RasterFilling> {
    const names = new Set(this.entries.flatMap(({ members }) => members));
    const filled = [...names].flatMap((name): [string, RasterFilling][] => {
      const { raster, areas = [] } = this.question.world.sources[name]!;
      if (raster === undefined || this.failed.includes(name)) return [];
      const entries = this.entries.filter(({ members }) => members.includes(name));
      const hidden = listUnexaminedBoxes(raster, this.question.input.boxes ?? []).filter((cell) =>
        entries.every((entry) => entryCouldTakeCell(entry, cell)),
      );
      const count = areas.length;
      const drawn = (): number => random.integer(count + 3);
      const all = drawn();
      const isSame = randomChance(random, 0.4);
      const share = isSame ? 1 : pickItem(random, [0.3, 0.7, 1]);
      const boxes = Array.from({ length: count + 2 }, (): Box[] => []);
      for (const cell of hidden) {
        const value = isSame ? all : drawn();
        if (value < count + 2 && randomChance(random, share)) boxes[value]!.push(cell);
      }
      const fresh = boxes
        .slice(count)
        .flatMap((own, i): AreaData[] =>
          own.length === 0 ? [] : [{ ...randomArea(random, `z${i}`), boxes: own }],
        );
      return [[name, { more: boxes.slice(0, count), fresh, cells: boxes.flat().length }]];
    });
    return new Map(filled);
  }

  /** Areas that sources could have beside those they tell, each with the sets that could see it. */
  unknownAreas(random: Random): { source: string; data: AreaData; sets: readonly string[] }[] {
    return this.entries.flatMap((entry, i) => {
      if (entry.territory === undefined || randomChance(random, 0.2)) return [];
      const copies = 1 + random.integer(4);
      return Array.from({ length: copies }, (_, k) => k).flatMap((k) => {
        const boxes = this.unknownBoxes(random, entry);
        if (boxes.length === 0) return [];
        const source = pickItem(random, entry.members);
        const data = { ...randomArea(random, `x${i}x${k}`), boxes };
        const sets = this.entries
          .filter((other) => other.members.includes(source) && this.couldHave(other, boxes))
          .map(({ set }) => set);
        return sets.length === 0 ? [] : [{ source, data, sets }];
      });
    });
  }

  /**
   * True if an area that is not listed could belong to an entry. An area that shares even a point with the territory
   * is excluded.
   */
  couldHave({ territory, onLand }: Entry, boxes: readonly Box[]): boolean {
    if (territory === undefined || boxes.some((box) => territory.some((other) => doBoxesMeet(box, other))))
      return false;
    return !onLand || boxes.every((box) => this.pieces().some((piece) => isWithin(box, piece)));
  }

  /** All of the plot that an entry does not know, a part of it, or land near by. */
  unknownBoxes(random: Random, entry: Entry): readonly Box[] {
    const territory = entry.territory ?? [];
    const { input } = this.question;
    const unknownCells = (input.boxes ?? [])
      .flatMap(splitIntoQuarters)
      .filter((cell) => this.couldHave(entry, [cell]));
    if (randomChance(random, 0.35)) return unknownCells;
    if (unknownCells.length > 0 && randomChance(random, 0.4)) {
      const [west, south] = pickItem(random, unknownCells);
      const box: Box = [
        west,
        south,
        west + randomQuarterSteps(random, 16),
        south + randomQuarterSteps(random, 16),
      ];
      return unknownCells.filter((cell) => isWithin(cell, box));
    }
    const near = Array.from({ length: 40 }, (): Box => {
      const [west, south] = [random.integer(120) / 4 - 8, random.integer(120) / 4 - 8];
      return [west, south, west + randomQuarterSteps(random, 8), south + randomQuarterSteps(random, 8)];
    }).filter((box) => !territory.some((other) => doBoxesMeet(box, other)) && this.couldHave(entry, [box]));
    const meters = (box: Box): number => measureMetersBetween([box], input.boxes ?? []);
    near.sort((a, b) => meters(a) - meters(b));
    return near.slice(0, 1);
  }

  unknownRecords(random: Random): { source: string; data: RecordData; sets: readonly string[] }[] {
    const registers = Object.entries(this.question.world.sources).filter(
      ([name, { records }]) => records !== undefined && !this.failed.includes(name),
    );
    return registers.flatMap(([source]) => {
      const sets = this.reached.filter((set) => {
        const definition = this.evaluator.ruleset.sets[set]!;
        return (
          "registers" in definition &&
          this.evaluator.listSources(set).includes(source) &&
          this.evaluator.isTooOld(definition, source)
        );
      });
      if (sets.length === 0) return [];
      return Array.from({ length: random.integer(4) }, (_, i) => {
        const record = randomRecord(random, source, i);
        return { source, sets, data: { ...record, id: `x${i}` } };
      });
    });
  }

  /** Areas that sources too old for a set no longer have, where the set is nowhere but subtracted. */
  goneAreas(random: Random): ReadonlySet<string> {
    const gone = new Set<string>();
    for (const set of this.reached) {
      const definition = this.evaluator.ruleset.sets[set]!;
      if (!("sources" in definition) || this.adds(set)) continue;
      for (const source of this.evaluator.listSources(set)) {
        if (!this.evaluator.isTooOld(definition, source)) continue;
        const ids = (this.question.world.sources[source]!.areas ?? []).map(({ id }) => id);
        for (const id of ids) if (randomChance(random, 0.6)) gone.add(`${set} ${source} ${id}`);
      }
    }
    return gone;
  }

  /** True if a set has the role "adds" anywhere in what some check compares. */
  adds(wanted: string): boolean {
    const addsTo = (name: string, adds: boolean): boolean => {
      const set = this.evaluator.ruleset.sets[name]!;
      if (name === wanted && adds) return true;
      if ("difference" in set)
        return set.difference.some((operand, i) => addsTo(operand, i === 0 ? adds : !adds));
      const operands = "union" in set ? set.union : "intersection" in set ? set.intersection : [];
      return operands.some((operand) => addsTo(operand, adds));
    };
    return this.evaluator.ruleset.checks
      .flatMap(listComparisons)
      .flatMap(listMeasurements)
      .some(({ set, of }) => addsTo(set, true) || (of !== undefined && addsTo(of, false)));
  }
}

/** True if a filter has no answer for some area of these sets, or a column that is measured no value. */
function hasNulls(land: NaiveEvaluator, sets: readonly string[]): boolean {
  return sets.some((name) => "sources" in land.ruleset.sets[name]! && land.choose(name).byNull.size > 0);
}

function testsForNull({ op, args }: FilterExpression): boolean {
  return op === "isNull" || args.some((arg) => typeof arg === "object" && "args" in arg && testsForNull(arg));
}

/** An area with a value in every column, a name and a country. */
function fillNullValues(random: Random, area: AreaData, columns: SourceData["columns"]): AreaData {
  const { name, country, properties = {} } = area;
  const filled = Object.entries(columns ?? {}).map(([column, type]) => [
    column,
    properties[column] ?? pickItem<AttributeValue>(random, VALUES[type]),
  ]);
  return {
    ...area,
    name: name ?? pickItem(random, WORDS),
    country: country ?? pickItem(random, ["BRA", "PER", "COL"]),
    properties: { ...properties, ...Object.fromEntries(filled) },
  };
}

const WORDS = ["Ana", "ana", "Bo", "w:a", "100%", ""];
const VALUES = {
  string: WORDS,
  number: [-4, -2, 0, 0.1, 0.2, 1, 2.5, 7, 1_000_000_000],
  date: ["2019-12-31", "2020-12-31", "2021-01-01", "2024-02-29"],
  boolean: [true, false],
};
/** Identifiers of which registers of random worlds hold some. */
const WELL_FORMED: Readonly<Record<string, readonly string[]>> = {
  "br:cnpj": ["11.222.333/0001-81", "11222333000262", "04252011000110"],
  "us:ein": ["12-3456789", "98-7654321"],
};

/** Cells that areas of a raster have in addition, and areas that it did not have. */
interface RasterFilling {
  readonly more: readonly (readonly Box[])[];
  readonly fresh: readonly AreaData[];
  readonly cells: number;
}

function withFillingCells(
  areas: readonly AreaData[],
  filling: RasterFilling | undefined,
): readonly AreaData[] {
  if (filling === undefined) return areas;
  const { more, fresh } = filling;
  return [...areas.map((area, i) => ({ ...area, boxes: [...area.boxes, ...(more[i] ?? [])] })), ...fresh];
}

/** The cells of a raster's lattice that are nodata or off its grid, some around the plot among them. */
function listUnexaminedBoxes(raster: RasterData, plot: readonly Box[]): Box[] {
  const { west, north, cell, columns, rows } = raster;
  const [xs, ys] = [plot.flatMap((box) => [box[0], box[2]]), plot.flatMap((box) => [box[1], box[3]])];
  const first = Math.min(0, Math.floor((Math.min(...xs) - west) / cell)) - 1;
  const last = Math.max(columns, Math.ceil((Math.max(...xs) - west) / cell)) + 1;
  const top = Math.min(0, Math.floor((north - Math.max(...ys)) / cell)) - 1;
  const bottom = Math.max(rows, Math.ceil((north - Math.min(...ys)) / cell)) + 1;
  const found = listRasterBoxes(raster, (value) => value === "nodata");
  for (let row = top; row < bottom; row++) {
    for (let column = first; column < last; column++) {
      if (row >= 0 && row < rows && column >= 0 && column < columns) continue;
      const [x, y] = [west + column * cell, north - row * cell];
      found.push([x, y - cell, x + cell, y]);
    }
  }
  return found;
}

/** True if a value of a raster could take a cell, for an entry: beside what rasters examined, apart from all else. */
function entryCouldTakeCell({ territory, cells }: Entry, cell: Box): boolean {
  if (territory === undefined) return false;
  return territory.every((box) =>
    cells.includes(box) ? !doBoxesOverlap(cell, box) : !doBoxesMeet(cell, box),
  );
}

function withoutContent(data: SourceData): SourceData {
  return data.records === undefined ? { ...data, areas: [] } : { ...data, records: [] };
}

/** Possible content of a failed source: the content in the world, or anything else. */
function withOtherContent(random: Random, name: string, data: SourceData): SourceData {
  if (randomChance(random, 0.3)) return data;
  const count = random.integer(6);
  if (data.records === undefined)
    return { ...data, areas: Array.from({ length: count }, (_, i) => randomArea(random, `y${i}`)) };
  const records = Array.from({ length: count }, (_, i) => ({
    ...randomRecord(random, name, i),
    id: `y${i}`,
  }));
  return { ...data, records };
}

function withoutAgeLimits(ruleset: Ruleset): Ruleset {
  const sets = Object.entries(ruleset.sets).map(([name, set]) => {
    const { max_age_days: _, ...others } = { max_age_days: 0, ...set };
    return [name, others];
  });
  return { ...ruleset, sets: Object.fromEntries(sets) as Ruleset["sets"] };
}

function randomQuarterSteps(random: Random, most: number): number {
  return (1 + random.integer(most)) / FINENESS;
}

/** The cells of a box, a quarter of a thousandth of a degree wide. */
function splitIntoQuarters([west, south, east, north]: Box): Box[] {
  const cells: Box[] = [];
  for (let x = west; x < east; x += 1 / FINENESS) {
    for (let y = south; y < north; y += 1 / FINENESS) cells.push([x, y, x + 1 / FINENESS, y + 1 / FINENESS]);
  }
  return cells;
}

function doBoxesMeet(a: Box, b: Box): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

function doBoxesOverlap(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

function isWithin(inner: Box, outer: Box): boolean {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];
}

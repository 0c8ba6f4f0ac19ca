import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { COLUMN_MEASURES, type Measure } from "../src/ruleset/measures/measures.ts";
import type {
  AreaSet,
  Check,
  Comparison,
  FactDeclaration,
  FactThreshold,
  FilterArgument,
  FilterExpression,
  Ruleset,
  RulesetSet,
  SetComparison,
  SubjectSet,
} from "../src/ruleset/parse/schema.ts";
import type { RoleScheme } from "../src/subjects/schemes.ts";
import { roundMeters } from "../src/verdict/rounding.ts";
import type { ComparisonOperator, FactDocument, FactValue } from "../src/verdict/verdict.ts";
import { listRasterBoxes, type Question } from "./naive-evaluator.ts";
import type { Box } from "./planar-kernel.ts";
import type {
  AreaData,
  BorderPiece,
  CaseInput,
  CoverageData,
  RasterData,
  RecordData,
  SourceData,
  World,
} from "./ruleset-cases.ts";

/*
 * Random worlds, rulesets and inputs, for tests that compare evaluators. Plots lie between 0 and 18
 * thousandths of a degree, coverages end around and inside of them.
 */

const AREA_SOURCES = ["w:a", "w:b", "w:c", "v:d"] as const;
const REGISTERS = ["r:one", "r:two"] as const;
const COUNTRIES = ["BRA", "PER", undefined] as const;
const TEXTS = ["Ana", "ana", "Bo", "B_o", "100%", "ß", ""] as const;
const DAYS = ["2019-12-31", "2020-12-31", "2021-01-01", "2024-02-29"] as const;
export const NUMBERS = [-2, 0, 0.1, 0.2, 1, 2.5, 7, 1e9] as const;
const AGES = [
  "2026-06-30T11:59:59Z",
  "2026-06-25T12:00:00Z",
  "2026-06-25T12:00:01Z",
  "2026-06-20T00:00:00Z",
  "2025-12-31T00:00:00Z",
  "2026-07-02T00:00:00Z",
] as const;
const COLUMNS = { n: "number", s: "string", d: "date", b: "boolean" } as const;
const COMPARISONS: readonly ComparisonOperator[] = [">", ">=", "<", "<=", "=", "<>"];

export function pickItem<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)]!;
}

const NOWS = ["2026-06-30T12:00:00Z", "2026-07-04T06:30:00Z"] as const;
const QUESTIONS_A_WORLD = 20;

/** `rasters`: some sources of areas are rasters; `facts`: rulesets ask for facts and the property. */
export type QuestionKind = "plain" | "rasters" | "facts";

/** Questions without end; the seed, counting up, fixes a world and the questions on it. */
export function* randomQuestions(
  firstSeed: number,
  kind: QuestionKind = "plain",
): Generator<Question & { readonly seed: number }> {
  for (let seed = firstSeed; ; seed++) {
    const random = createSeededRandom(seed);
    const withRasters = kind === "rasters" || (kind === "facts" && randomChance(random, 0.2));
    const world = withRasters ? withRasterSources(random, randomWorld(random)) : randomWorld(random);
    const failed = Object.keys(world.sources).filter(() => randomChance(random, 0.07));
    for (let i = 0; i < QUESTIONS_A_WORLD; i++) {
      const plain = randomRuleset(random);
      const ruleset =
        kind === "rasters" && randomChance(random, 0.5) ? withRasterMeasures(random, plain) : plain;
      const input = randomInput(random);
      const question = {
        seed,
        world,
        failed,
        ruleset,
        input,
        strict: randomChance(random, 0.2),
        now: pickItem(random, NOWS),
      };
      yield kind === "facts" ? withRandomFacts(random, question) : question;
    }
  }
}

function pickItems<Item>(random: Random, items: readonly Item[], least: number): Item[] {
  const found = items.filter(() => random.next() < 0.4);
  while (found.length < least) found.push(pickItem(random, items));
  return found;
}

export function randomChance(random: Random, share: number): boolean {
  return random.next() < share;
}

function randomBoxes(random: Random, spread: number, size: number): Box[] {
  const [west, south] = [random.integer(spread), random.integer(spread)];
  const box: Box = [west, south, west + 1 + random.integer(size), south + 1 + random.integer(size)];
  if (!randomChance(random, 0.25)) return [box];
  const gap = box[2] + 1 + random.integer(3);
  return [box, [gap, south, gap + 1 + random.integer(3), south + 1 + random.integer(3)]];
}

function randomWorld(random: Random): World {
  const seam = 2 + random.integer(9);
  // Where most sources cover the plot, what is too old or failed is all that is unknown.
  const isWide = randomChance(random, 0.3);
  const sources = AREA_SOURCES.map((name): [string, SourceData] => {
    const coverage = isWide && randomChance(random, 0.8) ? "global" : randomCoverage(random, seam);
    return [
      name,
      {
        columns: COLUMNS,
        areas: Array.from({ length: random.integer(7) }, (_, i) => randomArea(random, `${name.at(-1)}${i}`)),
        ...(randomChance(random, 0.5) && { category: pickItem(random, TEXTS) || "x" }),
        ...(coverage !== undefined && { coverage }),
        ...(randomChance(random, 0.85) && { collected_at: pickItem(random, AGES) }),
      },
    ];
  });
  const registers = REGISTERS.map((name): [string, SourceData] => [
    name,
    {
      columns: { n: "number", s: "string" },
      schemes: name === "r:one" ? ["br:cnpj"] : ["br:cnpj", "us:ein"],
      records: Array.from({ length: random.integer(5) }, (_, i) => randomRecord(random, name, i)).filter(
        ({ id }, i, all) => all.findIndex((other) => other.id === id) === i,
      ),
      ...(randomChance(random, 0.85) && { collected_at: pickItem(random, AGES) }),
    },
  ]);
  return {
    sources: Object.fromEntries([...sources, ...registers]),
    groups: { "g:all": AREA_SOURCES.slice(0, 2), "g:east": AREA_SOURCES.slice(1), "g:lists": REGISTERS },
    borders: randomBorders(random, seam),
  };
}

/** The world with rasters in place of some sources: their areas are as before, but for where they lie. */
function withRasterSources(random: Random, world: World): World {
  const shared = randomGrid(random);
  const rasters = ["w:b", "w:c", "v:d", "w:a"].filter((_, i) => i === 0 || randomChance(random, 0.5));
  return {
    ...world,
    sources: Object.fromEntries(
      Object.entries(world.sources).map(([name, data]): [string, SourceData] => {
        if (!rasters.includes(name) || (data.areas ?? []).length === 0) return [name, data];
        const raster = randomRaster(
          random,
          randomChance(random, 0.5) ? shared : randomGrid(random),
          data.areas!.length,
        );
        const areas = data.areas!.map((area, i) => ({
          ...area,
          boxes: listRasterBoxes(raster, (value) => value === i),
        }));
        return [name, { ...data, areas, raster }];
      }),
    ),
  };
}

/** The ruleset with relations and measures that depend on how far a value goes. */
function withRasterMeasures(random: Random, ruleset: Ruleset): Ruleset {
  const relations = ["intersects", "touches", "covers", "covered_by"] as const;
  const sets = Object.entries(ruleset.sets).map(([name, set]): [string, RulesetSet] => {
    if (!("sources" in set) || set.within_m !== undefined) return [name, set];
    const { where: _, ...others } = set;
    const few = { ...others, sources: set.sources.slice(0, 2) };
    return [name, { ...(randomChance(random, 0.6) ? few : set), relation: pickItem(random, relations) }];
  });
  const isArea = (name: string): boolean => "sources" in ruleset.sets[name]!;
  const measured = (one: Comparison): Comparison => {
    if (!("set" in one) || typeof one.value === "object" || !isArea(one.set) || randomChance(random, 0.4))
      return one;
    const { of: _, ...others } = one;
    const cells = 1 + random.integer(40);
    return randomChance(random, 0.7)
      ? { ...others, measure: "max_overlap_area_m2", value: Math.round(cells * 12_309.07) }
      : { ...others, measure: "area_overlap_ratio", value: pickItem(random, [0, 0.25, 0.5, 1]) };
  };
  const checks = ruleset.checks.map((check): Check => {
    if ("all" in check) return { ...check, all: check.all.map(measured) };
    if ("any" in check) return { ...check, any: check.any.map(measured) };
    return measured(check) as Check;
  });
  return { ...ruleset, sets: Object.fromEntries(sets), checks };
}

/** Grids whose cells are one, two or three units wide, on lines of their own or of a common grid. */
function randomGrid(random: Random): Omit<RasterData, "cells"> {
  const cell = pickItem(random, [1, 1, 2, 3]);
  const [columns, rows] = [
    4 + random.integer(Math.ceil(20 / cell)),
    4 + random.integer(Math.ceil(16 / cell)),
  ];
  return { west: random.integer(6) - 3, north: rows * cell - random.integer(5), cell, columns, rows };
}

function randomRaster(random: Random, grid: Omit<RasterData, "cells">, areas: number): RasterData {
  const fresh = (): RasterData["cells"][number] => {
    const drawn = random.integer(areas + 3);
    return drawn < areas ? drawn : drawn === areas ? "nodata" : "background";
  };
  const cells: RasterData["cells"][number][] = [];
  // Each area holds a cell, and many cells hold what their neighbour does.
  for (let i = 0; i < grid.columns * grid.rows; i++)
    cells.push(
      i < areas
        ? i
        : randomChance(random, 0.6)
          ? cells[i - (randomChance(random, 0.5) ? 1 : Math.min(i, grid.columns))]!
          : fresh(),
    );
  return { ...grid, cells };
}

export function randomArea(random: Random, id: string): AreaData {
  const country = pickItem(random, COUNTRIES);
  return {
    id,
    ...(randomChance(random, 0.7) && { name: pickItem(random, TEXTS) }),
    ...(country !== undefined && { country }),
    boxes: randomBoxes(random, 11, 5),
    properties: Object.fromEntries(
      [
        ["n", pickItem(random, NUMBERS)],
        ["s", pickItem(random, TEXTS)],
        ["d", pickItem(random, DAYS)],
        ["b", randomChance(random, 0.5)],
      ].filter(() => randomChance(random, 0.75)),
    ),
  };
}

export function randomRecord(random: Random, register: string, i: number): RecordData {
  const values = ["11.222.333/0001-81", "11222333000262", "11222334000100", "99.888.777/0001-00"];
  return {
    id: pickItem(random, [`id ${i}`, `id${i}`, `id!${i}`]),
    ...(randomChance(random, 0.7) && { name: pickItem(random, TEXTS) }),
    properties: Object.fromEntries(
      [
        ["n", pickItem(random, NUMBERS)],
        ["s", pickItem(random, TEXTS)],
      ].filter(() => randomChance(random, 0.75)),
    ),
    identifiers: Array.from({ length: 1 + random.integer(2) }, () =>
      register === "r:two" && randomChance(random, 0.4)
        ? { scheme: "us:ein", value: pickItem(random, ["12-3456789", "98 7654321"]) }
        : { scheme: "br:cnpj", value: pickItem(random, values) },
    ),
  };
}

/** Sources that end at the seam cover together what none of them covers alone. */
function randomCoverage(random: Random, seam: number): CoverageData | undefined {
  switch (random.integer(11)) {
    case 0:
      return undefined;
    case 1:
      return "global";
    case 2:
      return { boxes: [[-3, -3, 23, 18]] };
    case 3:
      return { boxes: [[-6, -6, seam, 26]] };
    case 4:
      return { boxes: [[seam, -6, 26, 26]] };
    case 5:
    case 6: {
      // Ends a little beyond most plots, so that their surroundings are covered in part.
      const margin = () => random.integer(4);
      return { boxes: [[-1 - margin(), -1 - margin(), 15 + margin(), 12 + margin()]] };
    }
    case 7:
    case 8: {
      const [west, south] = [random.integer(14) - 4, random.integer(14) - 4];
      return { boxes: [[west, south, west + 1 + random.integer(16), south + 1 + random.integer(16)]] };
    }
    case 9: {
      const gap = seam + 1 + random.integer(2);
      return {
        boxes: [
          [-4, -4, seam, 5 + random.integer(12)],
          [gap, -2, 24, 4 + random.integer(16)],
        ],
      };
    }
    default:
      return {
        countries: pickItem(random, [["BRA"], ["PER"], ["COL"], ["BRA", "PER"], ["COL", "PER"], ["CHL"]]),
        ...(randomChance(random, 0.4) && { derived: true }),
      };
  }
}

/** Three countries from west to east with strips that belong to two of them; north of them is the sea. */
function randomBorders(random: Random, seam: number): BorderPiece[] {
  const north = 8 + random.integer(14);
  const second = seam + 3 + random.integer(7);
  const piece = (west: number, east: number, ...countries: string[]): BorderPiece => ({
    countries,
    boxes: [[west, -8, east, north]],
  });
  return [
    piece(-8, seam - 1, "BRA"),
    piece(seam - 1, seam, "BRA", "PER"),
    piece(seam, second, "PER"),
    piece(second, second + 1, "COL", "PER"),
    piece(second + 1, 30, "COL"),
  ];
}

function randomInput(random: Random): CaseInput {
  const schemes = Array.from({ length: 1 + random.integer(3) }, (): RoleScheme => {
    const role = pickItem(random, ["owner", "parent", undefined]);
    const identifier = pickItem(random, [
      { type: "br:cnpj", value: "11222333000181" },
      { type: "br:cnpj", value: "11.222.333" },
      { type: "br:cnpj", value: "1122" },
      { type: "br:cnpj", value: "04.252.011/0001-10" },
      { type: "us:ein", value: "123456789" },
    ]);
    return role === undefined ? identifier : { ...identifier, role };
  });
  return {
    ...(!randomChance(random, 0.03) && { boxes: randomBoxes(random, 9, 6) }),
    ...(!randomChance(random, 0.1) && { scheme: randomChance(random, 0.3) ? schemes[0]! : schemes }),
  };
}

function randomRuleset(random: Random): Ruleset {
  // Sets without filters and relations find much, and leave much to be taken away from.
  const regions = randomChance(random, 0.25)
    ? randomSubtractions(random)
    : randomRegions(random, randomChance(random, 0.3) ? randomPlainSet : randomAreaSet);
  const sets: Record<string, RulesetSet> = { ...regions };
  if (randomChance(random, 0.4)) sets.who = randomSubjectSet(random);
  const derived = Object.keys(sets).filter((name) => name.startsWith("d"));
  const names = derived.length > 0 && randomChance(random, 0.4) ? derived : Object.keys(sets);
  const checks = Array.from({ length: 1 + random.integer(4) }, (_, i): Check => {
    const outcomes = ["NON_COMPLIANT", "WARNING", "NOTICE"] as const;
    const base = {
      id: `c${i}`,
      outcome: pickItem(random, outcomes),
      ...(randomChance(random, 0.4) && { uncovered: pickItem(random, outcomes) }),
    };
    const one = (): SetComparison => randomComparison(random, sets, names);
    if (randomChance(random, 0.5)) return { ...base, ...one() };
    const several = Array.from({ length: 1 + random.integer(3) }, one);
    return randomChance(random, 0.5) ? { ...base, all: several } : { ...base, any: several };
  });
  return { sets, checks };
}

/** Area sets named `a1` and on, and sets derived from them named `d1` and on. */
function randomRegions(random: Random, areaSet: (random: Random) => AreaSet): Ruleset["sets"] {
  const sets: Record<string, RulesetSet> = {};
  const operands: string[] = [];
  for (let i = 1 + random.integer(4); i > 0; i--) {
    sets[`a${i}`] = areaSet(random);
    operands.push(`a${i}`);
  }
  for (let i = random.integer(4); i > 0; i--) {
    const op = pickItem(random, ["union", "intersection", "difference"] as const);
    sets[`d${i}`] = { [op]: pickItems(random, operands, 2).slice(0, 3) } as unknown as RulesetSet;
    if (i > 1) operands.push(`d${i}`);
  }
  return sets;
}

/** Sets that subtract what subtracts, of one source each. */
function randomSubtractions(random: Random): Ruleset["sets"] {
  const areaSet = (): AreaSet => ({
    sources: [pickItem(random, AREA_SOURCES)],
    ...(randomChance(random, 0.5) && { max_age_days: pickItem(random, [4, 10, 30]) }),
  });
  return {
    a1: areaSet(),
    a2: areaSet(),
    a3: areaSet(),
    d1: { difference: ["a1", "a2"] },
    d2: { difference: ["a3", "d1"] },
    d3: pickItem<RulesetSet>(random, [{ intersection: ["a3", "d1"] }, { difference: ["a1", "d2"] }]),
  };
}

function randomSubjectSet(random: Random): SubjectSet {
  return {
    registers: pickItems(random, [...REGISTERS, "g:lists"], 1),
    ...randomAge(random),
    ...(randomChance(random, 0.4) && { show: pickItem(random, [["n"], ["s", "n"]]) }),
    ...(randomChance(random, 0.5) && { match: pickItem(random, ["equals", "root"] as const) }),
    ...(randomChance(random, 0.4) && { asks: pickItem(random, ["owner", "parent"]) }),
  };
}

function randomAreaSet(random: Random): AreaSet {
  const place = random.integer(3);
  const [east, north] = [random.integer(5), random.integer(5)];
  const meters = roundMeters(Math.hypot(east * 111.31949, north * 110.57427));
  return {
    sources: pickItems(random, [...AREA_SOURCES, "g:all", "g:east"], 1).slice(0, place === 2 ? 1 : 3),
    ...randomAge(random),
    ...randomTaking(random),
    ...(randomChance(random, 0.3) && { show: pickItem(random, [["n"], ["d", "b"], ["s", "n", "d"]]) }),
    ...(place === 1 && {
      relation: pickItem(random, ["intersects", "touches", "covers", "covered_by"] as const),
    }),
    ...(place === 2 && { within_m: meters }),
    ...(place === 2 &&
      randomChance(random, 0.4) && {
        min_m: pickItem(
          random,
          [0, 110.574, meters].filter((m) => m <= meters),
        ),
      }),
    ...(randomChance(random, 0.25) && { country_iso3: pickItem(random, ["BRA", "per", ["BRA", "PER"]]) }),
    ...(randomChance(random, 0.5) && { where: randomFilter(random, 2) }),
    ...(randomChance(random, 0.3) && { unknown: pickItem(random, ["include", "exclude"] as const) }),
  };
}

function randomPlainSet(random: Random): AreaSet {
  return {
    sources: pickItems(random, [...AREA_SOURCES, "g:all", "g:east"], 1).slice(0, 2),
    ...randomAge(random),
    ...randomTaking(random),
  };
}

function randomAge(random: Random): { readonly max_age_days?: number } {
  return randomChance(random, 0.25) ? { max_age_days: pickItem(random, [4, 4.5, 5, 10, 30, 3650]) } : {};
}

function randomTaking(random: Random): Pick<AreaSet, "coverage"> {
  return randomChance(random, 0.2) ? { coverage: pickItem(random, ["declared", "assumed"] as const) } : {};
}

function randomFilter(random: Random, depth: number): FilterExpression {
  if (depth > 0 && randomChance(random, 0.4)) {
    const op = pickItem(random, ["and", "or", "not"]);
    const count = op === "not" ? 1 : 2 + random.integer(2);
    return { op, args: Array.from({ length: count }, () => randomFilter(random, depth - 1)) };
  }
  const common = pickItem(random, ["source_name", "source_id", "name", "country_iso3", "category", "s"]);
  const text = { property: common };
  const texts = [...TEXTS, "BRA", "w:a", "a1"];
  switch (random.integer(8)) {
    case 0:
      return { op: "isNull", args: [{ property: pickItem(random, ["n", "d", "b", common]) }] };
    case 1:
      return {
        op: "like",
        args: [
          text,
          pickItem(random, ["%a", "A%", "_o", "B\\_o", "100\\%", "%", "w:_", "an*", "BR%", "W:*"]),
        ],
      };
    case 2:
      return { op: "in", args: [text, pickItems(random, texts, 1)] };
    case 3: {
      // Now and then of one side alone.
      const sides = pickItem(random, ["both", "both", "both", "left", "right"]);
      const folded = (argument: FilterArgument, side: string): FilterArgument =>
        sides === "both" || sides === side ? { op: "casei", args: [argument] } : argument;
      return {
        op: pickItem(random, COMPARISONS),
        args: [folded(text, "left"), folded(pickItem(random, texts), "right")],
      };
    }
    case 4:
      return { op: pickItem(random, ["=", "<>"]), args: [{ property: "b" }, randomChance(random, 0.5)] };
    case 5: {
      const date = { date: pickItem(random, DAYS) };
      return randomChance(random, 0.5)
        ? { op: pickItem(random, COMPARISONS), args: [date, { property: "d" }] }
        : { op: "between", args: [{ property: "d" }, { date: pickItem(random, DAYS) }, date] };
    }
    case 6:
      return {
        op: "between",
        args: [{ property: "n" }, pickItem(random, NUMBERS), pickItem(random, NUMBERS)],
      };
    default:
      return { op: pickItem(random, COMPARISONS), args: [{ property: "n" }, pickItem(random, NUMBERS)] };
  }
}

const CELL_SQUARE_METERS = 111.31949 * 110.57427;

function randomComparison(
  random: Random,
  sets: Readonly<Record<string, RulesetSet>>,
  names: readonly string[],
): SetComparison {
  const name = pickItem(random, names);
  const set = sets[name]!;
  const op = pickItem(random, COMPARISONS);
  const cells = random.integer(12);
  const choices: SetComparison[] = [
    { set: name },
    { set: name, measure: "count", op, value: random.integer(4) },
  ];
  if (!("registers" in set)) {
    const ratio = Math.round((cells / (1 + random.integer(16))) * 1e9) / 1e9;
    const wholes = names.filter((other) => !("registers" in sets[other]!));
    choices.push(
      {
        set: name,
        measure: "overlap_area_m2",
        op,
        value: Math.round(cells * CELL_SQUARE_METERS * 100) / 100,
      },
      { set: name, measure: "overlap_ratio", op, value: ratio },
      {
        set: name,
        measure: "overlap_ratio",
        op,
        value: pickItem(random, [0, ratio, 1]),
        of: pickItem(random, wholes),
      },
    );
  }
  if ("sources" in set) {
    const column = { [pickItem(random, COLUMN_MEASURES)]: "n" } as unknown as Measure;
    const area = Math.round(cells * CELL_SQUARE_METERS * 100) / 100;
    const meters = roundMeters(Math.hypot(random.integer(5) * 111.31949, random.integer(5) * 110.57427));
    choices.push(
      { set: name, measure: "max_overlap_area_m2", op, value: area },
      { set: name, measure: "area_overlap_ratio", op, value: pickItem(random, [0, 0.25, 0.5, 1]) },
      { set: name, measure: "min_distance_m", op, value: meters },
      { set: name, measure: column, op, value: pickItem(random, NUMBERS) },
    );
  }
  return pickItem(random, choices);
}

const VALUES = ["Ana", "ana", "Bo"] as const;
export const FACT_DAYS = [
  ...DAYS,
  "2026-06-29",
  "2026-06-30",
  "2026-07-01",
  "2026-07-04",
  "2031-01-01",
] as const;
const QUESTION = { question: { en: "?" } } as const;
/** Facts by what they can be compared with. */
const REFERENCES = {
  number: ["modules", "share", "permit.area_m2"],
  date: ["planted", "evaluated_on", "permit.issued_on", "permit.valid_until", "plan.valid_until"],
  string: ["tenure"],
  boolean: ["community"],
} as const;

/** The question with declared facts and a property in some comparisons, thresholds and filters, and in the input. */
function withRandomFacts<Varied extends Question>(random: Random, question: Varied): Varied {
  const facts = randomDeclarations(random);
  const { ruleset, input } = question;
  const sets = Object.entries(ruleset.sets).map(([name, set]): [string, RulesetSet] => [
    name,
    "sources" in set && randomChance(random, 0.3)
      ? { ...set, where: withFactFilter(random, set.where) }
      : set,
  ]);
  const changed = (comparison: Comparison): Comparison =>
    "set" in comparison ? withFactComparison(random, comparison, ruleset) : comparison;
  const several = (set: string): Comparison[] =>
    Array.from({ length: 2 + random.integer(2) }, () => randomFactComparison(random, set, ruleset.sets));
  const checks = ruleset.checks.map((check): Check => {
    // Checks that only several facts together can lift.
    if ("any" in check && randomChance(random, 0.4))
      return {
        ...check,
        any: check.any.flatMap((one) => ("set" in one ? several(one.set) : [one])).slice(0, 3),
      };
    if ("all" in check) return { ...check, all: check.all.map(changed) };
    if ("any" in check) return { ...check, any: check.any.map(changed) };
    const { id, outcome, uncovered } = check;
    const base = { id, outcome, ...(uncovered !== undefined && { uncovered }) };
    return { ...base, ...changed(extractComparison(check)) };
  });
  const declared = Object.entries(facts).flatMap(([name, fact]): [string, FactValue | null][] =>
    randomChance(random, 0.45)
      ? [[name, randomFact(random, fact)]]
      : randomChance(random, 0.2)
        ? [[name, null]]
        : [],
  );
  const property = input.boxes && randomChance(random, 0.6) ? randomProperty(random, input.boxes) : undefined;
  return {
    ...question,
    ruleset: { facts, sets: Object.fromEntries(sets), checks },
    input: { ...input, facts: Object.fromEntries(declared), ...(property !== undefined && { property }) },
  };
}

/** A check of one comparison, without what only checks have. */
function extractComparison(check: Check): Comparison {
  const { id: _, outcome: __, uncovered: ___, ...comparison } = { uncovered: null, ...check };
  return comparison as Comparison;
}

function randomDeclarations(random: Random): Readonly<Record<string, FactDeclaration>> {
  return {
    modules: {
      type: "number",
      ...(randomChance(random, 0.6) && { min: 0 }),
      ...(randomChance(random, 0.3) && { max: pickItem(random, [7, 7, 0]) }),
      ...QUESTION,
    },
    share: { type: "number", ...QUESTION },
    community: { type: "boolean", ...QUESTION },
    tenure: { type: "text", values: VALUES.slice(0, 1 + random.integer(3)), ...QUESTION },
    planted: { type: "date", ...QUESTION },
    permit: { type: "document", ...QUESTION },
    plan: { type: "document", ...QUESTION },
  };
}

/** A value that a fact may have. */
export function randomFact(random: Random, { type, min = -2, max = 7, values }: FactDeclaration): FactValue {
  switch (type) {
    case "boolean":
      return randomChance(random, 0.5);
    case "number":
      return Math.min(Math.max(pickItem(random, [...NUMBERS, 3, 4, min, max]), min), max);
    case "text":
      return pickItem(random, values!);
    case "date":
      return pickItem(random, FACT_DAYS);
    case "document":
      return randomDocument(random);
  }
}

function randomDocument(random: Random): FactDocument {
  const [issued_on, valid_until] = [pickItem(random, FACT_DAYS), pickItem(random, FACT_DAYS)].sort() as [
    string,
    string,
  ];
  return {
    id: "P-1",
    issuer: "State",
    issued_on,
    ...(randomChance(random, 0.6) && { valid_until }),
    ...(randomChance(random, 0.6) && {
      area_m2: pickItem(random, [0, 5000, 12_309, 24_617.91, 98_472, 1e9]),
    }),
  };
}

/** A box around the plot, or two; now and then one that does not cover it. */
export function randomProperty(random: Random, plot: readonly Box[]): Box[] {
  const side = (i: 0 | 1 | 2 | 3) => plot.map((box) => box[i]);
  const margin = () => (randomChance(random, 0.4) ? 0 : random.integer(5));
  const [west, south] = [Math.min(...side(0)) - margin(), Math.min(...side(1)) - margin()];
  const [east, north] = [Math.max(...side(2)) + margin(), Math.max(...side(3)) + margin()];
  if (randomChance(random, 0.02))
    return [[west, south, Math.max(west + 1, east - 1 - random.integer(3)), north]];
  const apart: Box = [east + 1, south, east + 2 + random.integer(4), south + 1 + random.integer(4)];
  return [[west, south, east, north], ...(randomChance(random, 0.2) ? [apart] : [])];
}

/** Some comparisons are of a fact instead; of others the land or the threshold is another. */
function withFactComparison(random: Random, comparison: SetComparison, { sets }: Ruleset): Comparison {
  if (randomChance(random, 0.4)) return randomFactComparison(random, comparison.set, sets);
  const isRegion = !("registers" in sets[comparison.set]!);
  const placed: SetComparison = {
    ...comparison,
    ...(isRegion &&
      randomChance(random, 0.25) && { on: pickItem(random, ["property", "property", "plot"] as const) }),
  };
  if (!randomChance(random, 0.4)) return placed;
  const { op = pickItem(random, COMPARISONS), measure = "count" } = placed;
  const unit =
    typeof measure === "object" || measure === "count"
      ? 1
      : measure.endsWith("_m2")
        ? 12_309
        : measure.endsWith("ratio")
          ? 0.1
          : 110.574;
  const fact = pickItem(
    random,
    measure.toString().endsWith("_m2") ? REFERENCES.number : (["modules", "share"] as const),
  );
  const byFact: FactThreshold = {
    fact,
    ...((fact === "permit.area_m2" ? randomChance(random, 0.5) : unit !== 1) && {
      times: fact === "permit.area_m2" ? pickItem(random, [0.5, 2]) : unit,
    }),
  };
  return {
    ...placed,
    op,
    value: randomChance(random, 0.6) ? byFact : randomMeasured(random, comparison, sets),
  };
}

/** A measure as a threshold: the same one on other land or of another set, or how much of it. */
function randomMeasured(
  random: Random,
  { set, measure = "count" }: SetComparison,
  sets: Ruleset["sets"],
): SetComparison["value"] & object {
  const regions = Object.keys(sets).filter((name) => !("registers" in sets[name]!));
  const isCommon = measure === "count" || measure === "overlap_area_m2" || measure === "overlap_ratio";
  const other = isCommon && regions.length > 0 ? pickItem(random, regions) : set;
  const isRegion = !("registers" in sets[other]!);
  return {
    set: other,
    measure: isRegion ? measure : "count",
    ...(isRegion && randomChance(random, 0.4) && { on: "property" as const }),
    ...(randomChance(random, 0.6) && { times: pickItem(random, [0.05, 0.5, 1.5, 3]) }),
  };
}

function randomFactComparison(random: Random, set: string, sets: Ruleset["sets"]): Comparison {
  const times = randomChance(random, 0.4) ? { times: pickItem(random, [0.1, 2, 3]) } : {};
  const equal = pickItem(random, ["=", "<>"] as const);
  switch (random.integer(6)) {
    case 0:
      return pickItem(random, [
        { fact: "community" },
        { fact: "community", op: equal, value: randomChance(random, 0.5) },
        { fact: "community", op: equal, value: { fact: "community" } },
      ]);
    case 1:
      return { fact: "tenure", op: equal, value: VALUES[0] };
    case 2: {
      const fact = pickItem(random, REFERENCES.date);
      const other = pickItem(random, REFERENCES.date);
      return {
        fact,
        op: pickItem(random, COMPARISONS),
        value: randomChance(random, 0.6) ? pickItem(random, FACT_DAYS) : { fact: other },
      };
    }
    case 3: {
      const fact = pickItem(random, REFERENCES.number);
      const value = pickItem(random, [
        pickItem(random, NUMBERS),
        pickItem(random, NUMBERS),
        { fact: pickItem(random, REFERENCES.number), ...times },
        { set, measure: "count" as const, ...times },
      ]);
      return { fact, op: pickItem(random, COMPARISONS), value };
    }
    case 4: {
      if ("registers" in sets[set]!) return { fact: "permit" };
      const on = randomChance(random, 0.4) ? { on: "property" as const } : {};
      return {
        fact: "permit.area_m2",
        op: pickItem(random, COMPARISONS),
        value: { set, measure: "overlap_area_m2", ...on, ...times },
      };
    }
    default:
      return {
        fact: pickItem(random, ["permit", "permit", "plan"] as const),
        op: pickItem(random, ["valid", "not_valid", "not_valid"] as const),
      };
  }
}

function withFactFilter(random: Random, where: AreaSet["where"]): FilterExpression {
  const own = randomFactFilter(random);
  if (where === undefined || randomChance(random, 0.3))
    return randomChance(random, 0.15) ? { op: "not", args: [own] } : own;
  return { op: pickItem(random, ["and", "or"]), args: [where as FilterExpression, own] };
}

function randomFactFilter(random: Random): FilterExpression {
  const op = pickItem(random, COMPARISONS);
  switch (random.integer(7)) {
    case 0:
      return { op, args: [{ property: "n" }, { fact: pickItem(random, REFERENCES.number) }] };
    case 1:
      return {
        op: "between",
        args: [{ property: "n" }, pickItem(random, NUMBERS), { fact: pickItem(random, REFERENCES.number) }],
      };
    case 2:
      return { op: pickItem(random, ["=", "<>"]), args: [{ property: "s" }, { fact: "tenure" }] };
    case 3:
      return { op: pickItem(random, ["=", "<>"]), args: [{ fact: "community" }, { property: "b" }] };
    case 4: {
      const [left, right] = pickItem(random, [
        [{ fact: pickItem(random, REFERENCES.number) }, pickItem(random, NUMBERS)],
        [{ date: pickItem(random, FACT_DAYS) }, { fact: pickItem(random, REFERENCES.date) }],
        [{ fact: pickItem(random, REFERENCES.date) }, { fact: pickItem(random, REFERENCES.date) }],
      ] as const);
      return { op, args: [left, right] };
    }
    default:
      return { op, args: [{ property: "d" }, { fact: pickItem(random, REFERENCES.date) }] };
  }
}

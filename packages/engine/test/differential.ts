import { isDeepStrictEqual } from "node:util";
import { type Random, seededRandom } from "@groundrule/testing/random";
import { EngineError } from "../src/base/errors.ts";
import { lintOnSources } from "../src/ruleset/lint/lint.ts";
import type { Measure } from "../src/ruleset/measures/measures.ts";
import type {
  AreaSet,
  Check,
  Comparison,
  FilterArgument,
  FilterExpression,
  Ruleset,
  RulesetSet,
} from "../src/ruleset/parse/schema.ts";
import type { SourceTable } from "../src/sources/source-table.ts";
import type { RoleScheme } from "../src/subjects/schemes.ts";
import { printedDistance } from "../src/verdict/rounding.ts";
import type { ComparisonOperator, Verdict } from "../src/verdict/verdict.ts";
import { naiveVerdict } from "./naive-evaluator.ts";
import { type Box, planarKernel } from "./planar-kernel.ts";
import { type AreaData, buildTable, type CaseFile, type CaseInput, evaluateOn } from "./ruleset-cases.ts";

/** A case on which the engine and the naive evaluator disagree. */
export interface Disagreement {
  readonly seed: number;
  readonly world: World;
  readonly failed: readonly string[];
  readonly ruleset: Ruleset;
  readonly input: CaseInput;
  readonly engine: unknown;
  readonly naive: unknown;
}

export interface DifferentialReport {
  readonly cases: number;
  /** Cases that were refused, that were degraded, and in which a check stayed open. */
  readonly refused: number;
  readonly degraded: number;
  readonly open: number;
  readonly disagreements: readonly Disagreement[];
  /** Checks said to be decided, though with the failed sources open they come out otherwise. */
  readonly unsound: readonly Disagreement[];
  /** Checks that lint says never or always trigger, and how many did otherwise. */
  readonly certain: number;
  readonly misled: readonly Disagreement[];
}

type World = Pick<CaseFile, "sources" | "groups">;

/** Evaluates random rulesets on random worlds both ways; a seed stands for one world and its cases. */
export function compareEvaluators(firstSeed: number, cases: number): DifferentialReport {
  const disagreements: Disagreement[] = [];
  const unsound: Disagreement[] = [];
  const misled: Disagreement[] = [];
  const counts = { cases: 0, refused: 0, degraded: 0, open: 0, certain: 0 };
  for (let seed = firstSeed; counts.cases < cases; seed++) {
    const random = seededRandom(seed);
    const world = randomWorld(random);
    const failed = Object.keys(world.sources).filter(() => random.next() < 0.15);
    const table = buildTable(world, failed);
    const whole = buildTable(world);
    for (let i = 0; i < CASES_A_WORLD; i++) {
      const ruleset = randomRuleset(random);
      const input = randomInput(random);
      const engine = answerOf(table, ruleset, input);
      const naive = naiveVerdict(world, failed, ruleset, input);
      const found = { seed, world, failed, ruleset, input, engine, naive };
      counts.cases++;
      if (!isDeepStrictEqual(engine, naive)) disagreements.push(found);
      if ("error" in engine) {
        counts.refused++;
        continue;
      }
      const certain = certainChecks(table, ruleset);
      counts.certain += certain.size;
      const isTold = ([i, triggers]: readonly [number, boolean]): boolean =>
        engine.checks[i]!.status === "failed" || engine.checks[i]!.triggered === triggers;
      if (![...certain].every(isTold)) misled.push({ ...found, naive: [...certain] });
      if (engine.status === "ok") continue;
      counts.degraded++;
      if (engine.checks.some(({ status }) => status === "failed")) counts.open++;
      const answered = answerOf(whole, ruleset, input);
      if ("error" in answered || !isConsistent(engine, answered)) unsound.push({ ...found, naive: answered });
    }
  }
  return { ...counts, disagreements, unsound, misled };
}

/** Whether checks trigger, by index, of those that lint is certain of. */
function certainChecks(table: SourceTable, ruleset: Ruleset): ReadonlyMap<number, boolean> {
  return new Map(
    lintOnSources(table, ruleset).flatMap(({ code, pointer }): [number, boolean][] => {
      if (code !== "CHECK_NEVER" && code !== "CHECK_ALWAYS") return [];
      return [[Number(pointer.split("/")[2]), code === "CHECK_ALWAYS"]];
    }),
  );
}

const CASES_A_WORLD = 20;

/** A verdict as the naive evaluator gives it: without digests, editions and times. */
interface Answer {
  readonly verdict: string;
  readonly status: string;
  readonly at_least: string;
  readonly checks: readonly Readonly<Record<string, unknown>>[];
  readonly sources: readonly object[];
}

function answerOf(
  table: SourceTable,
  ruleset: Ruleset,
  input: CaseInput,
): Answer | { readonly error: string } {
  try {
    return comparable(evaluateOn(table, planarKernel, ruleset, input));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { error: error.code };
  }
}

function comparable({ verdict, status, at_least, checks, sources }: Verdict): Answer {
  return {
    verdict,
    status,
    at_least,
    checks: checks.map(
      ({ id, outcome, triggered, status: state, comparisons, undetermined, evidence, evidence_total }) => ({
        id,
        outcome,
        triggered,
        status: state,
        values: comparisons.map(({ value }) => value),
        undetermined,
        evidence: evidence.map((item) => {
          const { edition: _, ...others } = { edition: "", ...item };
          return others;
        }),
        evidence_total,
      }),
    ),
    sources: sources.map(({ source_name, status: state, matched, without_country }) => ({
      source_name,
      status: state,
      matched,
      ...(without_country !== undefined && { without_country }),
    })),
  };
}

/** Whether what was decided without the failed sources still stands with them. */
function isConsistent(degraded: Answer, whole: Answer): boolean {
  return degraded.checks.every(
    (check, i) => check.status === "failed" || check.triggered === whole.checks[i]!.triggered,
  );
}

const AREA_SOURCES = ["w:a", "w:b", "w:c", "v:d"] as const;
const REGISTERS = ["r:one", "r:two"] as const;
const COUNTRIES = ["BRA", "PER", undefined] as const;
const TEXTS = ["Ana", "ana", "Bo", "B_o", "100%", "ß", ""] as const;
const DAYS = ["2019-12-31", "2020-12-31", "2021-01-01", "2024-02-29"] as const;
const NUMBERS = [-2, 0, 0.1, 0.2, 1, 2.5, 7, 1e9] as const;
const COLUMNS = { n: "number", s: "string", d: "date", b: "boolean" } as const;
const COMPARISONS: readonly ComparisonOperator[] = [">", ">=", "<", "<=", "=", "<>"];

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)]!;
}

function some<Item>(random: Random, items: readonly Item[], least: number): Item[] {
  const found = items.filter(() => random.next() < 0.4);
  while (found.length < least) found.push(pick(random, items));
  return found;
}

function chance(random: Random, share: number): boolean {
  return random.next() < share;
}

function randomBoxes(random: Random, spread: number, size: number): Box[] {
  const [west, south] = [random.integer(spread), random.integer(spread)];
  const box: Box = [west, south, west + 1 + random.integer(size), south + 1 + random.integer(size)];
  if (!chance(random, 0.25)) return [box];
  const gap = box[2] + 1 + random.integer(3);
  return [box, [gap, south, gap + 1 + random.integer(3), south + 1 + random.integer(3)]];
}

function randomWorld(random: Random): World {
  const areas = (name: string): AreaData[] =>
    Array.from({ length: random.integer(7) }, (_, i) => {
      const country = pick(random, COUNTRIES);
      return {
        id: `${name.at(-1)}${i}`,
        ...(chance(random, 0.7) && { name: pick(random, TEXTS) }),
        ...(country !== undefined && { country }),
        boxes: randomBoxes(random, 11, 5),
        properties: Object.fromEntries(
          [
            ["n", pick(random, NUMBERS)],
            ["s", pick(random, TEXTS)],
            ["d", pick(random, DAYS)],
            ["b", chance(random, 0.5)],
          ].filter(() => chance(random, 0.75)),
        ),
      };
    });
  const sources = AREA_SOURCES.map((name) => [
    name,
    {
      columns: COLUMNS,
      areas: areas(name),
      ...(chance(random, 0.5) && { category: pick(random, TEXTS) || "x" }),
    },
  ]);
  const values = ["11.222.333/0001-81", "11222333000262", "11222334000100", "99.888.777/0001-00"];
  const registers = REGISTERS.map((name) => [
    name,
    {
      schemes: name === "r:one" ? ["br:cnpj"] : ["br:cnpj", "us:ein"],
      records: Array.from({ length: random.integer(5) }, (_, i) => ({
        id: pick(random, [`id ${i}`, `id${i}`, `id!${i}`]),
        identifiers: Array.from({ length: 1 + random.integer(2) }, () =>
          name === "r:two" && chance(random, 0.4)
            ? { scheme: "us:ein", value: pick(random, ["12-3456789", "98 7654321"]) }
            : { scheme: "br:cnpj", value: pick(random, values) },
        ),
      })).filter(({ id }, i, all) => all.findIndex((other) => other.id === id) === i),
    },
  ]);
  return {
    sources: Object.fromEntries([...sources, ...registers]),
    groups: { "g:all": AREA_SOURCES.slice(0, 2) },
  };
}

function randomInput(random: Random): CaseInput {
  const schemes = Array.from({ length: 1 + random.integer(3) }, (): RoleScheme => {
    const role = pick(random, ["owner", "parent", undefined]);
    const identifier = pick(random, [
      { type: "br:cnpj", value: "11222333000181" },
      { type: "br:cnpj", value: "11.222.333" },
      { type: "br:cnpj", value: "1122" },
      { type: "us:ein", value: "123456789" },
    ]);
    return role === undefined ? identifier : { ...identifier, role };
  });
  return {
    ...(!chance(random, 0.03) && { boxes: randomBoxes(random, 9, 6) }),
    ...(!chance(random, 0.1) && { scheme: chance(random, 0.3) ? schemes[0]! : schemes }),
  };
}

function randomRuleset(random: Random): Ruleset {
  const sets: Record<string, RulesetSet> = {};
  const regions: string[] = [];
  for (let i = 1 + random.integer(4); i > 0; i--) {
    const name = `a${i}`;
    sets[name] = randomAreaSet(random);
    regions.push(name);
  }
  for (let i = random.integer(4); i > 0; i--) {
    const operands = some(random, regions, 2).slice(0, 3);
    const op = pick(random, ["union", "intersection", "difference"] as const);
    sets[`d${i}`] = { [op]: operands } as unknown as RulesetSet;
    if (i > 1) regions.push(`d${i}`);
  }
  if (chance(random, 0.4)) {
    sets.who = {
      registers: some(random, REGISTERS, 1),
      ...(chance(random, 0.5) && { match: pick(random, ["equals", "root"] as const) }),
      ...(chance(random, 0.4) && { asks: pick(random, ["owner", "parent"]) }),
    };
  }
  const names = Object.keys(sets);
  const checks = Array.from({ length: 1 + random.integer(4) }, (_, i): Check => {
    const base = { id: `c${i}`, outcome: pick(random, ["NON_COMPLIANT", "WARNING", "NOTICE"] as const) };
    const one = (): Comparison => randomComparison(random, sets, names);
    if (chance(random, 0.5)) return { ...base, ...one() };
    const several = Array.from({ length: 1 + random.integer(3) }, one);
    return chance(random, 0.5) ? { ...base, all: several } : { ...base, any: several };
  });
  return { sets, checks };
}

function randomAreaSet(random: Random): AreaSet {
  const place = random.integer(3);
  const [east, north] = [random.integer(5), random.integer(5)];
  const meters = printedDistance(Math.hypot(east * 111.31949, north * 110.57427));
  return {
    sources: some(random, [...AREA_SOURCES, "g:all"], 1),
    ...(place === 1 && {
      relation: pick(random, ["intersects", "touches", "covers", "covered_by"] as const),
    }),
    ...(place === 2 && { within_m: meters }),
    ...(place === 2 &&
      chance(random, 0.4) && {
        min_m: pick(
          random,
          [0, 110.574, meters].filter((m) => m <= meters),
        ),
      }),
    ...(chance(random, 0.25) && { country_iso3: pick(random, ["BRA", "per", ["BRA", "PER"]]) }),
    ...(chance(random, 0.5) && { where: randomFilter(random, 2) }),
    ...(chance(random, 0.3) && { unknown: pick(random, ["include", "exclude"] as const) }),
  };
}

function randomFilter(random: Random, depth: number): FilterExpression {
  if (depth > 0 && chance(random, 0.4)) {
    const op = pick(random, ["and", "or", "not"]);
    const count = op === "not" ? 1 : 2 + random.integer(2);
    return { op, args: Array.from({ length: count }, () => randomFilter(random, depth - 1)) };
  }
  const common = pick(random, ["source_name", "source_id", "name", "country_iso3", "category", "s"]);
  const text = { property: common };
  const texts = [...TEXTS, "BRA", "w:a", "a1"];
  switch (random.integer(8)) {
    case 0:
      return { op: "isNull", args: [{ property: pick(random, ["n", "d", "b", common]) }] };
    case 1:
      return { op: "like", args: [text, pick(random, ["%a", "A%", "_o", "B\\_o", "100\\%", "%", "w:_"])] };
    case 2:
      return { op: "in", args: [text, some(random, texts, 1)] };
    case 3: {
      const folded = (argument: FilterArgument): FilterExpression => ({ op: "casei", args: [argument] });
      return { op: pick(random, COMPARISONS), args: [folded(text), folded(pick(random, texts))] };
    }
    case 4:
      return { op: pick(random, ["=", "<>"]), args: [{ property: "b" }, chance(random, 0.5)] };
    case 5: {
      const date = { date: pick(random, DAYS) };
      return chance(random, 0.5)
        ? { op: pick(random, COMPARISONS), args: [date, { property: "d" }] }
        : { op: "between", args: [{ property: "d" }, { date: pick(random, DAYS) }, date] };
    }
    case 6:
      return { op: "between", args: [{ property: "n" }, pick(random, NUMBERS), pick(random, NUMBERS)] };
    default:
      return { op: pick(random, COMPARISONS), args: [{ property: "n" }, pick(random, NUMBERS)] };
  }
}

const CELL_SQUARE_METERS = 111.31949 * 110.57427;

function randomComparison(
  random: Random,
  sets: Readonly<Record<string, RulesetSet>>,
  names: readonly string[],
): Comparison {
  const name = pick(random, names);
  const set = sets[name]!;
  const op = pick(random, COMPARISONS);
  const cells = random.integer(12);
  const choices: Comparison[] = [
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
        value: pick(random, [0, ratio, 1]),
        of: pick(random, wholes),
      },
    );
  }
  if ("sources" in set) {
    const column: Measure = pick(random, [{ sum: "n" }, { min: "n" }, { max: "n" }, { avg: "n" }]);
    const area = Math.round(cells * CELL_SQUARE_METERS * 100) / 100;
    const meters = printedDistance(Math.hypot(random.integer(5) * 111.31949, random.integer(5) * 110.57427));
    choices.push(
      { set: name, measure: "max_overlap_area_m2", op, value: area },
      { set: name, measure: "area_overlap_ratio", op, value: pick(random, [0, 0.25, 0.5, 1]) },
      { set: name, measure: "min_distance_m", op, value: meters },
      { set: name, measure: column, op, value: pick(random, NUMBERS) },
    );
  }
  return pick(random, choices);
}

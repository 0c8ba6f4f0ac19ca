import type {
  Comparison,
  FilterArgument,
  FilterExpression,
  Ruleset,
  RulesetSet,
} from "../src/ruleset/parse/schema.ts";
import type { AttributeValue } from "../src/snapshot/snapshot.ts";
import { printedArea, printedDistance, printedNumber, printedRatio } from "../src/verdict/rounding.ts";
import type { AreaData, CaseFile, CaseInput, RecordData } from "./ruleset-cases.ts";

/**
 * Rulesets as `docs/semantics/rulesets.md` has them, in the plainest way: every area is a set of unit
 * cells, every question goes through all of them. Shares with the engine its types and how numbers
 * are printed. Boxes have corners at whole numbers, 0 to 99.
 */
export function naiveVerdict(
  world: Pick<CaseFile, "sources" | "groups">,
  failed: readonly string[],
  ruleset: Ruleset,
  input: CaseInput,
): NaiveVerdict | { readonly error: string } {
  return new NaiveEvaluator(world, failed, ruleset, input).verdict();
}

export interface NaiveVerdict {
  readonly verdict: string;
  readonly status: string;
  readonly at_least: string;
  readonly checks: readonly NaiveCheck[];
  readonly sources: readonly object[];
}

export interface NaiveCheck {
  readonly id: string;
  readonly outcome: string | null;
  readonly triggered: boolean;
  readonly status: string;
  readonly values: readonly (number | null)[];
  readonly undetermined: number;
  readonly evidence: readonly object[];
  readonly evidence_total: number;
}

type Cells = ReadonlySet<number>;

interface Area {
  readonly source: string;
  readonly category: string | null;
  readonly data: AreaData;
  readonly cells: Cells;
  /** Those in the plot. */
  readonly shared: Cells;
  readonly meters: number;
}

interface Chosen {
  readonly areas: readonly Area[];
  readonly unsure: readonly Area[];
  readonly region: Cells;
}

interface Hit {
  readonly source_name: string;
  readonly source_id: string;
  readonly value: string;
  readonly scheme: string;
  readonly role?: string;
}

/** Whether failed sources could add to a set, or take from it. */
interface Doubt {
  readonly adds: boolean;
  readonly takes: boolean;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly maybeNull: boolean;
}

const EAST_METERS = 111.31949;
const NORTH_METERS = 110.57427;
const CELL = EAST_METERS * NORTH_METERS;

class NaiveEvaluator {
  readonly world: Pick<CaseFile, "sources" | "groups">;
  readonly failed: readonly string[];
  readonly ruleset: Ruleset;
  readonly input: CaseInput;
  readonly plot: Cells;
  readonly areas: readonly Area[];
  readonly chosen = new Map<string, Chosen>();
  readonly withoutCountry = new Map<string, Set<string>>();

  constructor(
    world: Pick<CaseFile, "sources" | "groups">,
    failed: readonly string[],
    ruleset: Ruleset,
    input: CaseInput,
  ) {
    this.world = world;
    this.failed = failed;
    this.ruleset = ruleset;
    this.input = input;
    this.plot = cellsOf(input.boxes ?? []);
    this.areas = Object.keys(world.sources)
      .sort()
      .flatMap((source) =>
        failed.includes(source)
          ? []
          : (world.sources[source]!.areas ?? []).map((data): Area => {
              const cells = cellsOf(data.boxes);
              return {
                source,
                category: world.sources[source]!.category ?? null,
                data,
                cells,
                shared: common(cells, this.plot),
                meters: nearest(cells, this.plot),
              };
            }),
      );
  }

  verdict(): NaiveVerdict | { readonly error: string } {
    const reached = this.reached();
    const refusal = this.refusal(reached);
    if (refusal !== undefined) return { error: refusal };
    const checks = this.ruleset.checks.map((check) => this.check(check));
    const outcomes = checks.map(({ outcome }) => outcome);
    const worst = outcomes.includes("NON_COMPLIANT")
      ? "NON_COMPLIANT"
      : outcomes.includes("WARNING")
        ? "WARNING"
        : "COMPLIANT";
    const named = [
      ...new Set(
        Object.values(this.ruleset.sets).flatMap((set) =>
          this.expand("sources" in set ? set.sources : "registers" in set ? set.registers : []),
        ),
      ),
    ].sort();
    const degraded = named.some((name) => this.failed.includes(name));
    return {
      verdict: degraded ? "DEGRADED" : worst,
      status: degraded ? "degraded" : "ok",
      at_least: worst,
      checks,
      sources: named.map((name) => this.source(name, reached)),
    };
  }

  /** Names of the sets that checks reach. */
  reached(): readonly string[] {
    const all = new Set<string>();
    const reach = (name: string): void => {
      all.add(name);
      operandNames(this.ruleset.sets[name]!).forEach(reach);
    };
    for (const { set, of } of this.ruleset.checks.flatMap(comparisons)) {
      reach(set);
      if (of !== undefined) reach(of);
    }
    return [...all];
  }

  refusal(reached: readonly string[]): string | undefined {
    const sets = reached.map((name) => this.ruleset.sets[name]!);
    let unsupported = false;
    for (const set of sets) {
      if ("sources" in set && this.input.boxes === undefined) return "INPUT_INCOMPLETE";
      if ("registers" in set && this.asked(set.asks).length === 0) return "INPUT_INCOMPLETE";
      if (!("registers" in set)) continue;
      const schemes = this.expand(set.registers).flatMap((name) => {
        const { schemes: declared = [], records = [] } = this.world.sources[name]!;
        const present = records.flatMap(({ identifiers }) => identifiers.map(({ scheme }) => scheme));
        return this.failed.includes(name) && declared.length === 0 ? ["any"] : [...declared, ...present];
      });
      for (const { type } of this.asked(set.asks)) {
        if (!schemes.includes(type) && !schemes.includes("any")) unsupported = true;
      }
    }
    return unsupported ? "SCHEME_UNSUPPORTED" : undefined;
  }

  check(check: Ruleset["checks"][number]): NaiveCheck {
    const judged = comparisons(check).map((comparison) => this.compare(comparison));
    const certain = judged.map(({ holds, fails }) => (holds ? true : fails ? false : undefined));
    const isAny = "any" in check;
    const [yes, no] = isAny
      ? [certain.includes(true), certain.every((one) => one === false)]
      : [certain.every((one) => one === true), certain.includes(false)];
    const { undetermined, evidence } = this.evidence(check);
    return {
      id: check.id,
      outcome: yes ? check.outcome : null,
      triggered: yes,
      status: yes || no ? "ok" : "failed",
      values: judged.map(({ holds, fails, value }) => (holds || fails ? value : null)),
      undetermined,
      evidence: evidence.slice(0, 20),
      evidence_total: evidence.length,
    };
  }

  compare(comparison: Comparison): { value: number | null; holds: boolean; fails: boolean } {
    const { op = ">", value: threshold = 0 } = comparison;
    const value = this.value(comparison);
    const { low, high, maybeNull } = this.bounds(comparison, value);
    const samples =
      low > high ? [] : [low, high, ...(threshold >= low && threshold <= high ? [threshold] : [])];
    const answers = samples.map((sample) => compareNumbers(op, sample, threshold));
    if (maybeNull) answers.push(false);
    return { value, holds: answers.every((answer) => answer), fails: answers.every((answer) => !answer) };
  }

  value({ set: name, measure = "count", of }: Comparison): number | null {
    const set = this.ruleset.sets[name]!;
    if ("registers" in set)
      return new Set(this.hits(name).map((hit) => `${hit.source_name} ${hit.source_id}`)).size;
    const { areas, region } = this.choose(name);
    const least = (values: readonly number[]) => (values.length === 0 ? null : Math.min(...values));
    const greatest = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values));
    if (typeof measure === "object") {
      const [[word, column]] = Object.entries(measure) as [[string, string]];
      const values = areas.flatMap(({ data }) => {
        const value = data.properties?.[column];
        return typeof value === "number" ? [value] : [];
      });
      // Columns hold whole numbers of 2^-60, so that whole numbers add up to the exact sum.
      const sum = Number(values.reduce((total, value) => total + BigInt(value * 2 ** 60), 0n)) / 2 ** 60;
      if (word === "sum") return printedNumber(sum);
      if (word === "avg") return values.length === 0 ? null : printedNumber(sum / values.length);
      return word === "min" ? least(values) : greatest(values);
    }
    switch (measure) {
      case "count":
        return areas.length;
      case "overlap_area_m2":
        return printedArea(region.size * CELL);
      case "overlap_ratio":
        return share(region.size, of === undefined ? this.plot.size : this.choose(of).region.size);
      case "max_overlap_area_m2":
        return printedArea((greatest(areas.map(({ shared }) => shared.size)) ?? 0) * CELL);
      case "area_overlap_ratio":
        return greatest(areas.map(({ shared, cells }) => share(shared.size, cells.size)!)) ?? 0;
      case "min_distance_m":
        return least(areas.map(({ meters }) => printedDistance(meters)));
    }
  }

  /** Every value a measure could have, by the table of the page. */
  bounds({ set: name, measure = "count", of }: Comparison, value: number | null): Bounds {
    const { adds, takes } = this.doubt(name);
    const whole = of === undefined ? undefined : this.doubt(of);
    const exact: Bounds =
      value === null ? { low: 1, high: 0, maybeNull: true } : { low: value, high: value, maybeNull: false };
    const between = (here: number, most: number): Bounds => ({
      low: takes ? 0 : here,
      high: adds ? most : here,
      maybeNull: false,
    });
    if (of !== undefined && whole !== undefined) {
      const cells = this.choose(name).region.size;
      const ofCells = this.choose(of).region.size;
      const part = between(cells, this.plot.size);
      const least = whole.takes ? 0 : ofCells;
      const most = whole.adds ? this.plot.size : ofCells;
      if (most === 0) return { low: 1, high: 0, maybeNull: true };
      return {
        low: share(part.low, most)!,
        high: least === 0 ? Number.POSITIVE_INFINITY : share(part.high, least)!,
        maybeNull: least === 0,
      };
    }
    if (!adds && !takes) return exact;
    if (typeof measure === "object") {
      const anything = {
        low: Number.NEGATIVE_INFINITY,
        high: Number.POSITIVE_INFINITY,
        maybeNull: value === null,
      };
      if (value === null || "sum" in measure || "avg" in measure) return anything;
      return "min" in measure ? { ...anything, high: value } : { ...anything, low: value };
    }
    switch (measure) {
      case "count":
        return between(value!, Number.POSITIVE_INFINITY);
      case "overlap_area_m2":
      case "max_overlap_area_m2":
        return between(value!, printedArea(this.plot.size * CELL));
      case "overlap_ratio":
      case "area_overlap_ratio":
        return between(value!, 1);
      case "min_distance_m": {
        const set = this.ruleset.sets[name]!;
        const { min_m = 0, within_m = 0 } = "sources" in set ? set : {};
        return { low: min_m, high: value ?? within_m, maybeNull: value === null };
      }
    }
  }

  doubt(name: string): Doubt {
    const set = this.ruleset.sets[name]!;
    const names = "sources" in set ? set.sources : "registers" in set ? set.registers : undefined;
    if (names !== undefined)
      return { adds: this.expand(names).some((source) => this.failed.includes(source)), takes: false };
    const operands = operandNames(set);
    const doubts = operands.map((operand) => this.doubt(operand));
    const isEmptyForCertain = (i: number) =>
      this.choose(operands[i]!).region.size === 0 && doubts[i]!.adds === false;
    if ("intersection" in set && operands.some((_, i) => isEmptyForCertain(i)))
      return { adds: false, takes: false };
    if (!("difference" in set))
      return { adds: doubts.some(({ adds }) => adds), takes: doubts.some(({ takes }) => takes) };
    if (isEmptyForCertain(0)) return { adds: false, takes: false };
    const [first, ...others] = doubts;
    return {
      adds: first!.adds || others.some(({ takes }) => takes),
      takes: first!.takes || others.some(({ adds }) => adds),
    };
  }

  choose(name: string): Chosen {
    let found = this.chosen.get(name);
    if (found === undefined) {
      found = this.select(name);
      this.chosen.set(name, found);
    }
    return found;
  }

  select(name: string): Chosen {
    const set = this.ruleset.sets[name]!;
    if ("sources" in set) return this.selectAreas(set);
    const operands = operandNames(set).map((operand) => this.choose(operand));
    const [first, ...others] = operands.map(({ region }) => region);
    const region = new Set(
      [...this.plot].filter((cell) => {
        const inOthers = others.map((other) => other.has(cell));
        if ("union" in set) return first!.has(cell) || inOthers.includes(true);
        if ("intersection" in set) return first!.has(cell) && !inOthers.includes(false);
        return first!.has(cell) && !inOthers.includes(true);
      }),
    );
    const givers = "difference" in set ? operands.slice(0, 1) : operands;
    const areas = new Set(givers.flatMap(({ areas: own }) => own));
    return {
      areas: [...areas].filter(({ shared }) => common(shared, region).size > 0),
      unsure: [...new Set(operands.flatMap(({ unsure }) => unsure))],
      region,
    };
  }

  selectAreas(set: Extract<RulesetSet, { sources: unknown }>): Chosen {
    const sources = this.expand(set.sources);
    const countries = [set.country_iso3 ?? []].flat().map((code) => code.toUpperCase());
    const near = this.areas.filter((area) => {
      if (!sources.includes(area.source)) return false;
      const { cells, shared, meters } = area;
      if (set.within_m !== undefined) {
        const printed = printedDistance(meters);
        return printed <= set.within_m && printed >= (set.min_m ?? 0);
      }
      if (set.relation === "touches") return meters === 0 && shared.size === 0;
      if (set.relation === "covers") return shared.size === this.plot.size;
      if (set.relation === "covered_by") return shared.size === cells.size;
      return meters === 0;
    });
    const inCountry = near.filter(({ source, data }) => {
      if (set.country_iso3 === undefined) return true;
      if (data.country === undefined) {
        this.withoutCountry.set(source, (this.withoutCountry.get(source) ?? new Set()).add(data.id));
      }
      return data.country !== undefined && countries.includes(data.country);
    });
    const answers = new Map(
      inCountry.map((area) => [
        area,
        set.where === undefined ? true : truth(set.where as FilterExpression, area),
      ]),
    );
    const areas = inCountry.filter((area) => answers.get(area) ?? set.unknown === "include");
    return {
      areas,
      unsure: inCountry.filter((area) => answers.get(area) === null),
      region: new Set(areas.flatMap(({ shared }) => [...shared])),
    };
  }

  asked(role: string | undefined) {
    const { scheme = [] } = this.input;
    return [scheme].flat().filter((one) => role === undefined || one.role === role);
  }

  hits(name: string): readonly Hit[] {
    const set = this.ruleset.sets[name]!;
    if (!("registers" in set)) return [];
    return this.expand(set.registers).flatMap((source) =>
      (this.failed.includes(source) ? [] : (this.world.sources[source]!.records ?? [])).flatMap(
        ({ id, identifiers }: RecordData) =>
          identifiers.flatMap(({ scheme, value }) =>
            this.asked(set.asks).flatMap(({ type, value: sent, role }): Hit[] => {
              const [own, other] = [canonical(value), canonical(sent)];
              const root = set.match === "root" && type === "br:cnpj" && other.length >= 8;
              const isHit = scheme === type && (root ? own.slice(0, 8) === other.slice(0, 8) : own === other);
              const hit = { source_name: source, source_id: id, value, scheme: type };
              return isHit ? [role === undefined ? hit : { ...hit, role }] : [];
            }),
          ),
      ),
    );
  }

  evidence(check: Ruleset["checks"][number]): { undetermined: number; evidence: readonly object[] } {
    const names = [...new Set(comparisons(check).map(({ set }) => set))];
    const isNear = (name: string) => "within_m" in this.ruleset.sets[name]!;
    const regions = names.filter((name) => !("registers" in this.ruleset.sets[name]!));
    const shown = (name: string) => [...this.choose(name).areas, ...this.choose(name).unsure];
    const areas = [...new Set(regions.flatMap(shown))];
    const unsure = new Set(regions.flatMap((name) => this.choose(name).unsure));
    const withDistance = new Set(regions.filter(isNear).flatMap(shown));
    areas.sort(
      (a, b) =>
        b.shared.size - a.shared.size ||
        a.meters - b.meters ||
        order(a.source, b.source) ||
        order(a.data.id, b.data.id),
    );
    const hits = new Map(
      names.flatMap((name) => this.hits(name)).map((hit) => [Object.values(hit).join("\u0000"), hit]),
    );
    const records = [...hits.values()].sort(
      (a, b) =>
        order(a.source_name, b.source_name) ||
        order(a.source_id, b.source_id) ||
        order(a.value, b.value) ||
        order(a.scheme, b.scheme) ||
        order(a.role ?? "", b.role ?? ""),
    );
    const items = areas.map(({ source, data, cells, shared, meters }, i) => ({
      source_name: source,
      source_id: data.id,
      name: data.name ?? null,
      country_iso3: data.country ?? null,
      overlap_area_m2: printedArea(shared.size * CELL),
      overlap_ratio: share(shared.size, this.plot.size),
      area_overlap_ratio: share(shared.size, cells.size),
      ...(withDistance.has(areas[i]!) && { distance_m: printedDistance(meters) }),
      ...(unsure.has(areas[i]!) && { undetermined: true }),
    }));
    return { undetermined: unsure.size, evidence: [...items, ...records] };
  }

  source(name: string, reached: readonly string[]): object {
    if (this.failed.includes(name)) return { source_name: name, status: "failed", matched: 0 };
    const sets = reached.map((set) => [set, this.ruleset.sets[set]!] as const);
    const matched = new Set<string>();
    let asksCountry = false;
    for (const [set, definition] of sets) {
      if ("registers" in definition) {
        for (const hit of this.hits(set)) if (hit.source_name === name) matched.add(hit.source_id);
      } else if ("sources" in definition) {
        for (const { source, data } of this.choose(set).areas) if (source === name) matched.add(data.id);
        asksCountry ||=
          definition.country_iso3 !== undefined && this.expand(definition.sources).includes(name);
      }
    }
    return {
      source_name: name,
      status: "ok",
      matched: matched.size,
      ...(asksCountry && { without_country: this.withoutCountry.get(name)?.size ?? 0 }),
    };
  }

  expand(names: readonly string[]): readonly string[] {
    return [...new Set(names.flatMap((name) => this.world.groups?.[name] ?? [name]))].sort();
  }
}

function comparisons(check: Ruleset["checks"][number]): readonly Comparison[] {
  return "all" in check ? check.all : "any" in check ? check.any : [check];
}

function operandNames(set: RulesetSet): readonly string[] {
  if ("union" in set) return set.union;
  if ("intersection" in set) return set.intersection;
  return "difference" in set ? set.difference : [];
}

function cellsOf(boxes: AreaData["boxes"]): Cells {
  const cells = new Set<number>();
  for (const [west, south, east, north] of boxes) {
    for (let x = west; x < east; x++) for (let y = south; y < north; y++) cells.add(100 * x + y);
  }
  return cells;
}

function common(a: Cells, b: Cells): Cells {
  return new Set([...a].filter((cell) => b.has(cell)));
}

/** Metres between two sets of closed cells; infinite where one is empty. */
function nearest(a: Cells, b: Cells): number {
  let least = Number.POSITIVE_INFINITY;
  for (const p of a) {
    for (const q of b) {
      const across = Math.max(0, Math.abs(Math.floor(p / 100) - Math.floor(q / 100)) - 1);
      const along = Math.max(0, Math.abs((p % 100) - (q % 100)) - 1);
      least = Math.min(least, Math.hypot(across * EAST_METERS, along * NORTH_METERS));
    }
  }
  return least;
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : printedRatio(part / whole);
}

function canonical(value: string): string {
  return value.replace(/[ ./()-]/g, "").toUpperCase();
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareNumbers(op: string, a: number | string | boolean, b: number | string | boolean): boolean {
  if (op === ">") return a > b;
  if (op === "<") return a < b;
  if (op === ">=") return !(a < b);
  if (op === "<=") return !(a > b);
  return (op === "=") === (a === b);
}

/** Kleene's three values; null is "no answer". */
function truth({ op, args }: FilterExpression, area: Area): boolean | null {
  const parts = (): (boolean | null)[] => args.map((arg) => truth(arg as FilterExpression, area));
  const read = (i: number): AttributeValue => scalar(args[i]!, area);
  switch (op) {
    case "and":
      return parts().includes(false) ? false : parts().includes(null) ? null : true;
    case "or":
      return parts().includes(true) ? true : parts().includes(null) ? null : false;
    case "not": {
      const [part] = parts();
      return part === null ? null : !part;
    }
    case "isNull":
      return read(0) === null;
    case "between":
      return truth(
        {
          op: "and",
          args: [
            { op: ">=", args: [args[0]!, args[1]!] },
            { op: "<=", args: [args[0]!, args[2]!] },
          ],
        },
        area,
      );
    case "in": {
      const value = read(0);
      const items = (args[1] as readonly FilterArgument[]).map((item) => scalar(item, area));
      return value === null ? null : items.includes(value);
    }
    case "like": {
      const value = read(0);
      return value === null ? null : patternOf(String(read(1))).test(String(value));
    }
    default: {
      const [a, b] = [read(0), read(1)];
      return a === null || b === null ? null : compareNumbers(op, a, b);
    }
  }
}

function scalar(argument: FilterArgument, area: Area): AttributeValue {
  if (typeof argument !== "object") return argument;
  if ("date" in argument) return argument.date;
  if ("property" in argument) return property(argument.property, area);
  const inner = scalar((argument as FilterExpression).args[0]!, area);
  return inner === null ? null : String(inner).toUpperCase();
}

function property(name: string, { source, category, data }: Area): AttributeValue {
  if (name === "source_name") return source;
  if (name === "source_id") return data.id;
  if (name === "name") return data.name ?? null;
  if (name === "country_iso3") return data.country ?? null;
  if (name === "category") return category;
  return data.properties?.[name] ?? null;
}

function patternOf(pattern: string): RegExp {
  const source = pattern.replace(/\\(.)|%|_|./gsu, (found, escaped: string | undefined) => {
    if (found === "%") return ".*";
    if (found === "_") return ".";
    return `\\u{${(escaped ?? found).codePointAt(0)!.toString(16)}}`;
  });
  return new RegExp(`^${source}$`, "su");
}

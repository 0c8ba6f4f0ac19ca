import { parseCalendarDay } from "../../base/calendar-day.ts";
import { isObject } from "../../base/is-object.ts";
import { formatSuggestion } from "../../base/nearest-name.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { describeValue } from "../../shape/describe-value.ts";
import type { ColumnType } from "../../snapshot/manifest.ts";
import type { AttributeValue } from "../../snapshot/snapshot.ts";
import type { RulesetFaults } from "./faults.ts";
import { FilterTexts } from "./filter-texts.ts";
import { createLikeMatcher } from "./like.ts";
import {
  FILTER_DEPTH_LIMIT,
  FILTER_NODE_LIMIT,
  FILTER_OPERATORS,
  type Filter,
  type FilterArgument,
  type FilterExpression,
  PATTERN_LENGTH_LIMIT,
} from "./schema.ts";

/**
 * Reads a property of the area at hand, by its place in {@link CompiledFilter.properties}; a fact by its place in
 * {@link CompiledFilter.facts}, counted down from -1.
 */
export type PropertyReader = (property: number) => AttributeValue | undefined;

/** A fact, and what a filter compares it with: a property by its place, another fact or a literal. */
export interface ComparedFact {
  readonly fact: string;
  readonly against: Pick<Scalar, "property" | "fact" | "literal">;
}

/** A filter that can be evaluated on areas. */
export interface CompiledFilter {
  readonly tree: FilterExpression;
  readonly properties: readonly string[];
  /** The facts that it reads, as it names them. */
  readonly facts: readonly string[];
  readonly compared: readonly ComparedFact[];
  /**
   * True, false, or null where a value it needs is null (three-valued logic, as in SQL).
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` where it takes more work than the answer has left.
   */
  evaluate(read: PropertyReader, meter: WorkMeter): boolean | null;
}

/** Type of a property in every source of a set, or undefined where it is unknown or was refused. */
export type PropertyTypes = (property: string, pointer: string) => ColumnType | undefined;

/** Type of a fact; undefined where it is unknown. */
export type FactTypes = (fact: string) => ColumnType | undefined;

/**
 * Checks the shape of a filter: operators, how many arguments and of what kind each takes, literals,
 * depth and size; of a text, first its grammar. Every fault is collected; undefined where there was one.
 *
 * @returns the filter as it was sent
 */
export function parseFilter(value: unknown, pointer: string, faults: RulesetFaults): Filter | undefined {
  const before = faults.count;
  const tree = typeof value === "string" ? readTextTree(value, pointer, faults) : value;
  if (faults.count === before) new FilterParser(faults).predicate(tree, pointer, 1);
  return faults.count === before ? (value as Filter) : undefined;
}

/** The tree of a text, which the faults learn of; undefined, with a fault, where it is no filter. */
function readTextTree(text: string, pointer: string, faults: RulesetFaults): unknown {
  const read = faults.texts.read(text, pointer);
  if (!("fault" in read)) return read.tree;
  faults.add(pointer, read.fault.code, read.fault.message);
  return undefined;
}

/**
 * The tree of a filter that {@link parseFilter} accepted.
 *
 * @param pointer where the filter stands, for `texts` to learn where its parts do
 */
export function getFilterTree(
  filter: Filter,
  pointer = "",
  texts: FilterTexts = new FilterTexts(),
): FilterExpression {
  if (typeof filter !== "string") return filter;
  const read = texts.read(filter, pointer);
  if ("fault" in read) throw new Error(`filter ${filter} was accepted by the parser`);
  return read.tree as FilterExpression;
}

/** Checks the types of a filter that {@link parseFilter} accepted, and makes it ready. */
export function compileFilter(
  filter: Filter,
  pointer: string,
  types: PropertyTypes,
  faults: RulesetFaults,
  factTypes: FactTypes = () => undefined,
): CompiledFilter {
  const compiler = new FilterCompiler(types, factTypes, faults);
  const tree = getFilterTree(filter, pointer, faults.texts);
  const evaluate = compiler.predicate(tree, pointer);
  const { properties, facts, compared } = compiler;
  return { tree, properties, facts, compared, evaluate };
}

const ORDER_OPERATORS = new Set(["<", "<=", ">", ">="]);
/** Operators that people write out of habit, with the right one. */
const HABITS: ReadonlyMap<string, string> = new Map([
  ["!=", "<>"],
  ["==", "="],
  ["===", "="],
  ["eq", "="],
  ["&&", "and"],
  ["||", "or"],
  ["!", "not"],
  ["ilike", "casei"],
]);

class FilterParser {
  readonly #faults: RulesetFaults;
  #nodes = 0;

  constructor(faults: RulesetFaults) {
    this.#faults = faults;
  }

  predicate(value: unknown, pointer: string, depth: number): void {
    const expression = this.#expression(value, pointer, depth, "a filter {op, args}");
    if (expression === undefined) return;
    const { op, args } = expression;
    if (op === "casei") {
      this.#faults.add(
        `${pointer}/op`,
        "TYPE_MISMATCH",
        'found "casei", which returns a text, expected a condition',
      );
      return;
    }
    args.forEach((argument, i) => {
      const at = `${pointer}/args/${i}`;
      if (op === "and" || op === "or" || op === "not") this.predicate(argument, at, depth + 1);
      else if (op === "isNull") this.#property(argument, at);
      else if (op === "in" && i === 1) this.#list(argument, at, depth);
      else if (op === "like" && i === 1) this.#pattern(argument, at, depth);
      else this.#scalar(argument, at, depth + 1);
    });
  }

  #expression(
    value: unknown,
    pointer: string,
    depth: number,
    expected: string,
  ): { readonly op: string; readonly args: readonly unknown[] } | undefined {
    if (!this.#count(pointer)) return undefined;
    if (depth > FILTER_DEPTH_LIMIT) {
      const message = `found a filter nested deeper than ${FILTER_DEPTH_LIMIT} levels, expected at most that many`;
      this.#faults.add(pointer, "LIMIT_EXCEEDED", message);
      return undefined;
    }
    if (!isObject(value)) {
      this.#faults.add(pointer, "TYPE_MISMATCH", `found ${describeValue(value)}, expected ${expected}`);
      return undefined;
    }
    this.#refuseOthers(value, pointer, ["op", "args"]);
    const { op, args } = value;
    const arity = typeof op === "string" ? FILTER_OPERATORS.get(op) : undefined;
    if (typeof op !== "string" || arity === undefined) {
      const known = [...FILTER_OPERATORS.keys()];
      const habit = typeof op === "string" ? HABITS.get(op) : undefined;
      const meant = habit === undefined ? formatSuggestion(String(op), known) : `; did you mean "${habit}"?`;
      const message = `found the operator ${describeValue(op)}${meant}; expected one of ${known.join(" ")}`;
      this.#faults.add(`${pointer}/op`, "OPERATOR_UNKNOWN", message);
      return undefined;
    }
    if (!Array.isArray(args) || args.length < arity.least || args.length > arity.most) {
      const count = arity.least === arity.most ? `${arity.least}` : `${arity.least} to ${arity.most}`;
      const message = `found ${describeValue(args)}, expected an array of ${count} argument${count === "1" ? "" : "s"} of "${op}"`;
      this.#faults.add(`${pointer}/args`, "VALUE_INVALID", message);
      return undefined;
    }
    return { op, args };
  }

  /** @param isListed of a list, which has no properties, not even within `casei` */
  #scalar(value: unknown, pointer: string, depth: number, isListed = false): void {
    if (isObject(value) && "op" in value) {
      const expression = this.#expression(value, pointer, depth, "a value");
      if (expression === undefined) return;
      if (expression.op === "casei")
        this.#scalar(expression.args[0], `${pointer}/args/0`, depth + 1, isListed);
      else {
        const message = `found the condition "${expression.op}", expected a value: a literal, a property, or casei`;
        this.#faults.add(`${pointer}/op`, "TYPE_MISMATCH", message);
      }
    } else if (isObject(value) && ("property" in value || "fact" in value)) {
      const word = "property" in value ? "property" : "fact";
      if (isListed) this.#faults.add(pointer, "TYPE_MISMATCH", `found a ${word}, expected a literal`);
      else if (word === "property") this.#property(value, pointer);
      else this.#fact(value, pointer);
    } else this.#literal(value, pointer);
  }

  #fact(value: Readonly<Record<string, unknown>>, pointer: string): void {
    if (!this.#count(pointer)) return;
    if (typeof value.fact !== "string") {
      const message = `found ${describeValue(value.fact)}, expected the name of a fact`;
      this.#faults.add(`${pointer}/fact`, "TYPE_MISMATCH", message);
    }
    this.#refuseOthers(value, pointer, ["fact"]);
  }

  #property(value: unknown, pointer: string): void {
    if (!this.#count(pointer)) return;
    const expected = 'a property {"property": name}';
    if (!isObject(value) || typeof value.property !== "string" || value.property === "") {
      this.#faults.add(pointer, "TYPE_MISMATCH", `found ${describeArgument(value)}, expected ${expected}`);
      return;
    }
    this.#refuseOthers(value, pointer, ["property"]);
  }

  #literal(value: unknown, pointer: string): void {
    if (!this.#count(pointer)) return;
    if (typeof value === "string" || typeof value === "boolean") return;
    if (typeof value === "number" && Number.isFinite(value)) return;
    if (!isObject(value) || !("date" in value)) {
      const hint = value === null ? '; use "isNull" to test for null' : "";
      const expected =
        'a number, a string, a boolean, {"date": "YYYY-MM-DD"}, {"property": name} or {"fact": name}';
      this.#faults.add(
        pointer,
        "TYPE_MISMATCH",
        `found ${describeArgument(value)}, expected ${expected}${hint}`,
      );
      return;
    }
    this.#refuseOthers(value, pointer, ["date"]);
    const { date } = value;
    if (typeof date !== "string" || parseCalendarDay(date) === undefined) {
      this.#faults.add(
        `${pointer}/date`,
        "VALUE_INVALID",
        `found ${describeValue(date)}, expected a calendar day YYYY-MM-DD`,
      );
    }
  }

  #list(value: unknown, pointer: string, depth: number): void {
    if (!Array.isArray(value) || value.length === 0) {
      const message = `found ${describeValue(value)}, expected an array of at least one literal`;
      this.#faults.add(pointer, "VALUE_INVALID", message);
      return;
    }
    value.forEach((item, i) => {
      this.#scalar(item, `${pointer}/${i}`, depth + 1, true);
    });
  }

  #pattern(value: unknown, pointer: string, depth: number): void {
    if (isObject(value) && value.op === "casei") {
      const expression = this.#expression(value, pointer, depth + 1, "a pattern");
      if (expression !== undefined) this.#patternText(expression.args[0], `${pointer}/args/0`);
    } else this.#patternText(value, pointer);
  }

  #patternText(value: unknown, pointer: string): void {
    if (!this.#count(pointer)) return;
    if (typeof value === "string" && value.length <= PATTERN_LENGTH_LIMIT) return;
    const found = typeof value === "string" ? `${value.length} characters` : describeArgument(value);
    const expected = `a pattern: a string of at most ${PATTERN_LENGTH_LIMIT} characters, % for any run, _ for one`;
    this.#faults.add(pointer, "TYPE_MISMATCH", `found ${found}, expected ${expected}`);
  }

  /** Refuses members of other names. */
  #refuseOthers(value: object, pointer: string, names: readonly string[]): void {
    for (const name of Object.keys(value)) {
      if (!names.includes(name)) this.#faults.addUnknownMember(pointer, name, names);
    }
  }

  /** False once the filter has more nodes than allowed; reported once. */
  #count(pointer: string): boolean {
    this.#nodes++;
    if (this.#nodes === FILTER_NODE_LIMIT + 1) {
      const message = `found more than ${FILTER_NODE_LIMIT} expressions, properties and literals, expected at most that many`;
      this.#faults.add(pointer, "LIMIT_EXCEEDED", message);
    }
    return this.#nodes <= FILTER_NODE_LIMIT;
  }
}

/** Units of work for an operator evaluated on an area, and for a property read besides the characters of its text. */
const OPERATOR_UNITS = 5;
const READ_UNITS = 20;
/** Characters of a text read in the time of a unit. */
const CHARACTERS_A_UNIT = 2;

type Predicate = (read: PropertyReader, meter: WorkMeter) => boolean | null;

interface Scalar {
  /** Undefined where a property's type is unknown: it agrees with any. */
  readonly type: ColumnType | undefined;
  /** Undefined where a value is not known, null where there is none. */
  readonly read: (read: PropertyReader, meter: WorkMeter) => AttributeValue | undefined;
  /** Its place, where it is one. */
  readonly property?: number;
  readonly fact?: string;
  readonly literal?: AttributeValue;
}

class FilterCompiler {
  readonly properties: string[] = [];
  readonly facts: string[] = [];
  readonly compared: ComparedFact[] = [];
  readonly #types: PropertyTypes;
  readonly #factTypes: FactTypes;
  readonly #faults: RulesetFaults;

  constructor(types: PropertyTypes, factTypes: FactTypes, faults: RulesetFaults) {
    this.#types = types;
    this.#factTypes = factTypes;
    this.#faults = faults;
  }

  predicate(expression: FilterExpression, pointer: string): Predicate {
    const holds = this.#operator(expression, pointer);
    return (read, meter) => {
      meter.add(OPERATOR_UNITS);
      return holds(read, meter);
    };
  }

  #operator({ op, args }: FilterExpression, pointer: string): Predicate {
    const at = (i: number): string => `${pointer}/args/${i}`;
    switch (op) {
      case "and":
      case "or": {
        const operands = args.map((arg, i) => this.predicate(arg as FilterExpression, at(i)));
        return op === "and" ? conjunction(operands) : disjunction(operands);
      }
      case "not": {
        const operand = this.predicate(args[0] as FilterExpression, at(0));
        return (read, meter) => {
          const answer = operand(read, meter);
          return answer === null ? null : !answer;
        };
      }
      case "isNull": {
        const { read: value } = this.#scalar(args[0]!, at(0));
        return (read, meter) => {
          const found = value(read, meter);
          return found === undefined ? null : found === null;
        };
      }
      case "between":
        return this.#between(
          args.map((arg, i) => this.#scalar(arg, at(i))),
          pointer,
        );
      case "in":
        return this.#membership(args, pointer);
      case "like":
        return this.#like(args, pointer);
      default:
        return this.#comparison(op, this.#scalar(args[0]!, at(0)), this.#scalar(args[1]!, at(1)), pointer);
    }
  }

  #comparison(op: string, left: Scalar, right: Scalar, pointer: string): Predicate {
    const type = this.#agree([left, right], pointer);
    if (ORDER_OPERATORS.has(op)) this.#requireOrder(type, op, pointer);
    const holds = COMPARATORS.get(op);
    if (holds === undefined) throw new Error(`operator ${op} was accepted by the parser`);
    return (read, meter) => {
      const a = left.read(read, meter);
      const b = right.read(read, meter);
      return isAbsent(a) || isAbsent(b) ? null : holds(a, b);
    };
  }

  #between(operands: readonly Scalar[], pointer: string): Predicate {
    this.#requireOrder(this.#agree(operands, pointer), "between", pointer);
    const [value, low, high] = operands as [Scalar, Scalar, Scalar];
    const atLeast = (read: PropertyReader, meter: WorkMeter): boolean | null =>
      isLessOrEqual(low.read(read, meter), value.read(read, meter));
    const atMost = (read: PropertyReader, meter: WorkMeter): boolean | null =>
      isLessOrEqual(value.read(read, meter), high.read(read, meter));
    return conjunction([atLeast, atMost]);
  }

  #membership(args: readonly FilterArgument[], pointer: string): Predicate {
    const value = this.#scalar(args[0]!, `${pointer}/args/0`);
    const list = args[1] as readonly FilterArgument[];
    const items = list.map((item, i) => this.#scalar(item, `${pointer}/args/1/${i}`));
    items.forEach((item, i) => {
      this.#agree([value, item], `${pointer}/args/1/${i}`);
    });
    const literals = new Set(items.map((item) => item.read(throwReadError, UNMETERED)));
    return (read, meter) => {
      const found = value.read(read, meter);
      return isAbsent(found) ? null : literals.has(found);
    };
  }

  #like(args: readonly FilterArgument[], pointer: string): Predicate {
    const value = this.#scalar(args[0]!, `${pointer}/args/0`);
    const pattern = this.#scalar(args[1]!, `${pointer}/args/1`);
    this.#requireText(value.type, "like", `${pointer}/args/0`);
    const matches = createLikeMatcher(String(pattern.read(throwReadError, UNMETERED)));
    return (read, meter) => {
      const found = value.read(read, meter);
      return typeof found === "string" ? matches(found, meter) : null;
    };
  }

  #scalar(argument: FilterArgument, pointer: string): Scalar {
    switch (typeof argument) {
      case "number":
      case "string":
      case "boolean":
        return { type: typeof argument as ColumnType, literal: argument, read: () => argument };
      default:
    }
    if ("property" in argument) return this.#property(argument.property, `${pointer}/property`);
    if ("date" in argument) {
      const literal = argument.date;
      return { type: "date", literal, read: () => literal };
    }
    if ("fact" in argument) return this.#fact(argument.fact);
    return this.#casei((argument as FilterExpression).args[0]!, `${pointer}/args/0`);
  }

  #property(name: string, pointer: string): Scalar {
    let property = this.properties.indexOf(name);
    if (property < 0) property = this.properties.push(name) - 1;
    const type = this.#types(name, pointer);
    return { type, property, read: (read, meter) => meterReadValue(read(property), meter) };
  }

  #fact(name: string): Scalar {
    let fact = this.facts.indexOf(name);
    if (fact < 0) fact = this.facts.push(name) - 1;
    const type = this.#factTypes(name);
    return { type, fact: name, read: (read, meter) => meterReadValue(read(-1 - fact), meter) };
  }

  /** Case is folded by upper-casing, which needs no locale: `ß` equals `SS`, `ς` equals `σ`. */
  #casei(argument: FilterArgument, pointer: string): Scalar {
    const { type, read: value } = this.#scalar(argument, pointer);
    this.#requireText(type, "casei", pointer);
    return {
      type: "string",
      read: (read, meter) => {
        const found = value(read, meter);
        if (typeof found !== "string") return null;
        meter.add(found.length);
        return found.toUpperCase();
      },
    };
  }

  #agree(operands: readonly Scalar[], pointer: string): ColumnType | undefined {
    for (const one of operands) {
      const { fact } = one;
      if (fact === undefined) continue;
      for (const against of operands) if (against !== one) this.compared.push({ fact, against });
    }
    const types = [...new Set(operands.flatMap(({ type }) => type ?? []))];
    if (types.length > 1) {
      const hint =
        types.includes("date") && types.includes("string")
          ? `; write a day as DATE('YYYY-MM-DD'), in JSON {"date": "YYYY-MM-DD"}`
          : "";
      const message = `found a ${types.join(" and a ")}, expected values of one type${hint}`;
      this.#faults.add(pointer, "TYPE_MISMATCH", message);
    }
    return types[0];
  }

  #requireText(type: ColumnType | undefined, op: string, pointer: string): void {
    if (type === undefined || type === "string") return;
    this.#faults.add(pointer, "TYPE_MISMATCH", `found a ${type}, expected a string for "${op}"`);
  }

  #requireOrder(type: ColumnType | undefined, op: string, pointer: string): void {
    if (type !== "boolean") return;
    this.#faults.add(
      pointer,
      "TYPE_MISMATCH",
      `found booleans, expected numbers, strings or dates for "${op}"`,
    );
  }
}

/** Calendar days are ordered as their text is. */
const COMPARATORS: ReadonlyMap<
  string,
  (a: string | number | boolean, b: string | number | boolean) => boolean
> = new Map([
  ["=", (a, b) => a === b],
  ["<>", (a, b) => a !== b],
  ["<", (a, b) => a < b],
  ["<=", (a, b) => a <= b],
  [">", (a, b) => a > b],
  [">=", (a, b) => a >= b],
]);

function isLessOrEqual(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean | null {
  return isAbsent(a) || isAbsent(b) ? null : a <= b;
}

function isAbsent(value: AttributeValue | undefined): value is null | undefined {
  return value === null || value === undefined;
}

function conjunction(operands: readonly Predicate[]): Predicate {
  return (read, meter) => {
    let answer: boolean | null = true;
    for (const operand of operands) {
      const found = operand(read, meter);
      if (found === false) return false;
      if (found === null) answer = null;
    }
    return answer;
  };
}

function disjunction(operands: readonly Predicate[]): Predicate {
  return (read, meter) => {
    let answer: boolean | null = false;
    for (const operand of operands) {
      const found = operand(read, meter);
      if (found === true) return true;
      if (found === null) answer = null;
    }
    return answer;
  };
}

/** The work of a literal: none is read twice. */
const UNMETERED = new WorkMeter(Infinity);

function meterReadValue<Value extends AttributeValue | undefined>(value: Value, meter: WorkMeter): Value {
  meter.add(READ_UNITS + (typeof value === "string" ? Math.ceil(value.length / CHARACTERS_A_UNIT) : 0));
  return value;
}

function throwReadError(): never {
  throw new Error("a literal reads no property");
}

/** Describes a value found in place of an argument. */
function describeArgument(value: unknown): string {
  if (!isObject(value)) return describeValue(value);
  if ("property" in value) return "a property";
  if ("fact" in value) return "a fact";
  return "date" in value ? "a day" : "op" in value ? `the operator ${describeValue(value.op)}` : "an object";
}

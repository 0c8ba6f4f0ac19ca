import { EngineError } from "../base/errors.ts";
import { formatJsonPointer } from "../base/json-pointer.ts";

/**
 * Canonical JSON of objects and arrays that do not change while it is in use: what is written once need not be
 * written again.
 */
export type WrittenJson = Map<object, string>;

/**
 * The canonical JSON of a value (RFC 8785): members ordered by UTF-16 code units, numbers as
 * ECMAScript prints them, no white space. Members whose value is undefined are left out, as
 * `JSON.stringify` does.
 *
 * @param value a JSON value
 * @param written is asked for every object and array, and receives the arrays that hold numbers alone, as
 *   `coordinates` do
 * @param orders of the objects of values like this one; absent: none are known
 *
 * Fails: `VALIDATION_FAILED` with a pointer for what JSON cannot say or UTF-8 cannot hold: a
 * non-finite number, a lone surrogate, a value that is no JSON value, or nesting deeper than
 * {@link MAX_DEPTH} (so that a cycle ends too).
 */
export function canonicalJson(
  value: unknown,
  written?: WrittenJson,
  orders: MemberOrders = new MemberOrders(),
): string {
  return printValue(value, [], { written, orders });
}

interface Writing {
  readonly written: WrittenJson | undefined;
  readonly orders: MemberOrders;
}

/** How objects with these members, in this order, are written. */
interface Order {
  readonly members: readonly string[];
  readonly sorted: readonly string[];
  /** The sorted names as they stand before their values. */
  readonly heads: readonly string[];
}

const MAX_DEPTH = 512;

/** @param path keys down to the value; shared and restored, so that a pointer costs nothing until needed */
function printValue(value: unknown, path: (string | number)[], writing: Writing): string {
  switch (typeof value) {
    case "string":
      return printString(value, path);
    case "number":
      if (!Number.isFinite(value)) throwNotCanonical(`the number ${value}`, "a finite number", path);
      return `${value}`;
    case "boolean":
      return value ? "true" : "false";
    case "object":
      break;
    default:
      throwNotCanonical(typeof value, "a JSON value", path);
  }
  if (value === null) return "null";
  if (path.length >= MAX_DEPTH) throwNotCanonical("deeper nesting", `at most ${MAX_DEPTH} levels`, path);
  const known = writing.written?.get(value);
  if (known !== undefined) return known;
  return Array.isArray(value) ? printArray(value, path, writing) : printObject(value, path, writing);
}

function printArray(items: readonly unknown[], path: (string | number)[], writing: Writing): string {
  if (isOfNumbers(items, Math.min(COORDINATE_LEVELS, MAX_DEPTH - path.length))) {
    const printed = JSON.stringify(items);
    writing.written?.set(items, printed);
    return printed;
  }
  let printed = "[";
  for (let i = 0; i < items.length; i++) {
    path.push(i);
    if (i > 0) printed += ",";
    printed += printValue(items[i], path, writing);
    path.pop();
  }
  return `${printed}]`;
}

/**
 * Levels of the coordinates of a MultiPolygon. Arrays in deeper ones are looked through a level at a time: if each
 * level looked to the bottom, numbers under many would be looked at as many times.
 */
const COORDINATE_LEVELS = 4;

/** True if an array and the arrays in it hold only finite numbers, as in coordinates; their JSON is canonical. */
function isOfNumbers(items: readonly unknown[], levels: number): boolean {
  if (levels === 0) return false;
  // Not by an iterator: of thousands of positions each would make one.
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === "number" ? item - item !== 0 : !Array.isArray(item) || !isOfNumbers(item, levels - 1))
      return false;
  }
  return true;
}

function printObject(value: object, path: (string | number)[], writing: Writing): string {
  const members = value as Readonly<Record<string, unknown>>;
  const { sorted, heads } = writing.orders.find(value, path);
  let printed = "";
  for (let i = 0; i < sorted.length; i++) {
    const name = sorted[i]!;
    const member = members[name];
    if (member === undefined) continue;
    path.push(name);
    printed += `${printed === "" ? "{" : ","}${heads[i]}${printValue(member, path, writing)}`;
    path.pop();
  }
  return printed === "" ? "{}" : `${printed}}`;
}

/** Orders that are remembered: as many as the kinds of objects that values mix. */
const ORDERS = 16;

/**
 * Orders of members in the objects that were written: as a rule, a list's entries have the same members in the same
 * order, and so have all verdicts of a ruleset.
 */
export class MemberOrders {
  readonly #orders: Order[] = [];

  /** The order of an object's members. Fails: as {@link canonicalJson}. */
  find(value: object, path: (string | number)[]): Order {
    const orders = this.#orders;
    for (let i = 0; i < orders.length; i++) if (hasOrder(orders[i]!, value)) return orders[i]!;
    const members = Object.keys(value);
    const sorted = sortNames(members.slice());
    const heads = sorted.map((name) => {
      path.push(name);
      const head = `${printString(name, path)}:`;
      path.pop();
      return head;
    });
    const order = { members, sorted, heads };
    if (orders.length < ORDERS) orders.push(order);
    return order;
  }
}

/**
 * True if an object has exactly these members, in this order. Names are iterated, not listed: a list would be garbage.
 */
function hasOrder({ members }: Order, value: object): boolean {
  let count = 0;
  for (const name in value) if (members[count++] !== name) return false;
  return count === members.length;
}

/** Objects have few members as a rule, which are sorted by insertion sooner than by the host. */
const FEW = 16;

function sortNames(names: string[]): string[] {
  if (names.length > FEW) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let at = i;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}

/** Texts up to this length are looked through here, longer ones by the host. */
const SHORT = 24;
/** Text that needs no escape in JSON: most names, digests and numbers. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** RFC 8785 escapes exactly what `JSON.stringify` does, once lone surrogates are out. */
function printString(text: string, path: readonly (string | number)[]): string {
  if (text.length <= SHORT ? isPlain(text) : PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throwNotCanonical("a lone surrogate", "well-formed Unicode", path);
  return JSON.stringify(text);
}

function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

function throwNotCanonical(found: string, expected: string, path: readonly (string | number)[]): never {
  const pointer = formatJsonPointer(path);
  const message = `found ${found}, expected ${expected}`;
  throw new EngineError("VALIDATION_FAILED", `cannot write canonical JSON: at "${pointer}": ${message}`, {
    faults: [{ pointer, code: "NOT_CANONICAL", message }],
  });
}

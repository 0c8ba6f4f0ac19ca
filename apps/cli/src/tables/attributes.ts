import type { WorkbookOptions } from "@groundrule/report";

/**
 * The type of a column of plots' own attributes: text for values of no type here, or of several. A column of nulls has
 * type `null`, which takes on the type of another shard.
 */
export type AttributeType = "boolean" | "integer" | "null" | "real" | "text";

export const ATTRIBUTE_TYPES: readonly AttributeType[] = ["boolean", "integer", "null", "real", "text"];

/** An attribute of the plots in the input. */
export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  /** Number of the first plot that has it, from 0. */
  readonly first: number;
}

export type Properties = Readonly<Record<string, unknown>>;

/** Finds the attributes of plots one by one, in the order in which they first occur. */
export class AttributeFinder {
  readonly #found = new Map<string, { type: AttributeType; first: number }>();

  /** @param number number of the plot */
  add(properties: Properties, number: number): void {
    for (const [name, value] of Object.entries(properties)) {
      const known = this.#found.get(name);
      const type = detectAttributeType(value);
      if (known === undefined) this.#found.set(name, { type, first: number });
      else known.type = widenAttributeType(known.type, type);
    }
  }

  get attributes(): readonly Attribute[] {
    return [...this.#found].map(([name, { type, first }]) => ({ name, type, first }));
  }
}

/** Combines the attributes of a run's shards as the whole run would have found them. */
export function mergeAttributeLists(shards: readonly (readonly Attribute[])[]): readonly Attribute[] {
  const joined = new Map<string, Attribute>();
  for (const attribute of shards.flat()) {
    const { name, type, first } = attribute;
    const known = joined.get(name);
    const both = known && {
      name,
      type: widenAttributeType(known.type, type),
      first: Math.min(known.first, first),
    };
    joined.set(name, both ?? attribute);
  }
  // Each plot is in one shard, which has its attributes in order; the stable sort keeps that order.
  const places = new Map(
    shards.flatMap((shard) => shard.map((each, at) => [formatAttributePlace(each), at] as const)),
  );
  return [...joined.values()].sort(
    (a, b) =>
      a.first - b.first || places.get(formatAttributePlace(a))! - places.get(formatAttributePlace(b))!,
  );
}

function formatAttributePlace({ name, first }: Attribute): string {
  return `${first} ${name}`;
}

function detectAttributeType(value: unknown): AttributeType {
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean") return "boolean";
  if (typeof value !== "number") return "text";
  return Number.isSafeInteger(value) ? "integer" : "real";
}

function widenAttributeType(a: AttributeType, b: AttributeType): AttributeType {
  if (a === b || b === "null") return a;
  if (a === "null") return b;
  const areNumbers = [a, b].every((type) => type === "integer" || type === "real");
  return areNumbers ? "real" : "text";
}

/** A value of an attribute in the form of a column of its type. */
export function toAttributeValue(value: unknown, type: AttributeType): null | boolean | number | string {
  if (value === null || value === undefined) return null;
  // A column of integers contains no -0, as in another shard.
  if (type !== "text") return value === 0 ? 0 : (value as boolean | number);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Renames attributes to valid column names: Unicode without lone surrogates, and without U+0000, which ends a text in
 * SQL.
 */
export function withColumnNames(properties: Properties): Properties {
  const names = Object.keys(properties);
  if (names.every((name) => toColumnName(name) === name)) return properties;
  const taken = new Set<string>();
  return Object.fromEntries(
    names.map((name) => [claimFreeName(toColumnName(name), taken), properties[name]]),
  );
}

function toColumnName(name: string): string {
  return name.toWellFormed().replaceAll("\0", "\ufffd");
}

/**
 * Under which name a column holds an attribute: its own, or `plot:` and its own where a column has that already.
 *
 * @param taken names of columns, which grow by the one that is given
 */
export function claimFreeName(name: string, taken: Set<string>): string {
  let free = name;
  while (taken.has(free)) free = `plot:${free}`;
  taken.add(free);
  return free;
}

/** The parameters of a table, apart from its rows. */
export interface TableOptions {
  /** Ids of the ruleset's checks. */
  readonly checks: readonly string[];
  /** ISO 8601 UTC: the instant of the run. */
  readonly now: string;
  /** The plots' own attributes; absent: found in the rows. */
  readonly attributes?: readonly Attribute[] | undefined;
  /** Options of a workbook; absent: in English, with the ids of checks. */
  readonly workbook?: WorkbookOptions | undefined;
}

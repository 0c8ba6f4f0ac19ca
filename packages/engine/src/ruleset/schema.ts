import * as z from "zod";
import type { ComparisonOperator, Outcome } from "../verdict/verdict.ts";

/** Literal of a filter. */
export type FilterLiteral = number | string | boolean | { readonly date: string };

/** A CQL2-JSON (OGC 21-065r2) filter expression, the subset of `docs/semantics/rulesets.md`. */
export interface FilterExpression {
  readonly op: string;
  readonly args: readonly FilterArgument[];
}
export type FilterArgument =
  | FilterLiteral
  | FilterExpression
  | { readonly property: string }
  | readonly FilterArgument[];

export type Relation = "intersects" | "touches" | "covers" | "covered_by";

/** Selects areas of sources by relation to the plot, attributes and country. */
export interface AreaSet {
  readonly sources: readonly string[];
  readonly relation?: Relation;
  readonly within_m?: number;
  readonly min_m?: number;
  readonly where?: FilterExpression;
  readonly unknown?: "exclude" | "include";
  readonly country_iso3?: string | readonly string[];
}

/** A set made of other sets' regions. */
export type DerivedSet =
  | { readonly union: readonly string[] }
  | { readonly intersection: readonly string[] }
  | { readonly difference: readonly string[] };

/** Selects records of registers by the input's identifiers. */
export interface SubjectSet {
  readonly registers: readonly string[];
  readonly match?: "equals" | "root";
  readonly asks?: string;
}

export type RulesetSet = AreaSet | DerivedSet | SubjectSet;

export type Measure =
  | "count"
  | "overlap_area_m2"
  | "overlap_ratio"
  | "max_overlap_area_m2"
  | "area_overlap_ratio"
  | "min_distance_m"
  | { readonly sum: string }
  | { readonly min: string }
  | { readonly max: string }
  | { readonly avg: string };

export interface Comparison {
  readonly set: string;
  readonly measure?: Measure;
  readonly op?: ComparisonOperator;
  readonly value?: number;
  /** Denominator of `overlap_ratio`: the region of this set instead of the plot. */
  readonly of?: string;
}

export interface CheckBase {
  readonly id: string;
  readonly outcome: Outcome;
  readonly title?: string;
  readonly description?: string;
  readonly color?: string;
}

export type Check = CheckBase &
  (Comparison | { readonly all: readonly Comparison[] } | { readonly any: readonly Comparison[] });

/** A policy: named sets, and checks on them. */
export interface Ruleset {
  readonly name?: string;
  readonly description?: string;
  readonly sets: Readonly<Record<string, RulesetSet>>;
  readonly checks: readonly Check[];
}

export const SET_LIMIT = 64;
export const CHECK_LIMIT = 128;
/** Most names a set lists, and most comparisons of one check. */
export const NAME_LIMIT = 32;
/** Most levels of derived sets. */
export const SET_DEPTH_LIMIT = 5;
export const FILTER_DEPTH_LIMIT = 16;
/** Most expressions, properties and literals of one filter together. */
export const FILTER_NODE_LIMIT = 256;
export const PATTERN_LENGTH_LIMIT = 256;
export const RULESET_BYTE_LIMIT = 262_144;
export const WITHIN_METERS_LIMIT = 1_000_000;

export const RULESET_NAME_PATTERN: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const SET_NAME_PATTERN: RegExp = /^[a-z][a-z0-9_]{0,63}$/;
export const CHECK_ID_PATTERN: RegExp = /^[a-z0-9_-]{1,64}$/;

/** Operators of a filter and how many arguments each takes. */
export const FILTER_OPERATORS: ReadonlyMap<string, { readonly least: number; readonly most: number }> =
  new Map([
    ["and", { least: 2, most: FILTER_NODE_LIMIT }],
    ["or", { least: 2, most: FILTER_NODE_LIMIT }],
    ["not", { least: 1, most: 1 }],
    ["=", { least: 2, most: 2 }],
    ["<>", { least: 2, most: 2 }],
    ["<", { least: 2, most: 2 }],
    ["<=", { least: 2, most: 2 }],
    [">", { least: 2, most: 2 }],
    [">=", { least: 2, most: 2 }],
    ["between", { least: 3, most: 3 }],
    ["in", { least: 2, most: 2 }],
    ["like", { least: 2, most: 2 }],
    ["isNull", { least: 1, most: 1 }],
    ["casei", { least: 1, most: 1 }],
  ]);

const line = z.string().min(1).max(256);
const text = z.string().max(4096);
const number = z.number();
const setName = z
  .string()
  .regex(SET_NAME_PATTERN, "a set's name: a-z, 0-9 and _, beginning with a letter, at most 64");
const sourceNames = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(NAME_LIMIT)
  .describe("Names of sources, or of groups, which stand for their members.");
const operands = z.array(setName).min(2).max(NAME_LIMIT);
const countryCode = z.string().regex(/^[A-Za-z]{3}$/, "an ISO 3166-1 alpha-3 code");
const meters = z.number().min(0).max(WITHIN_METERS_LIMIT);

const literals = [number, z.string(), z.boolean(), z.strictObject({ date: z.iso.date() })] as const;

const filterArgument: z.ZodType<FilterArgument> = z
  .lazy(() =>
    z.union([
      ...literals,
      z.strictObject({ property: z.string().min(1).max(256) }),
      filterSchema,
      z
        .array(z.union([...literals, filterSchema]))
        .min(1)
        .max(FILTER_NODE_LIMIT)
        .describe("The list of `in`."),
    ]),
  )
  .meta({ id: "filterArgument" });

/** Shape of a filter. Arity, types and places of operators are checked by `parseFilter`. */
export const filterSchema: z.ZodType<FilterExpression> = z
  .strictObject({
    op: z.enum([...FILTER_OPERATORS.keys()]),
    args: z.array(filterArgument).min(1).max(FILTER_NODE_LIMIT),
  })
  .meta({ id: "filter", description: "A CQL2-JSON filter (OGC 21-065r2), the subset groundrule reads." });

const areaMembers = {
  sources: sourceNames,
  relation: z
    .enum(["intersects", "touches", "covers", "covered_by"])
    .exactOptional()
    .describe('Read "the area … the plot". Default intersects; not together with within_m.'),
  within_m: meters.exactOptional().describe("Selects areas at most this far from the plot, in metres."),
  min_m: meters.exactOptional().describe("Least distance, in metres; only with within_m."),
  unknown: z
    .enum(["exclude", "include"])
    .exactOptional()
    .describe(
      "What becomes of areas whose filter has no answer. Default exclude; they are counted either way.",
    ),
  country_iso3: z
    .union([countryCode, z.array(countryCode).min(1).max(NAME_LIMIT)])
    .exactOptional()
    .describe("Only areas of these countries."),
};

const subjectMembers = {
  registers: sourceNames.describe("Names of registers, or of groups of them."),
  match: z
    .enum(["equals", "root"])
    .exactOptional()
    .describe(
      "root: the first 8 characters of a br:cnpj, so that a branch hits its company. Default equals.",
    ),
  asks: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, "a role of a-z, 0-9 and _, beginning with a letter")
    .exactOptional()
    .describe("Only identifiers of this role."),
};

const column = z.string().min(1).max(256);
const measure = z.union([
  z.enum([
    "count",
    "overlap_area_m2",
    "overlap_ratio",
    "max_overlap_area_m2",
    "area_overlap_ratio",
    "min_distance_m",
  ]),
  z.strictObject({ sum: column }),
  z.strictObject({ min: column }),
  z.strictObject({ max: column }),
  z.strictObject({ avg: column }),
]);

const comparisonMembers = {
  set: setName,
  measure: measure.exactOptional().describe("Default count."),
  op: z.enum([">", ">=", "<", "<=", "=", "<>"]).exactOptional().describe("Default >."),
  value: number.exactOptional().describe("Threshold. Default 0."),
  of: setName
    .exactOptional()
    .describe("Denominator of overlap_ratio: the region of this set instead of the plot."),
};

const comparisons = z.array(z.strictObject(comparisonMembers)).min(1).max(NAME_LIMIT);

const checkMembers = {
  id: z.string().regex(CHECK_ID_PATTERN, "a check's id: a-z, 0-9, _ and -, at most 64"),
  outcome: z.enum(["NON_COMPLIANT", "WARNING", "NOTICE"]),
  title: line.exactOptional(),
  description: text.exactOptional(),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, "a colour #rrggbb")
    .exactOptional(),
};

const rulesetMembers = {
  name: z
    .string()
    .regex(RULESET_NAME_PATTERN, "a ruleset's name: letters, digits, . _ and -, at most 64")
    .exactOptional(),
  description: text.exactOptional(),
};

/** A closed object: its schema, and the names that may stand in it. */
export interface ObjectForm<Value> {
  readonly schema: z.ZodType<Value>;
  readonly members: readonly string[];
}

function form<Shape extends z.ZodRawShape>(
  shape: Shape,
): ObjectForm<z.infer<z.ZodObject<Shape, z.core.$strict>>> {
  return { schema: z.strictObject(shape), members: Object.keys(shape) };
}

/** The forms of a set, by the member that tells them apart. A `where` is read apart, by `parseFilter`. */
export const SET_FORMS: Readonly<{
  sources: ObjectForm<Omit<AreaSet, "where">>;
  union: ObjectForm<DerivedSet>;
  intersection: ObjectForm<DerivedSet>;
  difference: ObjectForm<DerivedSet>;
  registers: ObjectForm<SubjectSet>;
}> = {
  sources: form(areaMembers),
  union: form({ union: operands }),
  intersection: form({ intersection: operands }),
  difference: form({ difference: operands.describe("The first set's region minus the others'.") }),
  registers: form(subjectMembers),
};

/** The forms of a check: one comparison, or a list of them under `all` or `any`. */
export const CHECK_FORMS: Readonly<Record<"set" | "all" | "any", ObjectForm<Check>>> = {
  set: form({ ...checkMembers, ...comparisonMembers }),
  all: form({ ...checkMembers, all: comparisons }),
  any: form({ ...checkMembers, any: comparisons }),
};

/** The members of a ruleset beside `sets` and `checks`. */
export const RULESET_FORM: ObjectForm<Pick<Ruleset, "name" | "description">> = form(rulesetMembers);

/** The names that may stand in a comparison. */
export const COMPARISON_MEMBERS: readonly string[] = Object.keys(comparisonMembers);

const rulesetSchema = z.strictObject({
  ...rulesetMembers,
  sets: z
    .record(
      setName,
      z.union([
        z.strictObject({ ...areaMembers, where: filterSchema.exactOptional() }),
        SET_FORMS.union.schema,
        SET_FORMS.intersection.schema,
        SET_FORMS.difference.schema,
        SET_FORMS.registers.schema,
      ]),
    )
    .describe(`At most ${SET_LIMIT} named sets.`),
  checks: z
    .array(z.union([CHECK_FORMS.set.schema, CHECK_FORMS.all.schema, CHECK_FORMS.any.schema]))
    .min(1)
    .max(CHECK_LIMIT),
});

/** JSON Schema (2020-12) of a ruleset, for editors. `parseRuleset` checks more, with better words. */
export function rulesetJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(rulesetSchema, { target: "draft-2020-12" });
  return { $schema, title: "groundrule ruleset", ...schema };
}

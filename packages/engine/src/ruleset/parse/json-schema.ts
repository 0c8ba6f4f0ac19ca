import { CALENDAR_DAY_PATTERN } from "../../base/calendar-day.ts";
import { type JsonSchema, toJsonSchema } from "../../shape/json-schema.ts";
import {
  array,
  boolean,
  choice,
  describedAs,
  named,
  number,
  object,
  objectOf,
  optional,
  record,
  type Shape,
  text,
  union,
} from "../../shape/shape.ts";
import { COLUMN_MEASURES } from "../measures/measures.ts";
import {
  type AreaSet,
  areaMembers,
  attribute,
  CHECK_FORMS,
  CHECK_LIMIT,
  type Check,
  FILTER_NODE_LIMIT,
  FILTER_OPERATORS,
  type Filter,
  type FilterArgument,
  type FilterExpression,
  type FilterLiteral,
  factReference,
  type Ruleset,
  type RulesetSet,
  rulesetMembers,
  SET_FORMS,
  SET_LIMIT,
  setName,
} from "./schema.ts";

/** JSON Schema (2020-12) of a ruleset, for editors. `parseRuleset` checks more, with better words. */
export function rulesetJsonSchema(): JsonSchema {
  const { schema, definitions } = toJsonSchema(rulesetShape);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "groundrule ruleset",
    ...(describeSchemaMembers(schema) as JsonSchema),
    $defs: Object.fromEntries(
      Object.entries(definitions).map(([name, of]) => [name, describeSchemaMembers(of, name)]),
    ),
  };
}

const literal: Shape<FilterLiteral> = union([
  number(),
  text(),
  boolean(),
  named("date", () => objectOf({ date: text({ pattern: CALENDAR_DAY_PATTERN, format: "date" }) })),
]);

/** Arity, types and places of operators are checked by `parseFilter`. */
const filterShape: Shape<FilterExpression> = named("filter", () =>
  describedAs(
    object<FilterExpression>({
      op: choice<string>(...FILTER_OPERATORS.keys()),
      args: array(filterArgument, { min: 1, max: FILTER_NODE_LIMIT }),
    }),
    "A CQL2-JSON filter (OGC 21-065r2), in the subset that groundrule reads.",
  ),
);

const filterArgument: Shape<FilterArgument> = named("filterArgument", () =>
  union([
    literal,
    named("column", () => objectOf({ property: attribute })),
    named("factOperand", () => objectOf({ fact: factReference })),
    filterShape,
    describedAs(
      array(union([literal, filterShape]), { min: 1, max: FILTER_NODE_LIMIT }),
      "The list of values for `in`.",
    ),
  ]),
);

/** A filter, or its text. */
const whereShape: Shape<Filter> = union<[FilterExpression, string]>([
  filterShape,
  describedAs(text({ min: 1 }), "A CQL2-Text filter (OGC 21-065r2), in the same subset."),
]);

const set: Shape<RulesetSet> = named("set", () =>
  union([
    named("areaSet", () => object<AreaSet>({ ...areaMembers, where: optional(whereShape) })),
    SET_FORMS.union,
    SET_FORMS.intersection,
    SET_FORMS.difference,
    SET_FORMS.registers,
  ]),
);

const rulesetShape = object<Ruleset>({
  ...rulesetMembers,
  sets: record(setName, set),
  checks: array<Check>(
    named("check", () => union([CHECK_FORMS.set, CHECK_FORMS.fact, CHECK_FORMS.all, CHECK_FORMS.any])),
    {
      min: 1,
      max: CHECK_LIMIT,
    },
  ),
});

/**
 * The words for members of rulesets, by name: `definition.member` goes before `member` where definitions have members of
 * one name and another meaning. They are apart from the shapes, as evaluating needs none of them.
 */
const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ["titles", "The title in other languages, by their tags, such as pt; it is no part of any digest."],
  ["sets", `At most ${SET_LIMIT} named sets.`],
  ["sources", "Names of sources, or of groups; a group stands for all its members."],
  [
    "relation",
    'Relation of the area to the plot: "the area … the plot". Default intersects; not allowed with within_m.',
  ],
  ["within_m", "Selects areas at most this far from the plot, in metres."],
  ["min_m", "Least distance, in metres; only with within_m."],
  [
    "unknown",
    "Whether areas for which the filter is neither true nor false are included. Default exclude; they are counted in either case.",
  ],
  ["where", "Only areas whose properties pass this filter."],
  ["country_iso3", "Only areas of these countries."],
  ["difference", "The first set's region minus the others'."],
  ["registers", "Names of registers, or of groups of them."],
  [
    "match",
    "root compares only the first 8 characters of a br:cnpj, so that a branch matches its company. Default equals.",
  ],
  ["asks", "Only identifiers with this role."],
  [
    "max_age_days",
    "Greatest age of a source in days. That an older source has no match proves nothing; its matches still count.",
  ],
  [
    "coverage",
    "declared: only sources whose manifest declares a coverage cover a plot. Default assumed: the countries of a source's areas also count as its coverage.",
  ],
  ["show", "Columns that the evidence shows."],
  [
    "uncovered",
    "Outcome when the plot is not covered or a source is too old. Default WARNING, or NOTICE if the outcome is NOTICE.",
  ],
  ["measure", "Default count."],
  ["op", "Default >."],
  ["value", "Threshold. Default 0."],
  ["question", "What the applicant is asked, in words."],
  [
    "fact",
    "A declared fact; of a document one of its members, such as permit.area_m2. evaluated_on is the day of the evaluation.",
  ],
  ["times", "What the fact or the measure is multiplied by. Default 1."],
  ["on", "property: selects and measures on the property that the plot is part of. Default plot."],
  ["of", "Denominator of overlap_ratio: the region of this set instead of the plot."],
  ["all", "Comparisons that must all hold for the check to trigger."],
  ["any", "Comparisons of which at least one must hold for the check to trigger."],
  ["args", "The operands of the operation, in order."],
  ...COLUMN_MEASURES.map(
    (word) => [`${word}.${word}`, "Column of the areas whose values are measured."] as const,
  ),
  ["color", "Colour for user interfaces, #rrggbb. Default from the palette."],
  ["date.date", "A calendar day, YYYY-MM-DD."],
  ["description", "Its purpose, in words."],
  ["en", "In English."],
  ["es", "In Spanish."],
  ["pt", "In Portuguese."],
  ["fact.max", "The greatest number, inclusive."],
  ["fact.min", "The least number, inclusive."],
  ["fact.type", "What kind of fact it is."],
  ["id", "Name of the check, unique in the ruleset."],
  ["intersection.intersection", "Sets whose common region is the set's."],
  ["filter.op", "The operation of the condition, as CQL2-JSON names it."],
  [
    "outcome",
    "The outcome of the check if it triggers; NOTICE is reported, but does not change the verdict.",
  ],
  ["property", "A column of the source, or source_name, source_id, name, country_iso3, category."],
  ["set", "The set that the comparison measures."],
  ["title", "Its title, for people."],
  ["union.union", "Sets whose regions together are the set's."],
  ["unit", "Unit of the number, for people."],
  ["values", "The values that the text may have."],
]);

/**
 * A schema with the descriptions of its members.
 *
 * @param definition name of the definition that the schema is part of
 */
function describeSchemaMembers(schema: unknown, definition = ""): unknown {
  if (Array.isArray(schema)) return schema.map((each) => describeSchemaMembers(each, definition));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [
      name,
      name === "properties"
        ? addMemberDescriptions(member, definition)
        : describeSchemaMembers(member, definition),
    ]),
  );
}

function addMemberDescriptions(members: object, definition: string): unknown {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const description = DESCRIPTIONS.get(`${definition}.${name}`) ?? DESCRIPTIONS.get(name);
      return [
        name,
        {
          ...(description !== undefined && { description }),
          ...(describeSchemaMembers(member, definition) as object),
        },
      ];
    }),
  );
}

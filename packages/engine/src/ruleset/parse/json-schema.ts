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
    $defs: describeSchemaMembers(definitions),
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

/** Text that an editor shows for a member, by name. */
const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
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
  ["not_examined", "What the policy does not examine; every verdict repeats this text."],
  ["measure", "Default count."],
  ["op", "Default >."],
  ["value", "Threshold. Default 0."],
  [
    "facts",
    "What only the applicant knows, by name; conditions read it, and verdicts print it as declared, not examined.",
  ],
  ["question", "What the applicant is asked, in words."],
  [
    "fact",
    "A declared fact; of a document one of its members, such as permit.area_m2. evaluated_on is the day of the evaluation.",
  ],
  ["times", "What the fact or the measure is multiplied by. Default 1."],
  ["on", "property: selects and measures on the property that the plot is part of. Default plot."],
  ["of", "Denominator of overlap_ratio: the region of this set instead of the plot."],
]);

/** A schema with the descriptions of its members. */
function describeSchemaMembers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describeSchemaMembers);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [
      name,
      name === "properties" ? addMemberDescriptions(member) : describeSchemaMembers(member),
    ]),
  );
}

function addMemberDescriptions(members: object): unknown {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const description = DESCRIPTIONS.get(name);
      return [
        name,
        { ...(description !== undefined && { description }), ...(describeSchemaMembers(member) as object) },
      ];
    }),
  );
}

import { formatSuggestion } from "../../base/nearest-name.ts";
import { languageTagShape } from "../../shape/language-tag.ts";
import {
  anything,
  array,
  boolean,
  choice,
  type MembersOf,
  named,
  number,
  type Optional,
  object,
  objectOf,
  optional,
  record,
  type Shape,
  text,
  union,
} from "../../shape/shape.ts";
import { ROLE_PATTERN } from "../../subjects/schemes.ts";
import type { ComparisonOperator, Outcome } from "../../verdict/verdict.ts";
import { COLUMN_MEASURES, type Measure, PLAIN_MEASURES, type PlainMeasure } from "../measures/measures.ts";

/** Literal of a filter. */
export type FilterLiteral =
  | number
  | string
  | boolean
  | {
      /** `YYYY-MM-DD`. */
      readonly date: string;
    };

/** A CQL2-JSON (OGC 21-065r2) filter expression, the subset of `docs/semantics/rulesets.md`. */
export interface FilterExpression {
  /** Name of the operator, e.g. `>`, `and`, `like`. */
  readonly op: string;
  /** Its arguments, in order. */
  readonly args: readonly FilterArgument[];
}
/** Argument of an operator. */
export type FilterArgument =
  | FilterLiteral
  | FilterExpression
  | {
      /** Name of a column. */
      readonly property: string;
    }
  | FactOperand
  | readonly (FilterLiteral | FilterExpression)[];

/** A filter in CQL2-JSON, or the same in CQL2-Text (`docs/semantics/cql2-text.md`). */
export type Filter = FilterExpression | string;

/** How an area may stand to the plot, read "the area … the plot". */
export type Relation = "intersects" | "touches" | "covers" | "covered_by";

/**
 * How an area counts for which a filter has no answer, for want of a value in a column or of a country. `open`: as one
 * that the set may hold, so that a check which it could change is open; `exclude`: as one that is not in the set, a
 * waiver in writing; `include`: as one that is.
 */
export type Unknown = "open" | "exclude" | "include";

/** Selects areas of sources by relation to the plot, attributes and country. */
export interface AreaSet {
  /** Names of sources or groups. */
  readonly sources: readonly string[];
  readonly relation?: Relation;
  readonly within_m?: number;
  readonly min_m?: number;
  /** Only areas whose properties pass. */
  readonly where?: Filter;
  /** How an area counts whose filter has no answer. Default `open`. */
  readonly unknown?: Unknown;
  readonly country_iso3?: string | readonly string[];
  /** Days after which the silence of a source proves nothing. */
  readonly max_age_days?: number;
  /**
   * `declared`: only a coverage that a manifest declares covers anything. `assumed` (default): so does one that was
   * assumed, from the countries of a source's areas or because it has none.
   */
  readonly coverage?: "declared" | "assumed";
  /** Columns that the evidence shows. */
  readonly show?: readonly string[];
}

/** A set made of other sets' regions. */
export type DerivedSet =
  | {
      /** The union: everything that any of these sets covers. */
      readonly union: readonly string[];
    }
  | {
      /** The intersection: everything that all of these sets cover. */
      readonly intersection: readonly string[];
    }
  | {
      /** The difference: everything that the first of these sets covers and none of the others does. */
      readonly difference: readonly string[];
    };

/** Selects records of registers by the input's identifiers. */
export interface SubjectSet {
  /** Names of registers, or groups of them. */
  readonly registers: readonly string[];
  /** `equals` (default): the same identifier; `root`: the same company, whichever branch is named. */
  readonly match?: "equals" | "root";
  /** The role whose identifiers are looked up; absent: every identifier of the input. */
  readonly asks?: string;
  /** Days after which the silence of a register proves nothing. */
  readonly max_age_days?: number;
  /** Columns that the evidence shows. */
  readonly show?: readonly string[];
}

/** A set that a ruleset can name: areas, regions made of them, or records. */
export type RulesetSet = AreaSet | DerivedSet | SubjectSet;

/** The kinds of facts that an applicant can declare. */
export type FactType = "boolean" | "number" | "date" | "text" | "document";

/** Declaration of a fact that only the applicant can supply. */
export interface FactDeclaration {
  readonly type: FactType;
  /** The question that is put to the applicant, by language. */
  readonly question: FactQuestion;
  /** Unit of a number, for people. */
  readonly unit?: string;
  /** Least number, inclusive. */
  readonly min?: number;
  /** Greatest number, inclusive. */
  readonly max?: number;
  /** The values of a text. */
  readonly values?: readonly string[];
}

/** A question in words. */
export interface FactQuestion {
  /** In English. */
  readonly en: string;
  /** In Portuguese. */
  readonly pt?: string;
  /** In Spanish. */
  readonly es?: string;
}

/**
 * A declared fact, by its name; `evaluated_on` is the day of the evaluation. Of a document one of its members is
 * named: `asv.area_m2`, `asv.issued_on`, `asv.valid_until`.
 */
export interface FactOperand {
  /** `modules`, or `asv.area_m2`. */
  readonly fact: string;
}

/** A fact in place of a threshold: a number may be multiplied. */
export interface FactThreshold extends FactOperand {
  /** Default 1. */
  readonly times?: number;
}

/** The measurement of a comparison. */
export interface Measurement {
  readonly set: string;
  readonly measure?: Measure;
  /** Denominator of `overlap_ratio`: the region of this set instead of the plot. */
  readonly of?: string;
  /** The land against which the set is selected and measured. Default `plot`. */
  readonly on?: "plot" | "property";
}

/** A measure in place of a threshold, multiplied. */
export interface MeasuredThreshold extends Measurement {
  /** Default 1. */
  readonly times?: number;
}

/** One comparison of a check: a measure of a set against a value. By default, whether anything is in the set. */
export interface SetComparison extends Measurement {
  /** Default `>`. */
  readonly op?: ComparisonOperator;
  /** The threshold, in the unit of the measure. Default 0. */
  readonly value?: number | FactThreshold | MeasuredThreshold;
}

/** Operators on a document: `not_valid` also holds for one that was not declared. */
export type DocumentOperator = "valid" | "not_valid";

/** One comparison of a check: a declared fact against a value. */
export interface FactComparison extends FactOperand {
  /** Default `=`; of a document, whether it is valid on the day of the evaluation. */
  readonly op?: ComparisonOperator | DocumentOperator;
  /** A day is written `YYYY-MM-DD`. Default `true` of a boolean; none of a document. */
  readonly value?: number | string | boolean | FactThreshold | MeasuredThreshold;
}

/** One comparison of a check. */
export type Comparison = SetComparison | FactComparison;

/** Members that every check has. */
export interface CheckBase {
  /** Its name in verdicts; no other check of the ruleset has it. */
  readonly id: string;
  readonly outcome: Outcome;
  /** Its outcome where it is open and no source failed. Default `WARNING`; `NOTICE` where `outcome` is. */
  readonly uncovered?: Outcome;
  /** Its name for people, in English. */
  readonly title?: string;
  /** The same in other languages, by BCP 47 tag: for pages and reports alone, and no part of any digest. */
  readonly titles?: Readonly<Record<string, string>>;
  readonly description?: string;
  /** `#rrggbb` to show it in; absent: from the palette. */
  readonly color?: string;
}

/** A condition, made of one comparison or several, and the outcome where it holds. */
export type Check = CheckBase &
  (
    | Comparison
    | {
        /** It triggers where all of these hold. */
        readonly all: readonly Comparison[];
      }
    | {
        /** It triggers where any of these holds. */
        readonly any: readonly Comparison[];
      }
  );

/** A policy: named sets, and checks on them. */
export interface Ruleset {
  /** Name of the ruleset in verdicts. */
  readonly name?: string;
  readonly description?: string;
  /** Topics that the policy does not examine; every verdict repeats this text. */
  readonly not_examined?: readonly string[];
  /** Facts that the applicant can declare, by name; at most {@link FACT_LIMIT}. */
  readonly facts?: Readonly<Record<string, FactDeclaration>>;
  /** The sets by name; at most {@link SET_LIMIT}. */
  readonly sets: Readonly<Record<string, RulesetSet>>;
  readonly checks: readonly Check[];
}

/** Most facts of a ruleset. */
export const FACT_LIMIT = 64;
/** Most sets of a ruleset. */
export const SET_LIMIT = 64;
/** Most checks of a ruleset. */
export const CHECK_LIMIT = 128;
/** Most names a set lists, and most comparisons of one check. */
const NAME_LIMIT = 32;
/** Most levels of derived sets. */
export const SET_DEPTH_LIMIT = 5;
export const FILTER_DEPTH_LIMIT = 16;
/** Most expressions, properties and literals of one filter together. */
export const FILTER_NODE_LIMIT = 256;
export const PATTERN_LENGTH_LIMIT = 256;
/** Most bytes of a ruleset as UTF-8. */
export const RULESET_BYTE_LIMIT = 262_144;
const WITHIN_METERS_LIMIT = 1_000_000;

/** Pattern of the name of a saved ruleset. */
export const RULESET_NAME_PATTERN: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Pattern of the name of a set. */
export const SET_NAME_PATTERN: RegExp = /^[a-z][a-z0-9_]{0,63}$/;
/** Pattern of the name of a fact. */
const FACT_NAME_PATTERN: RegExp = /^[a-z][a-z0-9_]{0,63}$/;
/** Pattern of the `id` of a check. */
const CHECK_ID_PATTERN: RegExp = /^[a-z0-9_-]{1,64}$/;

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

const paragraph = text({ max: 4096 });
export const setName: Shape<string> = text({
  pattern: SET_NAME_PATTERN,
  words: "a set's name: a-z, 0-9 and _, beginning with a letter, at most 64",
});
const sourceNames = array(text({ min: 1, max: 64 }), { min: 1, max: NAME_LIMIT });
const operands = array(setName, { min: 2, max: NAME_LIMIT });
const countryCode = text({ pattern: /^[A-Za-z]{3}$/, words: "an ISO 3166-1 alpha-3 code" });
const meters = number({ min: 0, max: WITHIN_METERS_LIMIT });
export const attribute: Shape<string> = text({ min: 1, max: 256 });
const days = number({ above: 0 });
const shown = array(attribute, { min: 1, max: NAME_LIMIT });

export const factReference = text({
  pattern: /^[a-z][a-z0-9_]{0,63}(?:\.(?:area_m2|issued_on|valid_until))?$/,
  words: "the name of a fact, or of a document's area_m2, issued_on or valid_until, such as permit.area_m2",
});

export const areaMembers: MembersOf<Omit<AreaSet, "where">> = {
  sources: sourceNames,
  relation: optional(choice("intersects", "touches", "covers", "covered_by")),
  within_m: optional(meters),
  min_m: optional(meters),
  unknown: optional(choice("open", "exclude", "include")),
  country_iso3: optional(
    union(
      [countryCode, array(countryCode, { min: 1, max: NAME_LIMIT })],
      () => "an ISO 3166-1 alpha-3 code or an array of them",
    ),
  ),
  max_age_days: optional(days),
  coverage: optional(choice("declared", "assumed")),
  show: optional(shown),
};

const subjectMembers: MembersOf<SubjectSet> = {
  registers: sourceNames,
  match: optional(choice("equals", "root")),
  asks: optional(
    text({
      pattern: ROLE_PATTERN,
      words: "a role of a-z, 0-9 and _, beginning with a letter",
    }),
  ),
  max_age_days: optional(days),
  show: optional(shown),
};

type OfColumn = Exclude<Measure, PlainMeasure>;

const measure: Shape<Measure> = named("measure", () =>
  union<readonly [PlainMeasure, ...OfColumn[]]>(
    [
      choice(...PLAIN_MEASURES),
      ...COLUMN_MEASURES.map((word) =>
        named(word, () => object<OfColumn>({ [word]: attribute } as object as MembersOf<OfColumn>)),
      ),
    ],
    (found) => {
      const word = typeof found === "string" ? found : "";
      const hint = (COLUMN_MEASURES as readonly string[]).includes(word)
        ? `; write {"${word}": "<column>"}`
        : formatSuggestion(word, PLAIN_MEASURES);
      const words = COLUMN_MEASURES.map((each) => `"${each}"`);
      const columns = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
      return `one of ${PLAIN_MEASURES.join(", ")}, or {${columns}: "<column>"}${hint}`;
    },
  ),
);

const measurementMembers: MembersOf<Measurement> = {
  set: setName,
  measure: optional(measure),
  of: optional(setName),
  on: optional(choice("plot", "property")),
};

const times = optional(number({ above: 0 }));
const factThreshold: Shape<FactThreshold> = named("factThreshold", () =>
  object<FactThreshold>({ fact: factReference, times }),
);
const measuredThreshold: Shape<MeasuredThreshold> = named("measuredThreshold", () =>
  object<MeasuredThreshold>({
    ...measurementMembers,
    times,
  }),
);
const OPERATORS = [">", ">=", "<", "<=", "=", "<>"] as const;

const setComparisonMembers: MembersOf<SetComparison> = {
  ...measurementMembers,
  op: optional(choice(...OPERATORS)),
  value: optional(
    union(
      [number(), factThreshold, measuredThreshold],
      () => 'a number, {"fact": name} or a measure {"set": name, "measure": …}',
    ),
  ),
};

const factComparisonMembers: MembersOf<FactComparison> = {
  fact: factReference,
  op: optional(choice(...OPERATORS, "valid", "not_valid")),
  value: optional(
    union(
      [number(), text(), boolean(), factThreshold, measuredThreshold],
      () => 'a number, a text, a day, true or false, {"fact": name} or a measure {"set": name, "measure": …}',
    ),
  ),
};

const comparisonForm: Shape<Comparison> = union<[SetComparison, FactComparison]>([
  named("comparison", () => object<SetComparison>(setComparisonMembers)),
  named("factComparison", () => object<FactComparison>(factComparisonMembers)),
]);
const comparisons = array(comparisonForm, { min: 1, max: NAME_LIMIT });

const words = text({ min: 1, max: 1024 });
const factDeclaration: Shape<FactDeclaration> = named("fact", () =>
  object<FactDeclaration>({
    type: choice("boolean", "number", "date", "text", "document"),
    question: object<FactQuestion>({ en: words, pt: optional(words), es: optional(words) }),
    unit: optional(text({ min: 1, max: 64 })),
    min: optional(number()),
    max: optional(number()),
    values: optional(array(text({ min: 1, max: 256 }), { min: 1, max: NAME_LIMIT })),
  }),
);

const title = text({ min: 1, max: 256 });

/** Translations of a text, by the tag of their language. */
const translations = record(languageTagShape, title);

const checkMembers: MembersOf<CheckBase> = {
  id: text({ pattern: CHECK_ID_PATTERN, words: "a check's id: a-z, 0-9, _ and -, at most 64" }),
  outcome: choice("NON_COMPLIANT", "WARNING", "NOTICE"),
  uncovered: optional(choice("WARNING", "NON_COMPLIANT", "NOTICE")),
  title: optional(title),
  titles: optional(translations),
  description: optional(paragraph),
  color: optional(text({ pattern: /^#[0-9a-fA-F]{6}$/, words: "a colour #rrggbb" })),
};

/** The members of a ruleset besides its sets and checks. */
export const rulesetMembers = {
  name: optional(
    text({
      pattern: RULESET_NAME_PATTERN,
      words: "a ruleset's name: letters, digits, . _ and -, at most 64",
    }),
    "Name of the ruleset, repeated in its verdicts",
  ),
  description: optional(paragraph, "Its purpose, in words"),
  not_examined: optional(
    array(text({ min: 1, max: 1024 }), { min: 1, max: NAME_LIMIT }),
    "What the policy does not examine; every verdict repeats this text",
  ),
  facts: optional(
    record(
      text({
        pattern: FACT_NAME_PATTERN,
        words: "a fact's name: a-z, 0-9 and _, beginning with a letter, at most 64",
      }),
      factDeclaration,
    ),
    "What only the applicant knows, by name; conditions read it, and verdicts print it as declared, not examined",
  ),
} satisfies MembersOf<Pick<Ruleset, "name" | "description" | "not_examined" | "facts">>;

type AreaSetForm = Omit<AreaSet, "where"> & { readonly where?: unknown };
type RulesetForm = Omit<Ruleset, "sets" | "checks"> & { readonly sets?: unknown; readonly checks?: unknown };

/** A part that is read apart, with better words than its shape has. */
const apart: Optional<unknown> = optional(anything());

/** The forms of a set, by the member that distinguishes them. A `where` is read separately, by `parseFilter`. */
export const SET_FORMS = {
  sources: object<AreaSetForm>({ ...areaMembers, where: apart }),
  union: named("union", () => objectOf({ union: operands })),
  intersection: named("intersection", () => objectOf({ intersection: operands })),
  difference: named("difference", () => objectOf({ difference: operands })),
  registers: named("registerSet", () => object(subjectMembers)),
};

/** The forms of a check: one comparison, or a list of them under `all` or `any`. */
export const CHECK_FORMS = {
  set: named("checkOfOne", () =>
    object<CheckBase & SetComparison>({ ...checkMembers, ...setComparisonMembers }),
  ),
  fact: named("checkOfFact", () =>
    object<CheckBase & FactComparison>({ ...checkMembers, ...factComparisonMembers }),
  ),
  all: named("checkOfAll", () =>
    object<CheckBase & { readonly all: readonly Comparison[] }>({ ...checkMembers, all: comparisons }),
  ),
  any: named("checkOfAny", () =>
    object<CheckBase & { readonly any: readonly Comparison[] }>({ ...checkMembers, any: comparisons }),
  ),
};

/** A ruleset, its sets and checks read apart. */
export const RULESET_FORM: Shape<RulesetForm> = object<RulesetForm>({
  ...rulesetMembers,
  sets: apart,
  checks: apart,
});

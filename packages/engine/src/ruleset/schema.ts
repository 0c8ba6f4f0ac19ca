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

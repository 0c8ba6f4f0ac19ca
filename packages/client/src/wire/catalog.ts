import type { LintFinding, PageQuery, Pagination } from "./shared.ts";

/** Query of `GET /v1/sources`. */
export interface SourcesQuery {
  /** Only sources of this kind. */
  readonly kind?: "leaf" | "group" | "subject_register" | undefined;
  /** ISO 3166-1 alpha-3; only sources that speak in this country, everywhere, or whose areas are in it. */
  readonly country_iso3?: string | undefined;
}

/** A source in the catalog. */
export interface ListedSource {
  readonly source_name: string;
  /** Title of the data set, or the source's name if the title is not known. */
  readonly source_dataset: string;
  readonly source_url?: string;
  readonly category?: string;
  readonly license_spdx?: string;
  /** What of its theme it holds, as its manifest says. */
  readonly scope?: string;
  /** Its areas or records are made up. */
  readonly fictional?: true;
  /** Only for a group: the names of its sources. */
  readonly members?: readonly string[];
  /** `leaf`: areas; `subject_register`: records; `group`: a name for several of them. */
  readonly kind: "leaf" | "subject_register" | "group";
  /** Number of areas or records; 0 for a live source, whose areas are not counted. */
  readonly feature_count: number;
  /** ISO 3166-1 alpha-3 codes. */
  readonly country_coverage?: readonly string[];
  /** Of areas: where the source speaks. Outside of it, its silence proves nothing. */
  readonly coverage?: {
    /** Everywhere, in countries, in polygons of its own, or nobody knows where. */
    readonly extent: "undeclared" | "global" | "countries" | "polygons";
    /** Whether the manifest declares the coverage, or it is assumed from the countries of the areas; absent if undeclared. */
    readonly known?: "declared" | "derived";
  };
  readonly supported_schemes?: readonly string[];
  /** ISO 8601 UTC. */
  readonly collected_at_latest?: string;
  /** Days after which a newer edition is expected. */
  readonly refresh_interval_days?: number;
  /**
   * The columns that filters can name, with their types; of a group, those that every member has with one type. Absent
   * where there are none.
   */
  readonly columns?: Readonly<Record<string, "number" | "string" | "boolean" | "date">>;
  /** Asked anew for each question; it has no edition of its own. */
  readonly live?: true;
  /** Whether it is older than `refresh_interval_days`; only of sources with that member. */
  readonly overdue?: boolean;
}

/** Answer of `GET /v1/sources`. */
export interface SourcesResponse {
  readonly data: { readonly items: readonly ListedSource[] };
}

/** Body of `POST /v1/rulesets`: the ruleset with the name it is published under. */
export interface CreateRulesetBody {
  readonly name: string;
  /** Absent: the next free one. */
  readonly version?: number | undefined;
  readonly description?: string | undefined;
  /** What the policy does not examine; every verdict repeats this text. */
  readonly not_examined?: readonly string[] | undefined;
  /** What is selected, by name. */
  readonly sets: object;
  /** The conditions, in order. */
  readonly checks: readonly unknown[];
}

/** Query of `POST /v1/rulesets`. */
export interface CreateRulesetQuery {
  /** Report likely mistakes in the ruleset in `data.lint`. */
  readonly lint?: boolean | undefined;
}

/** Query of `GET /v1/rulesets`. */
export interface RulesetsQuery extends PageQuery {
  /** Only the versions of this ruleset. */
  readonly name?: string | undefined;
}

/** A saved ruleset without its inside. */
export interface RulesetSummary {
  readonly ruleset: string;
  readonly version: number;
  readonly created_at: string;
}

/** Answer of `POST /v1/rulesets`. */
export interface CreateRulesetResponse {
  readonly data: RulesetSummary & {
    readonly body: Readonly<Record<string, unknown>>;
    /** Where `lint=true` asks. */
    readonly lint?: readonly LintFinding[];
  };
}

/** Colours for maps and tables. */
export interface Palette {
  /** `#rrggbb` of each outcome and verdict. */
  readonly outcomes: Readonly<
    Record<"COMPLIANT" | "WARNING" | "NON_COMPLIANT" | "DEGRADED" | "NOTICE", string>
  >;
  /** By check id. */
  readonly checks: Readonly<Record<string, string>>;
}

/** Answer of `GET /v1/rulesets/{name}` and `GET /v1/rulesets/{name}/{version}`. */
export interface RulesetResponse {
  readonly data: RulesetSummary & {
    readonly body: Readonly<Record<string, unknown>>;
    /** Names {sets, checks} after defaults, as verdicts do. */
    readonly digest: string;
    readonly palette: Palette;
  };
}

/** Answer of `GET /v1/rulesets`, newest first. */
export interface RulesetsResponse {
  readonly data: { readonly items: readonly RulesetSummary[]; readonly pagination: Pagination };
}

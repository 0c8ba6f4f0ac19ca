import type { Bbox, Fault, LintFinding, Meta } from "./shared.ts";

/** What the input must hold: a geometry, any identifier, or one of a role. */
export type Need = "geometry" | "identifier" | `identifier:${string}`;

/** How a question would be answered, found out without answering it. */
export interface ExplainedPlan {
  readonly ask: "evaluate" | "intersections" | "distance" | "subjects";
  /** The geometry that would measure. */
  readonly kernel: "default" | "reference";
  readonly semantics: number;
  /** Null where nothing but sources is asked. */
  readonly ruleset: {
    readonly name: string | null;
    readonly version: number | null;
    /** SHA-256 of its sets and checks, every default written out. */
    readonly digest: string;
  } | null;
  /** What is known of the input. */
  readonly input: {
    readonly geometry: {
      readonly dimension: "polygon" | "line" | "point";
      readonly position_count: number;
      readonly bbox: Bbox;
    } | null;
    /** Its identifiers, without their values. */
    readonly schemes: readonly {
      /** What kind of identifier it is, e.g. `br:cnpj`. */
      readonly type: string;
      /** What its bearer is to the plot. */
      readonly role?: string;
    }[];
  };
  /** Every source the question names, ascending by name. */
  readonly sources: readonly PlannedSource[];
  /** The sets that checks reach, in the order they are selected in. */
  readonly sets: readonly PlannedSet[];
  readonly checks: readonly PlannedCheck[];
  readonly steps: readonly PlanStep[];
  /** What the input lacks; the question itself would be refused with these. */
  readonly refusals: readonly Fault[];
  /** What looks doubtful about the ruleset; empty where none is asked for. */
  readonly lint: readonly LintFinding[];
}

/** A source that would be asked. */
export interface PlannedSource {
  readonly source_name: string;
  /** Areas or records. */
  readonly kind: "leaf" | "subject_register";
  /** `failed`: it cannot be asked. */
  readonly status: "ok" | "failed";
  /** It is asked anew for each question, so it has no edition before. */
  readonly live?: true;
  readonly edition?: string;
  readonly collected_at?: string;
  /** Why it failed. */
  readonly reason?: string;
  readonly feature_count: number;
  /** Areas near enough to be measured; null where there is nothing to count. */
  readonly candidates: number | null;
  /** The greatest distance asked of the source, metres. */
  readonly within_m?: number;
}

/** A set that would be selected. */
export interface PlannedSet {
  readonly name: string;
  /** What it is made of: areas, other sets, or records. */
  readonly kind: "area" | "derived" | "subject";
  /** The filter of an area set as CQL2-Text; absent where it has none. */
  readonly where?: string;
  readonly needs: readonly Need[];
  /** Its own sources; none of a derived set. */
  readonly sources: readonly { readonly source_name: string; readonly edition: string | null }[];
  readonly operands?: {
    readonly op: "union" | "intersection" | "difference";
    /** Their names, in order. */
    readonly sets: readonly string[];
  };
  /** Areas that the index offers before any filter; null of other sets. */
  readonly candidates: number | null;
}

/** A check that would be judged. */
export interface PlannedCheck {
  /** As in the ruleset. */
  readonly id: string;
  /** The sets it compares. */
  readonly sets: readonly string[];
  readonly needs: readonly Need[];
  readonly failed_sources: readonly string[];
}

/** What would be done, in order. */
export type PlanStep =
  | { readonly do: "measure"; readonly source_name: string; readonly within_m?: number }
  | { readonly do: "look_up"; readonly source_name: string }
  | { readonly do: "select"; readonly set: string }
  | {
      readonly do: "judge";
      /** Its `id`. */
      readonly check: string;
    };

/** Answer of a question asked with `explain=true`. Never charged. */
export interface ExplainResponse {
  readonly data: { readonly plan: ExplainedPlan; readonly reference_id: string | null };
  readonly meta: Meta;
  readonly errors: readonly never[];
}

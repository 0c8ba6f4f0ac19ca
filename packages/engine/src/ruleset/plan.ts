import type { Fault } from "../base/errors.ts";
import type { Bbox } from "../geometry/earth/bbox.ts";
import type { Warning } from "../geometry/plot/plot.ts";
import type { SourceKind } from "../snapshot/manifest.ts";

/** How a question would be answered, found out without answering it. Plain data, the same every time. */
export interface Plan {
  readonly ask: "evaluate" | "intersections" | "distance" | "subjects";
  /** Name of the kernel that would measure. */
  readonly kernel: "default" | "reference";
  readonly semantics: number;
  /** Null where nothing but sources is asked. */
  readonly ruleset: {
    /** Null where it has none. */
    readonly name: string | null;
    /** Version of a saved ruleset; null of one that was sent along. */
    readonly version: number | null;
    /** SHA-256 of its sets and checks, every default written out. */
    readonly digest: string;
  } | null;
  /** What is known of the input; nothing where it lacks it. */
  readonly input: {
    /** Null where there is none. */
    readonly geometry: {
      readonly dimension: "polygon" | "line" | "point";
      readonly position_count: number;
      readonly bbox: Bbox;
    } | null;
    /** Its identifiers, without their values. */
    readonly schemes: readonly {
      /** Type of the identifier, e.g. `br:cnpj`. */
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
}

/** A source that would be asked. */
export interface PlannedSource {
  readonly source_name: string;
  readonly kind: SourceKind;
  /** `failed`: it cannot be asked. */
  readonly status: "ok" | "failed";
  /** It is asked anew for each question: it has no edition before, and nobody has counted its areas. */
  readonly live?: true;
  readonly edition?: string;
  readonly collected_at?: string;
  /** Why it failed. */
  readonly reason?: string;
  readonly feature_count: number;
  /** Areas whose envelopes come near enough to be measured; null where there is nothing to count. */
  readonly candidates: number | null;
  /** The greatest distance asked of the source, metres. */
  readonly within_m?: number;
}

/** A set that would be selected. */
export interface PlannedSet {
  /** As in the ruleset. */
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
  /** Areas of an area set's sources that the index offers before any filter; null of other sets. */
  readonly candidates: number | null;
}

/** A check that would be judged. */
export interface PlannedCheck {
  /** As in the ruleset. */
  readonly id: string;
  /** The sets it compares. */
  readonly sets: readonly string[];
  readonly needs: readonly Need[];
  /** Failed sources that its sets reach: what they hold could leave the check open. */
  readonly failed_sources: readonly string[];
}

/** What the input must hold: a geometry, any identifier, or one of a role. */
export type Need = "geometry" | "identifier" | `identifier:${string}`;

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

/** A plan, and what looks doubtful about the input. */
export interface Explanation {
  readonly plan: Plan;
  readonly warnings: readonly Warning[];
}

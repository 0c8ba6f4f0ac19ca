import type { ErrorCode, EvaluateRequestOptions, Limits, SavedRuleset } from "@groundrule/contract";
import type {
  LiveNeed,
  Policy,
  Provided,
  RulesetOrigin,
  SourceFailure,
  SourceOutcome,
  Warning,
} from "@groundrule/engine";
import type { LintFinding } from "@groundrule/engine/rulesets";
import type { PlotInputError } from "@groundrule/plots";
import type { RefusalExtras } from "./refusal.ts";

/** The part of a request that needs its body. It consists of plain values, so any thread can do it. */
export interface BodyTask {
  /** `identify` computes the fingerprint of the request alone, `answer` answers it too. */
  readonly step: "identify" | "answer";
  /** The route, e.g. `/v1/evaluate`. */
  readonly route: string;
  /** The body. */
  readonly body: SentBody;
  /** The query after defaults. */
  readonly query: object;
  /** Media type of the answer. */
  readonly mediaType: string;
  /** Sent back in the answer. */
  readonly requestId: string;
  /** Sent back in the answer, and kept with it. */
  readonly engineVersion: string;
  /** The instant of the evaluation, ISO 8601 UTC. */
  readonly now: string;
  /** The caller's organization. Requests of one organization wait for each other, not for those of another. */
  readonly organization: string;
  /** Rulesets belong to an organization in one mode. */
  readonly mode: "live" | "test";
  /** The limits of this answer; absent: the default ones. */
  readonly limits?: Limits;
  /** Patterns of the sources that are available to the caller; absent: all. */
  readonly within?: readonly string[];
  /** The saved ruleset that the body names, once it is found. */
  readonly saved?: SavedBody;
  /** Areas from live sources, once these were queried. */
  readonly provided?: Provided;
  /** The editions required for a verdict, by source name; on others it is not evaluated. Absent: the current ones. */
  readonly pinned?: Policy["editions"];
  /**
   * Names of sources and groups to leave out, for an engine that its caller owns: a body cannot set this. Absent: none.
   */
  readonly without?: readonly string[];
  /** True to wait behind every question of a caller, as plots of jobs and tiles do. Absent: false. */
  readonly inBackground?: boolean;
}

/**
 * The bytes of a body as they were sent: in shared memory or, for a short body, as a text with one character per byte
 * (Latin-1). Short texts are copied to a thread several times as fast as short arrays.
 */
export type SentBody = string | Uint8Array;

/** A saved ruleset, with its body. */
export interface SavedBody {
  /** Its name in the catalog. */
  readonly name: string;
  /** From 1. */
  readonly version: number;
  /** JSON of {description?, sets, checks}. */
  readonly body: string;
}

/** The result of a {@link BodyTask}. */
export type BodyResult =
  | RefusedBody
  | IdentifiedBody
  | WantedRuleset
  | WantedAreas
  | OtherEditions
  | AnsweredBody
  | UnchargedBody
  | CheckedRuleset
  | ReadJob
  | CutTile;

/** A refused request. */
export interface RefusedBody {
  readonly kind: "refused";
  /** The reason. */
  readonly refusal: PlainRefusal;
}

/** The body names a saved ruleset: repeat the task with that ruleset as `saved`. */
export interface WantedRuleset {
  readonly kind: "ruleset wanted";
  /** The ruleset to pass as `saved`. */
  readonly named: SavedRuleset;
}

/** The question needs live sources: query them and repeat the task with the areas as `provided`. */
export interface WantedAreas {
  readonly kind: "areas wanted";
  /** The queries. */
  readonly needs: readonly LiveNeed[];
}

/** The engine has other editions than {@link BodyTask.pinned}. */
export interface OtherEditions {
  readonly kind: "other editions";
}

/** An answer that is not charged. */
export interface UnchargedBody {
  readonly kind: "told";
  /** The answer. */
  readonly json: string;
}

/** The identity of a request. */
export interface IdentifiedBody {
  readonly kind: "identified";
  /** Equal for equal requests: SHA-256, as 64 hex digits. */
  readonly fingerprint: string;
}

/** A vector tile of a source. */
export interface CutTile {
  readonly kind: "tile";
  /** Digest of everything on which the source's tiles depend: an equal one means equal bytes. */
  readonly drawing: string;
  /** The tile; empty if the source has nothing there. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A question's answer, with the data for charging and archives. */
export interface AnsweredBody {
  readonly kind: "answered";
  /** The same as in {@link IdentifiedBody}. */
  readonly fingerprint: string;
  /** The caller's own reference. */
  readonly referenceId: string | null;
  /** Canonical JSON of the body, with its references resolved. */
  readonly request: string;
  /** The answer as it is sent. */
  readonly response: string;
  /** JSON of the digests the answer depends on. */
  readonly digests: string;
  /** True if every source answered: the request is charged. */
  readonly complete: boolean;
  /** The state of each queried source: answered or failed. */
  readonly sources: readonly Pick<SourceOutcome, "source_name" | "status">[];
}

/** A ruleset that compiles, to be saved. */
export interface CheckedRuleset {
  readonly kind: "ruleset";
  /** Its name in the catalog. */
  readonly name: string;
  /** Undefined: the next free version. */
  readonly version: number | undefined;
  /** Canonical JSON of {description?, sets, checks}. */
  readonly body: string;
  /** Digest of the ruleset, as in its verdicts. */
  readonly digest: string;
  /** Likely mistakes in it. */
  readonly lint: readonly LintFinding[];
  /** The certain ones among them. */
  readonly warnings: readonly Warning[];
}

/** The upload of a job, checked: a ruleset that compiles, the editions it was compiled on, and its plots. */
export interface ReadJob {
  readonly kind: "job";
  /** The same as in {@link IdentifiedBody}. */
  readonly fingerprint: string;
  /** The caller's own reference, which is each decision's too. */
  readonly referenceId: string | null;
  /** Its origin in the catalog; null for an inline one. */
  readonly origin: RulesetOrigin | null;
  /** Digest of the ruleset, as in its verdicts. */
  readonly digest: string;
  /** JSON of {sets, checks, …}. */
  readonly ruleset: string;
  /** Options of every evaluation, as sent; null if there were none. */
  readonly options: EvaluateRequestOptions | null;
  /** Names of the sources that the ruleset uses, with the edition it was compiled on; a failed one has none. */
  readonly editions: Policy["editions"];
  /** The failed sources among them, with the reasons. */
  readonly failed: readonly SourceFailure[];
  /** Live sources among them, as described in records. */
  readonly live: Policy["live"];
  /** The groups that the ruleset names, with their current members; null if it names none. */
  readonly groups: Readonly<Record<string, readonly string[]>> | null;
  /** Plots in the order sent. */
  readonly plots: readonly ReadJobPlot[];
}

/** A plot of an upload. */
export type ReadJobPlot =
  | {
      /** Its own id, otherwise its number; the first is 1. */
      readonly id: string | number;
      /** JSON of the `input` that `/v1/evaluate` takes. */
      readonly input: string;
    }
  | {
      /** Its own id, otherwise its number; the first is 1. */
      readonly id: string | number;
      /** The reason why it is never evaluated, with places in its Feature. */
      readonly error: PlotInputError;
    };

/** A refusal in the form that crosses threads. */
export interface PlainRefusal extends RefusalExtras {
  readonly code: ErrorCode;
  readonly message: string;
}

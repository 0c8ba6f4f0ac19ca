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
  /** Who asks. The requests of one organization wait for each other, not for those of another. */
  readonly organization: string;
  /** Rulesets belong to an organization in one mode. */
  readonly mode: "live" | "test";
  /** The limits of this answer; absent: the default ones. */
  readonly limits?: Limits;
  /** Patterns of the sources that are available to the caller; absent: all. */
  readonly within?: readonly string[];
  /** The saved ruleset that the body names, once it is found. */
  readonly saved?: SavedBody;
  /** What the live sources of the question answered, once they were asked. */
  readonly provided?: Provided;
  /** The editions that a verdict has to be of, by source name; with others there is none. Absent: the current ones. */
  readonly pinned?: Policy["editions"];
  /**
   * Names of sources and groups to do without, of an engine that its caller owns: no body can name any. Absent: none.
   */
  readonly without?: readonly string[];
  /** Whether it waits behind every question of a caller: plots of jobs and tiles do. Absent: it does not. */
  readonly inBackground?: boolean;
}

/**
 * The bytes of a body as they were sent: in shared memory or, where they are few, as a text with one character
 * per byte (Latin-1). Short texts are copied to a thread several times as fast as short arrays.
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

/** What became of a {@link BodyTask}. */
export type BodyResult =
  | RefusedBody
  | IdentifiedBody
  | WantedRuleset
  | WantedAreas
  | OtherEditions
  | AnsweredBody
  | ToldBody
  | CheckedRuleset
  | ReadJob
  | CutTile;

/** A request that is not answered. */
export interface RefusedBody {
  readonly kind: "refused";
  /** Why not. */
  readonly refusal: PlainRefusal;
}

/** The body names a saved ruleset: repeat the task with that ruleset as `saved`. */
export interface WantedRuleset {
  readonly kind: "ruleset wanted";
  /** The ruleset to give as `saved`. */
  readonly named: SavedRuleset;
}

/** The question asks live sources: repeat the task with what they answer as `provided`. */
export interface WantedAreas {
  readonly kind: "areas wanted";
  /** What to ask them for. */
  readonly needs: readonly LiveNeed[];
}

/** The engine does not hold the editions that were {@link BodyTask.pinned}. */
export interface OtherEditions {
  readonly kind: "other editions";
}

/** An answer that is not charged. */
export interface ToldBody {
  readonly kind: "told";
  /** The answer. */
  readonly json: string;
}

/** Which request it is. */
export interface IdentifiedBody {
  readonly kind: "identified";
  /** What makes two requests the same: SHA-256, as 64 hex digits. */
  readonly fingerprint: string;
}

/** A vector tile of a source. */
export interface CutTile {
  readonly kind: "tile";
  /** What tiles of the source depend on: one that was cut from the same has the same bytes. */
  readonly drawing: string;
  /** The tile; no bytes where the source has nothing there. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A question's answer, and what charging and archives need to know of it. */
export interface AnsweredBody {
  readonly kind: "answered";
  /** As of {@link IdentifiedBody}. */
  readonly fingerprint: string;
  /** The caller's own reference. */
  readonly referenceId: string | null;
  /** Canonical JSON of the body, with what it left open written out. */
  readonly request: string;
  /** The answer as it is sent. */
  readonly response: string;
  /** JSON of the digests the answer depends on. */
  readonly digests: string;
  /** Every source answered: the request is charged. */
  readonly complete: boolean;
  /** Whether each source that was queried answered or failed. */
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
  /** Digest of the ruleset, which its verdicts carry. */
  readonly digest: string;
  /** Likely mistakes in it. */
  readonly lint: readonly LintFinding[];
  /** The certain ones among them. */
  readonly warnings: readonly Warning[];
}

/** The upload of a job, checked: a ruleset that compiles, the editions it was compiled on, and its plots. */
export interface ReadJob {
  readonly kind: "job";
  /** As of {@link IdentifiedBody}. */
  readonly fingerprint: string;
  /** The caller's own reference, which is each decision's too. */
  readonly referenceId: string | null;
  /** Its origin in the catalog; null of one that was sent along. */
  readonly origin: RulesetOrigin | null;
  /** Digest of the ruleset, which its verdicts carry. */
  readonly digest: string;
  /** JSON of {sets, checks, …}. */
  readonly ruleset: string;
  /** Options of every evaluation, as sent; null where none were. */
  readonly options: EvaluateRequestOptions | null;
  /** Names of the sources that the ruleset asks, with the edition it was compiled on; one that failed has none. */
  readonly editions: Policy["editions"];
  /** The sources among those it asks that failed, and why. */
  readonly failed: readonly SourceFailure[];
  /** Live sources among them, as records describe them. */
  readonly live: Policy["live"];
  /** The groups that the ruleset names, with the members they have now; null where it names none. */
  readonly groups: Readonly<Record<string, readonly string[]>> | null;
  /** In the order sent. */
  readonly plots: readonly ReadJobPlot[];
}

/** A plot of an upload. */
export type ReadJobPlot =
  | {
      /** Its own, else its number; the first is 1. */
      readonly id: string | number;
      /** JSON of the `input` that `/v1/evaluate` takes. */
      readonly input: string;
    }
  | {
      /** Its own, else its number; the first is 1. */
      readonly id: string | number;
      /** Why it is never evaluated, with places in its Feature. */
      readonly error: PlotInputError;
    };

/** A refusal as it crosses threads. */
export interface PlainRefusal extends RefusalExtras {
  readonly code: ErrorCode;
  readonly message: string;
}

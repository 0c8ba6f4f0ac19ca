import type { Warning } from "@groundrule/engine";
import type { LintFinding } from "@groundrule/engine/rulesets";
import type { PeriodUsage, Settlement, SettleOutcome } from "../../ledger/arbitrate.ts";
import type { HoldingExcess, HoldingLimits } from "../../ledger/holdings.ts";
import type { StoredKey } from "../../ledger/key-state.ts";
import type { KeyedRequest, MetPublication, ReplayTerms } from "../../ledger/publication.ts";
import type { KeyMode, Scope } from "../../ledger/scope.ts";
import type { SubscriptionStatus } from "../../ledger/subscription.ts";
import type { Usage } from "../../ledger/usage.ts";
import type { JobReads, JobStore, JobWrites } from "./jobs.ts";

/**
 * The service's state. One interface, two databases, one suite of tests.
 *
 * Every method is one transaction: it has happened completely and durably when its promise resolves; it has not
 * happened if the promise rejects, except with `OUTCOME_UNKNOWN`.
 *
 * Fails, any method: `STORAGE_UNAVAILABLE` (nothing was written), `OUTCOME_UNKNOWN`; `VALUE_INVALID` for a text with
 * U+0000 or a lone surrogate, which not every database can store.
 */
export interface Store extends StoreReads, StoreWrites, JobStore {
  readonly kind: "sqlite" | "postgres";
  /**
   * Charges, grouped with other settlements that are waiting.
   *
   * @param company settlements that may follow soon: the group may wait for them, a few milliseconds at most
   */
  settle(settlement: Settlement, company?: Company): Promise<SettleOutcome>;
  /** Writes a snapshot of the state to a new file, for either database, while it is in use. */
  backup(path: string): Promise<void>;
  /** The reason why the store should not receive requests now, if any. */
  trouble(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Numbers of other requests on their way to be settled. */
export interface Company {
  ofAll(): number;
  /** Those of the same organization and mode. */
  ofScope(): number;
}

export interface StoreReads extends JobReads {
  /** The data the gates need before execution, in one snapshot; undefined for an unknown organization. */
  openGate(question: { readonly scope: Scope; readonly key: string | null }): Promise<Gate | undefined>;
  /** A decision's stored answer, unless it is erased. */
  findAnswer(question: { readonly scope: Scope; readonly decisionId: string }): Promise<Answer | undefined>;
  findDecision(question: {
    readonly scope: Scope;
    readonly decisionId: string;
  }): Promise<DecisionRecord | undefined>;
  /** The number of a decision of the scope, of any kind. */
  findDecisionSeq(question: {
    readonly scope: Scope;
    readonly decisionId: string;
  }): Promise<number | undefined>;
  /** Filtered by verdict or ruleset, the list is complete only once {@link areDecisionsIndexed}. */
  listDecisions(question: DecisionQuestion): Promise<Page<Decision>>;
  /**
   * True if every decision can be found by verdict and ruleset; decisions of an earlier release are indexed in the
   * background.
   */
  areDecisionsIndexed(question: object): Promise<boolean>;
  /** Texts of decisions of every organization, ascending by id, after `after`. */
  listDecisionTexts(question: {
    /** An id; empty to start with the first. */
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly DecisionTexts[]>;
  findApiKey(question: { readonly digest: string }): Promise<StoredApiKey | undefined>;
  /** The owner of a key and what its scope may use now, in one snapshot; undefined for an unknown key. */
  findHolder(question: { readonly scope: Scope; readonly keyId: string }): Promise<KeyHolder | undefined>;
  listApiKeys(question: { readonly organization: string }): Promise<readonly StoredApiKey[]>;
  listOrganizations(question: object): Promise<readonly Organization[]>;
  usage(question: { readonly scope: Scope }): Promise<Usage | undefined>;
  findRuleset(question: {
    readonly scope: Scope;
    readonly name: string;
    /** Default: the latest version. */
    readonly version?: number;
  }): Promise<StoredRuleset | undefined>;
  listRulesets(question: {
    readonly scope: Scope;
    readonly name?: string;
    readonly page: number;
    readonly pageSize: number;
  }): Promise<Page<Omit<StoredRuleset, "body">>>;
  /** Every broken invariant; a healthy store has none. */
  findViolations(question: {
    /** `open`: sums of open periods, texts of the newest thousand decisions, unfinished jobs; `all`: everything. */
    readonly extent: "open" | "all";
    /** Default: all organizations. */
    readonly organization?: string;
  }): Promise<readonly Violation[]>;
  findStoreState(question: object): Promise<StoreState>;
  /** Total usage and quotas of the ledgers of each mode in their current periods. */
  ledgerTotals(question: object): Promise<readonly LedgerTotals[]>;
}

export interface StoreWrites extends JobWrites {
  /** All settlements belong to one scope; at most 64. */
  settleBatch(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]>;
  /**
   * Records that a key has expired, once: the first caller starts the acknowledgement window. Undefined if the key is
   * not expired in that generation.
   */
  acknowledgeExpiry(input: {
    readonly scope: Scope;
    readonly key: string;
    readonly generation: number;
    readonly windowMs: number;
  }): Promise<StoredKey | undefined>;
  /**
   * Takes one of the free answers that a scope gets per window; the first one starts the window. The count is exact,
   * however many requests there are at once and on whichever replica.
   */
  takeUncharged(input: {
    readonly scope: Scope;
    /** Answers per window. */
    readonly limit: number;
    readonly windowMs: number;
  }): Promise<UnchargedOutcome>;
  /** Adds counts that were kept in memory. Advisory: a crash may lose some, in the caller's favour. */
  addCounts(counts: Counts): Promise<void>;

  /** Fails: `ORGANIZATION_EXISTS`. */
  createOrganization(input: {
    readonly id: string;
    readonly name: string;
    readonly quota: Readonly<Record<KeyMode, number>>;
    /** Default: now. */
    readonly anchorMs?: number;
    /** Patterns of the sources that are available to it, `*` for any characters. Default: all. */
    readonly sources?: readonly string[];
  }): Promise<Organization>;
  /** Fails: `ORGANIZATION_UNKNOWN`. */
  setSubscription(input: {
    readonly organization: string;
    readonly status: SubscriptionStatus;
  }): Promise<Organization>;
  /**
   * A lower quota takes effect at once, but never below what the current period has used.
   * Fails: `ORGANIZATION_UNKNOWN`.
   */
  setQuota(input: { readonly scope: Scope; readonly quota: number }): Promise<PeriodUsage>;
  /** Fails: `ORGANIZATION_UNKNOWN`, `KEY_LIMIT_REACHED`. */
  createApiKey(input: NewApiKey): Promise<StoredApiKey>;
  /**
   * Creates a successor with the same name, scopes and mode; the old key ends after the overlap.
   * Fails: `KEY_UNKNOWN`.
   */
  rotateApiKey(input: {
    readonly id: string;
    readonly successor: Pick<NewApiKey, "id" | "digest" | "pepperVersion" | "hint" | "lifetimeMs">;
    readonly overlapMs: number;
  }): Promise<{ readonly retiring: StoredApiKey; readonly successor: StoredApiKey }>;
  /** Fails: `KEY_UNKNOWN`. */
  revokeApiKey(input: { readonly id: string }): Promise<StoredApiKey>;
  /**
   * `next`: latest + 1, exact under concurrency. Under an idempotency key the ruleset and its replayable answer are
   * written together, unless the key already has a publication.
   */
  createRuleset(input: NewRuleset): Promise<CreatedRuleset>;
  /** Looks up the state of a publication's key; counts a replay, and records an expiry. */
  meetPublication(input: PublicationQuestion): Promise<MetPublication>;
  /**
   * Erases requests and answers of decisions before an instant, and uploads and error lines of jobs created before it;
   * charges and digests stay. An unfinished job ends with its upload.
   */
  eraseDecisions(input: {
    readonly organization: string;
    readonly beforeMs: number;
  }): Promise<{ readonly erased: number }>;
  /** Indexes up to `limit` decisions of an earlier release by ruleset and verdict; `done` once none is left. */
  indexDecisions(input: { readonly limit: number }): Promise<{ readonly done: boolean }>;
  /**
   * Counts by route up to `limit` decisions that an earlier release charged in the newest periods; `done` once all are
   * counted.
   */
  countRoutes(input: { readonly limit: number }): Promise<{ readonly done: boolean }>;
  /** Deletes keys that expired more than 400 days ago, counts past their window, and old receipts. */
  sweep(input: object): Promise<{ readonly keys: number }>;
  /**
   * Inserts rows of a backup into an empty state.
   *
   * @param input.columns columns of the rows, named as in the schema
   */
  importRows(input: {
    readonly table: string;
    readonly columns: readonly string[];
    readonly batch: readonly Row[];
  }): Promise<void>;
  /** Stops charging in a scope, or lets it resume. Reads and replays go on either way. */
  freeze(input: { readonly scope: Scope; readonly reason: string | null }): Promise<void>;
  /**
   * Records the pepper that keys are stored under, unless another one of that version is recorded.
   *
   * @returns the fingerprint recorded afterwards
   */
  setPepper(input: {
    readonly version: number;
    readonly fingerprint: string;
    /** Fingerprint of a lost pepper that this one replaces. */
    readonly replaces?: string | null;
  }): Promise<{ readonly fingerprint: string }>;
  /** Records that the store is in service now, and writes `ballast` characters with it. */
  noteServed(input: { readonly ballast: number }): Promise<void>;
}

/** The input of a method of the port. */
export type Input<Name extends keyof StoreReads | keyof StoreWrites> = Parameters<
  (StoreReads & StoreWrites)[Name]
>[0];

/** A row of a table, by columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Sums over the ledgers of a mode in their current periods. */
export interface LedgerTotals {
  readonly mode: KeyMode;
  readonly quota: number;
  readonly used: number;
  /** Number of ledgers whose quota is used up. */
  readonly exhausted: number;
}

/** The store's record of its own peppers and service. */
export interface StoreState {
  readonly hasKeys: boolean;
  /** Fingerprints of the peppers its keys are stored under; none in a store of an older release, or without keys. */
  readonly peppers: readonly { readonly version: number; readonly fingerprint: string }[];
  /** When the store was last in service, to the hour or so; undefined if never. */
  readonly servedAtMs: number | undefined;
}

export interface Gate {
  /** The store's time, never before an earlier one of the same scope. */
  readonly nowMs: number;
  readonly subscription: SubscriptionStatus;
  readonly period: PeriodUsage;
  readonly stored: StoredKey | undefined;
  readonly attempts: AttemptCount | undefined;
}

/** Result of taking a free answer. */
export type UnchargedOutcome =
  | { readonly kind: "taken" }
  /** `count` answers were given, and the window ends after `waitMs`. */
  | { readonly kind: "used up"; readonly count: number; readonly waitMs: number };

/** Uncharged attempts on a key since the start of its window. */
export interface AttemptCount {
  readonly windowStartMs: number;
  readonly count: number;
}

export interface Counts {
  readonly replays: readonly {
    readonly scope: Scope;
    readonly key: string;
    readonly generation: number;
    readonly count: number;
  }[];
  readonly attempts: readonly ({ readonly scope: Scope; readonly key: string } & AttemptCount)[];
  /** Times at which API keys were last used. */
  readonly keyUses: readonly { readonly id: string; readonly usedAtMs: number }[];
}

export interface Answer {
  readonly response: string;
  readonly responseDigest: string;
  readonly mediaType: string;
  readonly requestId: string;
}

/** A charge and its subject. */
export interface Decision {
  readonly id: string;
  readonly seq: number;
  readonly periodNo: number;
  readonly units: number;
  readonly key: string | null;
  readonly generation: number;
  readonly route: string;
  readonly fingerprint: string;
  readonly requestDigest: string;
  readonly responseDigest: string;
  readonly digests: string;
  readonly mediaType: string;
  readonly requestId: string;
  readonly referenceId: string | null;
  readonly createdAtMs: number;
}

/** A decision with its texts, which are null once erased. */
export interface DecisionRecord extends Decision {
  readonly request: string | null;
  readonly response: string | null;
}

/** The texts of a decision that name its editions. */
export interface DecisionTexts {
  readonly id: string;
  readonly digests: string;
  /** Null once erased. */
  readonly response: string | null;
}

export interface DecisionQuestion {
  readonly scope: Scope;
  /** Inclusive. */
  readonly fromMs?: number;
  /** Exclusive. */
  readonly toMs?: number;
  readonly referenceId?: string;
  readonly requestId?: string;
  /** Verdict to match; erased verdicts never match. */
  readonly verdict?: string;
  readonly ruleset?: RulesetChoice;
  /** Only decisions with a smaller number. */
  readonly beforeSeq?: number;
  /** From 1. Newest first. */
  readonly page: number;
  readonly pageSize: number;
}

/** A ruleset by its content, or by the name under which the scope published it; without a version, all versions. */
export type RulesetChoice =
  | { readonly digests: readonly string[] }
  | { readonly name: string; readonly version?: number };

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly totalCount: number;
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly subscription: SubscriptionStatus;
  readonly anchorMs: number;
  /** Patterns of the sources that are available to it. */
  readonly sources: readonly string[];
}

export interface NewApiKey {
  readonly id: string;
  readonly organization: string;
  readonly mode: KeyMode;
  readonly name: string;
  readonly digest: string;
  readonly pepperVersion: number;
  /** The first characters of the key, so that people can distinguish keys. */
  readonly hint: string;
  readonly scopes: readonly string[];
  /** Null: never expires. */
  readonly lifetimeMs: number | null;
}

export interface StoredApiKey extends Omit<NewApiKey, "lifetimeMs"> {
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Last use, to the minute or so. */
  readonly lastUsedAtMs: number | null;
  readonly successorId: string | null;
  /** Patterns of the sources that are available to its organization. */
  readonly sources: readonly string[];
  /** The store's time when this was read. */
  readonly nowMs: number;
}

/** An API key with the organization that it was issued to. */
export interface KeyHolder {
  readonly key: StoredApiKey;
  readonly organizationName: string;
  readonly subscription: SubscriptionStatus;
  /** The current period in the key's mode. */
  readonly period: PeriodUsage;
}

/** A request to publish under an idempotency key. */
export interface PublicationQuestion {
  readonly scope: Scope;
  readonly request: KeyedRequest;
  readonly terms: ReplayTerms;
}

export interface NewRuleset {
  readonly scope: Scope;
  readonly name: string;
  readonly version: number | "next";
  readonly body: string;
  readonly digest: string;
  readonly publication?: Omit<PublicationQuestion, "scope"> & {
    /** The lint findings of the answer; absent if the request did not ask for them. */
    readonly lint?: readonly LintFinding[];
    /** Certain mistakes in the ruleset. */
    readonly warnings?: readonly Warning[];
  };
  /** Maximum amounts that the scope may store. Default {@link DEFAULT_HOLDING_LIMITS}. */
  readonly limits?: HoldingLimits;
}

export type CreatedRuleset =
  | { readonly kind: "created"; readonly ruleset: StoredRuleset }
  | { readonly kind: "exists" }
  | { readonly kind: "held"; readonly excess: HoldingExcess }
  | { readonly kind: "met"; readonly met: Exclude<MetPublication, { readonly kind: "free" }> };

export interface StoredRuleset {
  readonly name: string;
  readonly version: number;
  readonly body: string;
  readonly digest: string;
  readonly createdAtMs: number;
}

/** A broken invariant, numbered as in `docs/semantics/charging.md`. */
export interface Violation {
  readonly invariant: "I1" | "I2" | "I3" | "I4" | "I10" | "I13" | "I14" | "I15" | "I16" | "I17";
  readonly organization: string;
  readonly mode: KeyMode;
  /** The found and the expected value. */
  readonly message: string;
}

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
 * Every method is one transaction: it happened whole when its promise resolves, and durably; it
 * did not happen when it rejects, except with `OUTCOME_UNKNOWN`.
 *
 * Fails, any method: `STORAGE_UNAVAILABLE` (nothing was written), `OUTCOME_UNKNOWN`; `VALUE_INVALID` for a
 * text with U+0000 or a lone surrogate, which not every database can hold.
 */
export interface Store extends StoreReads, StoreWrites, JobStore {
  readonly kind: "sqlite" | "postgres";
  /**
   * Charges, grouped with what else is waiting to be settled.
   *
   * @param company what may come to be settled soon: the group may wait for it, a few milliseconds at most
   */
  settle(settlement: Settlement, company?: Company): Promise<SettleOutcome>;
  /** Writes the state of one instant to a new file, whatever the database, while it is in use. */
  backup(path: string): Promise<void>;
  /** Why the store should not be sent requests now, if so. */
  trouble(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** How many others are on their way to be settled. */
export interface Company {
  ofAll(): number;
  /** Of the same organization and mode. */
  ofScope(): number;
}

export interface StoreReads extends JobReads {
  /** What the gates ask before execution, in one snapshot; undefined for an unknown organization. */
  openGate(question: { readonly scope: Scope; readonly key: string | null }): Promise<Gate | undefined>;
  /** A decision's stored answer, as long as it is not erased. */
  findAnswer(question: { readonly scope: Scope; readonly decisionId: string }): Promise<Answer | undefined>;
  findDecision(question: {
    readonly scope: Scope;
    readonly decisionId: string;
  }): Promise<DecisionRecord | undefined>;
  /** The number of a decision of the scope, whatever it was for. */
  findDecisionSeq(question: {
    readonly scope: Scope;
    readonly decisionId: string;
  }): Promise<number | undefined>;
  /** By verdict or ruleset all are found only once {@link areDecisionsIndexed}. */
  listDecisions(question: DecisionQuestion): Promise<Page<Decision>>;
  /** Whether every decision can be found by verdict and ruleset: those of an earlier release by and by. */
  areDecisionsIndexed(question: object): Promise<boolean>;
  /** Texts of decisions of every organization, ascending by id from the one after `after`. */
  listDecisionTexts(question: {
    /** An id; empty: from the first. */
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly DecisionTexts[]>;
  findApiKey(question: { readonly digest: string }): Promise<StoredApiKey | undefined>;
  /** Who holds a key, and what its scope may use now; undefined for an unknown key. In one snapshot. */
  findHolder(question: { readonly scope: Scope; readonly keyId: string }): Promise<KeyHolder | undefined>;
  listApiKeys(question: { readonly organization: string }): Promise<readonly StoredApiKey[]>;
  listOrganizations(question: object): Promise<readonly Organization[]>;
  usage(question: { readonly scope: Scope }): Promise<Usage | undefined>;
  findRuleset(question: {
    readonly scope: Scope;
    readonly name: string;
    /** Default the latest. */
    readonly version?: number;
  }): Promise<StoredRuleset | undefined>;
  listRulesets(question: {
    readonly scope: Scope;
    readonly name?: string;
    readonly page: number;
    readonly pageSize: number;
  }): Promise<Page<Omit<StoredRuleset, "body">>>;
  /** Every broken invariant; none is what is hoped for. */
  findViolations(question: {
    /** `open`: sums of open periods, texts of the newest thousand decisions, unfinished jobs; `all`: everything. */
    readonly extent: "open" | "all";
    /** Default all of them. */
    readonly organization?: string;
  }): Promise<readonly Violation[]>;
  findStanding(question: object): Promise<Standing>;
  /** What the ledgers of each mode have used of their quotas in their current periods, together. */
  ledgerTotals(question: object): Promise<readonly LedgerTotals[]>;
}

export interface StoreWrites extends JobWrites {
  /** All of one scope, at most 64. */
  settleBatch(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]>;
  /**
   * Makes it known that a key has expired, once: whoever comes first starts the acknowledgement
   * window. Undefined where the key is not expired in that generation.
   */
  acknowledgeExpiry(input: {
    readonly scope: Scope;
    readonly key: string;
    readonly generation: number;
    readonly windowMs: number;
  }): Promise<StoredKey | undefined>;
  /**
   * Takes one of the answers that a scope gets for nothing within a window, which opens with its first. What is taken
   * is exact, however many ask at once and wherever.
   */
  takeUncharged(input: {
    readonly scope: Scope;
    /** Answers in a window. */
    readonly limit: number;
    readonly windowMs: number;
  }): Promise<UnchargedOutcome>;
  /** Adds what was counted in memory. Advisory: a crash may lose some, to the caller's favour. */
  addCounts(counts: Counts): Promise<void>;

  /** Fails: `ORGANIZATION_EXISTS`. */
  createOrganization(input: {
    readonly id: string;
    readonly name: string;
    readonly quota: Readonly<Record<KeyMode, number>>;
    /** Default now. */
    readonly anchorMs?: number;
    /** Patterns of the sources that are available to it, `*` for any characters. Default all. */
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
   * `next`: latest + 1, exact however many are created at once. Under an idempotency key the ruleset and
   * the answer to be replayed are written together, unless the key stands for a publication already.
   */
  createRuleset(input: NewRuleset): Promise<CreatedRuleset>;
  /** What a request to publish meets under its key; counts a replay, and makes an expiry known. */
  meetPublication(input: PublicationQuestion): Promise<MetPublication>;
  /**
   * Erases requests and answers of decisions older than that, and uploads and error lines of jobs that were created
   * before; charges and digests stay. A job that is unfinished ends with its upload.
   */
  eraseDecisions(input: {
    readonly organization: string;
    readonly beforeMs: number;
  }): Promise<{ readonly erased: number }>;
  /** Indexes decisions of an earlier release by ruleset and verdict, as many as that; done once there is none left. */
  indexDecisions(input: { readonly limit: number }): Promise<{ readonly done: boolean }>;
  /** Counts by route what an earlier release charged in the newest periods, so many decisions; done once all are. */
  countRoutes(input: { readonly limit: number }): Promise<{ readonly done: boolean }>;
  /** Forgets keys that expired more than 400 days ago, counts past their window, and old receipts. */
  sweep(input: object): Promise<{ readonly keys: number }>;
  /**
   * Puts rows of a backup into an empty state.
   *
   * @param input.columns of the table that the rows have, named as the schema names them
   */
  importRows(input: {
    readonly table: string;
    readonly columns: readonly string[];
    readonly lot: readonly Row[];
  }): Promise<void>;
  /** Stops charging in a scope, or lets it go on. Reads and replays go on either way. */
  freeze(input: { readonly scope: Scope; readonly reason: string | null }): Promise<void>;
  /**
   * Notes which pepper keys are stored under, unless another of that version is known.
   *
   * @returns the fingerprint that is known then
   */
  setPepper(input: {
    readonly version: number;
    readonly fingerprint: string;
    /** Of a pepper that is lost, whose place it takes. */
    readonly replaces?: string | null;
  }): Promise<{ readonly fingerprint: string }>;
  /** Notes that the store is served now, and writes as many characters beside it. */
  noteServed(input: { readonly ballast: number }): Promise<void>;
}

/** What a method of the port is given. */
export type Input<Name extends keyof StoreReads | keyof StoreWrites> = Parameters<
  (StoreReads & StoreWrites)[Name]
>[0];

/** A row of a table, by columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Sums over the ledgers of a mode, of their current periods. */
export interface LedgerTotals {
  readonly mode: KeyMode;
  readonly quota: number;
  readonly used: number;
  /** Ledgers whose quota is used up. */
  readonly exhausted: number;
}

/** What a store says of itself. */
export interface Standing {
  readonly hasKeys: boolean;
  /** Of the peppers that its keys are stored under; none in a store of an older release, or without keys. */
  readonly peppers: readonly { readonly version: number; readonly fingerprint: string }[];
  /** To the hour or so; undefined where it never was. */
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

/** Whether an answer may be given for nothing. */
export type UnchargedOutcome =
  | { readonly kind: "taken" }
  /** So many were given, and the window ends after so long. */
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
  /** When API keys were last used. */
  readonly keyUses: readonly { readonly id: string; readonly usedAtMs: number }[];
}

export interface Answer {
  readonly response: string;
  readonly responseDigest: string;
  readonly mediaType: string;
  readonly requestId: string;
}

/** A charge, and what it was for. */
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

/** A decision with its texts, null once erased. */
export interface DecisionRecord extends Decision {
  readonly request: string | null;
  readonly response: string | null;
}

/** What a decision says of the editions it was made with. */
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
  /** Of a verdict that is not erased. */
  readonly verdict?: string;
  readonly ruleset?: RulesetChoice;
  /** Only those with a smaller number. */
  readonly beforeSeq?: number;
  /** From 1. Newest first. */
  readonly page: number;
  readonly pageSize: number;
}

/** A ruleset by what is in it, or by the name that the scope published it under; every version where none is said. */
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
  /** The first characters of the key, for people to tell keys apart. */
  readonly hint: string;
  readonly scopes: readonly string[];
  /** Null never expires. */
  readonly lifetimeMs: number | null;
}

export interface StoredApiKey extends Omit<NewApiKey, "lifetimeMs"> {
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** To the minute or so. */
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
  /** Of the key's mode. */
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
    /** What the answer tells of it; absent where the request did not ask. */
    readonly lint?: readonly LintFinding[];
    /** Certain mistakes in the ruleset. */
    readonly warnings?: readonly Warning[];
  };
  /** Most that the scope may hold. Default {@link DEFAULT_HOLDING_LIMITS}. */
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
  /** What was found and what was expected. */
  readonly message: string;
}

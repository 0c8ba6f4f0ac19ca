import type { ErrorCode } from "@groundrule/contract";
import type { PeriodUsage, Settlement } from "../ledger/arbitrate.ts";
import { formatInstant } from "../ledger/clock.ts";
import { keyStateAt, type StoredKey } from "../ledger/key-state.ts";
import type { Scope } from "../ledger/scope.ts";
import type { SubscriptionStatus } from "../ledger/subscription.ts";
import { computeTextDigest } from "../ledger/text-digest.ts";
import { buildQuotaReport } from "../ledger/usage.ts";
import type { Answer, Gate, Store, UnchargedOutcome } from "../store/port/port.ts";
import { rowDamagedError } from "../store/port/sound-rows.ts";
import { StoreError } from "../store/port/store-error.ts";
import { Counters, type CountsMark } from "./counters.ts";
import { Executions } from "./executions.ts";
import { RunningKeys } from "./running-keys.ts";

export interface ChargingPorts {
  readonly store: Store;
  /** Mints a decision's id; never returns the same one twice. */
  readonly mintDecisionId: () => string;
  /** Resolves after that many milliseconds. A wait cannot be cancelled; callers drop its promise. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

export interface ChargingSettings {
  /** How long an answer is replayed, milliseconds. Default 24 h. */
  readonly retentionMs: number;
  /** How long a key still reports its expiry after the first caller has received the report. Default 2 s. */
  readonly acknowledgementMs: number;
  /** Longest wait for a request that is running under the same key. Default 10 s. */
  readonly twinWaitMs: number;
  /** Maximum replays of one answer. Default 100. */
  readonly replayLimit: number;
  /** Maximum uncharged attempts per key and hour. Default 20. */
  readonly attemptLimit: number;
  /** Maximum uncharged answers per organization, mode and hour. Default 100. */
  readonly unchargedLimit: number;
  /** How long counts stay in memory before they are written. Default 1 s. */
  readonly countDelayMs: number;
}

export const DEFAULT_CHARGING: ChargingSettings = {
  retentionMs: 24 * 3_600_000,
  acknowledgementMs: 2_000,
  twinWaitMs: 10_000,
  replayLimit: 100,
  attemptLimit: 20,
  unchargedLimit: 100,
  countDelayMs: 1_000,
};

/** A billable request, reduced to what charging needs. */
export interface ChargeRequest {
  readonly scope: Scope;
  /** The idempotency key, well-formed; null if none was sent. */
  readonly key: string | null;
  /**
   * Identifies equal requests: a digest, or a function that computes it. It is computed only where needed: if the key
   * is already stored, and for the charge, after execution.
   */
  readonly fingerprint: string | (() => Promise<string>);
  readonly route: string;
  readonly requestId: string;
  /** Units to charge. Default 1. */
  readonly units?: number;
  /**
   * True if the key belongs to this request for good: once charged, it is never charged again, however long ago that
   * was. Such a key is never a caller's. Default false: an expired key becomes free again.
   */
  readonly isFinal?: boolean;
  /**
   * True if an uncharged answer is sent to somebody; it then counts towards the organization's free answers. Default
   * true.
   */
  readonly tellsUncharged?: boolean;
  /** Returns true, just before the charge, if the client has disconnected. */
  readonly isGone?: () => boolean;
}

/** The result of executing a request. */
export type Execution<Uncharged> =
  /** A complete answer: charged, stored and replayed. */
  | ({ readonly kind: "complete" } & Pick<
      Settlement,
      "request" | "response" | "mediaType" | "digests" | "referenceId"
    >)
  /** A degraded answer, or a failure that is not the request's fault: passed on, never charged, never stored. */
  | { readonly kind: "uncharged"; readonly answer: Uncharged };

export type ChargeOutcome<Uncharged> =
  | {
      readonly kind: "charged";
      readonly decisionId: string;
      readonly response: string;
      readonly mediaType: string;
      /** End of the replay period; null without an idempotency key. */
      readonly expiresAtMs: number | null;
      readonly period: PeriodUsage;
    }
  | ({
      readonly kind: "replayed";
      readonly decisionId: string;
      readonly expiresAtMs: number;
      readonly period: PeriodUsage;
    } & Omit<Answer, "responseDigest">)
  | { readonly kind: "uncharged"; readonly answer: Uncharged; readonly period: PeriodUsage }
  /** The client left before the charge, or the job of the request has ended; nothing was written. */
  | { readonly kind: "abandoned" }
  | ChargeRefusal;

/** A request that was refused, at no cost. */
export interface ChargeRefusal {
  readonly kind: "refused";
  readonly code: Extract<
    ErrorCode,
    | "IDEMPOTENCY_IN_PROGRESS"
    | "IDEMPOTENCY_KEY_CONFLICT"
    | "IDEMPOTENCY_KEY_EXHAUSTED"
    | "IDEMPOTENCY_REPLAY_EXPIRED"
    | "OUTCOME_UNKNOWN"
    | "QUOTA_EXCEEDED"
    | "STORAGE_UNAVAILABLE"
    | "SUBSCRIPTION_INACTIVE"
    | "UNCHARGED_LIMIT_REACHED"
  >;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** Members of the problem document, named as on the wire. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The facts behind the message, as data. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The current period, if the quota caused the refusal. */
  readonly period?: PeriodUsage;
}

export interface Charging {
  readonly settings: ChargingSettings;
  /**
   * Takes a request through replay, subscription and quota, executes it, and charges it.
   *
   * `execute` is called at most once. If it throws, the error is rethrown: the request is not charged, stored or
   * counted, and its key stays free.
   */
  charge<Uncharged>(
    request: ChargeRequest,
    execute: () => Promise<Execution<Uncharged>>,
  ): Promise<ChargeOutcome<Uncharged>>;
  /** Writes the counts kept in memory; call it before closing the store. */
  flush(): Promise<void>;
}

/** How often a key that keeps changing state is looked up and settled before the request fails. */
const ROUND_LIMIT = 8;

/**
 * Charges requests exactly once, whatever fails.
 *
 * Execution has no side effects, so it may happen twice; everything that must happen once happens in {@link
 * Store.settle}, one short transaction at the end. Nothing is reserved before it: a crash at any earlier point leaves
 * no trace. See `docs/semantics/charging.md`.
 */
export function createCharging(ports: ChargingPorts, settings: Partial<ChargingSettings> = {}): Charging {
  return new CommitTimeArbitration(ports, { ...DEFAULT_CHARGING, ...settings });
}

class CommitTimeArbitration implements Charging {
  readonly #ports: ChargingPorts;
  readonly settings: ChargingSettings;
  readonly #running = new RunningKeys();
  readonly #executions = new Executions();
  readonly #counters = new Counters();
  #dueFlush: Promise<void> | undefined;

  constructor(ports: ChargingPorts, settings: ChargingSettings) {
    this.#ports = ports;
    this.settings = settings;
  }

  async charge<Uncharged>(
    request: ChargeRequest,
    execute: () => Promise<Execution<Uncharged>>,
  ): Promise<ChargeOutcome<Uncharged>> {
    const decisionId = this.#ports.mintDecisionId();
    try {
      return await this.#charge(request, execute, decisionId);
    } catch (error) {
      if (error instanceof StoreError && error.details.damaged !== undefined) {
        // If even that cannot be written, the store itself refuses further charges.
        await this.#ports.store.freeze({ scope: request.scope, reason: error.message }).catch(() => {});
      }
      return toChargeRefusal(error, decisionId);
    }
  }

  async #charge<Uncharged>(
    request: ChargeRequest,
    execute: () => Promise<Execution<Uncharged>>,
    decisionId: string,
  ): Promise<ChargeOutcome<Uncharged>> {
    const { scope, key } = request;
    const waiting = new Deadline(this.#ports.sleep, this.settings.twinWaitMs);
    /** Kept across rounds, so that the request is executed at most once. */
    let execution: Execution<Uncharged> | undefined;
    for (let rounds = ROUND_LIMIT; rounds > 0; ) {
      const mark = this.#counters.mark();
      const gate = await this.#ports.store.openGate({ scope, key });
      if (gate === undefined) throw new Error(`organization ${scope.organization} is not in the store`);
      const early = await this.#passGates(request, gate, mark);
      if (early === "look again") {
        rounds--;
        continue;
      }
      if (early !== "go on") return early;

      const turn =
        key === null || execution !== undefined ? ALONE : this.#running.enter(formatScopedKey(scope, key));
      if (turn.kind === "crowded") return createInProgressRefusal();
      if (turn.kind === "wait") {
        try {
          if (!(await waiting.race(turn.ended))) return createInProgressRefusal();
        } finally {
          turn.quit();
        }
        continue;
      }
      const executed = this.#executions.begin(scope);
      try {
        execution ??= await execute();
        if (execution.kind === "uncharged") {
          const refusal = await this.#takeUncharged(request);
          if (refusal !== undefined) return refusal;
          // A job counts the attempts on its plots itself.
          if (key !== null && request.tellsUncharged !== false) this.#noteAttempt(scope, key, gate, mark);
          return { kind: "uncharged", answer: execution.answer, period: gate.period };
        }
        if (request.isGone?.() === true) return { kind: "abandoned" };
        executed();
        const settled = await this.#settle(request, execution, decisionId);
        if (settled !== "look again") return settled;
        rounds--;
      } finally {
        executed();
        turn.leave();
      }
    }
    return createInProgressRefusal();
  }

  async flush(): Promise<void> {
    await this.#counters.flush(this.#ports.store);
  }

  /**
   * Replay is checked before subscription and quota: a replayed answer was paid for. Room in the quota is only a hint
   * here, since the charge decides; an exhausted quota is final, since usage never shrinks.
   */
  async #passGates(
    request: ChargeRequest,
    gate: Gate,
    mark: CountsMark,
  ): Promise<"go on" | "look again" | Extract<ChargeOutcome<never>, { kind: "replayed" | "refused" }>> {
    const { scope, key } = request;
    if (gate.stored !== undefined) {
      const state = keyStateAt(gate.stored, gate.nowMs);
      if (state === "SETTLED") return this.#replay(request, gate, gate.stored, mark);
      // The expiry is not acknowledged: that would free the key.
      if (request.isFinal === true) return createReplayExpiredRefusal(gate.stored, gate.nowMs);
      if (state === "ACKNOWLEDGED") return createReplayExpiredRefusal(gate.stored, gate.nowMs);
      if (state === "EXPIRED") return this.#acknowledge(request, gate.stored);
    }
    if (key !== null) {
      const { count, endsAtMs } = this.#counters.attemptsOf(scope, key, gate, mark);
      if (count >= this.settings.attemptLimit) {
        if (await this.#counters.hasMovedSince(mark)) return "look again";
        return keyExhaustedRefusal("attempts", count, this.settings.attemptLimit, endsAtMs - gate.nowMs, {});
      }
    }
    if (gate.subscription !== "active") {
      return subscriptionInactiveRefusal(gate.subscription);
    }
    const units = request.units ?? 1;
    if (gate.period.used + units > gate.period.quota)
      return quotaExceededRefusal(gate.period, units, gate.nowMs);
    return "go on";
  }

  /**
   * Takes one of the free answers; returns the refusal if none is left. Called only for an uncharged answer: an
   * organization that has used them up still gets every answer that is charged.
   */
  async #takeUncharged({ scope, tellsUncharged = true }: ChargeRequest): Promise<ChargeRefusal | undefined> {
    if (!tellsUncharged) return undefined;
    const limit = this.settings.unchargedLimit;
    try {
      const taken = await this.#ports.store.takeUncharged({ scope, limit, windowMs: UNCHARGED_WINDOW_MS });
      return taken.kind === "taken" ? undefined : unchargedLimitRefusal(taken, limit);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The count may or may not have been written; nothing was charged.
      return storageUnavailableRefusal();
    }
  }

  async #replay(
    request: ChargeRequest,
    gate: Gate,
    stored: StoredKey,
    mark: CountsMark,
  ): Promise<"look again" | Extract<ChargeOutcome<never>, { kind: "replayed" | "refused" }>> {
    const { scope } = request;
    const { decisionId, expiresAtMs } = stored;
    if (stored.fingerprint !== (await resolveFingerprint(request))) {
      return {
        kind: "refused",
        code: "IDEMPOTENCY_KEY_CONFLICT",
        message: `The idempotency key "${stored.key}" was already charged for another request; use a new key for a new request.`,
        details: { decision_id: decisionId },
      };
    }
    const replays = this.#counters.replaysOf(scope, stored, mark);
    if (replays >= this.settings.replayLimit) {
      if (await this.#counters.hasMovedSince(mark)) return "look again";
      return keyExhaustedRefusal("replays", replays, this.settings.replayLimit, expiresAtMs - gate.nowMs, {
        decision_id: decisionId,
      });
    }
    const answer = await this.#ports.store.findAnswer({ scope, decisionId });
    // The answer was erased in the meantime, and its key expired with it.
    if (answer === undefined) return "look again";
    const { responseDigest, ...rest } = answer;
    if (computeTextDigest(answer.response) !== responseDigest) {
      throw rowDamagedError(
        `I15: the stored answer of decision ${decisionId} is not the one that was charged`,
      );
    }
    this.#counters.noteReplay(scope, stored);
    this.#flushSoon();
    return { kind: "replayed", decisionId, expiresAtMs, period: gate.period, ...rest };
  }

  async #acknowledge(
    request: ChargeRequest,
    { key, generation }: StoredKey,
  ): Promise<"look again" | ChargeRefusal> {
    // If the body is invalid, that is reported and the expiry is not acknowledged, so the key stays taken.
    await resolveFingerprint(request);
    const { scope } = request;
    const windowMs = this.settings.acknowledgementMs;
    const known = await this.#ports.store.acknowledgeExpiry({ scope, key, generation, windowMs });
    return known === undefined
      ? "look again"
      : createReplayExpiredRefusal(known, (known.acknowledgeUntilMs ?? 0) - windowMs);
  }

  async #settle<Uncharged>(
    request: ChargeRequest,
    execution: Extract<Execution<Uncharged>, { kind: "complete" }>,
    decisionId: string,
  ): Promise<"look again" | Extract<ChargeOutcome<never>, { kind: "charged" | "refused" | "abandoned" }>> {
    const { scope, key, route, requestId, units = 1 } = request;
    const { kind: _, ...texts } = execution;
    const fingerprint = await resolveFingerprint(request);
    const { retentionMs } = this.settings;
    const outcome = await this.#ports.store.settle(
      { scope, key, fingerprint, route, requestId, units, decisionId, retentionMs, ...texts },
      this.#executions.besides(scope),
    );
    switch (outcome.kind) {
      case "taken":
        return "look again";
      case "over-quota":
        return quotaExceededRefusal(outcome.period, units, outcome.nowMs);
      case "withdrawn":
        return { kind: "abandoned" };
      case "frozen":
        return chargingSuspendedRefusal();
      case "charged":
        return {
          kind: "charged",
          decisionId,
          response: execution.response,
          mediaType: execution.mediaType,
          expiresAtMs: key === null ? null : outcome.charge.expiresAtMs,
          period: outcome.period,
        };
    }
  }

  #noteAttempt(scope: Scope, key: string, gate: Gate, mark: CountsMark): void {
    this.#counters.noteAttempt(scope, key, gate, mark);
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#dueFlush ??= this.#ports.sleep(this.settings.countDelayMs).then(() => {
      this.#dueFlush = undefined;
      // Counts that cannot be written are dropped, in the caller's favour.
      this.flush().catch(() => {});
    });
  }
}

async function resolveFingerprint({ fingerprint }: ChargeRequest): Promise<string> {
  return typeof fingerprint === "string" ? fingerprint : fingerprint();
}

const ALONE = { kind: "first", leave: (): void => {} } as const;

/** One deadline shared by any number of waits. */
class Deadline {
  readonly #sleep: (milliseconds: number) => Promise<void>;
  readonly #milliseconds: number;
  #over: Promise<false> | undefined;

  constructor(sleep: (milliseconds: number) => Promise<void>, milliseconds: number) {
    this.#sleep = sleep;
    this.#milliseconds = milliseconds;
  }

  /** Resolves to true if the promise settled before the deadline. */
  race(ended: Promise<void>): Promise<boolean> {
    this.#over ??= this.#sleep(this.#milliseconds).then(() => false);
    return Promise.race([ended.then(() => true), this.#over]);
  }
}

function formatScopedKey({ organization, mode }: Scope, key: string): string {
  return `${mode} ${organization} ${key}`;
}

function createInProgressRefusal(): ChargeRefusal {
  return {
    kind: "refused",
    code: "IDEMPOTENCY_IN_PROGRESS",
    message: "A request with this idempotency key is still running; retry with the same key.",
    retryAfterSeconds: 1,
    details: {},
  };
}

function createReplayExpiredRefusal(stored: StoredKey, nowMs: number): ChargeRefusal {
  const reusableAtMs = stored.acknowledgeUntilMs ?? nowMs;
  return {
    kind: "refused",
    code: "IDEMPOTENCY_REPLAY_EXPIRED",
    message:
      "The request was charged, but its stored answer has expired; a retry with this key is executed and charged again.",
    retryAfterSeconds: secondsUntil(reusableAtMs, nowMs),
    details: {
      decision_id: stored.decisionId,
      charged_at: formatInstant(stored.settledAtMs),
      key_reusable_at: formatInstant(reusableAtMs),
    },
  };
}

function keyExhaustedRefusal(
  reason: "replays" | "attempts",
  found: number,
  allowed: number,
  remainingMs: number,
  details: Readonly<Record<string, unknown>>,
): ChargeRefusal {
  const what = reason === "replays" ? "the stored answer was replayed" : "the key was tried without a charge";
  return {
    kind: "refused",
    code: "IDEMPOTENCY_KEY_EXHAUSTED",
    message: `The idempotency key is exhausted: ${what} ${found} times, and the limit is ${allowed}; use a new key.`,
    retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1_000)),
    details: { reason, ...details },
  };
}

const UNCHARGED_WINDOW_MS = 3_600_000;

function unchargedLimitRefusal(
  { count, waitMs }: Extract<UnchargedOutcome, { readonly kind: "used up" }>,
  limit: number,
): ChargeRefusal {
  return {
    kind: "refused",
    code: "UNCHARGED_LIMIT_REACHED",
    message: `A source failed, so the answer would not be charged, and the organization has had ${count} such answers within the hour; the limit is ${limit}. Answers of which every source answers are still given; retry later, or leave out the source that fails.`,
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    details: {},
    facts: { found: count, allowed: limit, window_s: UNCHARGED_WINDOW_MS / 1_000 },
  };
}

/** The refusal for an organization whose subscription is not active. */
export function subscriptionInactiveRefusal(subscription: SubscriptionStatus): ChargeRefusal {
  return {
    kind: "refused",
    code: "SUBSCRIPTION_INACTIVE",
    message: `The subscription is ${subscription}, so the request was not executed.`,
    details: { subscription },
  };
}

/** The refusal for a request that exceeds the remaining quota. */
export function quotaExceededRefusal(period: PeriodUsage, requested: number, nowMs: number): ChargeRefusal {
  const { limit, used, remaining, ...times } = buildQuotaReport(period);
  return {
    kind: "refused",
    code: "QUOTA_EXCEEDED",
    message: `The quota of ${limit} has ${remaining} left, and the request needs ${requested}, so it was not executed. Do not retry it until the period ends at ${times.period_ends_at} or the quota is raised.`,
    retryAfterSeconds: secondsUntil(period.endsAtMs, nowMs),
    details: { limit, used, requested, remaining, ...times, retryable: false },
    period,
  };
}

function toChargeRefusal(error: unknown, decisionId: string): ChargeRefusal {
  if (!(error instanceof StoreError)) throw error;
  if (error.code === "OUTCOME_UNKNOWN") {
    return {
      kind: "refused",
      code: "OUTCOME_UNKNOWN",
      message:
        "It is not known whether the request was charged; retry with the same idempotency key to find out without a second charge.",
      retryAfterSeconds: 2,
      details: { decision_id: decisionId },
    };
  }
  if (error.code !== "STORAGE_UNAVAILABLE") throw error;
  return error.details.damaged === undefined ? storageUnavailableRefusal() : chargingSuspendedRefusal();
}

function storageUnavailableRefusal(): ChargeRefusal {
  return {
    kind: "refused",
    code: "STORAGE_UNAVAILABLE",
    message: "Charges cannot be stored at the moment, so the request was not charged; retry.",
    retryAfterSeconds: 2,
    details: {},
  };
}

function chargingSuspendedRefusal(): ChargeRefusal {
  return {
    kind: "refused",
    code: "STORAGE_UNAVAILABLE",
    message: "Charging is suspended for this organization until its ledger has been examined.",
    details: {},
  };
}

function secondsUntil(instantMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((instantMs - nowMs) / 1_000));
}

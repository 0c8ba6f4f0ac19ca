import { parseJobKey } from "./job-key.ts";
import { isChargeable, keyStateAt, type StoredKey } from "./key-state.ts";
import type { Period } from "./period.ts";
import type { Scope } from "./scope.ts";

/** An executed request, to be charged. */
export interface Settlement {
  readonly scope: Scope;
  /** Chosen by the caller, so that it can find out afterwards if a lost commit took place. */
  readonly decisionId: string;
  readonly units: number;
  readonly key: string | null;
  readonly fingerprint: string;
  readonly route: string;
  readonly requestId: string;
  readonly referenceId: string | null;
  readonly mediaType: string;
  /** The request, as canonical JSON. */
  readonly request: string;
  /** The response body as sent to the caller. */
  readonly response: string;
  /** Digests the answer depends on, as JSON: ruleset, engine, editions, input. */
  readonly digests: string;
  /** Milliseconds the answer is replayed for. */
  readonly retentionMs: number;
}

/** A period with what has been charged in it. */
export interface PeriodUsage extends Period {
  readonly quota: number;
  readonly used: number;
}

export interface Charge {
  readonly settlement: Settlement;
  readonly seq: number;
  readonly generation: number;
  readonly settledAtMs: number;
  readonly expiresAtMs: number;
}

export type SettleOutcome =
  | { readonly kind: "charged"; readonly charge: Omit<Charge, "settlement">; readonly period: PeriodUsage }
  /** The key is settled, expired or acknowledged: another request was first. Look it up again. */
  | { readonly kind: "taken" }
  | { readonly kind: "over-quota"; readonly period: PeriodUsage; readonly nowMs: number }
  /** The key belongs to a plot of a job that has ended, or whose result was recorded otherwise in the meantime. */
  | { readonly kind: "withdrawn" }
  /** An invariant of this ledger was found broken; nothing is charged until it is released. */
  | { readonly kind: "frozen" };

export interface Arbitration {
  /** One outcome per settlement, in order. */
  readonly outcomes: readonly SettleOutcome[];
  readonly charges: readonly Charge[];
}

/**
 * Decides which settlements are charged, in their order, against state that nobody else can change in the meantime.
 * This is the whole of charging; a store only carries it out, in one transaction.
 *
 * A settlement that is not charged leaves no trace, so nothing is ever refunded or released.
 *
 * @param seq the last sequence number used in the scope
 * @param keys the stored state of the settlements' keys
 * @param withdrawn those keys under which nothing may be charged any more
 */
export function arbitrateSettlements(
  settlements: readonly Settlement[],
  ledger: {
    readonly period: PeriodUsage;
    readonly seq: number;
    readonly keys: readonly StoredKey[];
    readonly withdrawn: ReadonlySet<string>;
  },
  nowMs: number,
): Arbitration {
  const keys = new Map(ledger.keys.map((stored) => [stored.key, stored]));
  const charges: Charge[] = [];
  let { used } = ledger.period;
  const outcomes = settlements.map((settlement): SettleOutcome => {
    const { key, units } = settlement;
    const stored = key === null ? undefined : keys.get(key);
    if (!isChargeable(keyStateAt(stored, nowMs))) return { kind: "taken" };
    // A plot of a job is charged only once, however long ago.
    if (stored !== undefined && parseJobKey(key) !== undefined) return { kind: "taken" };
    if (key !== null && ledger.withdrawn.has(key)) return { kind: "withdrawn" };
    if (used + units > ledger.period.quota) {
      return { kind: "over-quota", period: { ...ledger.period, used }, nowMs };
    }
    used += units;
    const charge: Charge = {
      settlement,
      seq: ledger.seq + charges.length + 1,
      generation: (stored?.generation ?? 0) + 1,
      settledAtMs: nowMs,
      expiresAtMs: nowMs + settlement.retentionMs,
    };
    charges.push(charge);
    if (key !== null) keys.set(key, toStoredKey(key, charge));
    const { settlement: _, ...rest } = charge;
    return { kind: "charged", charge: rest, period: { ...ledger.period, used } };
  });
  return { outcomes, charges };
}

function toStoredKey(key: string, charge: Charge): StoredKey {
  return {
    key,
    generation: charge.generation,
    fingerprint: charge.settlement.fingerprint,
    decisionId: charge.settlement.decisionId,
    settledAtMs: charge.settledAtMs,
    expiresAtMs: charge.expiresAtMs,
    acknowledgeUntilMs: null,
    replays: 0,
  };
}

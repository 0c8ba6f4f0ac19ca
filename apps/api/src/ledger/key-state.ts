/** The stored state of an idempotency key: the charge of its current generation, or its tombstone. */
export interface StoredKey {
  readonly key: string;
  /** How often the key has been charged; it is charged again only after its answer has expired. */
  readonly generation: number;
  readonly fingerprint: string;
  readonly decisionId: string;
  readonly settledAtMs: number;
  readonly expiresAtMs: number;
  /** Set by the first request that finds the key expired; until then no caller has seen the expiry. */
  readonly acknowledgeUntilMs: number | null;
  readonly replays: number;
}

/**
 * - `FREE`: nothing is stored; a request runs.
 * - `SETTLED`: charged; the same request is replayed, another one refused.
 * - `EXPIRED`: the stored answer is past its time, and no request has received that report yet.
 * - `ACKNOWLEDGED`: the expiry was first reported less than the acknowledgement window ago.
 * - `REUSABLE`: a request runs and is charged anew.
 *
 * A request running under the key is recorded in memory only ({@link RunningKeys}).
 */
export type KeyState = "FREE" | "SETTLED" | "EXPIRED" | "ACKNOWLEDGED" | "REUSABLE";

/** The state of a key at an instant: computed from stored times, so no background task has to update keys. */
export function keyStateAt(
  stored: Pick<StoredKey, "expiresAtMs" | "acknowledgeUntilMs"> | undefined,
  nowMs: number,
): KeyState {
  if (stored === undefined) return "FREE";
  if (nowMs < stored.expiresAtMs) return "SETTLED";
  if (stored.acknowledgeUntilMs === null) return "EXPIRED";
  return nowMs < stored.acknowledgeUntilMs ? "ACKNOWLEDGED" : "REUSABLE";
}

/** True if a request may be charged under a key in that state. */
export function isChargeable(state: KeyState): boolean {
  return state === "FREE" || state === "REUSABLE";
}

/** What is stored of an idempotency key: the charge of its current generation, or its tombstone. */
export interface StoredKey {
  readonly key: string;
  /** How often the key has been charged; it is charged anew only after its answer has expired. */
  readonly generation: number;
  readonly fingerprint: string;
  readonly decisionId: string;
  readonly settledAtMs: number;
  readonly expiresAtMs: number;
  /** Set by the first request that met the key expired; until then its expiry is nobody's knowledge. */
  readonly acknowledgeUntilMs: number | null;
  readonly replays: number;
}

/**
 * - `FREE`: nothing is stored; a request runs.
 * - `SETTLED`: charged; the same request is replayed, another one refused.
 * - `EXPIRED`: the stored answer is past its time and no request has been told so.
 * - `ACKNOWLEDGED`: some request has been told so less than the acknowledgement window ago.
 * - `REUSABLE`: a request runs and is charged anew.
 *
 * That a request with the key is running is known in memory alone ({@link RunningKeys}).
 */
export type KeyState = "FREE" | "SETTLED" | "EXPIRED" | "ACKNOWLEDGED" | "REUSABLE";

/** The state of a key at an instant: a function of what is stored, so no job has to move keys along. */
export function keyStateAt(
  stored: Pick<StoredKey, "expiresAtMs" | "acknowledgeUntilMs"> | undefined,
  nowMs: number,
): KeyState {
  if (stored === undefined) return "FREE";
  if (nowMs < stored.expiresAtMs) return "SETTLED";
  if (stored.acknowledgeUntilMs === null) return "EXPIRED";
  return nowMs < stored.acknowledgeUntilMs ? "ACKNOWLEDGED" : "REUSABLE";
}

/** Whether a request may be charged under a key in that state. */
export function isChargeable(state: KeyState): boolean {
  return state === "FREE" || state === "REUSABLE";
}

import type { Clock } from "../../ledger/clock.ts";
import { GuardedClock } from "../../ledger/guarded-clock.ts";
import { StoreError } from "../port/store-error.ts";

/** The system's time. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * The system's time, guarded against jumps.
 *
 * @param lastMs the last instant at which the time was certain, milliseconds since 1970; undefined: the first reading
 *   is believed
 */
export function createGuardedSystemClock(lastMs?: number): GuardedClock {
  return new GuardedClock({ wallMs: Date.now, steadyMs: () => performance.now(), lastMs });
}

/** Fails: `CLOCK_UNTRUSTED`. */
export function assertClockTrusted(clock: GuardedClock): void {
  const message = clock.distrust();
  if (message !== undefined) throw new StoreError("CLOCK_UNTRUSTED", message);
}

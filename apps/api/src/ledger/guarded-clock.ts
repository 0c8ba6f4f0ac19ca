import type { Clock } from "./clock.ts";

/** A wall clock that runs ahead of the steady one by more than this is not believed at once. */
const JUMP_MS = 60_000;
/**
 * A jump is believed after this many readings that agree on it; the next two constants are their spacing and tolerance.
 */
const READINGS = 3;
const READING_GAP_MS = 20_000;
const READING_SPREAD_MS = 1_000;
/** A jump ahead by more than this is never believed, however many readings agree: it would end a billing period. */
const MOST_AHEAD_MS = 31 * 86_400_000;
/** A start with a clock further back than this is not believed either: expired keys would open again. */
const MOST_BEHIND_MS = 3_600_000;

export interface GuardedClockOptions {
  /** Wall clock, milliseconds since 1970; people and programs may set it. */
  readonly wallMs: () => number;
  /** Steady clock, milliseconds since any start; it is never set. */
  readonly steadyMs: () => number;
  /** The last instant at which the time was certain, milliseconds since 1970; absent: the first reading is believed. */
  readonly lastMs?: number | undefined;
}

/**
 * A wall clock protected against sudden jumps ahead: they would close billing periods and expire answers that are still
 * promised, and neither can be undone.
 *
 * While a jump is not believed, time advances with the steady clock. A jump is believed when three readings, 20 s
 * apart, agree on it (a machine that slept), or when a person releases it. Jumps back are the store's concern: there
 * time never goes back.
 *
 * A clock that starts more than 31 days after the last certain instant, or an hour before it, is {@link distrust}ed
 * until it reads something else: that time may or may not have passed. Until then time continues from that instant.
 */
export class GuardedClock implements Clock {
  readonly #wallMs: () => number;
  readonly #steadyMs: () => number;
  /** Wall minus steady clock, at the last certain instant. */
  readonly #lastOffsetMs: number | undefined;
  /** Wall minus steady clock, as believed. */
  #offsetMs: number | undefined;
  /** The reading that has not been believed since the start. */
  #distrusted: number | undefined;
  #jump: { offsetMs: number; readings: number; lastSteadyMs: number } | undefined;

  constructor({ wallMs, steadyMs, lastMs }: GuardedClockOptions) {
    this.#wallMs = wallMs;
    this.#steadyMs = steadyMs;
    this.#lastOffsetMs = lastMs === undefined ? undefined : lastMs - steadyMs();
  }

  now(): number {
    return Math.floor(this.read(this.#wallMs()));
  }

  /** The time to use when the wall clock, of this process or of a database, reads `wallMs`. */
  read(wallMs: number): number {
    const steadyMs = this.#steadyMs();
    const offsetMs = wallMs - steadyMs;
    if (this.#offsetMs === undefined && this.#lastOffsetMs !== undefined) {
      const aheadMs = offsetMs - this.#lastOffsetMs;
      if (aheadMs > MOST_AHEAD_MS || aheadMs < -MOST_BEHIND_MS) {
        this.#distrusted = wallMs;
        return steadyMs + this.#lastOffsetMs;
      }
      this.#distrusted = undefined;
    }
    if (this.#offsetMs === undefined || offsetMs - this.#offsetMs <= JUMP_MS) {
      this.#jump = undefined;
      this.#offsetMs = offsetMs;
      return wallMs;
    }
    if (this.#jump === undefined || Math.abs(offsetMs - this.#jump.offsetMs) > READING_SPREAD_MS) {
      this.#jump = { offsetMs, readings: 1, lastSteadyMs: steadyMs };
    } else if (steadyMs - this.#jump.lastSteadyMs >= READING_GAP_MS) {
      this.#jump = { offsetMs, readings: this.#jump.readings + 1, lastSteadyMs: steadyMs };
    }
    if (this.#jump.readings >= READINGS && offsetMs - this.#offsetMs <= MOST_AHEAD_MS) this.release();
    return steadyMs + this.#offsetMs;
  }

  trouble(): string | undefined {
    const distrust = this.distrust();
    if (distrust !== undefined) return distrust;
    if (this.#jump === undefined || this.#offsetMs === undefined) return undefined;
    const aheadMs = this.#jump.offsetMs - this.#offsetMs;
    const ahead = `the clock jumped ahead by ${Math.round(aheadMs / 1_000)} s; periods and stored answers follow the monotonic clock`;
    return aheadMs <= MOST_AHEAD_MS
      ? `${ahead} until the jump is accepted`
      : `${ahead} until the clock is corrected; if it is correct, restart the service with --trust-clock`;
  }

  distrust(): string | undefined {
    if (this.#distrusted === undefined || this.#lastOffsetMs === undefined) return undefined;
    const lastMs = this.#steadyMs() + this.#lastOffsetMs;
    const [days, side] =
      this.#distrusted > lastMs
        ? [(this.#distrusted - lastMs) / 86_400_000, "after"]
        : [(lastMs - this.#distrusted) / 86_400_000, "before"];
    return `the clock says ${formatAnyInstant(this.#distrusted)}, ${days.toFixed(1)} days ${side} the store was last served (${formatAnyInstant(lastMs)}); nothing is charged until the clock is corrected or, if it is correct, groundrule serve is started with --trust-clock`;
  }

  /** Accepts the jump. */
  release(): void {
    if (this.#jump !== undefined) this.#offsetMs = this.#jump.offsetMs;
    this.#jump = undefined;
  }
}

function formatAnyInstant(milliseconds: number): string {
  // The clock may return any number.
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? `${milliseconds} ms` : date.toISOString();
}

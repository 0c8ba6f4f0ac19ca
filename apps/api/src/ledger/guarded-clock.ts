import type { Clock } from "./clock.ts";

/** A wall clock that runs ahead of the steady one by more than this is not believed at once. */
const JUMP_MS = 60_000;
/** A jump is believed after that many readings that agree on it, so far apart and so closely. */
const READINGS = 3;
const READING_GAP_MS = 20_000;
const READING_SPREAD_MS = 1_000;
/** However many readings agree, more than this is not believed: a period would end by it. */
const MOST_AHEAD_MS = 31 * 86_400_000;
/** A clock that starts further back than this is not believed either: expired keys would open again. */
const MOST_BEHIND_MS = 3_600_000;

export interface GuardedClockOptions {
  /** Milliseconds since 1970, as set by whoever sets it. */
  readonly wallMs: () => number;
  /** Milliseconds since anywhere, never set. */
  readonly steadyMs: () => number;
  /** When time was last known, milliseconds since 1970; absent: the first reading is believed. */
  readonly lastMs?: number | undefined;
}

/**
 * A wall clock that no sudden jump ahead gets past: it would close billing periods and expire
 * answers that are still promised, and neither can be taken back.
 *
 * While a jump is not believed, time goes on as the steady clock has it. It is believed when three
 * readings, 20 s apart, agree on it (a machine that slept), or when a person releases it. Time that
 * jumps back is the store's matter: there it never goes back.
 *
 * A clock that starts more than 31 days after the instant at which time was last known, or an hour
 * before it, is {@link distrust}ed until it reads something else: nothing tells whether that time has
 * passed. Until then time goes on from that instant.
 */
export class GuardedClock implements Clock {
  readonly #wallMs: () => number;
  readonly #steadyMs: () => number;
  /** Wall minus steady, as it was when time was last known. */
  readonly #lastOffsetMs: number | undefined;
  /** Wall minus steady, as believed. */
  #offsetMs: number | undefined;
  /** What was read and not believed since the start. */
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

  /** The time to believe where the wall clock, this process's or a database's, reads `wallMs`. */
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
    return `the clock says ${instant(this.#distrusted)}, ${days.toFixed(1)} days ${side} the store was last served (${instant(lastMs)}); nothing is charged until the clock is corrected or, if it is correct, groundrule serve is started with --trust-clock`;
  }

  /** Believes the jump. */
  release(): void {
    if (this.#jump !== undefined) this.#offsetMs = this.#jump.offsetMs;
    this.#jump = undefined;
  }
}

function instant(milliseconds: number): string {
  // A clock may say anything.
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? `${milliseconds} ms` : date.toISOString();
}

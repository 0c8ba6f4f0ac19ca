import type { Clock } from "../store/clock.ts";

/** A wall clock that runs ahead of the steady one by more than this is not believed at once. */
const JUMP_MS = 60_000;
/** A jump is believed after that many readings that agree on it, so far apart and so closely. */
const READINGS = 3;
const READING_GAP_MS = 20_000;
const READING_SPREAD_MS = 1_000;

/**
 * A wall clock that no sudden jump ahead gets past: it would close billing periods and expire
 * answers that are still promised, and neither can be taken back.
 *
 * While a jump is not believed, time goes on as the steady clock has it. It is believed when three
 * readings, 20 s apart, agree on it (a machine that slept), or when a person releases it. Time that
 * jumps back is the store's matter: there it never goes back.
 *
 * @param wallMs milliseconds since 1970, as set by whoever sets it; default the system's
 * @param steadyMs milliseconds since anywhere, never set; default the system's
 */
export class GuardedClock implements Clock {
  readonly #wallMs: () => number;
  readonly #steadyMs: () => number;
  /** Wall minus steady, as believed; the first reading is. */
  #offsetMs: number | undefined;
  #jump: { offsetMs: number; readings: number; lastSteadyMs: number } | undefined;

  constructor(wallMs: () => number = Date.now, steadyMs: () => number = () => performance.now()) {
    this.#wallMs = wallMs;
    this.#steadyMs = steadyMs;
  }

  now(): number {
    return Math.floor(this.read(this.#wallMs()));
  }

  /** The time to believe where the wall clock, this process's or a database's, reads `wallMs`. */
  read(wallMs: number): number {
    const steadyMs = this.#steadyMs();
    const offsetMs = wallMs - steadyMs;
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
    if (this.#jump.readings >= READINGS) this.release();
    return steadyMs + this.#offsetMs;
  }

  trouble(): string | undefined {
    if (this.#jump === undefined || this.#offsetMs === undefined) return undefined;
    const aheadSeconds = Math.round((this.#jump.offsetMs - this.#offsetMs) / 1_000);
    return `the clock jumped ahead by ${aheadSeconds} s; periods and answers end by the steady clock until it is believed`;
  }

  /** Believes the jump. */
  release(): void {
    if (this.#jump !== undefined) this.#offsetMs = this.#jump.offsetMs;
    this.#jump = undefined;
  }
}

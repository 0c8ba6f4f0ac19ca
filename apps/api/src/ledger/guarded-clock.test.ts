import { describe, expect, it } from "vitest";
import { assertClockTrusted } from "../store/driver/system-clock.ts";
import { GuardedClock } from "./guarded-clock.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A wall clock and a steady clock that advance together unless one is set. */
class TwoClocks {
  wallMs = Date.parse("2026-03-29T00:59:59Z");
  steadyMs = 5_000;

  pass(milliseconds: number): void {
    this.wallMs += milliseconds;
    this.steadyMs += milliseconds;
  }

  started(lastMs?: number): GuardedClock {
    return new GuardedClock({ wallMs: () => this.wallMs, steadyMs: () => this.steadyMs, lastMs });
  }

  guarded(): GuardedClock {
    const clock = this.started();
    // The first reading is always believed.
    expect(clock.now()).toBe(this.wallMs);
    return clock;
  }
}

describe("GuardedClock", () => {
  it.each([1_000, -1_000, -3_600_000, -DAY_MS, MINUTE_MS])(
    "follows a wall clock that is set by %i ms",
    (by) => {
      const clocks = new TwoClocks();
      const clock = clocks.guarded();
      clocks.wallMs += by;
      expect(clock.now()).toBe(clocks.wallMs);
      expect(clock.trouble()).toBeUndefined();
    },
  );

  it.each([MINUTE_MS + 1, 3_600_000, 40 * DAY_MS])(
    "goes on by the steady clock when the wall clock jumps %i ms ahead",
    (by) => {
      const clocks = new TwoClocks();
      const clock = clocks.guarded();
      const beforeMs = clock.now();
      clocks.wallMs += by;
      clocks.pass(10_000);
      expect(clock.now()).toBe(beforeMs + 10_000);
      expect(clock.trouble()).toMatch(/jumped ahead by \d+ s/);
    },
  );

  it("believes a jump after three readings, 20 s apart, that agree", () => {
    const clocks = new TwoClocks();
    const clock = clocks.guarded();
    clocks.wallMs += DAY_MS;
    for (let i = 0; i < 39; i++) {
      expect(clock.now()).toBe(clocks.wallMs - DAY_MS);
      clocks.pass(1_000);
    }
    clock.now();
    clocks.pass(1_000);
    expect(clock.now()).toBe(clocks.wallMs);
    expect(clock.trouble()).toBeUndefined();
  });

  it("does not believe a clock that keeps jumping", () => {
    const clocks = new TwoClocks();
    const clock = clocks.guarded();
    const beforeMs = clock.now();
    for (let i = 1; i <= 20; i++) {
      clocks.wallMs += DAY_MS;
      clocks.pass(20_000);
      expect(clock.now()).toBe(beforeMs + i * 20_000);
    }
  });

  it("never believes a jump of more than 31 days, however many readings agree", () => {
    const clocks = new TwoClocks();
    const clock = clocks.guarded();
    const beforeMs = clock.now();
    clocks.wallMs += 31 * DAY_MS + 1;
    for (let i = 1; i <= 20; i++) {
      clocks.pass(20_000);
      expect(clock.now()).toBe(beforeMs + i * 20_000);
    }
    expect(clock.trouble()).toMatch(/--trust-clock/);
    clocks.wallMs -= 31 * DAY_MS + 1;
    expect(clock.now()).toBe(clocks.wallMs);
    expect(clock.trouble()).toBeUndefined();
  });

  it.each([
    [0, true],
    [31 * DAY_MS, true],
    [31 * DAY_MS + 1, false],
    [40 * DAY_MS, false],
    [10_000 * 365 * DAY_MS, false],
    [-3_600_000, true],
    [-3_600_001, false],
    [-20_000 * DAY_MS, false],
  ])("starting %i ms after time was last known, is believed: %s", (byMs, isBelieved) => {
    const clocks = new TwoClocks();
    const lastMs = clocks.wallMs - byMs;
    const clock = clocks.started(lastMs);
    expect(clock.now()).toBe(isBelieved ? clocks.wallMs : lastMs);
    expect(clock.distrust() === undefined).toBe(isBelieved);
    expect(clock.trouble() === undefined).toBe(isBelieved);
    if (isBelieved) assertClockTrusted(clock);
    else expect(() => assertClockTrusted(clock)).toThrow(/--trust-clock/);
  });

  it("goes on from the instant at which time was last known until the clock is set right", () => {
    const clocks = new TwoClocks();
    const rightMs = clocks.wallMs;
    clocks.wallMs += 40 * DAY_MS;
    const clock = clocks.started(rightMs);
    for (let i = 0; i < 9; i++) {
      expect(clock.now()).toBe(rightMs + i * 20_000);
      clocks.pass(20_000);
    }
    expect(clock.distrust()).toMatch(/40\.0 days after the store was last served/);
    clocks.wallMs -= 40 * DAY_MS;
    expect(clock.now()).toBe(clocks.wallMs);
    expect(clock.distrust()).toBeUndefined();
    clocks.wallMs += 2 * DAY_MS;
    expect(clock.now()).toBe(clocks.wallMs - 2 * DAY_MS);
  });

  it("believes a jump that a person releases, and forgets one that was taken back", () => {
    const clocks = new TwoClocks();
    const clock = clocks.guarded();
    clocks.wallMs += DAY_MS;
    clock.now();
    clock.release();
    expect(clock.now()).toBe(clocks.wallMs);
    clocks.wallMs += DAY_MS;
    clock.now();
    clocks.wallMs -= DAY_MS;
    expect(clock.now()).toBe(clocks.wallMs);
    expect(clock.trouble()).toBeUndefined();
  });
});

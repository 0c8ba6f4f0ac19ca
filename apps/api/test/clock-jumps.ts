import assert from "node:assert/strict";
import type { Clock } from "../src/ledger/clock.ts";
import { GuardedClock } from "../src/ledger/guarded-clock.ts";
import { keyStateAt } from "../src/ledger/key-state.ts";
import { computePeriodAt } from "../src/ledger/period.ts";
import type { Scope } from "../src/ledger/scope.ts";
import type { Store } from "../src/store/port/port.ts";
import { openSqlite } from "../src/store/sqlite/open-sqlite.ts";
import { withSeed } from "./seed.ts";
import { createLiveScope, makeSettlement } from "./settlement.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A wall clock that is set further ahead at once is not believed at once. */
const BELIEVED_MS = 60_000;
/** One that is set further ahead than that is never believed by itself. */
const MOST_BELIEVED_MS = 31 * DAY_MS;
const RETENTION_MS = DAY_MS;

/** Where a period begins, and the day its subscription counts from. */
const EDGES: readonly (readonly [edge: string, anchor: string])[] = [
  ["2026-03-29", "2026-01-29"], // summer time begins in Europe
  ["2026-10-25", "2026-01-25"], // and ends
  ["2026-03-08", "2026-01-08"], // the same in America
  ["2026-11-01", "2026-01-01"],
  ["2028-02-29", "2024-02-29"], // a leap day
  ["2028-02-29", "2027-12-31"],
  ["2028-03-01", "2027-12-01"],
  ["2027-02-28", "2026-01-31"],
  ["2027-01-01", "2026-05-01"],
  ["2100-02-28", "2099-12-31"], // no leap year
];
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];
const JUMPS_MS = [
  0,
  ...[1, SECOND_MS, BELIEVED_MS, BELIEVED_MS + 1, HOUR_MS, DAY_MS, 40 * DAY_MS].flatMap((ms) => [ms, -ms]),
];

/** A wall clock that can be set and a steady one that cannot. */
class SetClock implements Clock {
  wallMs: number;
  steadyMs = 0;
  readonly #guarded: GuardedClock;

  constructor(wallMs: number) {
    this.wallMs = wallMs;
    this.#guarded = new GuardedClock({ wallMs: () => this.wallMs, steadyMs: () => this.steadyMs });
  }

  now(): number {
    return this.#guarded.now();
  }

  trouble(): string | undefined {
    return this.#guarded.trouble();
  }

  pass(milliseconds: number): void {
    this.wallMs += milliseconds;
    this.steadyMs += milliseconds;
  }
}

/**
 * T-18. The wall clock is set by a millisecond to forty days, within a millisecond of a period's edge, on
 * the days calendars and zones make much of; then at random, again and again. No period is opened anew, no
 * answer expires early, and a leap ahead is not believed before it has been seen three times, nor ever one of
 * more than 31 days.
 *
 * @param walks how many times it is set at random
 * @param isJumped which of the jumps at an edge are made; default all
 */
export async function jumpClocks(
  walks: number,
  seed: number,
  isJumped: (turn: number) => boolean = () => true,
): Promise<object> {
  const zoneBefore = process.env.TZ;
  let turn = 0;
  let jumps = 0;
  let charges = 0;
  try {
    for (const zone of ZONES) {
      process.env.TZ = zone;
      for (const [edge, anchor] of EDGES) {
        for (const offsetMs of [-1, 0, 1]) {
          for (const jumpMs of JUMPS_MS) {
            if (!isJumped(turn++)) continue;
            await jumpAtEdge(Date.parse(edge), Date.parse(anchor), offsetMs, jumpMs);
            jumps++;
          }
        }
      }
    }
    for (let i = 0; i < walks; i++) {
      process.env.TZ = ZONES[i % ZONES.length];
      charges += await withSeed(seed + i, walkClockRandomly);
    }
  } finally {
    if (zoneBefore === undefined) delete process.env.TZ;
    else process.env.TZ = zoneBefore;
  }
  return { zones: ZONES.length, jumps, walks, charges };
}

async function jumpAtEdge(edgeMs: number, anchorMs: number, offsetMs: number, jumpMs: number): Promise<void> {
  const clock = new SetClock(edgeMs + offsetMs);
  const store = await openSqlite(":memory:", { clock });
  const scope = await createLiveScope(store, 100, { anchorMs });
  const message = `edge ${new Date(edgeMs).toISOString()}, ${offsetMs} ms, set by ${jumpMs} ms`;
  const before = await chargeAndGetPeriod(store, scope, "job-00001");
  const edgeNo = computePeriodAt(anchorMs, edgeMs).no;
  assert.equal(before, offsetMs < 0 ? edgeNo - 1 : edgeNo, message);

  clock.wallMs += jumpMs;
  const isBelieved = jumpMs <= BELIEVED_MS;
  // A clock that is set back goes on from where it was; one that leaps ahead follows the steady clock.
  const believedMs = edgeMs + offsetMs + (isBelieved ? Math.max(0, jumpMs) : 0);
  const after = await chargeAndGetPeriod(store, scope, "job-00002");
  assert.equal(after, computePeriodAt(anchorMs, believedMs).no, message);
  assert.equal((await store.trouble()) === undefined, isBelieved, `${message}: ${await store.trouble()}`);
  assert.equal(await readKeyState(store, scope, "job-00001"), "SETTLED", message);

  // Up to the last millisecond that was promised, whoever sets the clock.
  const setAhead = isBelieved ? Math.max(0, jumpMs) : 0;
  if (isBelieved) {
    clock.pass(RETENTION_MS - setAhead - 1);
    assert.equal(await readKeyState(store, scope, "job-00001"), "SETTLED", message);
    clock.pass(1);
    // Set back, the time stands still until it has caught up: answers are kept for longer, never shorter.
    const expected = jumpMs >= 0 ? "EXPIRED" : "SETTLED";
    assert.equal(await readKeyState(store, scope, "job-00001"), expected, message);
  } else {
    // Two more readings, 20 s apart, that agree: the machine slept, but not for more than 31 days.
    const isSleep = jumpMs <= MOST_BELIEVED_MS;
    clock.pass(20 * SECOND_MS);
    assert.equal(
      await chargeAndGetPeriod(store, scope, "job-00003"),
      computePeriodAt(anchorMs, believedMs + 20_000).no,
      message,
    );
    clock.pass(20 * SECOND_MS);
    const last = await chargeAndGetPeriod(store, scope, "job-00004");
    const expectedMs = isSleep ? clock.wallMs : believedMs + 40 * SECOND_MS;
    assert.equal(last, computePeriodAt(anchorMs, expectedMs).no, message);
    assert.equal((await store.trouble()) === undefined, isSleep, message);
  }
  assert.deepEqual(await store.findViolations({ extent: "all" }), [], message);
  await store.close();
}

/** Minutes in which the clock is set again and again, by less than it takes to expire anything. */
async function walkClockRandomly(random: () => number): Promise<number> {
  const one = <Item>(of: readonly Item[]): Item => of[Math.floor(random() * of.length)]!;
  const [edge, anchor] = one(EDGES);
  const clock = new SetClock(Date.parse(edge) + one([-60_000, -1_000, -1, 0, 1]));
  const store = await openSqlite(":memory:", { clock });
  const scope = await createLiveScope(store, 1_000, { anchorMs: Date.parse(anchor) });
  const charged = new Map<string, number>();
  let lastPeriod = -1;
  let lastMs = 0;
  let setAheadMs = 0;
  for (let i = 0; i < 60; i++) {
    // Jumps that are believed at once add up, and bring expiry forward by their sum, which is less than a day.
    const jumpMs = one(JUMPS_MS);
    clock.wallMs += jumpMs;
    if (jumpMs > 0 && jumpMs <= BELIEVED_MS) setAheadMs += jumpMs;
    const key = `job-0000${Math.floor(random() * 8)}`;
    const outcome = await store.settle(makeSettlement(scope, { key, retentionMs: RETENTION_MS }));
    if (outcome.kind === "charged") {
      assert.ok(outcome.period.no >= lastPeriod, "a period is opened anew");
      assert.ok(outcome.charge.settledAtMs >= lastMs, "time went back");
      const { settledAtMs } = outcome.charge;
      assert.ok(outcome.period.startsAtMs <= settledAtMs && settledAtMs < outcome.period.endsAtMs);
      assert.equal(charged.get(key), undefined, `${key} is charged twice within minutes`);
      charged.set(key, clock.steadyMs);
      lastPeriod = outcome.period.no;
      lastMs = settledAtMs;
    } else {
      assert.equal(outcome.kind, "taken");
      assert.ok(charged.has(key));
    }
    // Never long enough for a leap to be believed.
    clock.pass(Math.floor(random() * 500));
  }
  assert.ok(setAheadMs < RETENTION_MS);
  assert.deepEqual(await store.findViolations({ extent: "all" }), []);
  await store.close();
  return charged.size;
}

async function chargeAndGetPeriod(store: Store, scope: Scope, key: string): Promise<number> {
  const outcome = await store.settle(makeSettlement(scope, { key, retentionMs: RETENTION_MS }));
  assert.equal(outcome.kind, "charged");
  return outcome.kind === "charged" ? outcome.period.no : Number.NaN;
}

async function readKeyState(store: Store, scope: Scope, key: string): Promise<string> {
  const gate = await store.openGate({ scope, key });
  assert.ok(gate);
  return keyStateAt(gate.stored, gate.nowMs);
}

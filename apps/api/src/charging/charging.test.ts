import { beforeEach, describe, expect, it } from "vitest";
import { createLiveScope, makeCompleteExecution, makeSettlement } from "../../test/settlement.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import type { Scope } from "../ledger/scope.ts";
import type { Store } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { openSqlite } from "../store/sqlite/open-sqlite.ts";
import {
  type ChargeOutcome,
  type ChargeRequest,
  type Charging,
  type ChargingPorts,
  createCharging,
  type Execution,
} from "./charging.ts";

const HOUR_MS = 3_600_000;

describe("charging", () => {
  let store: Store;
  let scope: Scope;
  let charging: Charging;
  let clock: VirtualClock;
  let executions: number;
  /** Pending sleeps, which a test may end. */
  let sleeps: (() => void)[];
  let ports: ChargingPorts;

  beforeEach(async () => {
    clock = new VirtualClock("2026-06-15T10:00:00Z");
    store = await openSqlite(":memory:", { clock });
    scope = await createLiveScope(store, 100);
    executions = 0;
    sleeps = [];
    let decisions = 0;
    ports = {
      store,
      mintDecisionId: () => `dec_${++decisions}`,
      sleep: () => new Promise((resolve) => sleeps.push(resolve)),
    };
    charging = createCharging(ports);
  });

  function requestOf(more: Partial<ChargeRequest> = {}): ChargeRequest {
    return {
      scope,
      key: "job-00001",
      fingerprint: "x",
      route: "/v1/evaluate",
      requestId: "req_1",
      ...more,
    };
  }

  async function complete(): Promise<Execution<string>> {
    return makeCompleteExecution(`answer ${++executions}`);
  }

  async function degraded(): Promise<Execution<string>> {
    executions++;
    return { kind: "uncharged", answer: "degraded" };
  }

  const charge = (
    more: Partial<ChargeRequest> = {},
    execute: () => Promise<Execution<string>> = complete,
  ): Promise<ChargeOutcome<string>> => charging.charge(requestOf(more), execute);

  const used = async (): Promise<number | undefined> => (await store.usage({ scope }))?.period.used;

  it("gives so many uncharged answers an hour in all, with keys and without, and every charged one", async () => {
    charging = createCharging(ports, { unchargedLimit: 3 });
    const keys = [null, "key-00001", "key-00002"];
    for (const key of keys) expect((await charge({ key }, degraded)).kind).toBe("uncharged");
    for (const key of [null, "key-00003"]) {
      expect(await charge({ key }, degraded)).toMatchObject({
        kind: "refused",
        code: "UNCHARGED_LIMIT_REACHED",
        retryAfterSeconds: 3_600,
        facts: { found: 3, allowed: 3, window_s: 3_600 },
      });
    }
    // An uncharged answer that no client receives does not use up the allowance; a charged answer still goes out.
    expect((await charge({ key: null, tellsUncharged: false }, degraded)).kind).toBe("uncharged");
    expect((await charge({ key: "key-00003" })).kind).toBe("charged");
    expect(await used()).toBe(1);
    const test = { organization: scope.organization, mode: "test" as const };
    expect((await charge({ scope: test, key: null }, degraded)).kind).toBe("uncharged");
    clock.advance(HOUR_MS);
    expect((await charge({ key: null }, degraded)).kind).toBe("uncharged");
  });

  it("gives no uncharged answer that cannot be counted", async () => {
    const broken = {
      ...store,
      takeUncharged: () => Promise.reject(new StoreError("OUTCOME_UNKNOWN", "lost")),
    };
    charging = createCharging({ ...ports, store: broken });
    expect(await charge({ key: null }, degraded)).toMatchObject({ code: "STORAGE_UNAVAILABLE" });
  });

  it("replays what was charged: the same bytes, without executing, without a charge", async () => {
    expect(await charge()).toMatchObject({ kind: "charged", response: "answer 1", period: { used: 1 } });
    expect(await charge({ requestId: "req_2" })).toMatchObject({
      kind: "replayed",
      response: "answer 1",
      requestId: "req_1",
      expiresAtMs: clock.ms + 24 * HOUR_MS,
    });
    expect([executions, await used()]).toEqual([1, 1]);
  });

  it("charges requests without a key each time", async () => {
    for (let i = 1; i <= 3; i++) {
      expect(await charge({ key: null })).toMatchObject({ kind: "charged", expiresAtMs: null });
    }
    expect(await used()).toBe(3);
  });

  it("refuses a key with another body, naming the decision but not its content", async () => {
    const first = await charge();
    const refused = await charge({ fingerprint: "y" });
    expect(refused).toMatchObject({
      code: "IDEMPOTENCY_KEY_CONFLICT",
      details: { decision_id: first.kind === "charged" && first.decisionId },
    });
    expect(JSON.stringify(refused)).not.toContain("answer");
  });

  it("replays although the subscription has lapsed and the quota is used up: it was paid for", async () => {
    await charge();
    await store.setQuota({ scope, quota: 1 });
    await store.setSubscription({ organization: scope.organization, status: "suspended" });
    expect(await charge()).toMatchObject({ kind: "replayed" });
    expect(await charge({ key: "job-00002" })).toMatchObject({ code: "SUBSCRIPTION_INACTIVE" });
    await store.setSubscription({ organization: scope.organization, status: "active" });
    expect(await charge({ key: "job-00002" })).toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect(executions).toBe(1);
  });

  it("reports the limit, use and period of a quota, and when to come back", async () => {
    await store.setQuota({ scope, quota: 3 });
    await charge({ key: null, units: 2 });
    expect(await charge({ units: 2 })).toEqual({
      kind: "refused",
      code: "QUOTA_EXCEEDED",
      message:
        "The quota of 3 has 1 left, and the request needs 2, so it was not executed. Do not retry it until the period ends at 2026-07-15T00:00:00.000Z or the quota is raised.",
      retryAfterSeconds: 30 * 24 * 3_600 - 10 * 3_600,
      details: {
        limit: 3,
        used: 2,
        requested: 2,
        remaining: 1,
        period_started_at: "2026-06-15T00:00:00.000Z",
        period_ends_at: "2026-07-15T00:00:00.000Z",
        retryable: false,
      },
      period: expect.objectContaining({ quota: 3, used: 2 }),
    });
    expect(await charge()).toMatchObject({ kind: "charged" });
  });

  it("T-03: executes once for seventeen equal requests at once, and refuses more", async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => charge()));
    const texts = new Set(outcomes.flatMap((outcome) => ("response" in outcome ? [outcome.response] : [])));
    expect(texts).toEqual(new Set(["answer 1"]));
    expect(outcomes.filter(({ kind }) => kind === "charged")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "replayed")).toHaveLength(16);
    expect(
      outcomes.filter((outcome) => "code" in outcome && outcome.code === "IDEMPOTENCY_IN_PROGRESS"),
    ).toHaveLength(33);
    expect(executions).toBe(1);
  });

  it("T-04: lets one body win where two race for a key, and refuses the other whole", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, async (_, i) => {
        const fingerprint = i % 2 === 0 ? "x" : "y";
        return { fingerprint, outcome: await charge({ fingerprint }) };
      }),
    );
    const winner = outcomes.find(({ outcome }) => outcome.kind === "charged")?.fingerprint;
    for (const { fingerprint, outcome } of outcomes) {
      if (fingerprint === winner) expect(["charged", "replayed"]).toContain(outcome.kind);
      else expect(outcome).toMatchObject({ code: "IDEMPOTENCY_KEY_CONFLICT" });
    }
    expect(await used()).toBe(1);
  });

  it("T-05: leaves the key free when the first request degrades, for any body", async () => {
    const gate = Promise.withResolvers<void>();
    const first = charge({}, async () => {
      await gate.promise;
      return degraded();
    });
    const waiters = Array.from({ length: 20 }, (_, i) => charge({ fingerprint: i % 2 === 0 ? "x" : "y" }));
    const refusedEarly = await Promise.race([...waiters, first, Promise.resolve("nobody")]);
    expect(refusedEarly).toBe("nobody");
    gate.resolve();
    expect(await first).toMatchObject({ kind: "uncharged", answer: "degraded", period: { used: 0 } });
    const outcomes = await Promise.all(waiters);
    expect(outcomes.filter(({ kind }) => kind === "charged")).toHaveLength(1);
    expect(
      outcomes.filter((outcome) => "code" in outcome && outcome.code === "IDEMPOTENCY_IN_PROGRESS"),
    ).toHaveLength(4);
    expect(await used()).toBe(1);
  });

  it("answers 409 when a twin runs longer than the wait, and the twin is charged", async () => {
    const gate = Promise.withResolvers<void>();
    const first = charge({}, async () => {
      await gate.promise;
      return complete();
    });
    const second = charge();
    while (sleeps.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const end of sleeps) end();
    expect(await second).toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS", retryAfterSeconds: 1 });
    gate.resolve();
    expect(await first).toMatchObject({ kind: "charged" });
  });

  it("passes on what execution throws, and leaves the key free", async () => {
    const failing = charge({}, async () => {
      throw new RangeError("no such plot");
    });
    await expect(failing).rejects.toThrow("no such plot");
    expect(await charge()).toMatchObject({ kind: "charged" });
  });

  it.each([
    [-1, { kind: "replayed" }],
    [0, { code: "IDEMPOTENCY_REPLAY_EXPIRED", retryAfterSeconds: 2 }],
    [1, { code: "IDEMPOTENCY_REPLAY_EXPIRED", retryAfterSeconds: 2 }],
  ] as const)("T-20: knows at %i ms from the expiry what to say", async (milliseconds, expected) => {
    await charge();
    clock.advance(24 * HOUR_MS + milliseconds);
    expect(await charge()).toMatchObject(expected);
  });

  it("T-20: reports the expiry to twenty requests at once, and charges again only when the key is reusable", async () => {
    const first = await charge();
    clock.advance(24 * HOUR_MS);
    const refusals = await Promise.all(Array.from({ length: 20 }, () => charge()));
    for (const outcome of refusals) {
      expect(outcome).toMatchObject({
        code: "IDEMPOTENCY_REPLAY_EXPIRED",
        details: {
          decision_id: first.kind === "charged" && first.decisionId,
          charged_at: "2026-06-15T10:00:00.000Z",
          key_reusable_at: "2026-06-16T10:00:02.000Z",
        },
      });
    }
    clock.advance(1_999);
    expect(await charge({ fingerprint: "y" })).toMatchObject({
      code: "IDEMPOTENCY_REPLAY_EXPIRED",
      retryAfterSeconds: 1,
    });
    clock.advance(1);
    expect(await charge({ fingerprint: "y" })).toMatchObject({ kind: "charged", response: "answer 2" });
    expect(await charge()).toMatchObject({ code: "IDEMPOTENCY_KEY_CONFLICT" });
    expect(await used()).toBe(2);
  });

  it("reports that a body cannot be identified, not an expiry, and frees no key", async () => {
    await charge();
    clock.advance(24 * HOUR_MS);
    const fingerprint = () => Promise.reject(new SyntaxError("no JSON"));
    await expect(charge({ fingerprint })).rejects.toThrow("no JSON");
    clock.advance(2_000);
    expect(await charge()).toMatchObject({ code: "IDEMPOTENCY_REPLAY_EXPIRED", retryAfterSeconds: 2 });
    expect([executions, await used()]).toEqual([1, 1]);
  });

  it("T-21: replays an answer a hundred times and not once more; the key keeps its answer", async () => {
    const first = await charge();
    for (let i = 0; i < 100; i++) expect(await charge()).toMatchObject({ kind: "replayed" });
    const refused = { code: "IDEMPOTENCY_KEY_EXHAUSTED", retryAfterSeconds: 24 * 3_600 };
    expect(await charge()).toMatchObject({
      ...refused,
      details: { reason: "replays", decision_id: first.kind === "charged" && first.decisionId },
    });
    // Counts kept in memory survive the process once they are written.
    await charging.flush();
    expect((await store.openGate({ scope, key: "job-00001" }))?.stored?.replays).toBe(100);
    expect(await charge()).toMatchObject(refused);
    expect(await used()).toBe(1);
  });

  it("T-21: counts on after a restart what was written", async () => {
    charging = createCharging({ ...ports, sleep: async () => {} });
    await charge();
    for (let i = 0; i < 60; i++) await charge();
    await charging.flush();
    charging = createCharging(ports);
    for (let i = 0; i < 40; i++) expect(await charge()).toMatchObject({ kind: "replayed" });
    expect(await charge()).toMatchObject({ code: "IDEMPOTENCY_KEY_EXHAUSTED" });
  });

  it("T-21: counts no replay twice while counts are written, and none as missing", async () => {
    let acknowledge = (): void => {};
    const gates: { isBlocked: boolean; answers: (() => void)[] } = { isBlocked: false, answers: [] };
    const isBlocked: Store = {
      ...store,
      // Written at once, acknowledged when the test chooses.
      addCounts: async (counts) => {
        await store.addCounts(counts);
        await new Promise<void>((resolve) => {
          acknowledge = resolve;
        });
      },
      openGate: async (question) => {
        const gate = await store.openGate(question);
        if (gates.isBlocked) await new Promise<void>((resolve) => gates.answers.push(resolve));
        return gate;
      },
    };
    charging = createCharging({ ...ports, store: isBlocked });
    await charge();
    for (let i = 0; i < 60; i++) await charge();
    const flushed = charging.flush();
    await expect
      .poll(async () => (await store.openGate({ scope, key: "job-00001" }))?.stored?.replays)
      .toBe(60);
    // The store reports sixty attempts while sixty are being written: they are the same ones.
    const question = charge();
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    acknowledge();
    expect(await question).toMatchObject({ kind: "replayed" });
    await flushed;
    for (let i = 0; i < 39; i++) expect(await charge()).toMatchObject({ kind: "replayed" });
    expect(await charge()).toMatchObject({ code: "IDEMPOTENCY_KEY_EXHAUSTED" });

    // A reading taken before the other forty were written does not justify another replay.
    gates.isBlocked = true;
    const late = charge();
    await expect.poll(() => gates.answers.length).toBe(1);
    const flushedAgain = charging.flush();
    await expect
      .poll(async () => (await store.openGate({ scope, key: "job-00001" }))?.stored?.replays)
      .toBe(100);
    acknowledge();
    await flushedAgain;
    gates.isBlocked = false;
    for (const answer of gates.answers) answer();
    expect(await late).toMatchObject({ code: "IDEMPOTENCY_KEY_EXHAUSTED" });
  });

  it("T-21: allows twenty uncharged attempts an hour on one key, and leaves it as it was", async () => {
    for (let i = 0; i < 20; i++) {
      expect(await charge({}, degraded)).toMatchObject({ kind: "uncharged" });
      clock.advance(60_000);
    }
    expect(await charge({}, degraded)).toMatchObject({
      code: "IDEMPOTENCY_KEY_EXHAUSTED",
      retryAfterSeconds: 40 * 60,
      details: { reason: "attempts" },
    });
    expect(await charge({ key: "job-00002" })).toMatchObject({ kind: "charged" });
    clock.advance(40 * 60_000);
    expect(await charge()).toMatchObject({ kind: "charged" });
    expect(await used()).toBe(2);
  });

  it.each([
    ["OUTCOME_UNKNOWN", { decision_id: "dec_1" }],
    ["STORAGE_UNAVAILABLE", {}],
  ] as const)("passes %s on, with what the caller can do about it", async (code, details) => {
    const failing: Store = {
      ...store,
      settle: async () => {
        throw new StoreError(code, "the disk is gone");
      },
    };
    charging = createCharging({ ...ports, store: failing });
    expect(await charge()).toMatchObject({ kind: "refused", code, retryAfterSeconds: 2, details });
    charging = createCharging(ports);
    expect(await charge()).toMatchObject({ kind: "charged" });
  });

  it("serves no answer that is not the one that was charged, and stops charging in its ledger", async () => {
    await charge();
    const forged: Store = {
      ...store,
      findAnswer: async (question) => {
        const answer = await store.findAnswer(question);
        return answer === undefined ? undefined : { ...answer, response: "answer 2" };
      },
    };
    charging = createCharging({ ...ports, store: forged });
    const refused = { kind: "refused", code: "STORAGE_UNAVAILABLE", message: /until its ledger/ };
    expect(await charge()).toMatchObject({ ...refused, message: expect.stringMatching(refused.message) });
    expect(await store.settle(makeSettlement(scope))).toEqual({ kind: "frozen" });
  });

  it("states that charging is stopped where the ledger is frozen, and still replays", async () => {
    await charge();
    await store.freeze({ scope, reason: "I1" });
    expect(await charge({ key: "job-00002" })).toMatchObject({ code: "STORAGE_UNAVAILABLE" });
    expect(await charge()).toMatchObject({ kind: "replayed" });
  });
});

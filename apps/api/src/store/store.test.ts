import { existsSync, statSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSharedFolder } from "@groundrule/testing/folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLiveScope, makeSettlement } from "../../test/settlement.ts";
import { sharedPostgres } from "../../test/shared-postgres.ts";
import {
  createFreshStore,
  createPostgresPlace,
  createSqlitePlace,
  type StorePlace,
} from "../../test/store-places.ts";
import { createTestFolder, withTemporaryFolder } from "../../test/temporary-folder.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import { DEFAULT_HOLDING_LIMITS } from "../ledger/holdings.ts";
import type { Scope } from "../ledger/scope.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { migrateSchema } from "./migrations/migrate.ts";
import { openStore } from "./open-store.ts";
import type { Gate, NewRuleset, Store } from "./port/port.ts";
import { restoreBackup } from "./sqlite/backup.ts";
import { Connection } from "./sqlite/connection.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

const DAY_MS = 86_400_000;

const folder = createSharedFolder().at();

let files = 0;

const sqlitePlace = (): Promise<StorePlace> => createSqlitePlace(folder);
const postgresPlace = (): Promise<StorePlace> => createPostgresPlace(sharedPostgres);

describe.each([
  ["SQLite", sqlitePlace],
  ["PostgreSQL", postgresPlace],
] as const)("the store on %s", (dialect, newPlace) => {
  let place: StorePlace;
  let store: Store;
  const clock = new VirtualClock("2026-01-31T12:00:00Z");

  beforeAll(async () => {
    place = await newPlace();
    store = await place.open(clock);
  });

  afterAll(async () => {
    expect(await store.findViolations({ extent: "all" })).toEqual([]);
    await store.close();
  });

  const fresh = (quota: number, clock?: VirtualClock) =>
    createFreshStore(newPlace, quota, { ...(clock && { clock }) });

  it("charges a settlement, and stores its request and answer", async () => {
    const scope = await createLiveScope(store, 10);
    const settlement = makeSettlement(scope, { key: "key-0001", units: 3, referenceId: "plot 7" });
    const outcome = await store.settle(settlement);
    expect(outcome).toMatchObject({
      kind: "charged",
      charge: { seq: 1, generation: 1, settledAtMs: clock.ms, expiresAtMs: clock.ms + DAY_MS },
      period: { no: 0, quota: 10, used: 3, startsAtMs: Date.parse("2026-01-31T00:00:00Z") },
    });
    const { decisionId } = settlement;
    expect(await store.findDecision({ scope, decisionId })).toMatchObject({
      id: decisionId,
      units: 3,
      key: "key-0001",
      referenceId: "plot 7",
      request: settlement.request,
      response: settlement.response,
    });
    expect(await store.findAnswer({ scope, decisionId })).toMatchObject({ response: settlement.response });
    expect(await store.usage({ scope })).toMatchObject({
      period: { used: 3 },
      byRoute: [{ route: "/v1/evaluate", units: 3 }],
    });
  });

  it("charges a key once, however many settle it at the same time", async () => {
    const scope = await createLiveScope(store, 100);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => store.settle(makeSettlement(scope, { key: "same-key" }))),
    );
    expect(outcomes.filter(({ kind }) => kind === "charged")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "taken")).toHaveLength(39);
    expect((await store.usage({ scope }))?.period.used).toBe(1);
  });

  it("gives so many uncharged answers within a window, and no more, from however many processes", async () => {
    const scope = await createLiveScope(store, 1);
    const own = new VirtualClock("2026-01-31T12:00:00Z");
    const [one, other] = await Promise.all([place.open(own, "manage"), place.open(own, "manage")]);
    const take = (i: number) =>
      (i % 2 === 0 ? one : other).takeUncharged({ scope, limit: 10, windowMs: 60_000 });
    const taken = await Promise.all(Array.from({ length: 30 }, (_, i) => take(i)));
    expect(taken.filter(({ kind }) => kind === "taken")).toHaveLength(10);
    own.advance(59_999);
    expect(await take(0)).toEqual({ kind: "used up", count: 10, waitMs: 1 });
    const test = { ...scope, mode: "test" as const };
    expect(await one.takeUncharged({ scope: test, limit: 1, windowMs: 60_000 })).toEqual({ kind: "taken" });
    own.advance(1);
    expect(await take(1)).toEqual({ kind: "taken" });
    expect((await store.usage({ scope }))?.period.used).toBe(0);
    await Promise.all([one.close(), other.close()]);
  });

  it("charges exactly the quota when more settle at the same time, each with a number of its own", async () => {
    const scope = await createLiveScope(store, 100);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => store.settle(makeSettlement(scope))),
    );
    const charged = outcomes.filter((outcome) => outcome.kind === "charged");
    expect(charged.map(({ charge }) => charge.seq).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
    const refused = outcomes.filter((outcome) => outcome.kind === "over-quota");
    expect(refused).toHaveLength(100);
    expect(refused.every(({ period }) => period.used === 100)).toBe(true);
  });

  it("still charges one unit where three do not fit", async () => {
    const scope = await createLiveScope(store, 3);
    expect((await store.settle(makeSettlement(scope, { units: 2 }))).kind).toBe("charged");
    expect((await store.settle(makeSettlement(scope, { units: 3, key: "too-many" }))).kind).toBe(
      "over-quota",
    );
    expect((await store.settle(makeSettlement(scope))).kind).toBe("charged");
    // The refused key is as free as before.
    expect((await store.openGate({ scope, key: "too-many" }))?.stored).toBeUndefined();
  });

  it("opens many gates at once as it opens each alone", async () => {
    const scopes = [await createLiveScope(store, 50), await createLiveScope(store, 0)];
    const charged = scopes[0]!;
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.settle(makeSettlement(charged, { key: `charged-${i}` }))),
    );
    await store.addCounts({
      replays: [],
      attempts: Array.from({ length: 20 }, (_, i) => ({
        scope: charged,
        key: `charged-${i + 10}`,
        windowStartMs: 1_000,
        count: i + 1,
      })),
      keyUses: [],
    });
    const keys = [null, null, ...Array.from({ length: 150 }, (_, i) => `charged-${i}`)];
    const questions = [...scopes, { organization: "nobody", mode: "live" as const }].flatMap((scope) =>
      keys.map((key) => ({ scope, key })),
    );
    const together = await Promise.all(questions.map((question) => store.openGate(question)));
    const timeless = (gate: Gate | undefined) => gate && { ...gate, nowMs: 0 };
    for (const [i, question] of questions.entries()) {
      expect(timeless(together[i]), JSON.stringify(question)).toEqual(
        timeless(await store.openGate(question)),
      );
    }
    expect(together.filter((gate) => gate?.stored !== undefined)).toHaveLength(20);
    expect(together.filter((gate) => gate?.attempts !== undefined)).toHaveLength(20);
    expect(together.at(-1)).toBeUndefined();
  });

  it("undoes a write that breaks a constraint, and nothing beside it", async () => {
    const scope = await createLiveScope(store, 10);
    const first = makeSettlement(scope, { key: "first-key" });
    const twice = makeSettlement(scope, { key: "other-key", decisionId: first.decisionId });
    const [a, b, c] = await Promise.allSettled([
      store.settle(first),
      store.settle(twice),
      store.settle(makeSettlement(scope, { key: "third-key" })),
    ]);
    expect(a).toMatchObject({ status: "fulfilled", value: { kind: "charged" } });
    expect(b.status).toBe("rejected");
    expect(c).toMatchObject({ status: "fulfilled", value: { kind: "charged" } });
    expect((await store.usage({ scope }))?.period.used).toBe(2);
    expect((await store.openGate({ scope, key: "other-key" }))?.stored).toBeUndefined();
  });

  it("moves on to the next period by its anchor: from 31 January to 28 February to 31 March", async () => {
    const { clock: time, store: moving, scope } = await fresh(1, new VirtualClock("2026-01-31T12:00:00Z"));
    const starts: string[] = [];
    for (const at of [
      "2026-01-31T12:00:00Z",
      "2026-02-28T00:00:00Z",
      "2026-03-30T23:59:59.999Z",
      "2026-03-31T00:00:00Z",
    ]) {
      time.ms = Date.parse(at);
      const outcome = await moving.settle(makeSettlement(scope));
      starts.push(
        outcome.kind === "charged"
          ? new Date(outcome.period.startsAtMs).toISOString().slice(0, 10)
          : outcome.kind,
      );
    }
    expect(starts).toEqual(["2026-01-31", "2026-02-28", "over-quota", "2026-03-31"]);
    // A clock set back reopens nothing.
    time.ms = Date.parse("2026-03-01T00:00:00Z");
    expect((await moving.openGate({ scope, key: null }))?.period.no).toBe(2);
    expect((await moving.settle(makeSettlement(scope))).kind).toBe("over-quota");
    expect(await moving.findViolations({ extent: "all" })).toEqual([]);
  });

  it("reports to one of many that an answer has expired, and charges anew only after the window", async () => {
    const { clock: time, store: moving, scope } = await fresh(10);
    await moving.settle(makeSettlement(scope, { key: "lost-call", retentionMs: 1_000 }));
    const acknowledge = () =>
      moving.acknowledgeExpiry({ scope, key: "lost-call", generation: 1, windowMs: 2_000 });

    time.advance(999);
    expect(await acknowledge()).toBeUndefined();
    time.advance(1);
    const untilMs = time.ms + 2_000;
    const acknowledged = await Promise.all(Array.from({ length: 20 }, acknowledge));
    expect(new Set(acknowledged.map((stored) => stored?.acknowledgeUntilMs))).toEqual(new Set([untilMs]));
    time.advance(1_999);
    expect((await moving.settle(makeSettlement(scope, { key: "lost-call" }))).kind).toBe("taken");
    time.advance(1);
    expect(await acknowledge()).toBeUndefined();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => moving.settle(makeSettlement(scope, { key: "lost-call" }))),
    );
    expect(outcomes.filter(({ kind }) => kind === "charged")).toMatchObject([{ charge: { generation: 2 } }]);
    expect(await moving.findViolations({ extent: "all" })).toEqual([]);
  });

  it("keeps organizations and modes apart, with the same keys everywhere", async () => {
    const a = await createLiveScope(store, 5);
    const b = await createLiveScope(store, 5);
    const test = { ...a, mode: "test" as const };
    const settled = makeSettlement(a, { key: "shared-key" });
    await store.settle(settled);
    for (const other of [b, test]) {
      expect((await store.openGate({ scope: other, key: "shared-key" }))?.stored).toBeUndefined();
      const { decisionId } = settled;
      expect(await store.findDecision({ scope: other, decisionId })).toBeUndefined();
      expect(await store.findAnswer({ scope: other, decisionId })).toBeUndefined();
      expect((await store.usage({ scope: other }))?.period.used).toBe(0);
      expect((await store.settle(makeSettlement(other, { key: "shared-key" }))).kind).toBe("charged");
    }
  });

  it("lowers a quota no further than what is used", async () => {
    const scope = await createLiveScope(store, 10);
    for (let i = 0; i < 4; i++) await store.settle(makeSettlement(scope));
    expect(await store.setQuota({ scope, quota: 2 })).toMatchObject({ quota: 4, used: 4 });
    expect((await store.settle(makeSettlement(scope))).kind).toBe("over-quota");
    expect(await store.setQuota({ scope, quota: 5 })).toMatchObject({ quota: 5, used: 4 });
    expect((await store.settle(makeSettlement(scope))).kind).toBe("charged");
  });

  it("states whether a subscription is active, for both modes", async () => {
    const scope = await createLiveScope(store, 1);
    const { organization } = scope;
    for (const status of ["suspended", "expired", "active"] as const) {
      await store.setSubscription({ organization, status });
      for (const mode of ["live", "test"] as const) {
        const gate = await store.openGate({ scope: { organization, mode }, key: null });
        expect(gate?.subscription).toBe(status);
      }
    }
    await expect(store.setSubscription({ organization: "nobody", status: "active" })).rejects.toMatchObject({
      code: "ORGANIZATION_UNKNOWN",
    });
  });

  it("finds an API key by its digest, and retires a rotated one after the overlap", async () => {
    const { organization } = await createLiveScope(store, 1);
    const made = { pepperVersion: 1, hint: "gr_live_abcd", lifetimeMs: null };
    const key = { ...made, id: `${organization}-1`, organization, mode: "live" as const, name: "ci" };
    await store.createApiKey({ ...key, digest: `${organization}-digest`, scopes: ["evaluate", "discover"] });
    const { retiring, successor } = await store.rotateApiKey({
      id: key.id,
      successor: { ...made, id: `${organization}-2`, digest: `${organization}-digest-2` },
      overlapMs: 60_000,
    });
    expect(retiring).toMatchObject({ expiresAtMs: clock.ms + 60_000, successorId: successor.id });
    expect(successor).toMatchObject({ scopes: ["evaluate", "discover"], name: "ci", expiresAtMs: null });
    await store.addCounts({ replays: [], attempts: [], keyUses: [{ id: successor.id, usedAtMs: 5 }] });
    await store.revokeApiKey({ id: successor.id });
    expect(await store.findApiKey({ digest: `${organization}-digest-2` })).toMatchObject({
      id: successor.id,
      revokedAtMs: clock.ms,
      lastUsedAtMs: 5,
      nowMs: clock.ms,
    });
    expect(await store.findApiKey({ digest: "unknown" })).toBeUndefined();
    expect(await store.listApiKeys({ organization })).toHaveLength(2);
  });

  it("refuses an eleventh key in force", async () => {
    const { organization } = await createLiveScope(store, 1);
    const create = (i: number) =>
      store.createApiKey({
        id: `${organization}-${i}`,
        organization,
        mode: "test",
        name: `key ${i}`,
        digest: `${organization}-${i}`,
        pepperVersion: 1,
        hint: "gr_test_abcd",
        scopes: ["evaluate"],
        lifetimeMs: null,
      });
    for (let i = 0; i < 10; i++) await create(i);
    await expect(create(10)).rejects.toMatchObject({ code: "KEY_LIMIT_REACHED" });
    await store.revokeApiKey({ id: `${organization}-3` });
    await expect(create(10)).resolves.toMatchObject({ name: "key 10" });
  });

  it("gives out ruleset versions without a gap or a double, however many are created at once", async () => {
    const scope = await createLiveScope(store, 1);
    const create = (version: number | "next") =>
      store.createRuleset({ scope, name: "plots", version, body: `{"v":"${version}"}`, digest: "d" });
    const created = await Promise.all(Array.from({ length: 20 }, () => create("next")));
    const versions = created.flatMap((made) => (made.kind === "created" ? [made.ruleset.version] : []));
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(await create(7)).toEqual({ kind: "exists" });
    expect(await create(40)).toMatchObject({ kind: "created" });
    expect(await create("next")).toMatchObject({ kind: "created", ruleset: { version: 41 } });
    expect((await store.findRuleset({ scope, name: "plots" }))?.version).toBe(41);
    expect((await store.findRuleset({ scope, name: "plots", version: 7 }))?.version).toBe(7);
    const page = await store.listRulesets({ scope, name: "plots", page: 2, pageSize: 20 });
    expect(page).toMatchObject({ totalCount: 22, items: [{ version: 2 }, { version: 1 }] });
    expect((await store.listRulesets({ scope, page: 9, pageSize: 20 })).items).toEqual([]);
  });

  describe("publications under an idempotency key", () => {
    const terms = { retentionMs: DAY_MS, acknowledgementMs: 2_000, replayLimit: 3 };
    const ruleset = (scope: Scope, key: string, fingerprint = "f"): NewRuleset => ({
      scope,
      name: "plots",
      version: "next",
      body: '{"sets":{},"checks":[]}',
      digest: "d",
      publication: { request: { key, fingerprint }, terms },
    });
    const meet = (from: Store, scope: Scope, key: string, fingerprint = "f") =>
      from.meetPublication({ scope, request: { key, fingerprint }, terms });

    it("keeps so many versions, names and bytes of rulesets, and no more, from however many processes", async () => {
      const scope = await createLiveScope(store, 10);
      const other = await place.open(clock, "manage");
      const limits = {
        ...DEFAULT_HOLDING_LIMITS,
        ruleset_versions: 4,
        ruleset_names: 2,
        ruleset_bytes: 9_000,
      };
      const publish = async (name: string, i: number, more: Partial<NewRuleset> = {}) => {
        const ruleset = { scope, name, version: "next", body: "{}", digest: "d", limits, ...more } as const;
        const created = await (i % 2 === 0 ? store : other).createRuleset(ruleset);
        return created.kind === "held" ? created.excess : created.kind;
      };
      const many = (name: (i: number) => string) =>
        Promise.all(Array.from({ length: 8 }, (_, i) => publish(name(i), i)));
      const versions = await many(() => "one");
      expect(versions.filter((outcome) => outcome === "created")).toHaveLength(4);
      const ofVersions = { holding: "ruleset_versions", held: 4, requested: 1, limit: 4 };
      expect(versions.filter((outcome) => outcome !== "created")).toEqual(Array(4).fill(ofVersions));
      const names = await many((i) => `name-${i}`);
      expect(names.filter((outcome) => outcome === "created")).toHaveLength(1);
      const ofNames = { holding: "ruleset_names", held: 2, requested: 1, limit: 2 };
      expect(names.filter((outcome) => outcome !== "created")).toEqual(Array(7).fill(ofNames));

      // A lowered limit affects only new names.
      const fewer = { ...limits, ruleset_names: 1 };
      expect(await publish(`name-${names.indexOf("created")}`, 0, { limits: fewer })).toBe("created");

      // The replayable answer of a key counts too, and replaces the previous one.
      const name = `name-${names.indexOf("created")}`;
      const keyed = ruleset(scope, "counted-too");
      const long = { ...keyed, name, body: JSON.stringify({ text: "x".repeat(1_800) }) };
      const { name: _, ...more } = long;
      expect(await publish(name, 0, more)).toEqual("created");
      const excess = await publish(name, 0, { body: `"${"x".repeat(3_000)}"` });
      expect(excess).toMatchObject({ holding: "ruleset_bytes", limit: 9_000, requested: 3_514 });
      await place.meddle("DELETE FROM holding");
      expect(await publish(name, 0, { body: `"${"x".repeat(3_000)}"` })).toEqual(excess);
      await other.close();
    });

    it("publishes once, however many requests come at the same time", async () => {
      const scope = await createLiveScope(store, 0);
      const made = await Promise.all(
        Array.from({ length: 4 }, () => store.createRuleset(ruleset(scope, "one-version"))),
      );
      expect(made.map(({ kind }) => kind).sort()).toEqual(["created", "met", "met", "met"]);
      const answers = made.flatMap((one) => (one.kind === "met" ? [one.met] : []));
      expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(["replayed"]));
      const texts = new Set(answers.map((met) => "publication" in met && met.publication.response));
      expect(texts.size).toBe(1);
      expect((await store.listRulesets({ scope, page: 1, pageSize: 9 })).totalCount).toBe(1);
    });

    it("refuses another request under the key, and replays only so often", async () => {
      const scope = await createLiveScope(store, 0);
      expect(await meet(store, scope, "replayed")).toEqual({ kind: "free" });
      await store.createRuleset(ruleset(scope, "replayed"));
      expect(await meet(store, scope, "replayed", "other")).toMatchObject({ kind: "conflict" });
      for (const replays of [1, 2, 3]) {
        expect(await meet(store, scope, "replayed")).toMatchObject({
          kind: "replayed",
          publication: { version: 1, replays },
        });
      }
      expect(await meet(store, scope, "replayed")).toMatchObject({ kind: "exhausted" });
      expect(await store.createRuleset(ruleset(scope, "replayed", "other"))).toMatchObject({
        kind: "met",
        met: { kind: "conflict" },
      });
    });

    it("reports once that an answer has expired, publishes anew after the window, and forgets after 400 days", async () => {
      const { clock: time, store: moving, scope } = await fresh(0);
      await moving.createRuleset(ruleset(scope, "expiring"));
      time.advance(DAY_MS);
      expect(await meet(moving, scope, "expiring")).toMatchObject({ kind: "expired" });
      // Setting the time back does not bring the answer back.
      time.advance(-1_000);
      expect(await moving.createRuleset(ruleset(scope, "expiring"))).toMatchObject({
        kind: "met",
        met: { kind: "expired" },
      });
      time.advance(3_000);
      expect(await meet(moving, scope, "expiring")).toEqual({ kind: "free" });
      expect(await moving.createRuleset(ruleset(scope, "expiring"))).toMatchObject({
        kind: "created",
        ruleset: { version: 2 },
      });
      expect(await meet(moving, scope, "expiring")).toMatchObject({
        publication: { version: 2, replays: 1 },
      });
      time.advance(402 * DAY_MS);
      await moving.sweep({});
      expect(await meet(moving, scope, "expiring")).toEqual({ kind: "free" });
    });

    it("keeps organizations and modes apart", async () => {
      const scope = await createLiveScope(store, 0);
      await store.createRuleset(ruleset(scope, "same-key"));
      for (const other of [await createLiveScope(store, 0), { ...scope, mode: "test" as const }]) {
        expect(await meet(store, other, "same-key")).toEqual({ kind: "free" });
      }
    });

    it("keeps a version and its key together or not at all", async () => {
      const { place: local, store: broken, scope } = await fresh(0);
      await local.meddle("ALTER TABLE publication RENAME COLUMN response TO gone");
      await expect(broken.createRuleset({ ...ruleset(scope, "all-or-nothing") })).rejects.toThrow();
      await local.meddle("ALTER TABLE publication RENAME COLUMN gone TO response");
      expect(await broken.findRuleset({ scope, name: "plots" })).toBeUndefined();
      expect(await broken.createRuleset(ruleset(scope, "all-or-nothing"))).toMatchObject({
        ruleset: { version: 1 },
      });
    });
  });

  it.each([
    ["UPDATE decision SET units = 2", "rows of decision are never changed"],
    ["DELETE FROM decision", "rows of decision are never deleted"],
    ["UPDATE ruleset SET body = 'x'", "rows of ruleset are never changed"],
    ["DELETE FROM ruleset", "rows of ruleset are never deleted"],
    ["UPDATE record SET response = 'x'", "rows of record are never changed"],
  ])("T-39: refuses %s", async (text, reason) => {
    const scope = await createLiveScope(store, 1);
    await store.settle(makeSettlement(scope));
    await store.createRuleset({ scope, name: "r", version: "next", body: "{}", digest: "d" });
    await expect(place.meddle(text)).rejects.toThrow(reason);
  });

  it.each([
    ...["ruleset", "decision"].flatMap((table): [string, string][] =>
      dialect === "SQLite"
        ? [
            [`REPLACE INTO ${table} SELECT * FROM ${table}`, `rows of ${table} are never deleted`],
            [`INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`, `rows of ${table} are never deleted`],
            [`UPDATE OR REPLACE ${table} SET mode = 'live'`, `rows of ${table} are never changed`],
          ]
        : [
            [`TRUNCATE ${table} CASCADE`, "are never deleted"],
            [`DELETE FROM ${table} USING organization`, `rows of ${table} are never deleted`],
          ],
    ),
    [
      "INSERT INTO ruleset SELECT * FROM ruleset WHERE true ON CONFLICT (organization, mode, name, version) DO UPDATE SET body = 'x'",
      "rows of ruleset are never changed",
    ],
    [
      "WITH old AS (SELECT 1) UPDATE ruleset SET body = 'x' WHERE EXISTS (SELECT * FROM old)",
      "rows of ruleset are never changed",
    ],
  ])("T-39: has no connection that gets round it by %s", async (text, reason) => {
    const scope = await createLiveScope(store, 1);
    await store.settle(makeSettlement(scope));
    await store.createRuleset({ scope, name: "r", version: "next", body: "{}", digest: "d" });
    await expect(place.runAsStore(text)).rejects.toThrow(reason);
    expect(await store.findRuleset({ scope, name: "r" })).toMatchObject({ body: "{}" });
  });

  it("lists decisions newest first, by time, reference and request", async () => {
    const scope = await createLiveScope(store, 10);
    for (let i = 1; i <= 5; i++) {
      await store.settle(makeSettlement(scope, { referenceId: `plot ${i % 2}`, requestId: `req_${i}` }));
    }
    const base = { scope, page: 1, pageSize: 2 };
    expect(await store.listDecisions(base)).toMatchObject({ totalCount: 5, items: [{ seq: 5 }, { seq: 4 }] });
    expect((await store.listDecisions({ ...base, referenceId: "plot 0" })).totalCount).toBe(2);
    expect((await store.listDecisions({ ...base, requestId: "req_3" })).items).toMatchObject([{ seq: 3 }]);
    expect((await store.listDecisions({ ...base, toMs: clock.ms })).totalCount).toBe(0);
    expect((await store.listDecisions({ ...base, fromMs: clock.ms })).totalCount).toBe(5);
  });

  it("finds decisions by instants and by the one to go on after, alone and with filters, page by page", async () => {
    const { clock: time, store: moving, scope } = await fresh(100);
    const made: { readonly seq: number; readonly atMs: number; readonly referenceId: string }[] = [];
    for (let seq = 1; seq <= 23; seq++) {
      const referenceId = `plot ${seq % 3}`;
      await moving.settle(makeSettlement(scope, { referenceId }));
      made.push({ seq, atMs: time.ms, referenceId });
      // Several decisions at one instant, and days without any.
      if (seq % 4 === 0) time.advance(seq % 8 === 0 ? DAY_MS : 1);
    }
    const instants = [...new Set(made.map(({ atMs }) => atMs))].flatMap((ms, i) =>
      i % 2 === 0 ? [ms, ms + 1] : [],
    );
    for (const fromMs of [undefined, ...instants]) {
      for (const toMs of [undefined, ...instants]) {
        for (const beforeSeq of [undefined, 1, 9]) {
          for (const referenceId of beforeSeq === undefined ? [undefined, "plot 1"] : [undefined]) {
            const filter = {
              ...(fromMs !== undefined && { fromMs }),
              ...(toMs !== undefined && { toMs }),
              ...(beforeSeq !== undefined && { beforeSeq }),
              ...(referenceId !== undefined && { referenceId }),
            };
            const expected = made.filter(
              (of) =>
                of.atMs >= (fromMs ?? 0) &&
                of.atMs < (toMs ?? Number.POSITIVE_INFINITY) &&
                of.seq < (beforeSeq ?? 99) &&
                of.referenceId === (referenceId ?? of.referenceId),
            );
            const second = await moving.listDecisions({ scope, ...filter, page: 2, pageSize: 5 });
            expect([second.totalCount, second.items.map(({ seq }) => seq)], JSON.stringify(filter)).toEqual([
              expected.length,
              expected
                .map(({ seq }) => seq)
                .reverse()
                .slice(5, 10),
            ]);
          }
        }
      }
    }
  });

  it("counts units by route, also of charges that an earlier release makes meanwhile", async () => {
    const { place: local, store: counting, scope } = await fresh(1_000, clock);
    const expected = new Map<string, number>();
    let seq = 0;
    const charge = async (route: string, units: number) => {
      await counting.settle(makeSettlement(scope, { route, units }));
      seq++;
      expected.set(route, (expected.get(route) ?? 0) + units);
    };
    // Charges as release 0.2.0 does.
    const chargeAsBefore = async (units: number) => {
      const ours = `organization = '${scope.organization}' AND mode = 'live'`;
      await local.meddle(`
        UPDATE period SET used = used + ${units} WHERE ${ours};
        UPDATE ledger SET seq = seq + 1 WHERE ${ours};
        INSERT INTO decision (id, organization, mode, seq, period_no, units, generation, route, fingerprint,
          request_digest, response_digest, digests, media_type, request_id, created_at_ms)
        SELECT 'dec_${scope.organization}_${seq + 1}', organization, mode, ${++seq}, period_no, ${units}, 1, '/v1/distance',
          fingerprint, request_digest, response_digest, digests, media_type, request_id, created_at_ms
        FROM decision WHERE ${ours} AND seq = 1`);
      expected.set("/v1/distance", (expected.get("/v1/distance") ?? 0) + units);
    };
    const tells = async () => {
      const byRoute = [...expected].sort().map(([route, units]) => ({ route, units }));
      expect((await counting.usage({ scope }))?.byRoute).toEqual(byRoute);
    };
    await charge("/v1/subjects", 2);
    await Promise.all([charge("/v1/evaluate", 1), charge("/v1/evaluate", 1), charge("/v1/subjects", 1)]);
    await tells();
    await chargeAsBefore(5);
    await tells();
    await charge("/v1/evaluate", 3);
    await chargeAsBefore(7);
    await tells();
    const counted = (): Promise<boolean> => counting.countRoutes({ limit: 2 }).then(({ done }) => done);
    expect(await counted()).toBe(false);
    await tells();
    while (!(await counted()));
    await tells();
    await charge("/v1/distance", 1);
    await tells();
    expect(await counted()).toBe(true);
    const { organization } = scope;
    await local.meddle(
      `UPDATE period SET by_route = '{"/v1/evaluate":1}' WHERE organization = '${organization}'`,
    );
    expect(await counting.findViolations({ extent: "open", organization })).toMatchObject([
      { invariant: "I1", message: "period 0 counts 21 units used, but 1 by route" },
      { invariant: "I15" },
      { invariant: "I15" },
    ]);
    await local.meddle(`UPDATE period SET by_route = 'x' WHERE organization = '${organization}'`);
    await expect(counting.usage({ scope })).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
  });

  it("pages through the texts of every organization's decisions, those that are erased too", async () => {
    const made: string[] = [];
    for (const digests of ['{"a":1}', '{"b":2}', '{"c":3}']) {
      const scope = await createLiveScope(store, 10);
      const settlement = makeSettlement(scope, { digests });
      await store.settle(settlement);
      made.push(settlement.decisionId);
      if (made.length === 1) {
        clock.advance(1_000);
        await store.eraseDecisions({ organization: scope.organization, beforeMs: clock.ms });
      }
    }
    const found = new Map<string, unknown>();
    for (let after = ""; ; ) {
      const page = await store.listDecisionTexts({ after, limit: 2 });
      for (const { id, digests, response } of page) {
        expect(found.has(id)).toBe(false);
        found.set(id, [JSON.parse(digests), response]);
      }
      if (page.length < 2) break;
      after = page.at(-1)!.id;
    }
    expect(found.get(made[0]!)).toEqual([{ a: 1 }, null]);
    expect(found.get(made[1]!)).toEqual([{ b: 2 }, '{"data":{"verdict":"COMPLIANT"}}']);
    expect(found.get(made[2]!)).toMatchObject([{ c: 3 }, expect.any(String)]);
  });

  it("finds decisions by verdict and ruleset, as many as there are on every page, and nobody else's", async () => {
    const [scope, other] = [await createLiveScope(store, 1_000), await createLiveScope(store, 1_000)];
    const verdicts = ["COMPLIANT", "WARNING", "NON_COMPLIANT"];
    const digests = ["d1", "d2", "d3"];
    const made: { verdict: string | undefined; ruleset: string | undefined; i: number }[] = [];
    for (let i = 0; i < 40; i++) {
      const [verdict, ruleset] = [verdicts[(i * i) % 3]!, digests[(i * 7) % 5]];
      const isVerdict = i % 8 !== 0;
      made.push({ verdict: isVerdict ? verdict : undefined, ruleset: isVerdict ? ruleset : undefined, i });
      const answered = {
        route: isVerdict ? "/v1/evaluate" : "/v1/intersections",
        response: JSON.stringify({ data: { verdict, properties: { verdict: "WARNING" } } }),
        digests: JSON.stringify({ ruleset, other: 1 }),
        referenceId: i % 4 === 0 ? "fourth" : null,
      };
      for (const each of [scope, other]) await store.settle(makeSettlement(each, answered));
    }
    for (const name of ["by-name", "other"]) {
      for (const digest of name === "other" ? ["d3"] : ["d1", "d2", "d1"]) {
        const ruleset = { scope, name, version: "next", body: "{}", digest } as const;
        expect(await store.createRuleset(ruleset)).toMatchObject({ kind: "created" });
      }
    }
    expect(await store.areDecisionsIndexed({})).toBe(true);
    const questions: [
      Partial<Parameters<Store["listDecisions"]>[0]>,
      (of: (typeof made)[number]) => boolean,
    ][] = [
      ...verdicts.map((verdict): (typeof questions)[number] => [{ verdict }, (of) => of.verdict === verdict]),
      [{ ruleset: { digests: ["d1"] } }, (of) => of.ruleset === "d1"],
      [{ ruleset: { digests: [] } }, () => false],
      [{ ruleset: { digests: ["d1", "d3", "none"] } }, (of) => of.ruleset === "d1" || of.ruleset === "d3"],
      [{ ruleset: { name: "by-name" } }, (of) => of.ruleset === "d1" || of.ruleset === "d2"],
      [{ ruleset: { name: "by-name", version: 2 } }, (of) => of.ruleset === "d2"],
      [{ ruleset: { name: "by-name", version: 9 } }, () => false],
      [{ ruleset: { name: "nobody" } }, () => false],
      [
        { ruleset: { name: "by-name" }, verdict: "WARNING" },
        (of) => of.verdict === "WARNING" && (of.ruleset === "d1" || of.ruleset === "d2"),
      ],
      [
        { ruleset: { digests: ["d3"] }, verdict: "WARNING", referenceId: "fourth", fromMs: clock.ms },
        (of) => of.verdict === "WARNING" && of.ruleset === "d3" && of.i % 4 === 0,
      ],
      [{ verdict: "WARNING", toMs: clock.ms }, () => false],
    ];
    for (const [filter, isFound] of questions) {
      const expected = made.flatMap((of) => (isFound(of) ? [of.i + 1] : [])).reverse();
      const found: number[] = [];
      for (let page = 1; page <= 1 + Math.ceil(expected.length / 3); page++) {
        const { items, totalCount } = await store.listDecisions({ scope, ...filter, page, pageSize: 3 });
        expect(totalCount, JSON.stringify(filter)).toBe(expected.length);
        found.push(...items.map(({ seq }) => seq));
      }
      expect(found, JSON.stringify(filter)).toEqual(expected);
    }
  });

  it("charges what it can make nothing of, and finds no verdict once it is erased", async () => {
    const { clock: time, store: moving, scope } = await fresh(100);
    const odd = [
      "",
      "{",
      "null",
      '{"data":null}',
      '{"data":{"verdict":{"a":1}}}',
      '{"data":{"verdict":null}}',
    ];
    for (const response of odd)
      await moving.settle(makeSettlement(scope, { response, digests: '{"ruleset":7}' }));
    await moving.settle(makeSettlement(scope, { digests: '{"ruleset":"d1"}' }));
    time.advance(1_000);
    await moving.settle(makeSettlement(scope, { digests: '{"ruleset":"d1"}' }));
    const count = async (filter: object) =>
      (await moving.listDecisions({ scope, ...filter, page: 1, pageSize: 25 })).totalCount;
    expect(await count({})).toBe(odd.length + 2);
    expect(await count({ verdict: "COMPLIANT" })).toBe(2);
    const { organization } = scope;
    await moving.eraseDecisions({ organization, beforeMs: time.ms });
    expect(await count({ verdict: "COMPLIANT" })).toBe(1);
    expect(await count({ ruleset: { digests: ["d1"] } })).toBe(2);
  });

  it("erases texts and keeps charges; a key whose answer is gone has expired", async () => {
    const { clock: time, store: moving, scope } = await fresh(10);
    const old = makeSettlement(scope, { key: "old-call" });
    await moving.settle(old);
    time.advance(1_000);
    const recent = makeSettlement(scope);
    await moving.settle(recent);
    const beforeMs = time.ms;
    expect(await moving.eraseDecisions({ organization: scope.organization, beforeMs })).toEqual({
      erased: 1,
    });
    const erased = await moving.findDecision({ scope, decisionId: old.decisionId });
    expect(erased).toMatchObject({ units: 1, request: null, response: null });
    expect(erased?.responseDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(await moving.findAnswer({ scope, decisionId: recent.decisionId })).toBeDefined();
    const gate = await moving.openGate({ scope, key: "old-call" });
    expect(gate?.stored?.expiresAtMs).toBeLessThanOrEqual(gate?.nowMs ?? 0);
    expect(await moving.findViolations({ extent: "all" })).toEqual([]);
    await expect(
      moving.eraseDecisions({ organization: scope.organization, beforeMs: time.ms + 1 }),
    ).rejects.toMatchObject({ code: "VALUE_INVALID" });
  });

  it("forgets a key 400 days after it expired, not before", async () => {
    const { clock: time, store: moving, scope } = await fresh(10);
    await moving.settle(makeSettlement(scope, { key: "old-call" }));
    time.advance(401 * DAY_MS);
    expect(await moving.sweep({})).toEqual({ keys: 0 });
    time.advance(1);
    expect(await moving.sweep({})).toEqual({ keys: 1 });
    expect(await moving.findViolations({ extent: "all" })).toEqual([]);
  });

  it("counts replays of a generation, and attempts of a window", async () => {
    const scope = await createLiveScope(store, 10);
    await store.settle(makeSettlement(scope, { key: "counted" }));
    const counts = {
      replays: [{ scope, key: "counted", generation: 1, count: 3 }],
      attempts: [{ scope, key: "degraded", windowStartMs: 1_000, count: 2 }],
      keyUses: [],
    };
    await store.addCounts(counts);
    await store.addCounts({ ...counts, replays: [{ scope, key: "counted", generation: 2, count: 50 }] });
    expect((await store.openGate({ scope, key: "counted" }))?.stored?.replays).toBe(3);
    const attemptsOn = async () => (await store.openGate({ scope, key: "degraded" }))?.attempts;
    expect(await attemptsOn()).toEqual({ windowStartMs: 1_000, count: 4 });
    const attempts = [{ scope, key: "degraded", windowStartMs: 9_000, count: 1 }];
    await store.addCounts({ replays: [], keyUses: [], attempts });
    expect(await attemptsOn()).toEqual({ windowStartMs: 9_000, count: 1 });
  });

  it("charges nothing in a frozen ledger, and goes on when it is released", async () => {
    const scope = await createLiveScope(store, 10);
    await store.freeze({ scope, reason: "I1" });
    expect(await store.settle(makeSettlement(scope))).toEqual({ kind: "frozen" });
    await store.freeze({ scope, reason: null });
    expect((await store.settle(makeSettlement(scope))).kind).toBe("charged");
  });

  it("is opened where there is one, and made only on request", async () => {
    const local = await newPlace();
    for (const role of ["serve", "manage", "read"] as const) {
      await expect(local.openIfThere({ role })).rejects.toMatchObject({ code: "STORE_MISSING" });
    }
    await (await local.open(clock)).close();
    for (const role of ["serve", "manage", "read"] as const) {
      const there = await local.openIfThere({ role });
      expect(await there.listOrganizations({})).toEqual([]);
      await there.close();
    }
  });

  it("is read as it is by a reader that changes nothing, whatever its schema", async () => {
    const local = await newPlace();
    await (await local.open(clock)).close();
    for (const table of ["pepper", "served", "job_plot", "job"]) await local.meddle(`DROP TABLE ${table}`);
    await local.meddle("DELETE FROM schema_migration WHERE no > 1");
    const old = await local.openIfThere({ role: "read" });
    expect(await old.findStoreState({})).toEqual({ hasKeys: false, peppers: [], servedAtMs: undefined });
    expect(await old.listOrganizations({})).toEqual([]);
    expect(await old.pinnedEditions({})).toEqual([]);
    expect(await old.findViolations({ extent: "all" })).toEqual([]);
    await expect(old.noteServed({ ballast: 0 })).rejects.toThrow("opened for reading");
    await withTemporaryFolder(async (dir) => {
      await old.backup(join(dir, "backup.db"));
      expect(statSync(join(dir, "backup.db")).mode & 0o777).toBe(0o600);
    });
    await old.close();
    await local.meddle("INSERT INTO schema_migration (no, name) VALUES (999, 'later')");
    await expect(local.openIfThere({ role: "read" })).rejects.toMatchObject({ code: "SCHEMA_TOO_NEW" });
  });

  it("knows one pepper of a version, until it is declared lost", async () => {
    const local = await newPlace();
    const made = await local.open(clock);
    expect(await made.setPepper({ version: 1, fingerprint: "a" })).toEqual({ fingerprint: "a" });
    expect(await made.setPepper({ version: 1, fingerprint: "b" })).toEqual({ fingerprint: "a" });
    expect(await made.setPepper({ version: 1, fingerprint: "b", replaces: "a" })).toEqual({
      fingerprint: "b",
    });
    expect((await made.findStoreState({})).peppers).toEqual([{ version: 1, fingerprint: "b" }]);
    await made.close();
  });

  it("charges nothing by a clock that starts 31 days after it was last served, until that is trusted", async () => {
    const local = await newPlace();
    const made = await local.openIfThere({ absent: "make", role: "serve" });
    const scope = await createLiveScope(made, 10);
    expect((await made.settle(makeSettlement(scope, { key: "before" }))).kind).toBe("charged");
    await made.noteServed({ ballast: 0 });
    await made.close();
    for (const byDays of [32, -1]) {
      await local.meddle(`UPDATE served SET last_ms = last_ms - ${byDays * DAY_MS}`);
      const far = await local.openIfThere({ role: "serve" });
      expect(await far.trouble()).toMatch(/last served .* --trust-clock/);
      await expect(far.settle(makeSettlement(scope))).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
      // A charged answer is replayed: the time is that of the last service, and of the ledger.
      expect((await far.openGate({ scope, key: "before" }))?.stored).toBeDefined();
      await far.noteServed({ ballast: 0 });
      await far.close();
      await expect(local.openIfThere({ role: "manage" })).rejects.toMatchObject({ code: "CLOCK_UNTRUSTED" });
      await (await local.openIfThere({ role: "read" })).close();

      const trusted = await local.openIfThere({ role: "serve", trustClock: true });
      expect(await trusted.trouble()).toBeUndefined();
      expect((await trusted.settle(makeSettlement(scope))).kind).toBe("charged");
      await trusted.noteServed({ ballast: 0 });
      await trusted.close();
      await (await local.openIfThere({ role: "manage" })).close();
    }
  });

  it("finds everything as it was when it is opened again, and refuses a schema from the future", async () => {
    const local = await newPlace();
    const first = await local.open(clock);
    const scope = await createLiveScope(first, 10);
    await first.settle(makeSettlement(scope, { key: "durable-key" }));
    await first.close();
    const second = await local.open(clock);
    expect((await second.openGate({ scope, key: "durable-key" }))?.stored).toBeDefined();
    await second.close();
    await local.meddle("INSERT INTO schema_migration (no, name) VALUES (999, 'later')");
    await expect(local.open(clock)).rejects.toMatchObject({
      code: "SCHEMA_TOO_NEW",
      details: { found: 999 },
    });
  });

  it.each([
    ["I1", "UPDATE period SET used = used - 1", "open"],
    ["I4", "UPDATE idempotency SET generation = 9", "open"],
    ["I4", "DELETE FROM idempotency", "all"],
    ["I10", "UPDATE subscription SET anchor_ms = anchor_ms - 86400000", "open"],
    ["I13", "UPDATE ledger SET seq = seq + 1", "open"],
    ["I15", "DELETE FROM record", "all"],
  ] as const)("finds %s broken after %s", async (invariant, text, extent) => {
    const { place: local, store: meddled, scope } = await fresh(10, clock);
    await meddled.settle(makeSettlement(scope, { key: "one-key" }));
    await meddled.settle(makeSettlement(scope, { key: "two-keys" }));
    expect(await meddled.findViolations({ extent: "all" })).toEqual([]);
    await local.meddle(text);
    const found = await meddled.findViolations({ extent });
    expect(new Set(found.map((violation) => violation.invariant))).toEqual(new Set([invariant]));
    expect(found[0]).toMatchObject(scope);
  });
});

describe("a backup of the release before", () => {
  it.each(["SQLite", "PostgreSQL"])(
    "is restored to %s, without what that release did not know",
    async (to) => {
      const name = `${++files}`;
      const source = await openSqlite(join(folder, `${name}.db`), { absent: "make" });
      const scope = await createLiveScope(source, 5);
      await source.settle(makeSettlement(scope, { key: "kept-key" }));
      const backup = join(folder, `${name}.backup.db`);
      await source.backup(backup);
      await source.close();
      const old = join(folder, `${name}.old.db`);
      await asOfSchema(1, backup, old);
      const path = join(folder, `${name}.restored.db`);
      const url = to === "SQLite" ? `sqlite:${path}` : await sharedPostgres.createDatabase();
      const restored = await restoreBackup(
        old,
        () => openStore(url, { absent: "make" }),
        to === "SQLite" ? path : undefined,
      );
      const usage = { period: { used: 1 }, byRoute: [{ route: "/v1/evaluate", units: 1 }] };
      expect(await restored.usage({ scope })).toMatchObject(usage);
      while (!(await restored.countRoutes({ limit: 1 })).done);
      expect(await restored.usage({ scope })).toMatchObject(usage);
      expect(await restored.findViolations({ extent: "all" })).toEqual([]);
      while (!(await restored.indexDecisions({ limit: 1 })).done);
      const compliant = { scope, verdict: "COMPLIANT", page: 1, pageSize: 25 };
      expect(await restored.listDecisions(compliant)).toMatchObject({
        totalCount: 1,
        items: [{ key: "kept-key" }],
      });
      const request = { key: "kept-key", fingerprint: "f" };
      const terms = { retentionMs: 1, acknowledgementMs: 1, replayLimit: 1 };
      expect(await restored.meetPublication({ scope, request, terms })).toEqual({ kind: "free" });
      await restored.close();
    },
  );
});

/** Writes the contents of a backup as a release with that many migrations did. */
async function asOfSchema(newest: number, backup: string, path: string): Promise<void> {
  await writeFile(path, "");
  const migrations = MIGRATIONS.filter(({ no }) => no <= newest);
  const connection = new Connection(path);
  connection.run(migrateSchema("sqlite", migrations), 0);
  connection.close();
  const file = new DatabaseSync(path);
  file.exec(`ATTACH '${backup}' AS newer; PRAGMA foreign_keys = OFF`);
  const text = `SELECT m.name AS "table", group_concat(c.name) AS columns FROM sqlite_schema m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name <> 'schema_migration' GROUP BY m.name`;
  for (const { table, columns } of file.prepare(text).all()) {
    file.exec(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM newer."${table}"`);
  }
  file.exec("DETACH newer; PRAGMA journal_mode = DELETE");
  file.close();
}

describe("a backup that somebody has changed", () => {
  let backup: string;

  beforeAll(async () => {
    const source = await openSqlite(join(folder, "sound.db"), { absent: "make" });
    const scope = await createLiveScope(source, 5);
    await source.settle(makeSettlement(scope, { key: "kept-key" }));
    backup = join(folder, "sound.backup.db");
    await source.backup(backup);
    await source.close();
  });

  const ENDLESS =
    "WITH RECURSIVE n (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM n) SELECT no, '' AS name FROM n";
  const rewritten = (where: string, set: string) =>
    `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET ${set} WHERE name = '${where}'`;
  const FORBIDDEN = "has a row that its constraints forbid";
  it.each<readonly [does: string, statements: string, code: string, words: RegExp]>([
    [
      "brings a trigger",
      "CREATE TRIGGER gift AFTER INSERT ON decision BEGIN UPDATE ledger SET quota = 1000000; END",
      "BACKUP_INVALID",
      /found trigger "gift" on "decision": CREATE TRIGGER gift .*, expected none/,
    ],
    [
      "brings a trigger under the name of one of ours",
      "DROP TRIGGER decision_no_update; CREATE TRIGGER decision_no_update BEFORE UPDATE ON decision BEGIN SELECT 1; END",
      "BACKUP_INVALID",
      /found trigger "decision_no_update" on "decision": .*, expected CREATE TRIGGER/,
    ],
    [
      "lacks a trigger",
      "DROP TRIGGER decision_no_delete",
      "BACKUP_INVALID",
      /found trigger "decision_no_delete" on "decision": none, expected CREATE TRIGGER/,
    ],
    [
      "has a column whose name is a statement",
      'ALTER TABLE organization ADD COLUMN "x) SELECT 1; DROP TABLE ledger CASCADE; --" TEXT',
      "BACKUP_INVALID",
      /found table "organization": /,
    ],
    [
      "has a computed column",
      "ALTER TABLE organization ADD COLUMN x TEXT AS (printf('%9d', 1))",
      "BACKUP_INVALID",
      /found table "organization": /,
    ],
    [
      "lacks a constraint",
      rewritten("period", "sql = replace(sql, 'CHECK (used BETWEEN 0 AND quota)', '')"),
      "BACKUP_INVALID",
      /found table "period": /,
    ],
    ["lacks an index", "DROP INDEX decision_by_period", "BACKUP_INVALID", /"decision_by_period" .* none,/],
    ["brings a table", "CREATE TABLE x (a TEXT)", "BACKUP_INVALID", /found table "x": /],
    [
      "brings a table that counts",
      "CREATE TABLE x (a INTEGER PRIMARY KEY AUTOINCREMENT)",
      "BACKUP_INVALID",
      /found table "(?:x|sqlite_sequence)": /,
    ],
    ["brings a table in another's place", "CREATE VIRTUAL TABLE x USING fts5 (a)", "BACKUP_INVALID", /"x/],
    ["brings a view", "CREATE VIEW x AS SELECT 1", "BACKUP_INVALID", /found view "x": /],
    [
      "has a view without end in place of the table that is read first",
      `DROP TABLE schema_migration; CREATE VIEW schema_migration AS ${ENDLESS}`,
      "BACKUP_INVALID",
      /without groundrule's state/,
    ],
    [
      "is of a newer release",
      "INSERT INTO schema_migration VALUES (1000, 'to come')",
      "SCHEMA_TOO_NEW",
      /found schema 1000/,
    ],
    [
      "lies about its migrations",
      "DELETE FROM schema_migration WHERE no = 2",
      "BACKUP_INVALID",
      /found list of migrations/,
    ],
    [
      "has an index of other rows",
      rewritten(
        "decision_by_reference",
        "rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'decision_by_request')",
      ),
      "BACKUP_INVALID",
      /damaged or not a backup/,
    ],
    [
      FORBIDDEN,
      "PRAGMA ignore_check_constraints = ON; UPDATE period SET used = quota + 1",
      "BACKUP_INVALID",
      /CHECK constraint failed in period/,
    ],
    [
      "has a row that refers to none",
      "PRAGMA foreign_keys = OFF; INSERT INTO record VALUES ('nobody', '', '')",
      "BACKUP_INVALID",
      /a row of record refers to none of decision/,
    ],
    [
      "has a number that cannot be read",
      "UPDATE organization SET created_at_ms = 9223372036854775807",
      "BACKUP_INVALID",
      /found a number in organization beyond/,
    ],
  ])("and that %s is refused before anything of it is stored", async (does, statements, code, words) => {
    const path = join(folder, `${++files}.hostile.db`);
    await copyFile(backup, path);
    const file = new DatabaseSync(path, { defensive: false });
    file.exec(statements);
    file.close();
    const openTarget = () => Promise.reject(new Error(`a store is opened for a backup that ${does}`));
    const target = join(folder, `${files}.target.db`);
    // PostgreSQL checks each row against its own constraints.
    for (const sqlitePath of does === FORBIDDEN ? [target] : [target, undefined]) {
      const refused = restoreBackup(path, openTarget, sqlitePath);
      await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(words) });
    }
    expect([target, `${target}.tmp`].filter((name) => existsSync(name))).toEqual([]);
  });

  it("by ANALYZE is restored", async () => {
    const path = join(folder, `${++files}.analyzed.db`);
    await copyFile(backup, path);
    const file = new DatabaseSync(path);
    file.exec("ANALYZE");
    file.close();
    const target = join(folder, `${files}.target.db`);
    await (await restoreBackup(path, () => openSqlite(target), target)).close();
  });

  it("cannot hand names to a store as statements", async () => {
    const store = await openStore(await sharedPostgres.createDatabase(), { absent: "make" });
    const columns = ["id", 'name") SELECT 1; DROP TABLE ledger CASCADE; --'];
    await expect(store.importRows({ table: "organization", columns, batch: [{ id: "o" }] })).rejects.toThrow(
      /column "name"/,
    );
    expect(await store.listOrganizations({})).toEqual([]);
    expect(await store.findViolations({ extent: "all" })).toEqual([]);
    await store.close();
  });

  it("to hold texts of any length is read no further than a row may be long", () => {
    const connection = new Connection(backup, "still", { longestValue: 5_000 });
    expect(connection.each("SELECT printf('%4000d', 1)").next().done).toBe(false);
    expect(() => connection.each("SELECT printf('%6000d', 1)").next()).toThrow(/too big/);
    connection.close();
  });
});

describe("the store on SQLite", () => {
  const clock = new VirtualClock("2026-01-31T12:00:00Z");

  it("makes many long reads at once, and refuses those that still wait when it closes", async () => {
    const dir = await createTestFolder();
    const store = await openSqlite(join(dir, "state.db"), { role: "serve", absent: "make", clock });
    const scope = await createLiveScope(store, 10);
    for (let i = 0; i < 3; i++) await store.settle(makeSettlement(scope));
    const read = () => store.listDecisions({ scope, page: 1, pageSize: 2 });
    const pages = await Promise.all(Array.from({ length: 20 }, read));
    expect(new Set(pages.map(({ items }) => items.map(({ seq }) => seq).join()))).toEqual(new Set(["3,2"]));
    await expect(
      store.listDecisions({ scope, verdict: {} as string, page: 1, pageSize: 2 }),
    ).rejects.toThrow();
    expect((await read()).totalCount).toBe(3);
    const late = Promise.allSettled(Array.from({ length: 20 }, read));
    await Promise.all([late, store.close()]);
    const [first, ...others] = await late;
    expect(first?.status).toBe("fulfilled");
    expect(others.at(-1)).toMatchObject({ reason: { code: "STORAGE_UNAVAILABLE" } });
    await expect(read()).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
  });

  it("refuses a write that comes while it closes, and makes the one before it", async () => {
    const dir = await createTestFolder();
    const lost: unknown[] = [];
    const path = join(dir, "state.db");
    const store = await openSqlite(path, {
      role: "serve",
      absent: "make",
      onLost: (error) => lost.push(error),
    });
    const quota = { live: 1, test: 1 };
    const before = store.createOrganization({ id: "org_1", name: "before", quota });
    // A write is passed on in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    const closed = store.close();
    await expect(store.createOrganization({ id: "org_2", name: "late", quota })).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
    });
    await Promise.all([before, closed]);
    expect(lost).toEqual([]);
    const again = await openSqlite(path);
    expect((await again.listOrganizations({})).map(({ name }) => name)).toEqual(["before"]);
    await again.close();
  });

  it("has one serving process, and lets a command work beside it", async () => {
    const place = await sqlitePlace();
    const serving = await place.open(clock, "serve");
    await expect(place.open(clock, "serve")).rejects.toMatchObject({ code: "STORE_IN_USE" });
    const command = await place.open(clock, "manage");
    const scope = await createLiveScope(command, 3);
    expect((await serving.settle(makeSettlement(scope))).kind).toBe("charged");
    await command.setQuota({ scope, quota: 1 });
    expect((await serving.settle(makeSettlement(scope))).kind).toBe("over-quota");
    await command.close();
    await serving.close();
    await expect(serving.settle(makeSettlement(scope))).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
    });
    await (await place.open(clock, "serve")).close();
  });
});

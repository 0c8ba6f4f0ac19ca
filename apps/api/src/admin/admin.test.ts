import { randomBytes } from "node:crypto";
import { chmod, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { makeSettlement } from "../../test/settlement.ts";
import { runSqlPastStore } from "../../test/store-places.ts";
import { createTestFolder } from "../../test/temporary-folder.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import { StoreKeyRing } from "../http/gates/store-key-ring.ts";
import { isApiKey, mintApiKey } from "../keys/api-key.ts";
import { openStore } from "../store/open-store.ts";
import type { StoredApiKey } from "../store/port/port.ts";
import { createKey, type KeyPorts, listKeys, revokeKey, rotateKey } from "./api-keys.ts";
import { backup, restore } from "./backups.ts";
import { doctor } from "./doctor.ts";
import { eraseDecisions, readUsage, releaseLedger, setQuota } from "./ledgers.ts";
import { openPepper } from "./open-pepper.ts";
import { createOrganization, type ManagePorts, setSubscription } from "./organizations.ts";

const HOUR_MS = 3_600_000;

describe("managing the state", () => {
  const pepper = { version: 1, secret: randomBytes(32) };
  let clock: VirtualClock;
  let ports: KeyPorts;

  beforeEach(async () => {
    clock = new VirtualClock("2026-06-15T10:00:00Z");
    ports = { store: await openStore("sqlite::memory:", { sqlite: { clock } }), pepper };
    await createOrganization(ports, { name: "Bank of Plots", liveQuota: 100 });
  });

  it("issues a key that opens, under its organization and mode, and keeps no secret of it", async () => {
    const issued = await createKey(ports, { organization: "Bank of Plots", mode: "live", name: "ci" });
    expect(isApiKey(issued.key)).toBe(true);
    const ring = new StoreKeyRing(ports.store, [pepper]);
    expect(await ring.find(issued.key)).toEqual({
      caller: {
        organization: issued.stored.organization,
        mode: "live",
        keyId: issued.stored.id,
        scopes: ["evaluate", "discover", "catalog:read", "catalog:write", "usage:read"],
        sources: ["*"],
      },
    });
    const kept = JSON.stringify(await listKeys(ports, "Bank of Plots"));
    expect(kept).not.toContain(issued.key.slice(12));
    await expect.poll(async () => (await listKeys(ports, "Bank of Plots"))[0]?.lastUsedAtMs).toBe(clock.ms);
    expect(
      await new StoreKeyRing(ports.store, [{ version: 1, secret: randomBytes(32) }]).find(issued.key),
    ).toEqual({
      refused: "API_KEY_INVALID",
    });
  });

  it("T-40: rotates with an overlap and expires, each to the millisecond; revokes within half a second", async () => {
    const ring = new StoreKeyRing(ports.store, [pepper], () => clock.ms);
    const { key, stored } = await createKey(ports, {
      organization: "Bank of Plots",
      mode: "test",
      name: "ci",
    });
    const next = await rotateKey(ports, { id: stored.id, overlapMs: HOUR_MS });
    expect(next.stored).toMatchObject({ name: "ci", mode: "test" });
    clock.advance(HOUR_MS - 1);
    expect(await ring.find(key)).toHaveProperty("caller");
    clock.advance(1);
    expect(await ring.find(key)).toEqual({ refused: "API_KEY_EXPIRED" });
    expect(await ring.find(next.key)).toHaveProperty("caller");
    await revokeKey(ports, next.stored.id);
    clock.advance(500);
    expect(await ring.find(next.key)).toEqual({ refused: "API_KEY_REVOKED" });
    await expect(rotateKey(ports, { id: stored.id })).rejects.toMatchObject({ code: "KEY_UNKNOWN" });
  });

  it("looks a busy key up, and notes its use, once while it is believed", async () => {
    const { key } = await createKey(ports, { organization: "Bank of Plots", mode: "live", name: "busy" });
    const calls = { findApiKey: 0, addCounts: 0 };
    const { findApiKey, addCounts } = ports.store;
    const counted = {
      findApiKey: (question: Parameters<typeof findApiKey>[0]) => {
        calls.findApiKey++;
        return findApiKey(question);
      },
      addCounts: (counts: Parameters<typeof addCounts>[0]) => {
        calls.addCounts++;
        return addCounts(counts);
      },
    };
    const ring = new StoreKeyRing(counted, [pepper], () => clock.ms);
    for (let i = 0; i < 20; i++) {
      expect(await ring.find(key)).toHaveProperty("caller");
      // The pending notes must have been written.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(calls).toEqual({ findApiKey: 1, addCounts: 1 });
  });

  it("counts the age of the store's answer from the query, however long it took", async () => {
    const { key, stored } = await createKey(ports, {
      organization: "Bank of Plots",
      mode: "live",
      name: "slow",
    });
    const slow = {
      ...ports.store,
      findApiKey: async (question: Parameters<typeof ports.store.findApiKey>[0]) => {
        const found = await ports.store.findApiKey(question);
        clock.advance(400);
        return found;
      },
      addCounts: async () => {},
    };
    const ring = new StoreKeyRing(slow, [pepper], () => clock.ms);
    expect(await ring.find(key)).toHaveProperty("caller");
    await revokeKey(ports, stored.id);
    expect(await ring.find(key)).toHaveProperty("caller");
    clock.advance(100);
    expect(await ring.find(key)).toEqual({ refused: "API_KEY_REVOKED" });
  });

  it("looks unknown keys up so often a second and no more; those it has found, always; new ones soon", async () => {
    const issue = async (name: string) =>
      createKey(ports, { organization: "Bank of Plots", mode: "live", name });
    let looks = 0;
    const counted = {
      ...ports.store,
      findApiKey: (question: Parameters<typeof ports.store.findApiKey>[0]) => {
        looks++;
        return ports.store.findApiKey(question);
      },
    };
    const ring = new StoreKeyRing(counted, [pepper], () => clock.ms, 20);
    const { key, stored } = await issue("before the flood");
    expect(await ring.find(key)).toHaveProperty("caller");
    const tried = await Promise.all(
      Array.from({ length: 500 }, () => ring.find(mintApiKey("live", randomBytes))),
    );
    expect(looks).toBe(21);
    expect(tried.filter((status) => isDeepStrictEqual(status, { refused: "API_KEY_INVALID" }))).toHaveLength(
      20,
    );
    expect(tried.filter((status) => isDeepStrictEqual(status, { refused: "OVERLOADED" }))).toHaveLength(480);

    // Keys never found here may be the flooding one; a key that was found before is looked up again.
    const late = await issue("in the flood");
    expect(await ring.find(late.key)).toEqual({ refused: "OVERLOADED" });
    clock.advance(500);
    const same = mintApiKey("live", randomBytes);
    looks = 0;
    for (let i = 0; i < 50; i++) expect(await ring.find(same)).toEqual({ refused: "API_KEY_INVALID" });
    expect(looks).toBe(1);
    expect(await ring.find(late.key)).toHaveProperty("caller");
    for (let i = 0; i < 20; i++) await ring.find(mintApiKey("live", randomBytes));
    expect(await ring.find(mintApiKey("live", randomBytes))).toEqual({ refused: "OVERLOADED" });
    clock.advance(1);
    looks = 0;
    expect(await ring.find(key)).toHaveProperty("caller");
    expect(looks).toBe(1);
    await revokeKey(ports, stored.id);
    clock.advance(500);
    looks = 0;
    for (let i = 0; i < 50; i++) expect(await ring.find(key)).toEqual({ refused: "API_KEY_REVOKED" });
    expect(looks).toBe(1);
  });

  it("knows a key within half a second of its making, though it was tried before", async () => {
    const { key, stored } = await createKey(ports, {
      organization: "Bank of Plots",
      mode: "live",
      name: "early",
    });
    const made: StoredApiKey[] = [];
    const before = { ...ports.store, findApiKey: async () => made[0] };
    const ring = new StoreKeyRing(before, [pepper], () => clock.ms);
    expect(await ring.find(key)).toEqual({ refused: "API_KEY_INVALID" });
    made.push(stored);
    clock.advance(500);
    expect(await ring.find(key)).toMatchObject({ caller: { keyId: stored.id } });
  });

  it("accepts keys hashed with the pepper before", async () => {
    const { key } = await createKey(ports, { organization: "Bank of Plots", mode: "live", name: "old" });
    const newer = { version: 2, secret: randomBytes(32) };
    expect(await new StoreKeyRing(ports.store, [newer, pepper]).find(key)).toHaveProperty("caller");
  });

  it("reports usage as the API does", async () => {
    const organization = (await setSubscription(ports, "Bank of Plots", "active")).id;
    await ports.store.settle(makeSettlement({ organization, mode: "live" }, { units: 3 }));
    await setQuota(ports, { organization: "Bank of Plots", mode: "live", quota: 50 });
    expect(await readUsage(ports, { organization: "Bank of Plots", mode: "live" })).toEqual({
      mode: "live",
      limit: 50,
      used: 3,
      remaining: 47,
      period_started_at: "2026-06-15T00:00:00.000Z",
      period_ends_at: "2026-07-15T00:00:00.000Z",
      by_route: { "/v1/evaluate": 3 },
    });
  });

  it.each([
    ["a name of nothing", () => createOrganization(ports, { name: "", liveQuota: 1 }), "VALUE_INVALID"],
    ["a quota of half", () => createOrganization(ports, { name: "b", liveQuota: 0.5 }), "VALUE_INVALID"],
    [
      "a name twice",
      () => createOrganization(ports, { name: "Bank of Plots", liveQuota: 1 }),
      "ORGANIZATION_EXISTS",
    ],
    [
      "an unknown organization",
      () => readUsage(ports, { organization: "x", mode: "live" }),
      "ORGANIZATION_UNKNOWN",
    ],
    ["an unknown key", () => revokeKey(ports, "key_x"), "KEY_UNKNOWN"],
    [
      "an overlap of a year",
      () => rotateKey(ports, { id: "key_x", overlapMs: 365 * 24 * HOUR_MS }),
      "VALUE_INVALID",
    ],
  ] as const)("refuses %s", async (_, action, code) => {
    await expect(action()).rejects.toMatchObject({ code });
  });

  it("T-39, T-46: doctor finds an altered ledger, answer and ruleset, and stops charging until it is released", async () => {
    const dir = await createTestFolder();
    const path = join(dir, "state.db");
    const open = (role: "manage" | "read") =>
      openStore(`sqlite:${path}`, { role, absent: "make", sqlite: { clock } });
    const local: ManagePorts = { store: await open("manage"), pepper };
    const { id } = await createOrganization(local, { name: "Trader", liveQuota: 100 });
    const scope = { organization: id, mode: "live" as const };
    const first = makeSettlement(scope, { key: "job-00001" });
    await local.store.settle(first);
    await local.store.createRuleset({ scope, name: "plots", version: "next", body: "{}", digest: "d" });
    expect((await doctor(open)).violations).toEqual([]);

    // The file's owner can drop the triggers that guard it; only the examination is left to detect that.
    await runSqlPastStore(
      `sqlite:${path}`,
      `DROP TRIGGER record_no_update; UPDATE record SET response = '{}';
         DROP TRIGGER ruleset_no_update; UPDATE ruleset SET body = '[]'; UPDATE period SET used = 2`,
    );

    const { violations } = await doctor(open);
    expect(violations.map(({ invariant }) => invariant).sort()).toEqual(["I1", "I14", "I15"]);
    expect(await local.store.settle(makeSettlement(scope))).toEqual({ kind: "frozen" });
    expect((await local.store.openGate({ scope, key: "job-00001" }))?.stored).toBeDefined();
    await releaseLedger(local, { organization: "Trader", mode: "live" });
    expect((await local.store.settle(makeSettlement(scope))).kind).toBe("charged");
    await local.store.close();
  });

  it("T-45: backs up and restores under load: a prefix of what was charged, whole", async () => {
    const dir = await createTestFolder();
    const url = `sqlite:${join(dir, "state.db")}`;
    const serving = await openStore(url, { role: "serve", absent: "make" });
    const local: ManagePorts = { store: serving, pepper };
    const { id } = await createOrganization(local, { name: "Trader", liveQuota: 10_000 });
    const scope = { organization: id, mode: "live" as const };
    let charged = 0;
    const over = new AbortController();
    const load = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted)
        if ((await serving.settle(makeSettlement(scope))).kind === "charged") charged++;
    });
    while (charged < 200) await new Promise((resolve) => setImmediate(resolve));
    const acknowledged = charged;
    const command = await openStore(url);
    await backup({ store: command, pepper }, join(dir, "backup.db"));
    await command.close();
    over.abort();
    await Promise.all(load);
    await serving.close();

    await restore(join(dir, "backup.db"), `sqlite:${join(dir, "restored.db")}`);
    const openRestored = (role?: "manage" | "read") =>
      openStore(`sqlite:${join(dir, "restored.db")}`, { ...(role && { role }) });
    expect((await doctor(openRestored)).violations).toEqual([]);
    const restored = await openRestored();
    const used = (await restored.usage({ scope }))?.period.used ?? 0;
    expect(used).toBeGreaterThanOrEqual(acknowledged);
    expect(used).toBeLessThanOrEqual(charged);
    expect((await restored.settle(makeSettlement(scope))).kind).toBe("charged");
    await restored.close();
    await expect(restore(join(dir, "backup.db"), `sqlite:${join(dir, "restored.db")}`)).rejects.toMatchObject(
      {
        code: "STORE_NOT_EMPTY",
      },
    );
  });

  it("makes one pepper for processes that start at once, and leaves no other file", async () => {
    const dir = await createTestFolder();
    const path = join(dir, "new/pepper");
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openStore(`sqlite:${join(dir, "state.db")}`, { absent: "make" })),
    );
    const peppers = await Promise.all(stores.map((store) => openPepper(path, store)));
    for (const store of stores) await store.close();
    expect(new Set(peppers.map(({ secret }) => Buffer.from(secret).toString("hex"))).size).toBe(1);
    expect(await readdir(join(dir, "new"))).toEqual(["pepper"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("makes no pepper where every user could replace it, but in a folder like /tmp", async () => {
    const dir = await createTestFolder();
    await chmod(dir, 0o777);
    const refused = openPepper(join(dir, "pepper"), ports.store);
    await expect(refused).rejects.toMatchObject({ code: "VALUE_INVALID" });
    expect(await readdir(dir)).toEqual([]);
    await chmod(dir, 0o1777);
    expect((await openPepper(join(dir, "pepper"), ports.store)).secret.length).toBe(32);
  });

  it("refuses a backup that is damaged", async () => {
    const dir = await createTestFolder();
    await writeFile(join(dir, "backup.db"), "not a database");
    await expect(restore(join(dir, "backup.db"), `sqlite:${join(dir, "x.db")}`)).rejects.toMatchObject({
      code: "BACKUP_INVALID",
    });
  });

  it("erases by organization", async () => {
    expect(await eraseDecisions(ports, { organization: "Bank of Plots", beforeMs: clock.ms })).toEqual({
      erased: 0,
    });
  });
});

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createLiveScope, makeSettlement } from "../../../test/settlement.ts";
import { createTestFolder, withTemporaryFolder } from "../../../test/temporary-folder.ts";
import type { Scope } from "../../ledger/scope.ts";
import type { Store } from "../port/port.ts";
import { findLaxModes } from "./lax-modes.ts";
import { openSqlite } from "./open-sqlite.ts";

async function make(path: string): Promise<Scope> {
  const store = await openSqlite(path, { absent: "make" });
  const scope = await createLiveScope(store, 10_000);
  await store.close();
  return scope;
}

/** A store in service with one charge. */
async function serveIn(dir: string): Promise<{ path: string; store: Store; scope: Scope }> {
  const path = join(dir, "state.db");
  const scope = await make(path);
  return { path, scope, store: await openSqlite(path, { role: "serve" }) };
}

describe("a state file with more than one name", () => {
  it("is neither served nor written to under any of them while it has a hard link, and is read", async () => {
    const dir = await createTestFolder();
    const path = join(dir, "state.db");
    const other = join(dir, "other.db");
    await make(path);
    linkSync(path, other);
    for (const name of [path, other]) {
      for (const role of ["serve", "manage"] as const) {
        await expect(openSqlite(name, { role }), `${role} ${name}`).rejects.toMatchObject({
          code: "STORE_FILE_SHARED",
          message: expect.stringContaining("2 names"),
        });
      }
      const reading = await openSqlite(name, { role: "read" });
      expect(await reading.listOrganizations({})).toHaveLength(1);
    }
    rmSync(other);
    await (await openSqlite(path, { role: "serve" })).close();
  });

  it("is not served under a hard link that is made while it is served", async () => {
    const dir = await createTestFolder();
    const { path, store, scope } = await serveIn(dir);
    linkSync(path, join(dir, "other.db"));
    await expect(openSqlite(join(dir, "other.db"), { role: "serve" })).rejects.toMatchObject({
      code: "STORE_FILE_SHARED",
    });
    expect((await store.settle(makeSettlement(scope))).kind).toBe("charged");
    await store.close();
  });

  it("is served once through links to it, to its folder, and its name", async () => {
    const dir = await createTestFolder();
    mkdirSync(join(dir, "data"));
    const { path, store } = await serveIn(join(dir, "data"));
    symlinkSync(path, join(dir, "link.db"));
    symlinkSync(join(dir, "data"), join(dir, "folder"));
    const names = [
      path,
      join(dir, "link.db"),
      join(dir, "folder/state.db"),
      join(dir, "folder/../data/state.db"),
    ];
    for (const name of names) {
      await expect(openSqlite(name, { role: "serve" }), name).rejects.toMatchObject({
        code: "STORE_IN_USE",
      });
      // A command that opens the link sees the served state, including the log.
      const command = await openSqlite(name);
      expect(await command.listOrganizations({})).toHaveLength(1);
      await command.close();
    }
    await store.close();
  });

  it("is not served where it is mounted by itself", async ({ skip }) => {
    await withTemporaryFolder(async (dir) => {
      const path = join(dir, "state.db");
      await make(path);
      const mounted = join(dir, "mounted here.db");
      writeFileSync(mounted, "");
      try {
        execFileSync("mount", ["--bind", path, mounted], { stdio: "ignore" });
      } catch {
        return skip("needs root, to mount a file by itself");
      }
      try {
        await expect(openSqlite(mounted, { role: "serve" })).rejects.toMatchObject({
          code: "STORE_FILE_SHARED",
          message: expect.stringContaining("a mount of a single file"),
        });
        await (await openSqlite(path, { role: "serve" })).close();
      } finally {
        execFileSync("umount", [mounted]);
      }
    });
  });
});

describe("a state file whose lock cannot be taken", () => {
  it("is not served, and the lock is named", async () => {
    const dir = await createTestFolder();
    const path = join(dir, "state.db");
    await make(path);
    writeFileSync(`${path}.serving`, "not a lock of SQLite, long enough to be looked at");
    await expect(openSqlite(path, { role: "serve" })).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
      message: expect.stringContaining(`the lock ${path}.serving cannot be taken: file is not a database`),
    });
  });
});

describe("a state file that is taken away while it is served", () => {
  it.each<[how: string, deed: (path: string) => void, says: RegExp]>([
    ["unlinked", (path) => rmSync(path), /state\.db was removed or renamed/],
    ["renamed", (path) => renameSync(path, `${path}.old`), /state\.db was removed or renamed/],
    [
      "replaced",
      (path) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
      /state\.db was replaced/,
    ],
    ["emptied", (path) => truncateSync(path), /state\.db was emptied/],
    [
      "written over in place, as cp does,",
      (path) => {
        execFileSync("cp", [path, `${path}.copy`]);
        execFileSync("cp", [`${path}.copy`, path]);
      },
      /state\.db was overwritten/,
    ],
    ["cut off from its log", (path) => truncateSync(`${path}-wal`), /state\.db-wal was cut short/],
    ["robbed of its log", (path) => rmSync(`${path}-wal`), /state\.db-wal was removed/],
    ["robbed of its index", (path) => rmSync(`${path}-shm`), /state\.db-shm was removed/],
    ["robbed of its lock", (path) => rmSync(`${path}.serving`), /state\.db\.serving was removed/],
    [
      "moved with its folder",
      (path) => renameSync(join(path, ".."), join(path, "../../moved")),
      /state\.db was removed or renamed/,
    ],
  ])("takes no part any more when it is %s, and states why", async (_, change, says) => {
    const outer = await createTestFolder();
    const dir = join(outer, "data");
    mkdirSync(dir);
    const { path, store, scope } = await serveIn(dir);
    expect((await store.settle(makeSettlement(scope))).kind).toBe("charged");
    expect(await store.trouble()).toBeUndefined();
    change(path);
    // Committed to a file that may come back; after that nothing is committed.
    await expect(store.settle(makeSettlement(scope))).rejects.toMatchObject({
      code: "OUTCOME_UNKNOWN",
      message: expect.stringMatching(says),
    });
    await expect(store.settle(makeSettlement(scope))).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
      message: expect.stringMatching(says),
    });
    expect(await store.trouble()).toMatch(says);
    await expect(store.openGate({ scope, key: null })).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
    });
    await expect(store.findViolations({ extent: "open" })).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
    });
    await store.close();
  });

  it("takes no part any more when the link to its folder is made to lead elsewhere", async () => {
    const dir = await createTestFolder();
    for (const name of ["one", "other"]) mkdirSync(join(dir, name));
    const scope = await make(join(dir, "one/state.db"));
    copyFileSync(join(dir, "one/state.db"), join(dir, "other/state.db"));
    symlinkSync(join(dir, "one"), join(dir, "current"));
    const store = await openSqlite(join(dir, "current/state.db"), { role: "serve" });
    expect((await store.settle(makeSettlement(scope))).kind).toBe("charged");
    rmSync(join(dir, "current"));
    symlinkSync(join(dir, "other"), join(dir, "current"));
    // A process started again opens the other file.
    await expect(store.settle(makeSettlement(scope))).rejects.toMatchObject({
      code: "OUTCOME_UNKNOWN",
      message: expect.stringContaining("current/state.db was replaced by another file"),
    });
    expect(await store.trouble()).toContain("was replaced by another file");
    await store.close();
  });

  it("is found to be gone within seconds without any request", async () => {
    const dir = await createTestFolder();
    const { path, store, scope } = await serveIn(dir);
    rmSync(path);
    await expect
      .poll(() =>
        store.openGate({ scope, key: null }).then(
          () => "read",
          ({ code }) => code,
        ),
      )
      .toBe("STORAGE_UNAVAILABLE");
    await store.close();
  });

  it("loses nothing that was acknowledged, whenever it is renamed, and serves again under its own name only after a restart", async () => {
    const dir = await createTestFolder();
    const { path, store, scope } = await serveIn(dir);
    const acknowledged: string[] = [];
    const unheard: string[] = [];
    let isOver = false;
    const askers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const settlement = makeSettlement(scope);
        try {
          if ((await store.settle(settlement)).kind === "charged") acknowledged.push(settlement.decisionId);
        } catch (error) {
          const { code } = error as { code?: string };
          if (code === "OUTCOME_UNKNOWN") unheard.push(settlement.decisionId);
          else if (code === "STORAGE_UNAVAILABLE") isOver = true;
          else throw error;
        }
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
    renameSync(path, join(dir, "elsewhere.db"));
    await Promise.all(askers);
    const count = acknowledged.length;
    renameSync(join(dir, "elsewhere.db"), path);
    await expect(store.settle(makeSettlement(scope))).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
    await store.close();
    const again = await openSqlite(path, { role: "serve" });
    for (const decisionId of acknowledged)
      expect(await again.findDecision({ scope, decisionId })).toBeDefined();
    const used = (await again.usage({ scope }))?.period.used ?? 0;
    expect(used).toBeGreaterThanOrEqual(count);
    expect(used).toBeLessThanOrEqual(count + unheard.length);
    expect((await again.settle(makeSettlement(scope))).kind).toBe("charged");
    await again.close();
  });
});

describe("a state file that is damaged", () => {
  /** Overwrites the content in the pages of a table or an index, but not their headers. */
  function spoil(path: string, name: string): void {
    const database = new DatabaseSync(path, { readOnly: true });
    const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = ?").get(name) as {
      rootpage: number;
    };
    const { page_size: size } = database.prepare("PRAGMA page_size").get() as { page_size: number };
    database.close();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, (rootpage - 1) * size, (rootpage - 1) * size + 100);
    writeFileSync(path, bytes);
  }

  it("charges nothing more, reports why, and is not served again", async () => {
    const dir = await createTestFolder();
    const { path, store, scope } = await serveIn(dir);
    await store.close();
    // Opened while it was sound: rows first read later come from the disk.
    const sound = readFileSync(path);
    const served = await openSqlite(path, { role: "serve" });
    spoil(path, "decision");
    expect(readFileSync(path).equals(sound)).toBe(false);
    await expect(served.settle(makeSettlement(scope))).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
      details: { damaged: "file" },
    });
    expect(await served.trouble()).toMatch(/damaged/);
    await expect(served.settle(makeSettlement(scope))).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
    await expect(served.findViolations({ extent: "all" })).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
    });
    await served.close();
    await expect(openSqlite(path, { role: "serve" })).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
      message: expect.stringMatching(/damaged.*restore a backup/),
    });
  });

  it("reports that it cannot be read where its disk fails, and repeats that for a while", async () => {
    const dir = await createTestFolder();
    const { path, store, scope } = await serveIn(dir);
    expect((await store.settle(makeSettlement(scope))).kind).toBe("charged");
    // Everything is still in the log; reading from one that ends early is a disk error.
    truncateSync(`${path}-wal`);
    await expect(store.usage({ scope })).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
      message: expect.stringContaining("disk I/O error"),
    });
    expect(await store.trouble()).toBeDefined();
    await store.close();
  });

  it("is unavailable where its head is no longer SQLite's", async () => {
    const dir = await createTestFolder();
    const path = join(dir, "state.db");
    await make(path);
    const bytes = readFileSync(path);
    bytes.fill(0x20, 0, 16);
    writeFileSync(path, bytes);
    for (const role of ["serve", "manage", "read"] as const) {
      await expect(openSqlite(path, { role }), role).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
    }
  });
});

describe("a state file that is only read", () => {
  it("has nothing made, changed or left beside it", async () => {
    const dir = await createTestFolder();
    const path = join(dir, "state.db");
    await make(path);
    const before = readdirSync(dir).map((name) => [name, statSync(join(dir, name)).mtimeMs]);
    const reading = await openSqlite(path, { role: "read" });
    expect(await reading.listOrganizations({})).toHaveLength(1);
    expect(await reading.findViolations({ extent: "all" })).toEqual([]);
    expect(await reading.trouble()).toBeUndefined();
    await reading.close();
    expect(readdirSync(dir).map((name) => [name, statSync(join(dir, name)).mtimeMs])).toEqual(before);
  });

  it("is read as it is while it is served, its log too, and as it was left by a crash", async () => {
    const dir = await createTestFolder();
    const { path, store, scope } = await serveIn(dir);
    const reading = await openSqlite(path, { role: "read" });
    for (let i = 1; i <= 3; i++) {
      await store.settle(makeSettlement(scope));
      expect((await reading.usage({ scope }))?.period.used).toBe(i);
    }
    // The state after a crash: a log whose content is not in the file.
    mkdirSync(join(dir, "crashed"));
    for (const suffix of ["", "-wal"])
      copyFileSync(`${path}${suffix}`, join(dir, `crashed/state.db${suffix}`));
    const crashed = await openSqlite(join(dir, "crashed/state.db"), { role: "read" });
    expect((await crashed.usage({ scope }))?.period.used).toBe(3);
    await store.close();
  });
});

describe("making a state file", () => {
  it("is refused without the option, and leaves nothing", async () => {
    const dir = await createTestFolder();
    const path = join(dir, "data/state.db");
    for (const role of ["serve", "manage", "read"] as const) {
      await expect(openSqlite(path, { role })).rejects.toMatchObject({ code: "STORE_MISSING" });
    }
    expect(readdirSync(dir)).toEqual([]);
    writeFileSync(join(dir, "empty.db"), "");
    for (const role of ["serve", "manage", "read"] as const) {
      await expect(openSqlite(join(dir, "empty.db"), { role })).rejects.toMatchObject({
        code: "STORE_MISSING",
        message: expect.stringContaining("empty"),
      });
    }
    new DatabaseSync(join(dir, "foreign.db")).exec("CREATE TABLE x (y)");
    for (const role of ["serve", "manage", "read"] as const) {
      await expect(openSqlite(join(dir, "foreign.db"), { role })).rejects.toMatchObject({
        code: "STORE_MISSING",
      });
    }
    expect(readdirSync(dir).sort()).toEqual(["empty.db", "foreign.db"]);
  });

  it("is refused where a pepper, a log or a dangling link says that there was one", async () => {
    const dir = await createTestFolder();
    const path = join(dir, "state.db");
    for (const [remains, says] of [
      ["state.db.pepper", /its pepper is at .*put it back, or restore a backup/],
      ["state.db-wal", /its log .*may contain charges/],
    ] as const) {
      writeFileSync(join(dir, remains), "x");
      await expect(openSqlite(path, { absent: "make" })).rejects.toMatchObject({
        code: "STORE_MISSING",
        message: expect.stringMatching(says),
      });
      rmSync(join(dir, remains));
    }
    symlinkSync(join(dir, "not mounted/state.db"), path);
    await expect(openSqlite(path, { absent: "make" })).rejects.toMatchObject({ code: "STORE_MISSING" });
    expect(readdirSync(dir)).toEqual(["state.db"]);
  });

  it("gives its files to their owner alone, whatever the umask, and backups too", async () => {
    const dir = await createTestFolder();
    const before = process.umask(0);
    try {
      const folder = join(dir, "new/data");
      const path = join(folder, "state.db");
      const scope = await make(path);
      const store = await openSqlite(path, { role: "serve" });
      await store.settle(makeSettlement(scope));
      await store.backup(join(folder, "backup.db"));
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      const names = readdirSync(folder);
      expect(names).toEqual(
        expect.arrayContaining(["backup.db", "state.db", "state.db-shm", "state.db-wal"]),
      );
      for (const name of names) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
      expect(findLaxModes(path, `${path}.pepper`)).toEqual([]);
      execFileSync("chmod", ["644", path]);
      execFileSync("chmod", ["775", folder]);
      expect(findLaxModes(path, `${path}.pepper`)).toEqual([
        { path: folder, found: "0775", expected: "0755", mend: `chmod go-w ${folder}` },
        { path, found: "0644", expected: "0600", mend: `chmod 0600 ${path}` },
      ]);
      await store.close();
    } finally {
      process.umask(before);
    }
  });
});

import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { MIGRATIONS } from "../migrations/all.ts";
import { migrate } from "../migrations/migrate.ts";
import { exportLot, importRows, tablesHeld } from "../operations/copy-rows.ts";
import type { Row, Store } from "../port/port.ts";
import { StoreError } from "../port/store-error.ts";
import { Connection } from "./connection.ts";
import { makeFolder, makePrivateFile, refuseLog } from "./state-file.ts";

/**
 * Writes a state file that holds what `produce` gives: the form of every backup, whichever database
 * it is of.
 */
export async function writeStateFile(
  path: string,
  produce: (take: (table: string, lot: readonly Row[]) => void) => Promise<void>,
): Promise<void> {
  await refuseExisting(path);
  const temporary = `${path}.tmp`;
  await rm(temporary, { force: true });
  makePrivateFile(temporary);
  const connection = new Connection(temporary);
  try {
    connection.exec("BEGIN IMMEDIATE");
    connection.run(migrate("sqlite", MIGRATIONS), 0);
    await produce((table, lot) => connection.run(importRows({ table, lot }), 0));
    connection.exec("COMMIT");
    connection.close();
  } catch (error) {
    connection.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await rename(temporary, path);
}

/**
 * Puts a backup where a store is to be, and opens it.
 *
 * Fails: `BACKUP_INVALID` where the file is damaged or an invariant does not hold in it,
 * `STORE_NOT_EMPTY` where there is a state already, `STORE_MISSING` where the log of a lost one is, and as
 * `openStore` does.
 *
 * @param openTarget opens the store it becomes, made empty where there is none
 */
export async function restoreBackup(
  backup: string,
  openTarget: () => Promise<Store>,
  sqlitePath: string | undefined,
): Promise<Store> {
  await refuseOpenStore(backup);
  if (sqlitePath !== undefined) {
    await refuseExisting(sqlitePath);
    refuseLog(sqlitePath);
    makeFolder(dirname(sqlitePath));
    const temporary = `${sqlitePath}.tmp`;
    await rm(temporary, { force: true });
    await pipeline(
      createReadStream(backup),
      createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true }),
    );
    checkFile(temporary, backup);
    await rename(temporary, sqlitePath);
    return examined(await openTarget(), backup);
  }
  checkFile(backup, backup);
  const target = await openTarget();
  if ((await target.listOrganizations({})).length > 0) {
    await target.close();
    throw new StoreError("STORE_NOT_EMPTY", "the store already contains state; restore into an empty store");
  }
  const source = new Connection(backup, "still");
  try {
    for (const table of source.run(tablesHeld(), 0)) {
      for (let last: Row | undefined; ; ) {
        const lot = source.run(exportLot(table, last), 0);
        if (lot.length === 0) break;
        await target.importRows({ table, lot });
        last = lot.at(-1);
      }
    }
  } finally {
    source.close();
  }
  return examined(target, backup);
}

function checkFile(path: string, backup: string): void {
  let damage: string | undefined;
  try {
    const connection = new Connection(path, "still");
    damage = connection.findDamage();
    connection.close();
  } catch (error) {
    damage = error instanceof Error ? error.message : String(error);
  }
  if (damage !== undefined) {
    throw new StoreError("BACKUP_INVALID", `${backup} is damaged or not a backup: ${damage}`, { backup });
  }
}

async function examined(store: Store, backup: string): Promise<Store> {
  const violations = await store.findViolations({ extent: "all" });
  if (violations.length === 0) return store;
  await store.close();
  throw new StoreError("BACKUP_INVALID", `${backup} was restored, but ${violations[0]!.message}`, {
    violations,
  });
}

/** A copy of a store's file alone lacks what is in its log. */
async function refuseOpenStore(backup: string): Promise<void> {
  const log = await stat(`${backup}-wal`).catch(() => undefined);
  if (log === undefined || log.size === 0) return;
  throw new StoreError(
    "BACKUP_INVALID",
    `${backup} has a log beside it (${backup}-wal), so it is a store and not a backup; back it up with groundrule backup`,
    { backup },
  );
}

async function refuseExisting(path: string): Promise<void> {
  const found = await open(path, "r").catch(() => undefined);
  if (found === undefined) return;
  const { size } = await found.stat();
  await found.close();
  // What an emptied store leaves; nothing is lost with it.
  if (size === 0) return;
  throw new StoreError("STORE_NOT_EMPTY", `${path} already exists; name another file`, { path });
}

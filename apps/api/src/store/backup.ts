import { copyFile, open, rename, rm } from "node:fs/promises";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { type Operation, rows, sql } from "./operation.ts";
import { exportLot, importRows, type Row, TABLES } from "./operations/copy-rows.ts";
import type { Store } from "./port.ts";
import { Connection } from "./sqlite/connection.ts";
import { StoreError } from "./store-error.ts";

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
 * `STORE_NOT_EMPTY` where there is a state already, and as `openStore` does.
 *
 * @param openTarget opens the store it becomes, made empty where there is none
 */
export async function restoreBackup(
  backup: string,
  openTarget: () => Promise<Store>,
  sqlitePath: string | undefined,
): Promise<Store> {
  if (sqlitePath !== undefined) {
    await refuseExisting(sqlitePath);
    await copyFile(backup, `${sqlitePath}.tmp`);
    checkFile(`${sqlitePath}.tmp`, backup);
    await rename(`${sqlitePath}.tmp`, sqlitePath);
    return examined(await openTarget(), backup);
  }
  checkFile(backup, backup);
  const target = await openTarget();
  if ((await target.listOrganizations({})).length > 0) {
    await target.close();
    throw new StoreError("STORE_NOT_EMPTY", "the store holds a state already; restore into an empty one");
  }
  const source = new Connection(backup, { readOnly: true });
  try {
    // A backup of an earlier release lacks the tables that came after it.
    const held = source.run(tableNames(), 0);
    for (const table of TABLES.filter((name) => held.has(name))) {
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

function* tableNames(): Operation<ReadonlySet<string>> {
  const found = yield* rows<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE type = 'table'`);
  return new Set(found.map(({ name }) => name));
}

function checkFile(path: string, backup: string): void {
  let damage: string | undefined;
  try {
    const connection = new Connection(path, { readOnly: true });
    damage = connection.findDamage();
    connection.close();
  } catch (error) {
    damage = error instanceof Error ? error.message : String(error);
  }
  if (damage !== undefined) {
    throw new StoreError("BACKUP_INVALID", `${backup} is not a sound state file: ${damage}`, { backup });
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

async function refuseExisting(path: string): Promise<void> {
  const found = await open(path, "r").catch(() => undefined);
  if (found === undefined) return;
  await found.close();
  throw new StoreError("STORE_NOT_EMPTY", `there is a file at ${path} already; name another`, { path });
}

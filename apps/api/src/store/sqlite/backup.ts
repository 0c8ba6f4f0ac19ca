import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { MIGRATIONS } from "../migrations/all.ts";
import { migrateSchema } from "../migrations/migrate.ts";
import { importRows, listPresentTables } from "../operations/copy-rows.ts";
import type { Row, Store } from "../port/port.ts";
import { getErrorMessage, StoreError } from "../port/store-error.ts";
import { Connection } from "./connection.ts";
import { assertOwnSchema, listOwnColumns, type TableColumns } from "./own-schema.ts";
import { makePrivateFile, makePrivateFolder, refuseOrphanedLog } from "./state-file.ts";

/** Writes a state file with the rows that `produce` yields: the form of every backup, from either database. */
export async function writeStateFile(
  path: string,
  produce: (take: (table: string, batch: readonly Row[]) => void) => Promise<void>,
): Promise<void> {
  await refuseExistingFile(path);
  const temporary = `${path}.tmp`;
  await rm(temporary, { force: true });
  makePrivateFile(temporary);
  const connection = new Connection(temporary);
  const columns = listOwnColumns();
  try {
    connection.exec("BEGIN IMMEDIATE");
    connection.run(migrateSchema("sqlite", MIGRATIONS), 0);
    await produce((table, batch) =>
      connection.run(
        importRows({ table, columns: selectPresentColumns(columns.get(table), batch), batch }),
        0,
      ),
    );
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
 * Copies a backup to the place of a new store, and opens it.
 *
 * Fails: `BACKUP_INVALID` if the file is damaged, has a schema that no release makes, or breaks an invariant;
 * `SCHEMA_TOO_NEW` if a newer release wrote it, `STORE_NOT_EMPTY` if there is a state already, `STORE_MISSING` if the
 * log of a lost one is there, and as `openStore` does.
 *
 * @param openTarget opens the resulting store, created empty if it is absent
 */
export async function restoreBackup(
  backup: string,
  openTarget: () => Promise<Store>,
  sqlitePath: string | undefined,
): Promise<Store> {
  await refuseOpenStore(backup);
  if (sqlitePath !== undefined) {
    await refuseExistingFile(sqlitePath);
    refuseOrphanedLog(sqlitePath);
    makePrivateFolder(dirname(sqlitePath));
    const temporary = `${sqlitePath}.tmp`;
    await rm(temporary, { force: true });
    await pipeline(
      createReadStream(backup),
      createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true }),
    );
    try {
      openCheckedBackup(temporary, backup, "write").connection.close();
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await rename(temporary, sqlitePath);
    return checkRestoredStore(await openTarget(), backup);
  }
  const source = openCheckedBackup(backup, backup, "still");
  try {
    const target = await openTarget();
    try {
      if ((await target.listOrganizations({})).length > 0) {
        throw new StoreError(
          "STORE_NOT_EMPTY",
          "the store already contains state; restore into an empty store",
        );
      }
      await copyBackupRows(source, target, backup);
    } catch (error) {
      await target.close();
      throw error;
    }
    return await checkRestoredStore(target, backup);
  } finally {
    source.connection.close();
  }
}

/** A backup that passed the checks. */
interface CheckedBackup {
  readonly connection: Connection;
  /** Columns of its tables, as the migrations applied to it make them. */
  readonly columns: TableColumns;
}

/**
 * Opens a backup and checks it: first that its schema contains nothing foreign, then every page, index and row.
 *
 * @param path of the file, or of its copy
 * @param access `write` for a copy: SQLite checks rows against their constraints only where it could write. Rows that
 *   are copied one by one are checked against the constraints of the store they are copied to
 *
 * Fails: `BACKUP_INVALID`, `SCHEMA_TOO_NEW`.
 */
function openCheckedBackup(path: string, backup: string, access: "still" | "write"): CheckedBackup {
  return runBackupRead(backup, () => {
    const found = new Connection(path, "still", { longestValue: LONGEST_VALUE });
    const columns = runAndClose(found, () => assertOwnSchema(found, backup));
    const connection = new Connection(path, access, { longestValue: LONGEST_VALUE });
    try {
      const damage = connection.findContradiction() ?? findUnreadableNumber(connection, columns);
      if (damage !== undefined) throw new Error(damage);
      return { connection, columns };
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

function runAndClose<Result>(connection: Connection, work: () => Result): Result {
  try {
    return work();
  } finally {
    connection.close();
  }
}

/** Finds a number that no release writes, because none can read it. */
function findUnreadableNumber(connection: Connection, columns: TableColumns): string | undefined {
  for (const [table, names] of columns) {
    const beyond = names.map((name) => {
      return `typeof("${name}") = 'integer' AND "${name}" NOT BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
    });
    const text = `SELECT 1 FROM "${table}" WHERE ${beyond.join(" OR ")} LIMIT 1`;
    if (connection.all({ text, values: [] }).length > 0) {
      return `found a number in ${table} beyond ±${Number.MAX_SAFE_INTEGER}`;
    }
  }
  return undefined;
}

/** Runs a read of a backup. Fails: `BACKUP_INVALID` if SQLite fails. */
function runBackupRead<Result>(backup: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreError && error.code !== "STORAGE_UNAVAILABLE") throw error;
    throw new StoreError(
      "BACKUP_INVALID",
      `${backup} is damaged or not a backup: ${getErrorMessage(error)}`,
      { backup },
      error,
    );
  }
}

/** Maximum bytes of a row: more than the longest request and answer that can be stored together. */
const LONGEST_VALUE = 256 * 1024 * 1024;

/** Maximum rows and characters of a batch; a batch has at least one row. */
const BATCH = { rows: 200, characters: 8 * 1024 * 1024 } as const;

async function copyBackupRows(
  { connection, columns }: CheckedBackup,
  target: Store,
  backup: string,
): Promise<void> {
  for (const table of connection.run(listPresentTables(), 0)) {
    const own = columns.get(table)!;
    const rows = connection.each(`SELECT ${own.map((name) => `"${name}"`).join(", ")} FROM "${table}"`);
    let batch: Row[] = [];
    let characters = 0;
    const send = async () => {
      if (batch.length > 0) await target.importRows({ table, columns: own, batch });
      batch = [];
      characters = 0;
    };
    for (
      let next = runBackupRead(backup, () => rows.next());
      next.done !== true;
      next = runBackupRead(backup, () => rows.next())
    ) {
      const row = next.value as Row;
      batch.push(row);
      for (const value of Object.values(row)) if (typeof value === "string") characters += value.length;
      if (batch.length >= BATCH.rows || characters >= BATCH.characters) await send();
    }
    await send();
  }
}

/** The table's columns that the rows have: a store that is only read may be of an older release. */
function selectPresentColumns(
  columns: readonly string[] | undefined,
  [first]: readonly Row[],
): readonly string[] {
  return (columns ?? []).filter((column) => first !== undefined && Object.hasOwn(first, column));
}

async function checkRestoredStore(store: Store, backup: string): Promise<Store> {
  const violations = await store.findViolations({ extent: "all" });
  if (violations.length === 0) return store;
  await store.close();
  throw new StoreError("BACKUP_INVALID", `${backup} was restored, but ${violations[0]!.message}`, {
    violations,
  });
}

/** A copy of just the file of an open store would lack the contents of its log. */
async function refuseOpenStore(backup: string): Promise<void> {
  const log = await stat(`${backup}-wal`).catch(() => undefined);
  if (log === undefined || log.size === 0) return;
  throw new StoreError(
    "BACKUP_INVALID",
    `${backup} has a log beside it (${backup}-wal), so it is a store and not a backup; back it up with groundrule backup`,
    { backup },
  );
}

async function refuseExistingFile(path: string): Promise<void> {
  const found = await open(path, "r").catch(() => undefined);
  if (found === undefined) return;
  const { size } = await found.stat();
  await found.close();
  // An empty log of a closed store: nothing is lost with it.
  if (size === 0) return;
  throw new StoreError("STORE_NOT_EMPTY", `${path} already exists; name another file`, { path });
}

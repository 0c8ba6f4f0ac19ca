import { findSqlitePath, openStore } from "../store/open-store.ts";
import { restoreBackup } from "../store/sqlite/backup.ts";
import type { ManagePorts } from "./organizations.ts";

/** Writes the current state to a new file while the service runs. Fails: `STORE_NOT_EMPTY`. */
export async function backup({ store }: ManagePorts, path: string): Promise<void> {
  await store.backup(path);
}

/**
 * Restores a backup into an empty database, SQLite or PostgreSQL.
 *
 * Fails: `BACKUP_INVALID`, `STORE_NOT_EMPTY`.
 */
export async function restore(backupPath: string, storeUrl: string): Promise<void> {
  const openTarget = () => openStore(storeUrl, { absent: "make", trustClock: true });
  const store = await restoreBackup(backupPath, openTarget, findSqlitePath(storeUrl));
  await store.close();
}

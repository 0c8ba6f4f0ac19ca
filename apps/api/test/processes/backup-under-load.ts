import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { expectReplays, isAnswered, readSoundUse, startSteadyLoad, warmUpTarget } from "./load.ts";
import { type Deployment, runCommand, type ServedByCommand, startServeTarget } from "./serve-target.ts";

export interface BackupReport {
  readonly acknowledgedBefore: number;
  readonly restored: number;
  readonly acknowledgedInAll: number;
  readonly backupMs: number;
}

/**
 * T-45. The command backs up while the service is asked 100 times a second; the service is killed,
 * and the backup restored elsewhere, with the pepper.
 *
 * @param restoredUrl a store that is empty yet
 *
 * @throws where the restored service does not replay, byte for byte, every answer that was
 *   acknowledged before the backup began, or an invariant is broken in it
 */
export async function backUpUnderLoad(
  deployment: Deployment,
  served: ServedByCommand,
  url: string,
  restoredUrl: string,
  dir: string,
): Promise<BackupReport> {
  const { scope, key } = served;
  const file = join(dir, "backup.db");
  await using target = await served.start();
  await warmUpTarget(target, scope);
  const warm = await readSoundUse(url, scope, "before the backup");
  const load = startSteadyLoad(target, scope, 100, { prefix: "backup", mostRunning: 64 });
  await load.answered(100);
  const beganMs = performance.now();
  await runCommand("backup", file, "--store", url, "--pepper", deployment.pepperFile);
  const endedMs = performance.now();
  await load.answered(30);
  const sent = await load.end();
  await target.kill();

  await runCommand("restore", file, "--store", restoredUrl);
  const pepperFile = join(dir, "restored.pepper");
  await copyFile(deployment.pepperFile, pepperFile);
  await using next = await startServeTarget({ ...deployment, pepperFile, store: restoredUrl, key });
  const restored = (await readSoundUse(restoredUrl, scope, "in the backup")) - warm;
  const acknowledged = sent.filter(isAnswered);
  const before = acknowledged.filter(({ atMs, tookMs }) => atMs + tookMs < beganMs);
  const possible = sent.filter(({ atMs }) => atMs < endedMs).length;
  if (before.length === 0) throw new Error("nothing was charged before the backup began");
  if (restored < before.length || restored > possible) {
    throw new Error(`${before.length} to ${possible} charges were to be restored, there are ${restored}`);
  }
  await expectReplays([next], scope, before);
  const fresh = await next.ask({ ...sent[0]!.order, request: { ...sent[0]!.order.request, key: null } });
  if (fresh.kind !== "charged") throw new Error(`restored, it answers ${JSON.stringify(fresh)}`);
  await readSoundUse(restoredUrl, scope, "after asking again");
  return {
    acknowledgedBefore: before.length,
    restored,
    acknowledgedInAll: acknowledged.length,
    backupMs: Math.round(endedMs - beganMs),
  };
}

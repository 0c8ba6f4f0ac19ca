import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "../../src/store/open-store.ts";
import { withStore } from "../store-places.ts";
import { expectSound } from "./kill.ts";
import { isAnswered, type SentRequest, SteadyLoad, warmUp } from "./load.ts";
import { type Deployment, runCommand, type ServedByCommand, serveTarget } from "./serve-target.ts";

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
  const target = await served.start();
  await warmUp(target, scope);
  const warm = await usedIn(url, served);
  const load = new SteadyLoad(target, scope, 100, { prefix: "backup", mostRunning: 64 });
  await load.heard(100);
  const beganMs = performance.now();
  await runCommand("backup", file, "--store", url, "--pepper", deployment.pepperFile);
  const endedMs = performance.now();
  await load.heard(30);
  const sent = await load.stop();
  await target.kill();

  await runCommand("restore", file, "--store", restoredUrl);
  const pepperFile = join(dir, "restored.pepper");
  await copyFile(deployment.pepperFile, pepperFile);
  const store = await openStore(restoredUrl);
  const next = await serveTarget({ ...deployment, pepperFile, store: restoredUrl, key });
  try {
    await expectSound(store, "in the backup");
    const restored = (await usedIn(restoredUrl, served)) - warm;
    const acknowledged = sent.filter(isAnswered);
    const before = acknowledged.filter(({ atMs, tookMs }) => atMs + tookMs < beganMs);
    const possible = sent.filter(({ atMs }) => atMs < endedMs).length;
    if (before.length === 0) throw new Error("nothing was charged before the backup began");
    if (restored < before.length || restored > possible) {
      throw new Error(`${before.length} to ${possible} charges were to be restored, there are ${restored}`);
    }
    for (const one of before) await expectReplay(next, one);
    const fresh = await next.ask({ ...sent[0]!.order, request: { ...sent[0]!.order.request, key: null } });
    if (fresh.kind !== "charged") throw new Error(`restored, it answers ${JSON.stringify(fresh)}`);
    await expectSound(store, "after asking again");
    return {
      acknowledgedBefore: before.length,
      restored,
      acknowledgedInAll: acknowledged.length,
      backupMs: Math.round(endedMs - beganMs),
    };
  } finally {
    await store.close();
    await next.kill();
  }
}

function usedIn(url: string, { scope }: ServedByCommand): Promise<number> {
  return withStore(url, async (store) => (await store.usage({ scope }))?.period.used ?? 0);
}

async function expectReplay(
  target: Awaited<ReturnType<typeof serveTarget>>,
  { order, answer }: SentRequest,
): Promise<void> {
  const again = await target.ask(order);
  const first = answer as { readonly response: string };
  if (again.kind === "replayed" && again.response === first.response) return;
  throw new Error(`${order.request.key} was answered ${JSON.stringify(again)}, at first ${first.response}`);
}

import { execFile } from "node:child_process";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { openSqlite } from "../../src/store/sqlite/open-sqlite.ts";
import { StoreError } from "../../src/store/store-error.ts";
import { newScope, settlementOf } from "../settlement.ts";

const exec = promisify(execFile);

export interface DiskFullReport {
  readonly charged: number;
  readonly refused: number;
  readonly chargedAfterwards: number;
}

/**
 * T-11. Settles on a disk of 2 MB until it is full and on, then makes room.
 *
 * @returns undefined where this user may not mount a disk of that size
 *
 * @throws where anything but `STORAGE_UNAVAILABLE` is said, anything is charged by half, what was
 *   charged cannot be read meanwhile, or charging does not go on once there is room
 */
export async function fillDisk(dir: string, settlements: number): Promise<DiskFullReport | undefined> {
  const disk = join(dir, "disk");
  await mkdir(disk);
  try {
    await exec("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk]);
  } catch {
    return undefined;
  }
  try {
    return await settleOn(disk, settlements);
  } finally {
    await exec("umount", [disk]);
  }
}

async function settleOn(disk: string, settlements: number): Promise<DiskFullReport> {
  const store = await openSqlite(join(disk, "state.db"), { role: "serve", absent: "make" });
  try {
    const scope = await newScope(store, 1_000_000);
    const ballast = join(disk, "ballast");
    await writeFile(ballast, Buffer.alloc(512 * 1024));
    const charged: string[] = [];
    let refused = 0;
    const settle = async (): Promise<void> => {
      const settlement = settlementOf(scope, { response: "x".repeat(1_000) });
      try {
        const outcome = await store.settle(settlement);
        if (outcome.kind === "charged") charged.push(settlement.decisionId);
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== "STORAGE_UNAVAILABLE") throw error;
        refused++;
      }
    };
    const settleAll = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += 30) await Promise.all(Array.from({ length: 30 }, settle));
    };
    await settleAll(settlements);
    const { bavail } = await statfs(disk);
    const report = { charged: charged.length, refused };
    if (refused === 0) throw new Error(`the disk did not fill up: ${bavail} blocks are left`);
    const answer = await store.findAnswer({ scope, decisionId: charged[0]! });
    if (answer === undefined) throw new Error("what was charged cannot be read on a full disk");

    await rm(ballast);
    const before = charged.length;
    await settleAll(30);
    const [violation] = await store.findViolations({ extent: "all" });
    if (violation !== undefined) throw new Error(`${violation.invariant}: ${violation.message}`);
    const used = (await store.usage({ scope }))?.period.used;
    if (used !== charged.length) throw new Error(`${charged.length} were acknowledged, ${used} stand`);
    return { ...report, chargedAfterwards: charged.length - before };
  } finally {
    await store.close();
  }
}

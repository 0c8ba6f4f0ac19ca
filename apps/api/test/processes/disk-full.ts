import { execFile } from "node:child_process";
import { mkdir, open, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Store } from "../../src/store/port/port.ts";
import { StoreError } from "../../src/store/port/store-error.ts";
import { openSqlite } from "../../src/store/sqlite/open-sqlite.ts";
import { createLiveScope, makeSettlement } from "../settlement.ts";
import { expectNoViolation } from "./load.ts";

const exec = promisify(execFile);

export interface DiskFullReport {
  readonly charged: number;
  readonly refused: number;
  readonly chargedAfterwards: number;
  /** Why the store said that it should not be asked, while nobody was charged. */
  readonly trouble: string;
}

/**
 * T-11. Settles on a disk of 2 MB until it is full and on, then makes room. While it is full the store says so,
 * to whoever asks it and to one that was opened since and asked for nothing; once there is room it says so too,
 * before anybody is charged.
 *
 * @returns undefined where this user may not mount a disk of that size
 *
 * @throws where the store is ready while it refuses, or not once there is room, anything but `STORAGE_UNAVAILABLE` is said, anything is charged by half, what was
 *   charged cannot be read meanwhile, or charging does not go on once there is room
 */
export async function settleUntilDiskFull(
  dir: string,
  settlements: number,
): Promise<DiskFullReport | undefined> {
  return onSmallDisk(dir, (disk) => settleOnDisk(disk, settlements));
}

/** Undefined where this user may not mount a disk of that size. */
async function onSmallDisk<Result>(
  dir: string,
  action: (disk: string) => Promise<Result>,
): Promise<Result | undefined> {
  const disk = join(dir, "disk");
  await mkdir(disk);
  try {
    await exec("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk]);
  } catch {
    return undefined;
  }
  try {
    return await action(disk);
  } finally {
    await exec("umount", [disk]);
  }
}

async function settleOnDisk(disk: string, settlements: number): Promise<DiskFullReport> {
  const store = await openSqlite(join(disk, "state.db"), { role: "serve", absent: "make" });
  try {
    const scope = await createLiveScope(store, 1_000_000);
    const ballast = join(disk, "ballast");
    await writeFile(ballast, Buffer.alloc(512 * 1024));
    const charged: string[] = [];
    let refused = 0;
    const settle = async (): Promise<void> => {
      const settlement = makeSettlement(scope, { response: "x".repeat(1_000) });
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

    const trouble = await store.trouble();
    if (trouble === undefined) throw new Error("the store that refuses charges says that it is ready");

    await rm(ballast);
    await waitUntilReady(store);
    const before = charged.length;
    await settleAll(30);
    await expectNoViolation(store, "after the disk was full");
    const used = (await store.usage({ scope }))?.period.used;
    if (used !== charged.length) throw new Error(`${charged.length} were acknowledged, ${used} stand`);
    return { ...report, chargedAfterwards: charged.length - before, trouble };
  } finally {
    await store.close();
  }
}

/** It looks again by itself when it is asked, once a second. */
async function waitUntilReady(store: Store): Promise<void> {
  while ((await store.trouble()) !== undefined) await sleep(50);
}

/** The same of a store that is opened on a disk which fills up while nobody asks for a charge. */
export async function fillIdleDisk(dir: string): Promise<string | undefined> {
  return onSmallDisk(dir, async (disk) => {
    const store = await openSqlite(join(disk, "state.db"), { role: "serve", absent: "make" });
    try {
      await waitUntilReady(store);
      const ballast = join(disk, "ballast");
      await fillDiskWithFile(ballast);
      let trouble = await store.trouble();
      for (; trouble === undefined; trouble = await store.trouble()) await sleep(50);
      await rm(ballast);
      await waitUntilReady(store);
      return trouble;
    } finally {
      await store.close();
    }
  });
}

/** Writes until no byte more fits. */
async function fillDiskWithFile(path: string): Promise<void> {
  const file = await open(path, "w");
  try {
    for (let size = 65_536; size >= 1; ) {
      try {
        await file.appendFile(Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        size >>= 1;
      }
    }
  } finally {
    await file.close();
  }
}

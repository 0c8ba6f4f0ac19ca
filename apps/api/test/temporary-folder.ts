import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that goes when the action ends. */
export async function withTemporaryFolder<Result>(action: (dir: string) => Promise<Result>): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), "groundrule-"));
  try {
    return await action(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** A folder that goes when the test that runs has ended. */
export async function createTestFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "groundrule-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** The URL of a state file that is not there yet, in a folder that goes when the action ends. */
export function withSqliteUrl<Result>(
  action: (url: string, dir: string) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFolder((dir) => action(`sqlite:${join(dir, "state.db")}`, dir));
}

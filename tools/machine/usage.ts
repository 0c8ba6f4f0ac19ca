import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Resources that a program used from its start to its end. */
export interface Usage {
  readonly cpuMs: number;
  /** CPU of its main thread. */
  readonly mainMs: number;
  readonly elapsedMs: number;
  readonly peakBytes: number;
}

/**
 * Runs a program of ours in a process of its own.
 *
 * @param codes with which it may end
 */
export function measureProgramUsage(
  program: string,
  args: readonly string[],
  codes: readonly number[] = [0],
): Usage {
  const preload = join(import.meta.dirname, "report-usage.mjs");
  const { status, output } = spawnSync(process.execPath, ["--import", preload, program, ...args], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (status === null || !codes.includes(status))
    throw new Error(`${program} ended with ${status}: ${output[2]}`);
  return JSON.parse(output[3]!) as Usage;
}

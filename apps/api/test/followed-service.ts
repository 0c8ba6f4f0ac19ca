import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** `groundrule serve` in a process of its own. */
export interface FollowedService {
  readonly url: string;
  readonly child: ChildProcess;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** All lines on standard error so far, or the last of them. */
  log(last?: number): string;
  kill(): Promise<void>;
  /** Ends it as ^C does, without the delay that a load balancer needs, or by another signal. @returns its exit code */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/**
 * Waits until a service listens.
 *
 * @param child whose standard output, and standard error if it is read, are pipes
 *
 * Fails: an `Error` with its last lines, where it ends before.
 */
export async function followService(child: ChildProcess): Promise<FollowedService> {
  const lines: string[] = [];
  const log = (last = Number.POSITIVE_INFINITY): string => lines.slice(-last).join("\n");
  if (child.stderr) createInterface(child.stderr).on("line", (line) => lines.push(line));
  const ended = once(child, "exit").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const stop = (signal: NodeJS.Signals = "SIGINT") => {
    child.kill(signal);
    return ended;
  };
  const listening = new Promise<string>((resolve) => {
    createInterface(child.stdout!).on("line", (line) => {
      const [address] = /http:\/\/[\w.:[\]]+/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
  const failed = ended.then((how) => {
    throw new Error(`the service ended with ${how} before it listened:\n${log(20)}`);
  });
  const url = await Promise.race([listening, failed]);
  return { url, child, ended, log, stop, kill: async () => void (await stop("SIGKILL")) };
}

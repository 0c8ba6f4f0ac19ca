import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { startGroundrule } from "../../cli/test/groundrule.ts";

/** `groundrule demo` in a process of its own, on a free port. */
export interface DemoProcess {
  /** The address that it prints for people, with the key after the `#`. */
  readonly page: string;
  stop(): Promise<void>;
}

/** Builds the page if its sources have changed, and starts the demo as a user would. */
export async function startDemoProcess(): Promise<DemoProcess> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, "../build.ts")]);
  const dir = mkdtempSync(join(tmpdir(), "groundrule-demo-"));
  const child = startGroundrule(["demo", "--port", "0", "--no-open", "--data", join(dir, "data")], dir);
  const ended = once(child, "exit");
  child.stderr!.resume();
  const stop = async (): Promise<void> => {
    child.kill("SIGINT");
    await ended;
    rmSync(dir, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!line.includes("/console/#")) continue;
    child.stdout!.resume();
    return { page: line.trim(), stop };
  }
  await stop();
  throw new Error("the demo printed no address of a page");
}

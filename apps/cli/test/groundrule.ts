import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const MAIN = new URL("../src/main.ts", import.meta.url).pathname;

export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Standard output as result lines. */
  readonly lines: readonly Record<string, unknown>[];
}

export function start(args: readonly string[], cwd: string): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ["pipe", "pipe", "pipe"] });
}

/** Runs the command as a shell would: its own process, everything piped. */
export async function groundrule(args: readonly string[], cwd: string, input = ""): Promise<Finished> {
  const child = start(args, cwd);
  child.stdin!.on("error", () => {}); // a command that refuses its options reads no input
  child.stdin!.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit"),
  ]);
  return {
    code,
    out,
    err,
    get lines() {
      return out.trimEnd() === ""
        ? []
        : out
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line));
    },
  };
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { type Printed, parseJsonLines, runInProcess } from "./in-process.ts";

const MAIN = new URL("../src/main.ts", import.meta.url).pathname;

/**
 * Runs the command in this process, which enters the folder for as long: starting a process takes ten times as long
 * as most commands. What a process adds, signals and the exit itself, is tested with {@link startGroundrule} and
 * {@link runGroundruleProcess}.
 */
export async function runGroundrule(args: readonly string[], cwd: string, input = ""): Promise<Printed> {
  running++;
  process.chdir(cwd);
  try {
    return await runInProcess(args, { input });
  } finally {
    // Others may still run in theirs.
    if (--running === 0) process.chdir(HOME);
  }
}

const HOME = process.cwd();
let running = 0;

/** Runs the command as a shell would: its own process, everything piped. */
export async function runGroundruleProcess(
  args: readonly string[],
  cwd: string,
  input = "",
): Promise<Printed> {
  const child = startGroundrule(args, cwd);
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
      return parseJsonLines(out);
    },
  };
}

/** Starts the command in a process of its own, everything piped. */
export function startGroundrule(args: readonly string[], cwd: string): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ["pipe", "pipe", "pipe"] });
}

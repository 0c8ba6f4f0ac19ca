import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runCommand } from "../src/run-command.ts";
import { Terminal } from "../src/terminal.ts";

const MAIN = new URL("../src/main.ts", import.meta.url).pathname;

export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Standard output as result lines. */
  readonly lines: readonly Record<string, unknown>[];
}

/**
 * Runs the command in this process, which enters the folder: starting a process takes ten times as long
 * as most commands. What a process adds, signals and the exit itself, is tested with {@link start} and
 * {@link groundruleProcess}.
 */
export async function groundrule(args: readonly string[], cwd: string, input = ""): Promise<Finished> {
  process.chdir(cwd);
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const [out, err] = [text(output), text(errors)];
  const signal = new AbortController().signal;
  const terminal = new Terminal(Readable.from([Buffer.from(input)]), output, errors, signal);
  const code = await runCommand(args, terminal);
  output.end();
  errors.end();
  return finished(code, await out, await err);
}

/** Runs the command as a shell would: its own process, everything piped. */
export async function groundruleProcess(args: readonly string[], cwd: string, input = ""): Promise<Finished> {
  const child = start(args, cwd);
  child.stdin!.on("error", () => {}); // a command that refuses its options reads no input
  child.stdin!.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit"),
  ]);
  return finished(code, out, err);
}

/** Starts the command in a process of its own, everything piped. */
export function start(args: readonly string[], cwd: string): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ["pipe", "pipe", "pipe"] });
}

function finished(code: number, out: string, err: string): Finished {
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

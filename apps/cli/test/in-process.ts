import { Readable, Writable } from "node:stream";
import { WriteStream } from "node:tty";
import type { OpenProvider } from "@groundrule/node";
import { expect } from "vitest";
import { runCommand } from "../src/run-command.ts";
import { Terminal } from "../src/terminal/terminal.ts";

export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Standard output as result lines. */
  readonly lines: readonly Record<string, unknown>[];
}

/** Runs the command in this process: piped, or for a person at a terminal of so many columns. */
export async function runInProcess(
  args: readonly string[],
  options: {
    readonly input?: string | Iterable<Uint8Array> | Readable;
    readonly columns?: number;
    /** True if both outputs are a terminal with colours. */
    readonly hasColors?: boolean;
    readonly openProvider?: OpenProvider;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Printed> {
  const { input: stdin = "", columns, hasColors = false } = options;
  const [output, out] = createGatheringStream(columns, hasColors);
  const [errors, err] = createGatheringStream(hasColors ? columns : undefined, hasColors);
  const input = typeof stdin === "string" ? Readable.from([Buffer.from(stdin)]) : readableOf(stdin);
  const signal = options.signal ?? new AbortController().signal;
  const terminal = new Terminal(input, output, errors, signal, options.openProvider);
  const code = await runCommand(args, terminal);
  return {
    code,
    out: out(),
    err: err(),
    get lines() {
      return parseJsonLines(out());
    },
  };
}

/** The words of a command line: those that are written, and each value as one, or as the words that it holds. */
export function splitCommandWords(
  texts: TemplateStringsArray,
  ...values: readonly (string | readonly string[])[]
): string[] {
  return texts
    .flatMap((text, i) => [...text.split(/\s+/), values[i] ?? []].flat())
    .filter((word) => word !== "");
}

/** Matches what a command printed that ended so, with this on standard error. */
export function matchFailedExit(code: number, text: string): object {
  return { code, err: expect.stringContaining(text) };
}

export function parseJsonLines(printed: string): Record<string, unknown>[] {
  const text = printed.trimEnd();
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
}

const readableOf = (chunks: Iterable<Uint8Array> | Readable) =>
  chunks instanceof Readable ? chunks : Readable.from(chunks);

function createGatheringStream(columns: number | undefined, hasColors: boolean): [Writable, () => string] {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const getColorDepth = () => WriteStream.prototype.getColorDepth({ ...process.env, TERM: "xterm-256color" });
  if (columns !== undefined) Object.assign(stream, { isTTY: true, columns }, hasColors && { getColorDepth });
  return [stream, () => chunks.join("")];
}

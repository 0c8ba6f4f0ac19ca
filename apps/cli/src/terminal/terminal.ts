import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { styleText } from "node:util";
import type { OpenProvider } from "@groundrule/node";

type Style = Parameters<typeof styleText>[0];

/** A standard stream, which may be a terminal. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Colours text for a person, or returns it unchanged. */
export interface Painter {
  /** Maximum columns of a line; `Infinity` if a program reads. */
  readonly width: number;
  style(style: Style, text: string): string;
}

const PROGRESS_INTERVAL_MS = 100;

/** The streams of a command: results go to standard output, everything else to standard error. */
export class Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Aborted when the user or the system stops the command; its reason is the exit code. */
  readonly signal: AbortSignal;
  /** Opens the provider of a live source; absent: the one for PostGIS. */
  readonly openProvider: OpenProvider | undefined;
  readonly #output: OutputStream;
  readonly #errors: OutputStream;
  #progressShown = 0;
  #progressAtMs = 0;

  constructor(
    input: Readable & { readonly isTTY?: boolean },
    output: OutputStream,
    errors: OutputStream,
    signal: AbortSignal,
    openProvider?: OpenProvider,
  ) {
    this.input = input;
    this.#output = output;
    this.#errors = errors;
    this.signal = signal;
    this.openProvider = openProvider;
  }

  /** True if a person reads standard output. */
  get human(): boolean {
    return this.#output.isTTY === true;
  }

  get columns(): number {
    return getTerminalWidth(this.#output);
  }

  /** Maximum columns of a line of results: those of the terminal, or no limit in a pipe or file. */
  get width(): number {
    return this.human ? this.columns : Infinity;
  }

  /** Writes a line of results; waits while the reader lags behind. */
  async print(line: string): Promise<void> {
    await this.write(`${line}\n`);
  }

  /** Writes results unchanged; waits while the reader lags behind. */
  async write(results: string | Uint8Array): Promise<void> {
    this.clearProgress();
    if (!this.#output.write(results)) await once(this.#output, "drain");
  }

  printJson(value: unknown): Promise<void> {
    return this.print(JSON.stringify(value));
  }

  /** Writes a line to standard error. */
  note(line: string): void {
    this.clearProgress();
    this.#errors.write(`${line}\n`);
  }

  /** Shows the progress of the command, if a person watches. */
  progress(text: () => string): void {
    if (this.#errors.isTTY !== true) return;
    const now = performance.now();
    if (now - this.#progressAtMs < PROGRESS_INTERVAL_MS) return;
    this.#progressAtMs = now;
    const line = text().slice(0, getTerminalWidth(this.#errors) - 1);
    this.#errors.write(`\r${line.padEnd(this.#progressShown)}`);
    this.#progressShown = line.length;
  }

  clearProgress(): void {
    if (this.#progressShown === 0) return;
    this.#errors.write(`\r${" ".repeat(this.#progressShown)}\r`);
    this.#progressShown = 0;
  }

  /** Colours text of standard output where a person reads it and NO_COLOR does not object. */
  style(style: Style, text: string): string {
    return styleText(style, text, { stream: this.#output });
  }

  /** True if {@link style} adds colours. */
  get hasColours(): boolean {
    return this.style("red", "x") !== "x";
  }

  /** Like {@link style}, for standard error. */
  styleNote(style: Style, text: string): string {
    return styleText(style, text, { stream: this.#errors });
  }
}

/** Some terminals report 0 columns, which counts as unknown. */
function getTerminalWidth(stream: OutputStream): number {
  return stream.columns || 80;
}

/** Text from data, made safe to print: no escape sequence of a source reaches the terminal. */
export function toPrintable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}");
}

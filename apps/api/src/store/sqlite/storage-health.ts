import type { CallResult, WriteCall } from "../port/calls.ts";
import { StoreError } from "../port/store-error.ts";
import type { OpenFiles } from "./open-files.ts";

/** How often the files are compared with their names while nothing is written. */
const LOOK_MS = 1_000;
/** How old the last write may be to show whether writes are made. */
const FRESH_MS = 5_000;
/** The same where the last one was refused. */
const RETRIED_MS = 1_000;
/** Most that is written to see whether there is room again. */
const MOST_BALLAST = 1 << 20;

/** What is known of a state file that is served: whether it can be read and written, and why not. */
export class StorageHealth {
  readonly #files: OpenFiles | undefined;
  readonly #looking: NodeJS.Timeout | undefined;
  #lost: StoreError | undefined;
  #displaced: string | undefined;
  #damaged: string | undefined;
  /** The last refusal that no write as large has followed. */
  #refused: { readonly reason: string; readonly size: number } | undefined;
  /** The last read that failed. */
  #unread: { readonly reason: string; readonly foundMs: number } | undefined;
  #lastTryMs = Number.NEGATIVE_INFINITY;

  /** @param files absent for what is served to nobody else: a database in memory, a command's */
  constructor(files: OpenFiles | undefined) {
    this.#files = files;
    if (files === undefined) return;
    this.#looking = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** @throws {StoreError} `STORAGE_UNAVAILABLE` where what is read is not what the file's name leads to */
  assertReadable(): void {
    if (this.#displaced !== undefined) throw new StoreError("STORAGE_UNAVAILABLE", this.#displaced);
  }

  /** The same, by looking at the names now. */
  assertInPlace(): void {
    this.#look();
    this.assertReadable();
  }

  /** @throws {StoreError} where nothing can be written any more */
  assertWritable(): void {
    if (this.#lost !== undefined) throw this.#lost;
    this.assertReadable();
  }

  /** Why nothing may be charged, if so: in a damaged file one write may spoil another's pages. */
  get damaged(): string | undefined {
    return this.#damaged;
  }

  /** What the process must end for; nothing is written from here on. */
  noteLost(error: StoreError): void {
    this.#lost = error;
  }

  /** Notes what a read or write met. */
  noteTrouble({ message, details }: Pick<StoreError, "message" | "details">): void {
    if (details.damaged === "file") this.#damaged ??= message;
    this.#look();
  }

  /** Notes that the file could not be read. */
  noteUnread(trouble: StoreError): void {
    this.#unread = { reason: trouble.message, foundMs: performance.now() };
    this.noteTrouble(trouble);
  }

  noteWritten(calls: readonly WriteCall[], results: readonly CallResult[]): void {
    this.#lastTryMs = performance.now();
    let size = 0;
    for (const call of calls) size += sizeOf(call);
    for (const result of results) {
      if (!("failed" in result)) continue;
      const { code, message, details } = result.failed;
      // Who writes sees more than whoever looks from outside.
      if (code === "OUTCOME_UNKNOWN") this.#displaced ??= message;
      if (code !== "STORAGE_UNAVAILABLE") continue;
      this.noteTrouble({ message, details });
      if (size >= (this.#refused?.size ?? 0)) this.#refused = { reason: message, size };
      return;
    }
    if (this.#refused !== undefined && size >= Math.min(this.#refused.size, MOST_BALLAST)) {
      this.#refused = undefined;
    }
  }

  /** Why the file should not be sent requests now, as far as it is known without a try. */
  trouble(): string | undefined {
    this.#look();
    const unread = this.#unread;
    // Other pages may be read all the while.
    if (unread !== undefined && performance.now() - unread.foundMs >= FRESH_MS) this.#unread = undefined;
    return (
      this.#lost?.message ?? this.#displaced ?? this.#damaged ?? this.#refused?.reason ?? this.#unread?.reason
    );
  }

  /**
   * How much must be written to know whether writes are made, characters; undefined where it is known, or a
   * write would tell nothing.
   */
  get probe(): number | undefined {
    if (this.#files === undefined || this.#lost !== undefined || this.#displaced !== undefined)
      return undefined;
    const age = performance.now() - this.#lastTryMs;
    if (age < (this.#refused === undefined ? FRESH_MS : RETRIED_MS)) return undefined;
    return Math.min(this.#refused?.size ?? 0, MOST_BALLAST);
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #look(): void {
    this.#displaced ??= this.#files?.displaced();
  }
}

/** Characters of a write that vary without a bound. */
function sizeOf(call: WriteCall): number {
  if (call.name === "noteServed") return call.input.ballast;
  if (call.name !== "settleBatch") return 0;
  let size = 0;
  for (const { request, response } of call.input) size += request.length + response.length;
  return size;
}

import type { CallResult, WriteCall } from "../port/calls.ts";
import { StoreError } from "../port/store-error.ts";
import type { OpenFiles } from "./open-files.ts";

/** Interval between comparisons of the files with their names while nothing is written. */
const LOOK_MS = 1_000;
/** Maximum age of a write that proves that writes succeed. */
const FRESH_MS = 5_000;
/** The same after a refused write. */
const RETRIED_MS = 1_000;
/** Maximum size of a probe that tests if there is room again. */
const MOST_BALLAST = 1 << 20;

/** Health of a served state file: whether it can be read and written, and if not, why. */
export class StorageHealth {
  readonly #files: OpenFiles | undefined;
  readonly #looking: NodeJS.Timeout | undefined;
  #lost: StoreError | undefined;
  #displaced: string | undefined;
  #damaged: string | undefined;
  /** The last refused write, unless one as large has succeeded since. */
  #refused: { readonly reason: string; readonly size: number } | undefined;
  /** The last read that failed. */
  #unread: { readonly reason: string; readonly foundMs: number } | undefined;
  #lastTryMs = Number.NEGATIVE_INFINITY;

  /** @param files absent for a state that no one else is served from: in memory, or a command's */
  constructor(files: OpenFiles | undefined) {
    this.#files = files;
    if (files === undefined) return;
    this.#looking = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** @throws {StoreError} `STORAGE_UNAVAILABLE` if the open file is no longer the one its name leads to */
  assertReadable(): void {
    if (this.#displaced !== undefined) throw new StoreError("STORAGE_UNAVAILABLE", this.#displaced);
  }

  /** The same, with a fresh check of the names. */
  assertInPlace(): void {
    this.#look();
    this.assertReadable();
  }

  /** @throws {StoreError} if nothing can be written any more */
  assertWritable(): void {
    if (this.#lost !== undefined) throw this.#lost;
    this.assertReadable();
  }

  /** The reason why nothing may be charged, if any: in a damaged file, one write may corrupt another's pages. */
  get damaged(): string | undefined {
    return this.#damaged;
  }

  /** Records an error for which the process must end; nothing is written from here on. */
  noteLost(error: StoreError): void {
    this.#lost = error;
  }

  /** Records a problem of a read or write. */
  noteTrouble({ message, details }: Pick<StoreError, "message" | "details">): void {
    if (details.damaged === "file") this.#damaged ??= message;
    this.#look();
  }

  /** Records that the file could not be read. */
  noteUnread(trouble: StoreError): void {
    this.#unread = { reason: trouble.message, foundMs: performance.now() };
    this.noteTrouble(trouble);
  }

  noteWritten(calls: readonly WriteCall[], results: readonly CallResult[]): void {
    this.#lastTryMs = performance.now();
    let size = 0;
    for (const call of calls) size += measureCallSize(call);
    for (const result of results) {
      if (!("failed" in result)) continue;
      const { code, message, details } = result.failed;
      // A writer detects more than a check from outside.
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

  /** The reason why the file should not receive requests now, as far as known without a probe. */
  trouble(): string | undefined {
    this.#look();
    const unread = this.#unread;
    // Other pages may still be readable.
    if (unread !== undefined && performance.now() - unread.foundMs >= FRESH_MS) this.#unread = undefined;
    return (
      this.#lost?.message ?? this.#displaced ?? this.#damaged ?? this.#refused?.reason ?? this.#unread?.reason
    );
  }

  /**
   * Characters that a probe must write to find out if writes succeed; undefined if that is known, or if a write would
   * show nothing.
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

/** Characters of a write's unbounded parts. */
function measureCallSize(call: WriteCall): number {
  if (call.name === "noteServed") return call.input.ballast;
  if (call.name !== "settleBatch") return 0;
  let size = 0;
  for (const { request, response } of call.input) size += request.length + response.length;
  return size;
}

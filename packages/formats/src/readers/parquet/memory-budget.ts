import { createFormatError } from "../../format-error.ts";

/** Keeps what a file's pages take, all columns together, under a limit. */
export class MemoryBudget {
  readonly #limit: number;
  #reserved = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Fails: `UNPACKED_TOO_LARGE` where so many bytes would be too many. */
  check(bytes: number): void {
    if (this.#reserved + bytes <= this.#limit) return;
    const found = `pages that take ${this.#reserved + bytes} bytes at once`;
    const expected = `at most ${this.#limit}`;
    throw createFormatError("UNPACKED_TOO_LARGE", found, expected, {
      limit: this.#limit,
      mend: "write the file with smaller row groups and pages",
    });
  }

  take(bytes: number): void {
    this.check(bytes);
    this.#reserved += bytes;
  }

  give(bytes: number): void {
    this.#reserved -= bytes;
  }
}

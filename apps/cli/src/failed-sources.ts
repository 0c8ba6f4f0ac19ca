import type { SourceOutcome } from "@groundrule/engine";
import { printable, type Terminal } from "./terminal.ts";

/** Tells of each failed source once, on standard error. */
export class FailedSources {
  readonly #terminal: Terminal;
  readonly #told = new Set<string>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get any(): boolean {
    return this.#told.size > 0;
  }

  note(sources: readonly SourceOutcome[]): void {
    for (const { source_name, status, reason } of sources) {
      if (status === "ok" || this.#told.has(source_name)) continue;
      this.#told.add(source_name);
      this.#terminal.note(
        `source ${source_name} could not be opened, so the answers leave it out: ${printable(reason ?? "")}`,
      );
    }
  }
}

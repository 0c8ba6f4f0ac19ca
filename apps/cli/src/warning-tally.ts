import type { Warning } from "@groundrule/engine";
import { decimal } from "./format.ts";
import { printable, type Terminal } from "./terminal.ts";

/** Counts warnings by kind, so that a million plots with the same small defect are told in one line. */
export class WarningTally {
  readonly #kinds = new Map<string, { readonly first: string; readonly message: string; count: number }>();

  /** @param asked what the warnings are about, e.g. `plot 7` */
  add(asked: string, warnings: readonly Warning[]): void {
    for (const { code, message } of warnings) {
      const known = this.#kinds.get(code);
      if (known === undefined) this.#kinds.set(code, { first: asked, message, count: 1 });
      else known.count++;
    }
  }

  tell(terminal: Terminal): void {
    for (const { first, message, count } of this.#kinds.values()) {
      const more = count === 1 ? "" : ` (and ${decimal(count - 1, 0)} more like it)`;
      terminal.note(`${printable(first)}: ${printable(message)}${more}`);
    }
  }
}

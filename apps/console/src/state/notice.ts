import { type Signal, signal } from "@preact/signals";
import { words } from "../languages/language.ts";

/** What went wrong with something that a person asked for; undefined once it was read. */
export const notice: Signal<string | undefined> = signal(undefined);

/** Does what saves a file. A failure is told, and lost no more than the file. */
export function saving(save: () => Promise<void> | void): void {
  notice.value = undefined;
  void (async () => {
    try {
      await save();
    } catch (error) {
      notice.value = words.peek().appSaveFailed(error instanceof Error ? error.message : String(error));
    }
  })();
}

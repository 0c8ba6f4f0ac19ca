import { type Signal, signal } from "@preact/signals";
import { words } from "../languages/language.ts";

/** An error of an action that the user started; undefined once it was closed. */
export const notice: Signal<string | undefined> = signal(undefined);

/** Saves a file. A failure is shown, and has no other effect. */
export function runSaveTask(save: () => Promise<void> | void): void {
  notice.value = undefined;
  void (async () => {
    try {
      await save();
    } catch (error) {
      notice.value = words.peek().appSaveFailed(error instanceof Error ? error.message : String(error));
    }
  })();
}

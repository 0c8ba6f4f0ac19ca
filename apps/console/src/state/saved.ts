import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { PagePlot } from "./plot.ts";
import { plots } from "./store.ts";

/** The list as it was last saved with its shapes: exported, or kept on this device. */
export const savedPlots: Signal<readonly PagePlot[] | undefined> = signal(undefined);

/** True if closing the page would lose plots, answers or verdicts. */
const isUnsaved: ReadonlySignal<boolean> = computed(
  () => plots.value.length > 0 && plots.value !== savedPlots.value,
);

/** Lets the browser ask before the page is left while something would be lost. */
export function askBeforeLoss(target: Pick<EventTarget, "addEventListener" | "removeEventListener">): void {
  const ask = (event: Event): void => event.preventDefault();
  // Without a listener, the browser may keep the page for its button Back.
  effect(() => {
    if (isUnsaved.value) target.addEventListener("beforeunload", ask);
    else target.removeEventListener("beforeunload", ask);
  });
}

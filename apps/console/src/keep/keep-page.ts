import { type Signal, signal } from "@preact/signals";

/** Whether this browser has every file of the page, so that it needs no network. */
export const isPageKept: Signal<boolean> = signal(false);

let asked = false;

/**
 * Keeps the files of the page in this browser: what answers here works without a network from then on. Browsers do that
 * for pages from https and from this machine alone; the others load what they need when they need it.
 */
export async function keepPage(): Promise<void> {
  if (asked || !("serviceWorker" in navigator)) return;
  asked = true;
  try {
    // A browser looks by itself whether the script has changed.
    await navigator.serviceWorker.register("sw.js");
    await navigator.serviceWorker.ready;
    isPageKept.value = true;
  } catch {
    // Private windows refuse, and a file may not come: the page works as long as there is a network.
  }
}

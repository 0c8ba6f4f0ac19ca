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
    const registration = await navigator.serviceWorker.register("sw.js");
    // The worker of an earlier build may be at work already: what counts is whether the files of this one are kept.
    if (registration.active !== null) {
      await registration.update().catch(() => {}); // the host may be gone
      await installed(registration);
    }
    await navigator.serviceWorker.ready;
    isPageKept.value = (await caches.match(import.meta.url)) !== undefined;
  } catch {
    // Private windows refuse, and a file may not come: the page works as long as there is a network.
  }
}

/** Waits until a worker that is being installed has all its files, or was given up. */
function installed({ installing }: ServiceWorkerRegistration): Promise<void> {
  return new Promise((resolve) => {
    if (installing === null) return resolve();
    installing.addEventListener("statechange", () => resolve());
  });
}

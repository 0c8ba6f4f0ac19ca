import { type Signal, signal } from "@preact/signals";

/** True if this browser has every file of the page, so that it needs no network. */
export const isPageKept: Signal<boolean> = signal(false);

let isRequested = false;

/**
 * Stores the files of the page in this browser, so that answering here works without a network. Browsers allow that
 * only for pages from https or from this machine; other pages load files when needed.
 */
export async function storePageFiles(): Promise<void> {
  if (isRequested || !("serviceWorker" in navigator)) return;
  isRequested = true;
  try {
    const registration = await navigator.serviceWorker.register("sw.js");
    // A worker of an earlier build may be active already: only the files of this build count.
    if (registration.active !== null) {
      await registration.update().catch(() => {}); // the host may be unreachable
      await waitForInstallation(registration);
    }
    await navigator.serviceWorker.ready;
    isPageKept.value = (await caches.match(import.meta.url)) !== undefined;
  } catch {
    // Private windows refuse, and a file may not load: the page still works with a network.
  }
}

/** Waits until a worker that is being installed has all its files, or has failed. */
function waitForInstallation({ installing }: ServiceWorkerRegistration): Promise<void> {
  return new Promise((resolve) => {
    if (installing === null) return resolve();
    installing.addEventListener("statechange", () => resolve());
  });
}

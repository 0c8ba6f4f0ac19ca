import { GuardedClock } from "../charging/guarded-clock.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/port.ts";

/**
 * Opens the state for the process that serves it, with a clock that no sudden jump gets past.
 *
 * Fails: as {@link openStore} does.
 */
export async function openServingStore(url: string): Promise<Store> {
  const steadyMs = () => performance.now();
  if (url.startsWith("sqlite:")) {
    return openStore(url, { sqlite: { role: "serve", clock: new GuardedClock(Date.now, steadyMs) } });
  }
  let clock: GuardedClock | undefined;
  return openStore(url, {
    postgres: {
      clock: (databaseMs) => {
        // The first reading is what later ones are held against.
        clock ??= new GuardedClock(() => databaseMs, steadyMs);
        return Math.floor(clock.read(databaseMs));
      },
      trouble: () => clock?.trouble(),
    },
  });
}

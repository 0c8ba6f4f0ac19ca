import { type Signal, signal } from "@preact/signals";
import type { KeyHolder } from "../answering/answerer.ts";
import { byService } from "../answering/by-service.ts";
import { connect, isConnectionOpen } from "./connect.ts";

/** A key that a link brought, and that nobody has agreed to yet. */
export interface OfferedKey {
  readonly service: string;
  readonly key: string;
  /** Name of the ruleset to begin with. */
  readonly ruleset: string | undefined;
  /** Whose it is; undefined as long as the service has not told, or where it knows no such key. */
  readonly holder: KeyHolder | undefined;
}

export const offeredKey: Signal<OfferedKey | undefined> = signal(undefined);

/**
 * Takes a key out of a link. Who made the link may have put a key of their own into it, and would then see every plot
 * that is asked about; so the page names whose it is, and asks. On this machine alone it connects at once: a service
 * here knows no stranger's keys.
 *
 * @param service its address
 */
export function takeKey(service: string, key: string, ruleset: string | undefined): void {
  if (isLoopback(service) && isLoopback(location.href)) {
    void connect(byService(service, key), ruleset);
    return;
  }
  const offered: OfferedKey = { service, key, ruleset, holder: undefined };
  offeredKey.value = offered;
  isConnectionOpen.value = true;
  void nameHolder(offered);
}

/** Uses the key after all. */
export function agreeToKey({ service, key, ruleset }: OfferedKey): void {
  offeredKey.value = undefined;
  void connect(byService(service, key), ruleset);
}

/** Nothing of the reader's is sent by that. A key that is refused is refused again, in words, once it is agreed to. */
async function nameHolder(offered: OfferedKey): Promise<void> {
  const asked = byService(offered.service, offered.key);
  const holder = await asked.holder?.().catch(() => undefined);
  asked.close();
  if (offeredKey.peek() === offered) offeredKey.value = { ...offered, holder };
}

function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

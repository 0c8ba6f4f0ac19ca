import { type Signal, signal } from "@preact/signals";
import type { KeyHolder } from "../answering/answerer.ts";
import { createServiceAnswerer } from "../answering/by-service.ts";
import { isConnectionOpen, switchAnswerer } from "./connect.ts";

/** A key from a link that the user has not accepted yet. */
export interface OfferedKey {
  readonly service: string;
  readonly key: string;
  /** Name of the ruleset to start with. */
  readonly ruleset: string | undefined;
  /** The key's owner; undefined until the service has answered, or if it has no such key. */
  readonly holder: KeyHolder | undefined;
}

export const offeredKey: Signal<OfferedKey | undefined> = signal(undefined);

/**
 * Takes a key from a link. The link's author may have put their own key into it, and would then see every plot that is
 * evaluated; so the page shows the key's owner, and asks. Only on this machine it connects at once: a local service has
 * no keys of strangers.
 *
 * @param service its address
 */
export function offerOrUseLinkKey(service: string, key: string, ruleset: string | undefined): void {
  if (isLoopback(service) && isLoopback(location.href)) {
    void switchAnswerer(createServiceAnswerer(service, key), ruleset);
    return;
  }
  const offered: OfferedKey = { service, key, ruleset, holder: undefined };
  offeredKey.value = offered;
  isConnectionOpen.value = true;
  void fetchOfferedKeyHolder(offered);
}

/** Accepts the key. */
export function acceptOfferedKey({ service, key, ruleset }: OfferedKey): void {
  offeredKey.value = undefined;
  void switchAnswerer(createServiceAnswerer(service, key), ruleset);
}

/** This sends no data of the user. A key refused now is refused again, in words, when it is accepted. */
async function fetchOfferedKeyHolder(offered: OfferedKey): Promise<void> {
  const candidate = createServiceAnswerer(offered.service, offered.key);
  const holder = await candidate.holder?.().catch(() => undefined);
  candidate.close();
  if (offeredKey.peek() === offered) offeredKey.value = { ...offered, holder };
}

function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

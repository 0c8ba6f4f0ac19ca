import type { Caller, KeyRing, KeyStanding } from "../gates/authenticate.ts";
import type { Store, StoredApiKey } from "../store/port.ts";
import type { Pepper } from "./pepper.ts";

/** How long what is known of a key is believed: revoking takes effect within it, on every replica. */
const BELIEVED_MS = 500;
/** Keys in use at a time that are kept in mind. */
const REMEMBERED = 10_000;
/** How often the last use of a key is written. */
const USE_NOTED_MS = 60_000;

export interface StoreKeyRing extends KeyRing {
  /** Writes when keys were last used; call it before closing the store. */
  flush(): Promise<void>;
}

/**
 * The API keys of a store. A key is looked up by its digest under the pepper, so nothing that a
 * caller can guess at is compared character by character.
 *
 * @param steadyMs milliseconds of a clock that is never set
 */
export function storeKeyRing(
  store: Pick<Store, "findApiKey" | "addCounts">,
  pepper: Pepper,
  steadyMs: () => number,
): StoreKeyRing {
  const known = new Map<string, Known>();
  const uses = new Map<string, number>();
  let noted = steadyMs();

  const flush = async (): Promise<void> => {
    noted = steadyMs();
    const keyUses = [...uses].map(([id, usedAtMs]) => ({ id, usedAtMs }));
    uses.clear();
    if (keyUses.length > 0) await store.addCounts({ replays: [], attempts: [], keyUses });
  };
  const lookUp = async (digest: string): Promise<Known> => {
    const readAtMs = steadyMs();
    const stored = await store.findApiKey({ digest });
    const found = { readAtMs, stored, standing: standingOf(stored) };
    // What nobody issued is not remembered: guesses would push out keys that are in use.
    if (stored !== undefined) {
      if (known.size >= REMEMBERED) known.delete(known.keys().next().value!);
      known.delete(digest);
      known.set(digest, found);
    }
    return found;
  };
  return {
    flush,
    find: async (key) => {
      const digest = pepper.digestOf(key);
      const remembered = known.get(digest);
      const fresh = remembered !== undefined && isBelieved(remembered, steadyMs());
      const { stored, standing, readAtMs } = fresh ? remembered : await lookUp(digest);
      if (stored !== undefined && "caller" in standing) {
        uses.set(stored.id, stored.nowMs + Math.floor(steadyMs() - readAtMs));
        // Advisory: where it cannot be written, the next one is.
        if (steadyMs() - noted >= USE_NOTED_MS) flush().catch(() => {});
      }
      return standing;
    },
  };
}

interface Known {
  readonly readAtMs: number;
  readonly stored: StoredApiKey | undefined;
  readonly standing: KeyStanding;
}

function isBelieved({ readAtMs, stored }: Known, steadyMs: number): boolean {
  const age = steadyMs - readAtMs;
  const left = stored?.expiresAtMs == null ? Number.POSITIVE_INFINITY : stored.expiresAtMs - stored.nowMs;
  return age < BELIEVED_MS && (left <= 0 || age < left);
}

function standingOf(stored: StoredApiKey | undefined): KeyStanding {
  if (stored === undefined) return { refused: "API_KEY_INVALID" };
  if (stored.revokedAtMs !== null) return { refused: "API_KEY_REVOKED" };
  if (stored.expiresAtMs !== null && stored.nowMs >= stored.expiresAtMs)
    return { refused: "API_KEY_EXPIRED" };
  const { organization, mode, id, scopes, sources } = stored;
  const caller: Caller = { organization, mode, keyId: id, scopes, sources };
  return { caller };
}

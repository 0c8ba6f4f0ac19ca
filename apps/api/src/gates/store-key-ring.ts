import { apiKeyDigest, type Pepper } from "../api-key-digest.ts";
import type { Store, StoredApiKey } from "../store/port.ts";
import type { KeyRing, KeyStanding } from "./authenticate.ts";

/** Uses are written at most that often a key. */
const USE_RESOLUTION_MS = 60_000;

/**
 * The keys that a store holds. Each is looked up when it is presented, so that a revoked key is
 * refused at once, on every replica.
 */
export class StoreKeyRing implements KeyRing {
  readonly #store: Pick<Store, "findApiKey" | "addCounts">;
  readonly #peppers: readonly Pepper[];
  /** Keys whose use is being written. */
  readonly #noting = new Set<string>();

  /** @param peppers the current one first; the others are of keys made before it was replaced */
  constructor(store: Pick<Store, "findApiKey" | "addCounts">, peppers: readonly Pepper[]) {
    this.#store = store;
    this.#peppers = peppers;
  }

  /** @param key well-formed, its checksum right */
  async find(key: string): Promise<KeyStanding> {
    for (const pepper of this.#peppers) {
      // Looked up by a digest that only who has the pepper can compute, so timing tells nothing.
      const stored = await this.#store.findApiKey({ digest: apiKeyDigest(key, pepper) });
      if (stored === undefined || stored.pepperVersion !== pepper.version) continue;
      const standing = standingOf(stored);
      if ("caller" in standing) this.#noteUse(stored);
      return standing;
    }
    return { refused: "API_KEY_INVALID" };
  }

  #noteUse({ id, lastUsedAtMs, nowMs }: StoredApiKey): void {
    if (lastUsedAtMs !== null && nowMs - lastUsedAtMs < USE_RESOLUTION_MS) return;
    if (this.#noting.has(id)) return;
    this.#noting.add(id);
    this.#store
      .addCounts({ replays: [], attempts: [], keyUses: [{ id, usedAtMs: nowMs }] })
      // A use that cannot be noted hinders nobody.
      .catch(() => {})
      .finally(() => this.#noting.delete(id));
  }
}

function standingOf(key: StoredApiKey): KeyStanding {
  if (key.revokedAtMs !== null) return { refused: "API_KEY_REVOKED" };
  if (key.expiresAtMs !== null && key.nowMs >= key.expiresAtMs) return { refused: "API_KEY_EXPIRED" };
  const { organization, mode, id, scopes, sources } = key;
  return { caller: { organization, mode, keyId: id, scopes, sources } };
}

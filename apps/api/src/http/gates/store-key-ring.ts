import { RecentlyUsed } from "@groundrule/node";
import { apiKeyDigest, type Pepper } from "../../keys/api-key-digest.ts";
import type { Store, StoredApiKey } from "../../store/port/port.ts";
import type { KeyRing, KeyStanding } from "./authenticate.ts";

/** Uses are written at most that often a key. */
const USE_RESOLUTION_MS = 60_000;

/** How long what was found of a key is believed: revoked ones are refused that much later, on every replica. */
const BELIEVED_MS = 500;
/** Keys that are remembered. */
const REMEMBERED = 10_000;

interface Found {
  readonly key: StoredApiKey;
  /** When the store was asked, and when it had answered. */
  readonly askedMs: number;
  readonly atMs: number;
}

/**
 * The keys that a store holds. A key in force is looked up twice a second at most, so that a busy one
 * costs the store nothing and a revoked one is refused within the second, on every replica. Keys that
 * are refused are not remembered.
 */
export class StoreKeyRing implements KeyRing {
  readonly #store: Pick<Store, "findApiKey" | "addCounts">;
  readonly #peppers: readonly Pepper[];
  /** Keys whose use is being written. */
  readonly #noting = new Set<string>();
  /** By digest. */
  readonly #found = new RecentlyUsed<string, Found>(REMEMBERED);
  readonly #steadyMs: () => number;

  /**
   * @param peppers the current one first; the others are of keys made before it was replaced
   * @param steadyMs milliseconds of a clock that is never set
   */
  constructor(
    store: Pick<Store, "findApiKey" | "addCounts">,
    peppers: readonly Pepper[],
    steadyMs: () => number = () => performance.now(),
  ) {
    this.#store = store;
    this.#peppers = peppers;
    this.#steadyMs = steadyMs;
  }

  /** @param key well-formed, its checksum right */
  async find(key: string): Promise<KeyStanding> {
    for (const pepper of this.#peppers) {
      // Looked up by a digest that only who has the pepper can compute, so timing tells nothing.
      const digest = apiKeyDigest(key, pepper);
      const remembered = this.#remembered(digest);
      if (remembered !== undefined) return standingOf(remembered);
      const askedMs = this.#steadyMs();
      const stored = await this.#store.findApiKey({ digest });
      if (stored === undefined || stored.pepperVersion !== pepper.version) continue;
      const standing = standingOf(stored);
      if ("caller" in standing) {
        this.#remember(digest, { key: stored, askedMs, atMs: this.#steadyMs() });
        this.#noteUse(stored);
      }
      return standing;
    }
    return { refused: "API_KEY_INVALID" };
  }

  /** As it was found, and the store's time since moved on. */
  #remembered(digest: string): StoredApiKey | undefined {
    const found = this.#found.get(digest);
    if (found === undefined) return undefined;
    const nowMs = this.#steadyMs();
    // However long the store took to answer: it may have been revoked just after it was asked for.
    if (nowMs - found.askedMs >= BELIEVED_MS) return undefined;
    return { ...found.key, nowMs: found.key.nowMs + nowMs - found.atMs };
  }

  #remember(digest: string, found: Found): void {
    this.#found.set(digest, found);
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

import { RecentlyUsed } from "@groundrule/node/internal";
import { apiKeyDigest, type Pepper } from "../../keys/api-key-digest.ts";
import type { Store, StoredApiKey } from "../../store/port/port.ts";
import type { KeyRing, KeyStatus } from "./authenticate.ts";

/** Minimum interval between writes of a key's last use. */
const USE_RESOLUTION_MS = 60_000;

/**
 * How long a look-up's result is cached, also for an unknown key: on every replica a revoked key is refused, and a new
 * one accepted, at most this much later.
 */
const BELIEVED_MS = 500;
/** Maximum cached keys, and as many cached unknown texts. */
const REMEMBERED = 10_000;
/** Maximum look-ups per second of keys that turn out to be unknown. */
export const DEFAULT_UNKNOWN_KEYS = 100;

interface Found {
  readonly key: StoredApiKey;
  /** When the look-up started. */
  readonly queriedAtMs: number;
  readonly atMs: number;
}

/**
 * The keys in a store. Each key is looked up at most twice per second, so that a busy one costs the store nothing and a
 * revoked one is refused within the second, on every replica.
 *
 * Anybody can make texts that look like keys, so look-ups of unknown keys are limited per second in total. Beyond that
 * limit a key that this process has never found is not looked up; keys it has found are.
 */
export class StoreKeyRing implements KeyRing {
  readonly #store: Pick<Store, "findApiKey" | "addCounts">;
  readonly #peppers: readonly Pepper[];
  /** Ids of keys whose use is being written. */
  readonly #noting = new Set<string>();
  /** Found keys, by digest. */
  readonly #found = new RecentlyUsed<string, Found>(REMEMBERED);
  /** When unknown keys were looked up, by digest. */
  readonly #unknown = new RecentlyUsed<string, Pick<Found, "queriedAtMs">>(REMEMBERED);
  readonly #looks: Allowance;
  readonly #steadyMs: () => number;

  /**
   * @param peppers the current one first; the others are for keys created before it was replaced
   * @param steadyMs steady clock, milliseconds; it is never set
   * @param unknownKeys maximum look-ups per second of keys that turn out to be unknown
   */
  constructor(
    store: Pick<Store, "findApiKey" | "addCounts">,
    peppers: readonly Pepper[],
    steadyMs: () => number = () => performance.now(),
    unknownKeys: number = DEFAULT_UNKNOWN_KEYS,
  ) {
    this.#store = store;
    this.#peppers = peppers;
    this.#steadyMs = steadyMs;
    this.#looks = new Allowance(unknownKeys, steadyMs);
  }

  /** @param key well-formed, its checksum right */
  async find(key: string): Promise<KeyStatus> {
    const digests: { readonly digest: string; readonly pepper: Pepper }[] = [];
    for (const pepper of this.#peppers) {
      // Looked up by a digest that needs the pepper, so timing reveals nothing.
      const digest = apiKeyDigest(key, pepper);
      const remembered = this.#remembered(digest);
      if (remembered !== undefined) return toKeyStatus(remembered);
      digests.push({ digest, pepper });
    }
    const before = digests.find(({ digest }) => this.#found.get(digest) !== undefined);
    for (const { digest, pepper } of before === undefined ? digests : [before]) {
      if (this.#isUnknown(digest)) continue;
      if (before === undefined && !this.#looks.take()) return { refused: "OVERLOADED" };
      const queriedAtMs = this.#steadyMs();
      const stored = await this.#store.findApiKey({ digest });
      if (stored === undefined || stored.pepperVersion !== pepper.version) {
        this.#unknown.set(digest, { queriedAtMs });
        continue;
      }
      if (before === undefined) this.#looks.giveBack();
      this.#found.set(digest, { key: stored, queriedAtMs, atMs: this.#steadyMs() });
      const status = toKeyStatus(stored);
      if ("caller" in status) this.#noteUse(stored);
      return status;
    }
    return { refused: "API_KEY_INVALID" };
  }

  /** The cached key, with the store's time advanced since. */
  #remembered(digest: string): StoredApiKey | undefined {
    const found = this.#found.get(digest);
    if (found === undefined) return undefined;
    const nowMs = this.#steadyMs();
    // The age counts from the start of the look-up, however long it took: the key may have been revoked right after.
    if (nowMs - found.queriedAtMs >= BELIEVED_MS) return undefined;
    return { ...found.key, nowMs: found.key.nowMs + nowMs - found.atMs };
  }

  #isUnknown(digest: string): boolean {
    const attempt = this.#unknown.get(digest);
    return attempt !== undefined && this.#steadyMs() - attempt.queriedAtMs < BELIEVED_MS;
  }

  #noteUse({ id, lastUsedAtMs, nowMs }: StoredApiKey): void {
    if (lastUsedAtMs !== null && nowMs - lastUsedAtMs < USE_RESOLUTION_MS) return;
    if (this.#noting.has(id)) return;
    this.#noting.add(id);
    this.#store
      .addCounts({ replays: [], attempts: [], keyUses: [{ id, usedAtMs: nowMs }] })
      // A use that cannot be recorded is ignored.
      .catch(() => {})
      .finally(() => this.#noting.delete(id));
  }
}

/** Allows a number per second, and as many at once. */
class Allowance {
  readonly #perSecond: number;
  readonly #steadyMs: () => number;
  #left: number;
  #countedMs: number;

  constructor(perSecond: number, steadyMs: () => number) {
    this.#perSecond = perSecond;
    this.#steadyMs = steadyMs;
    this.#left = perSecond;
    this.#countedMs = steadyMs();
  }

  /** Takes one if any is left. */
  take(): boolean {
    const nowMs = this.#steadyMs();
    this.#left = Math.min(
      this.#perSecond,
      this.#left + ((nowMs - this.#countedMs) * this.#perSecond) / 1_000,
    );
    this.#countedMs = nowMs;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }

  giveBack(): void {
    this.#left++;
  }
}

function toKeyStatus(key: StoredApiKey): KeyStatus {
  if (key.revokedAtMs !== null) return { refused: "API_KEY_REVOKED" };
  if (key.expiresAtMs !== null && key.nowMs >= key.expiresAtMs) return { refused: "API_KEY_EXPIRED" };
  const { organization, mode, id, scopes, sources } = key;
  return { caller: { organization, mode, keyId: id, scopes, sources } };
}

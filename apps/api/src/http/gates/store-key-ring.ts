import { RecentlyUsed } from "@groundrule/node/internal";
import { apiKeyDigest, type Pepper } from "../../keys/api-key-digest.ts";
import type { Store, StoredApiKey } from "../../store/port/port.ts";
import type { KeyRing, KeyStanding } from "./authenticate.ts";

/** Uses are written at most that often a key. */
const USE_RESOLUTION_MS = 60_000;

/**
 * How long what was found of a key is believed, also that there is none: on every replica a revoked one is refused, and
 * a new one known, that much later at most.
 */
const BELIEVED_MS = 500;
/** Keys that are remembered, and as many texts that are no key. */
const REMEMBERED = 10_000;
/** Looks at the store a second for keys that turn out to be unknown. */
export const DEFAULT_UNKNOWN_KEYS = 100;

interface Found {
  readonly key: StoredApiKey;
  /** When the store was asked, and when it had answered. */
  readonly askedMs: number;
  readonly atMs: number;
}

/**
 * The keys that a store holds. A key is looked up twice a second at most, so that a busy one costs the store nothing and
 * a revoked one is refused within the second, on every replica.
 *
 * Anybody can make texts that look like keys, so those that the store does not know cost it a look too, but only so many
 * a second in all. Beyond them, a key that this process has never found is not looked up; those that it has are.
 */
export class StoreKeyRing implements KeyRing {
  readonly #store: Pick<Store, "findApiKey" | "addCounts">;
  readonly #peppers: readonly Pepper[];
  /** Keys whose use is being written. */
  readonly #noting = new Set<string>();
  /** By digest. */
  readonly #found = new RecentlyUsed<string, Found>(REMEMBERED);
  /** When the store was asked for what it does not know, by digest. */
  readonly #unknown = new RecentlyUsed<string, Pick<Found, "askedMs">>(REMEMBERED);
  readonly #looks: Allowance;
  readonly #steadyMs: () => number;

  /**
   * @param peppers the current one first; the others are of keys made before it was replaced
   * @param steadyMs milliseconds of a clock that is never set
   * @param unknownKeys looks at the store a second for keys that turn out to be unknown
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
  async find(key: string): Promise<KeyStanding> {
    const digests: { readonly digest: string; readonly pepper: Pepper }[] = [];
    for (const pepper of this.#peppers) {
      // Looked up by a digest that only who has the pepper can compute, so timing tells nothing.
      const digest = apiKeyDigest(key, pepper);
      const remembered = this.#remembered(digest);
      if (remembered !== undefined) return standingOf(remembered);
      digests.push({ digest, pepper });
    }
    const before = digests.find(({ digest }) => this.#found.get(digest) !== undefined);
    for (const { digest, pepper } of before === undefined ? digests : [before]) {
      if (this.#isUnknown(digest)) continue;
      if (before === undefined && !this.#looks.take()) return { refused: "OVERLOADED" };
      const askedMs = this.#steadyMs();
      const stored = await this.#store.findApiKey({ digest });
      if (stored === undefined || stored.pepperVersion !== pepper.version) {
        this.#unknown.set(digest, { askedMs });
        continue;
      }
      if (before === undefined) this.#looks.giveBack();
      this.#found.set(digest, { key: stored, askedMs, atMs: this.#steadyMs() });
      const standing = standingOf(stored);
      if ("caller" in standing) this.#noteUse(stored);
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

  #isUnknown(digest: string): boolean {
    const asked = this.#unknown.get(digest);
    return asked !== undefined && this.#steadyMs() - asked.askedMs < BELIEVED_MS;
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

/** So many a second, and as many at once. */
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

  /** Whether there is one left. */
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

function standingOf(key: StoredApiKey): KeyStanding {
  if (key.revokedAtMs !== null) return { refused: "API_KEY_REVOKED" };
  if (key.expiresAtMs !== null && key.nowMs >= key.expiresAtMs) return { refused: "API_KEY_EXPIRED" };
  const { organization, mode, id, scopes, sources } = key;
  return { caller: { organization, mode, keyId: id, scopes, sources } };
}

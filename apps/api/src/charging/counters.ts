import type { StoredKey } from "../ledger/key-state.ts";
import type { Scope } from "../ledger/scope.ts";
import type { Counts, Gate, Store } from "../store/port/port.ts";

const ATTEMPT_WINDOW_MS = 3_600_000;

/** Position in the sequence of count writes at some moment. */
export type CountsMark = number;

/**
 * Replays and uncharged attempts, counted in memory and written periodically. They guard against abuse and bill
 * nothing, so a replay needs no write of its own and a crash may lose a few.
 *
 * A store reading taken while counts are being written may or may not include them. A count is therefore computed with
 * a mark taken before the store was read: if a write has moved since, the count is the greatest possible one, and
 * {@link hasMovedSince} reports that the store must be read again before anyone is refused.
 */
export class Counters {
  readonly #replays = new Map<string, Counts["replays"][number]>();
  readonly #attempts = new Map<string, Counts["attempts"][number]>();
  /** The batch being written, or written last. */
  #batch: Counts = NOTHING;
  /** Number of starts and ends of writes: odd while a write is running. */
  #moves: CountsMark = 0;
  #written: Promise<void> = Promise.resolve();

  /** Returns the current mark; take it before reading the store. */
  mark(): CountsMark {
    return this.#moves;
  }

  /** Resolves to true if a write started, ran or ended since the mark; by then it has ended. */
  async hasMovedSince(mark: CountsMark): Promise<boolean> {
    const moved = !this.#isStill(mark);
    if (moved) await this.#written;
    return moved;
  }

  noteReplay(scope: Scope, { key, generation }: StoredKey): void {
    const name = formatScopedKey(scope, key, generation);
    const count = (this.#replays.get(name)?.count ?? 0) + 1;
    this.#replays.set(name, { scope, key, generation, count });
  }

  replaysOf(scope: Scope, { key, generation, replays }: StoredKey, mark: CountsMark): number {
    const name = formatScopedKey(scope, key, generation);
    const pending = this.#replays.get(name)?.count ?? 0;
    const batch = this.#unsettled(mark).replays.find(
      (other) => formatScopedKey(other.scope, other.key, other.generation) === name,
    );
    return replays + pending + (batch?.count ?? 0);
  }

  noteAttempt(scope: Scope, key: string, gate: Gate, mark: CountsMark): void {
    const name = formatScopedKey(scope, key);
    const { windowStartMs } = this.attemptsOf(scope, key, gate, mark);
    const known = this.#attempts.get(name);
    const count = known?.windowStartMs === windowStartMs ? known.count + 1 : 1;
    this.#attempts.set(name, { scope, key, windowStartMs, count });
  }

  /** Uncharged attempts on a key in its current window; the first attempt starts the window. */
  attemptsOf(
    scope: Scope,
    key: string,
    gate: Gate,
    mark: CountsMark,
  ): { windowStartMs: number; endsAtMs: number; count: number } {
    const { attempts } = this.#unsettled(mark);
    if (gate.attempts === undefined && this.#attempts.size === 0 && attempts.length === 0) {
      return { windowStartMs: gate.nowMs, endsAtMs: gate.nowMs + ATTEMPT_WINDOW_MS, count: 0 };
    }
    const name = formatScopedKey(scope, key);
    const known = [
      gate.attempts,
      this.#attempts.get(name),
      attempts.find((other) => formatScopedKey(other.scope, other.key) === name),
    ].filter((counted) => counted !== undefined);
    const open = known.filter(({ windowStartMs }) => gate.nowMs < windowStartMs + ATTEMPT_WINDOW_MS);
    const windowStartMs = open.map((counted) => counted.windowStartMs).reduce((a, b) => Math.max(a, b), -1);
    if (windowStartMs === -1) {
      return { windowStartMs: gate.nowMs, endsAtMs: gate.nowMs + ATTEMPT_WINDOW_MS, count: 0 };
    }
    const count = open
      .filter((counted) => counted.windowStartMs === windowStartMs)
      .reduce((sum, counted) => sum + counted.count, 0);
    return { windowStartMs, endsAtMs: windowStartMs + ATTEMPT_WINDOW_MS, count };
  }

  /** Writes the counts, one write after the other. Counts that cannot be written are dropped. */
  flush(store: Pick<Store, "addCounts">): Promise<void> {
    const written = this.#written.then(() => this.#write(store));
    this.#written = written.catch(() => {});
    return written;
  }

  /** Counts that a store reading taken after the mark may or may not include. */
  #unsettled(mark: CountsMark): Counts {
    return this.#isStill(mark) ? NOTHING : this.#batch;
  }

  #isStill(mark: CountsMark): boolean {
    return mark === this.#moves && mark % 2 === 0;
  }

  async #write(store: Pick<Store, "addCounts">): Promise<void> {
    if (this.#replays.size === 0 && this.#attempts.size === 0) return;
    this.#moves++;
    this.#batch = {
      replays: [...this.#replays.values()],
      attempts: [...this.#attempts.values()],
      keyUses: [],
    };
    this.#replays.clear();
    this.#attempts.clear();
    try {
      await store.addCounts(this.#batch);
    } finally {
      this.#moves++;
    }
  }
}

const NOTHING: Counts = { replays: [], attempts: [], keyUses: [] };

function formatScopedKey({ organization, mode }: Scope, key: string, generation = 0): string {
  return `${mode} ${organization} ${key} ${generation}`;
}

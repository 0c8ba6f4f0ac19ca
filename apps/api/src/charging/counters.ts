import type { StoredKey } from "../ledger/key-state.ts";
import type { Scope } from "../ledger/scope.ts";
import type { Counts, Gate, Store } from "../store/port/port.ts";

const ATTEMPT_WINDOW_MS = 3_600_000;

/**
 * Replays and uncharged attempts, counted in memory and written now and then: they guard against
 * abuse and bill nothing, so a replay needs no write of its own and a crash may forget a few.
 */
export class Counters {
  readonly #replays = new Map<string, Counts["replays"][number]>();
  readonly #attempts = new Map<string, Counts["attempts"][number]>();
  /** Being written; still counted until the store has them. */
  #writing: Counts = NOTHING;
  #written: Promise<void> = Promise.resolve();

  noteReplay(scope: Scope, { key, generation }: StoredKey): void {
    const name = nameOf(scope, key, generation);
    const count = (this.#replays.get(name)?.count ?? 0) + 1;
    this.#replays.set(name, { scope, key, generation, count });
  }

  replaysOf(scope: Scope, { key, generation, replays }: StoredKey): number {
    const pending = this.#replays.get(nameOf(scope, key, generation))?.count ?? 0;
    const writing = this.#writing.replays.find(
      (other) => nameOf(other.scope, other.key, other.generation) === nameOf(scope, key, generation),
    );
    return replays + pending + (writing?.count ?? 0);
  }

  noteAttempt(scope: Scope, key: string, gate: Gate): void {
    const name = nameOf(scope, key);
    const { windowStartMs } = this.attemptsOf(scope, key, gate);
    const known = this.#attempts.get(name);
    const count = known?.windowStartMs === windowStartMs ? known.count + 1 : 1;
    this.#attempts.set(name, { scope, key, windowStartMs, count });
  }

  /** Uncharged attempts on a key in its current window; a window opens with its first attempt. */
  attemptsOf(
    scope: Scope,
    key: string,
    gate: Gate,
  ): { windowStartMs: number; endsAtMs: number; count: number } {
    const name = nameOf(scope, key);
    const known = [
      gate.attempts,
      this.#attempts.get(name),
      this.#writing.attempts.find((other) => nameOf(other.scope, other.key) === name),
    ].filter((counted) => counted !== undefined);
    const open = known.filter(({ windowStartMs }) => gate.nowMs < windowStartMs + ATTEMPT_WINDOW_MS);
    const windowStartMs = Math.max(...open.map((counted) => counted.windowStartMs), -1);
    if (windowStartMs === -1) {
      return { windowStartMs: gate.nowMs, endsAtMs: gate.nowMs + ATTEMPT_WINDOW_MS, count: 0 };
    }
    const count = open
      .filter((counted) => counted.windowStartMs === windowStartMs)
      .reduce((sum, counted) => sum + counted.count, 0);
    return { windowStartMs, endsAtMs: windowStartMs + ATTEMPT_WINDOW_MS, count };
  }

  /** Writes what was counted, one write after the other. What cannot be written is forgotten. */
  flush(store: Pick<Store, "addCounts">): Promise<void> {
    const written = this.#written.then(() => this.#write(store));
    this.#written = written.catch(() => {});
    return written;
  }

  async #write(store: Pick<Store, "addCounts">): Promise<void> {
    if (this.#replays.size === 0 && this.#attempts.size === 0) return;
    this.#writing = {
      replays: [...this.#replays.values()],
      attempts: [...this.#attempts.values()],
      keyUses: [],
    };
    this.#replays.clear();
    this.#attempts.clear();
    try {
      await store.addCounts(this.#writing);
    } finally {
      this.#writing = NOTHING;
    }
  }
}

const NOTHING: Counts = { replays: [], attempts: [], keyUses: [] };

function nameOf({ organization, mode }: Scope, key: string, generation = 0): string {
  return `${mode} ${organization} ${key} ${generation}`;
}

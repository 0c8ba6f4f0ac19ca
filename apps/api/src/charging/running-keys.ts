/** More would queue up behind one key than any honest client sends. */
const WAITER_LIMIT = 16;

interface Running {
  waiters: number;
  /** Made for the first who waits: nearly nobody does. */
  ended: PromiseWithResolvers<void> | undefined;
}

export type Turn =
  /** Nobody runs with that name; the caller does now, and must `leave`. */
  | { readonly kind: "first"; readonly leave: () => void }
  /** Somebody does; `ended` resolves when they leave, and `quit` must be called in any case. */
  | { readonly kind: "wait"; readonly ended: Promise<void>; readonly quit: () => void }
  | { readonly kind: "crowded" };

/**
 * Which idempotency keys have a request running in this process. It saves work and answers twins
 * sooner; nothing that is charged depends on it, and it is lost with the process.
 */
export class RunningKeys {
  readonly #running = new Map<string, Running>();

  enter(name: string): Turn {
    const running = this.#running.get(name);
    if (running === undefined) return { kind: "first", leave: this.#start(name) };
    if (running.waiters >= WAITER_LIMIT) return { kind: "crowded" };
    running.waiters++;
    running.ended ??= Promise.withResolvers();
    return { kind: "wait", ended: running.ended.promise, quit: () => running.waiters-- };
  }

  #start(name: string): () => void {
    const running: Running = { waiters: 0, ended: undefined };
    this.#running.set(name, running);
    return () => {
      this.#running.delete(name);
      running.ended?.resolve();
    };
  }
}

/** Maximum requests waiting for one key: more than any honest client sends. */
const WAITER_LIMIT = 16;

interface Running {
  waiters: number;
  /** Created for the first waiter; most keys have none. */
  ended: PromiseWithResolvers<void> | undefined;
}

export type Turn =
  /** No other request runs under the key; the caller now does, and must call `leave`. */
  | { readonly kind: "first"; readonly leave: () => void }
  /** Another request runs under the key; `ended` resolves when it ends, and `quit` must be called in any case. */
  | { readonly kind: "wait"; readonly ended: Promise<void>; readonly quit: () => void }
  | { readonly kind: "crowded" };

/**
 * The idempotency keys with a request running in this process. This saves work and answers duplicate requests sooner;
 * no charge depends on it, and it is lost with the process.
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

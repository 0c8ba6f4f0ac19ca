/** Maximum time of a part of long work, in milliseconds. */
const PART_MS = 40;

/** Divides long work into parts, between which the browser handles input and draws. */
export class Turns {
  #until = performance.now() + PART_MS;

  /** Ends the current part if it has taken long enough. */
  async next(): Promise<void> {
    if (performance.now() < this.#until) return;
    const { scheduler } = globalThis as { readonly scheduler?: { yield?(): Promise<void> } };
    await (scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve)));
    this.#until = performance.now() + PART_MS;
  }
}

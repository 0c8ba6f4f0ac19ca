/** An id that a source uses again, and the one it was stored under. */
export interface DuplicateId {
  /** As the source has it. */
  readonly id: string;
  /** As it is in the snapshot: `a#2` for the second `a`. */
  readonly stored_as: string;
}

/** Gives each area an id of its own: the second `a` of a source becomes `a#2`, the third `a#3`. */
export class UniqueIds {
  readonly #uses = new Map<string, number>();

  /** The id to store; `id` itself unless it was taken before. */
  take(id: string): string {
    const before = this.#uses.get(id);
    if (before === undefined) {
      this.#uses.set(id, 1);
      return id;
    }
    let use = before + 1;
    while (this.#uses.has(`${id}#${use}`)) use++;
    this.#uses.set(id, use);
    const own = `${id}#${use}`;
    this.#uses.set(own, 1);
    return own;
  }
}

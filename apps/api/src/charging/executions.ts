import type { Scope } from "../ledger/scope.ts";
import type { Company } from "../store/port/port.ts";

/** Counts the requests that are executed in this process, most of which come to be settled. */
export class Executions {
  #all = 0;
  readonly #ofScopes = new Map<string, number>();

  /** @returns ends it; calling it twice is calling it once */
  begin(scope: Scope): () => void {
    const name = nameOf(scope);
    this.#add(name, 1);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(name, -1);
      isOver = true;
    };
  }

  /** Those that a settlement of the scope may meet. */
  besides(scope: Scope): Company {
    const name = nameOf(scope);
    return { ofAll: () => this.#all, ofScope: () => this.#ofScopes.get(name) ?? 0 };
  }

  #add(name: string, count: 1 | -1): void {
    this.#all += count;
    const left = (this.#ofScopes.get(name) ?? 0) + count;
    if (left === 0) this.#ofScopes.delete(name);
    else this.#ofScopes.set(name, left);
  }
}

function nameOf({ organization, mode }: Scope): string {
  return `${mode} ${organization}`;
}

import type { Scope } from "../ledger/scope.ts";
import type { Company } from "../store/port/port.ts";

/** Counts the requests executing in this process, most of which are settled in the end. */
export class Executions {
  #all = 0;
  readonly #ofScopes = new Map<string, number>();

  /** @returns a function that ends the execution; further calls have no effect */
  begin(scope: Scope): () => void {
    const name = formatScope(scope);
    this.#add(name, 1);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(name, -1);
      isOver = true;
    };
  }

  /** The other executions that may be settled together with one of this scope. */
  besides(scope: Scope): Company {
    const name = formatScope(scope);
    return { ofAll: () => this.#all, ofScope: () => this.#ofScopes.get(name) ?? 0 };
  }

  #add(name: string, count: 1 | -1): void {
    this.#all += count;
    const left = (this.#ofScopes.get(name) ?? 0) + count;
    if (left === 0) this.#ofScopes.delete(name);
    else this.#ofScopes.set(name, left);
  }
}

function formatScope({ organization, mode }: Scope): string {
  return `${mode} ${organization}`;
}

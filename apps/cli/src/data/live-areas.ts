import { EngineError, type LiveNeed, type Provided } from "@groundrule/engine";
import { type LiveEntry, LiveSources, type OpenProvider } from "@groundrule/node";
import { DEFAULT_POOL_SIZE } from "@groundrule/node/internal";
import type { Terminal } from "../terminal/terminal.ts";

/** Areas that live sources returned for a question; empty if none was queried. */
export interface AnsweredAreas {
  readonly provided?: Provided;
}

/** Queries the live sources of a data folder for questions, as many at once as each has connections. */
export class LiveAreas {
  readonly #live: LiveSources;
  readonly #turns: Turns;

  constructor(live: LiveSources, entries: readonly LiveEntry[]) {
    const connections = entries.map(({ provider }) => provider.pool_size ?? DEFAULT_POOL_SIZE);
    this.#live = live;
    this.#turns = new Turns(connections.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY));
  }

  /** True if there is no live source. */
  get isEmpty(): boolean {
    return this.#live.isEmpty;
  }

  /**
   * Queries live sources for a question. A question that will be refused queries none.
   *
   * @param needs returns the areas it needs of them
   */
  async ask(needs: () => readonly LiveNeed[]): Promise<AnsweredAreas> {
    if (this.isEmpty) return {};
    return this.#turns.take(async () => {
      const needed = listNeedsOrNone(needs);
      return needed.length === 0 ? {} : { provided: await this.#live.ask(needed) };
    });
  }

  close(): Promise<void> {
    return this.#live.close();
  }
}

/** Opens the live sources of a data folder; code that connects to databases is loaded only if there is one. */
export async function openLiveAreas(entries: readonly LiveEntry[], terminal: Terminal): Promise<LiveAreas> {
  if (entries.length === 0) return new LiveAreas(new LiveSources(undefined), entries);
  const live = new LiveSources(await loadProviderOpener(terminal), {
    onTrouble: ({ source_name, reason }) =>
      terminal.note(`groundrule: ${source_name} cannot be queried: ${reason}`),
  });
  live.use(entries);
  return new LiveAreas(live, entries);
}

/** The function that opens a live source's provider. */
export async function loadProviderOpener({ openProvider }: Terminal): Promise<OpenProvider> {
  return openProvider ?? (await import("@groundrule/postgis")).openPostgis;
}

function listNeedsOrNone(needs: () => readonly LiveNeed[]): readonly LiveNeed[] {
  try {
    return needs();
  } catch (error) {
    // The question itself reports the error.
    if (error instanceof EngineError) return [];
    throw error;
  }
}

/** Lets so many actions run at the same time; the others wait, and run in the order they came. */
class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take<Result>(action: () => Promise<Result>): Promise<Result> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      return await action();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

import type { Engine } from "@groundrule/engine";
import { RecentlyUsed } from "@groundrule/node/internal/pure";
import { RulesetsInUse } from "./rulesets-in-use.ts";

/** An engine over the sources that are available to a caller, and the rulesets it compiled. */
export interface ScopedEngine {
  readonly engine: Engine;
  readonly rulesets: RulesetsInUse;
}

/** Few callers have sources of their own, and each of those has its own patterns. */
const KEPT = 256;

/** One engine, and the engines over parts of its sources; see {@link Engine.within}. */
export class ScopedEngines {
  readonly #whole: ScopedEngine;
  readonly #parts = new RecentlyUsed<string, ScopedEngine>(KEPT);

  constructor(engine: Engine) {
    this.#whole = scoped(engine);
  }

  /** @param within patterns of the sources that are available; absent: all; an empty list: none. */
  get(within: readonly string[] | undefined): ScopedEngine {
    if (within === undefined) return this.#whole;
    return this.#parts.getOrMake(JSON.stringify(within), () => scoped(this.#whole.engine.within(within)));
  }
}

function scoped(engine: Engine): ScopedEngine {
  return { engine, rulesets: new RulesetsInUse(engine) };
}

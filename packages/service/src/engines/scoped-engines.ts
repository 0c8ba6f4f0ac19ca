import type { Engine } from "@groundrule/engine";
import { RecentlyUsed } from "@groundrule/node";
import { RulesetsInUse } from "./rulesets-in-use.ts";

/** An engine over the sources that are available to somebody, and what it compiled. */
export interface ScopedEngine {
  readonly engine: Engine;
  readonly rulesets: RulesetsInUse;
}

/** Callers with sources of their own are few; each has its patterns. */
const KEPT = 256;

/** One engine, and its parts that are available to some; see {@link Engine.within}. */
export class ScopedEngines {
  readonly #whole: ScopedEngine;
  readonly #parts = new RecentlyUsed<string, ScopedEngine>(KEPT);

  constructor(engine: Engine) {
    this.#whole = scoped(engine);
  }

  /** @param within patterns of the sources that are available; absent: all. No pattern at all is no source. */
  get(within: readonly string[] | undefined): ScopedEngine {
    if (within === undefined) return this.#whole;
    return this.#parts.getOrMake(JSON.stringify(within), () => scoped(this.#whole.engine.within(within)));
  }
}

function scoped(engine: Engine): ScopedEngine {
  return { engine, rulesets: new RulesetsInUse(engine) };
}

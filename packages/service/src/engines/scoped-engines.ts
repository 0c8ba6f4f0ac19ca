import type { Engine, Policy, RulesetOrigin } from "@groundrule/engine";
import { listNamesInSets } from "@groundrule/engine/internal";
import { parseRuleset } from "@groundrule/engine/rulesets";
import { RecentlyUsed } from "@groundrule/node/internal/pure";

export interface RulesetInUse {
  readonly policy: Policy;
  /** The groups that it names, with their current members; a replay needs them. Undefined if it names none. */
  readonly groups: Readonly<Record<string, readonly string[]>> | undefined;
}

const KEPT = 64;

/** The rulesets that an engine compiled recently: callers send the same few again and again. */
class RulesetsInUse {
  readonly #engine: Engine;
  readonly #kept = new RecentlyUsed<string, RulesetInUse>(KEPT);

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * @param text its JSON: rulesets with the same text are the same ruleset
   * @param origin of a saved one
   * @param without names of sources and groups to leave out
   *
   * Fails: as {@link Engine.compile}.
   */
  get(ruleset: object, text: string, origin?: RulesetOrigin, without: readonly string[] = []): RulesetInUse {
    const named = origin === undefined ? text : `${origin.name}@${origin.version} ${text}`;
    const key = without.length === 0 ? named : `${JSON.stringify(without)} ${named}`;
    return this.#kept.getOrMake(key, () => ({
      policy: this.#engine.compile(ruleset, origin, { without }),
      groups: selectNamedGroups(ruleset, this.#engine),
    }));
  }
}

/** Names of sources and groups that a ruleset names, which the engine compiled. */
export function listRulesetNames(ruleset: object): ReadonlySet<string> {
  // Parsed like in the engine: members that are null count as absent.
  return listNamesInSets(parseRuleset(ruleset));
}

function selectNamedGroups(ruleset: object, engine: Engine): RulesetInUse["groups"] {
  const named = listRulesetNames(ruleset);
  const groups = Object.entries(engine.groups()).filter(([name]) => named.has(name));
  return groups.length === 0 ? undefined : Object.fromEntries(groups);
}

/** An engine over the sources that are available to a caller, and the rulesets it compiled. */
export interface ScopedEngine {
  readonly engine: Engine;
  readonly rulesets: RulesetsInUse;
}

/** Maximum cached engines: few callers have their own sources, each with different patterns. */
const ENGINES_KEPT = 256;

/** One engine, and the engines over parts of its sources; see {@link Engine.within}. */
export class ScopedEngines {
  readonly #whole: ScopedEngine;
  readonly #parts = new RecentlyUsed<string, ScopedEngine>(ENGINES_KEPT);

  constructor(engine: Engine) {
    this.#whole = createScopedEngine(engine);
  }

  /** @param within patterns of the sources that are available; absent: all; an empty list: none. */
  get(within: readonly string[] | undefined): ScopedEngine {
    if (within === undefined) return this.#whole;
    return this.#parts.getOrMake(JSON.stringify(within), () =>
      createScopedEngine(this.#whole.engine.within(within)),
    );
  }
}

function createScopedEngine(engine: Engine): ScopedEngine {
  return { engine, rulesets: new RulesetsInUse(engine) };
}

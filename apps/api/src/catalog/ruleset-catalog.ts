import { PRESET_PREFIX, type RulesetFilter } from "@groundrule/contract";
import { canonicalJson } from "@groundrule/engine/records";
import { parseRuleset, rulesetDigest } from "@groundrule/engine/rulesets";
import type { MetPublication } from "../ledger/publication.ts";
import type { Scope } from "../ledger/scope.ts";
import type {
  CreatedRuleset,
  NewRuleset,
  Page,
  PublicationQuestion,
  RulesetChoice,
  Store,
  StoredRuleset,
} from "../store/port/port.ts";

/** A ruleset that comes with the service. */
export interface Preset {
  /** Begins with {@link PRESET_PREFIX}. */
  readonly name: string;
  readonly version: number;
  /** {description?, sets, checks} */
  readonly body: Readonly<Record<string, unknown>>;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

export type RulesetStore = Pick<Store, "createRuleset" | "findRuleset" | "listRulesets" | "meetPublication">;

export type CatalogSummary = Omit<StoredRuleset, "body" | "digest">;

/**
 * The rulesets a caller can name: those of its organization and mode, and the presets, which everybody may read.
 * Append-only: a name and version always mean the same ruleset.
 */
export class RulesetCatalog {
  readonly #store: RulesetStore;
  /** Presets by full name, latest first. */
  readonly #presets: ReadonlyMap<string, readonly StoredRuleset[]>;

  constructor(store: RulesetStore, presets: readonly Preset[] = []) {
    this.#store = store;
    const stored = presets.map(toStoredRuleset);
    this.#presets = new Map(
      stored.map(({ name }) => [
        name,
        stored.filter((other) => other.name === name).sort((a, b) => b.version - a.version),
      ]),
    );
  }

  /** Finds that version, or the latest if none is named. */
  async find(scope: Scope, name: string, version?: number): Promise<StoredRuleset | undefined> {
    if (name.startsWith(PRESET_PREFIX)) {
      const versions = this.#presets.get(name) ?? [];
      return version === undefined ? versions[0] : versions.find((preset) => preset.version === version);
    }
    return this.#store.findRuleset({ scope, name, ...(version !== undefined && { version }) });
  }

  /** Newest first. Presets are listed only by their name, or the beginning of it. */
  async list(
    scope: Scope,
    question: { readonly name?: string | undefined; readonly page: number; readonly pageSize: number },
  ): Promise<Page<CatalogSummary>> {
    const { name, page, pageSize } = question;
    if (name?.startsWith(PRESET_PREFIX)) {
      const found = [...this.#presets.values()]
        .flat()
        .filter((preset) => (name === PRESET_PREFIX ? true : preset.name === name));
      return { items: found.slice((page - 1) * pageSize, page * pageSize), totalCount: found.length };
    }
    return this.#store.listRulesets({ scope, page, pageSize, ...(name !== undefined && { name }) });
  }

  /**
   * Returns the ruleset condition of a decision filter: a preset is matched by its digests, any other ruleset by the
   * name it is stored under.
   */
  choice(filter: RulesetFilter): RulesetChoice {
    if ("digest" in filter) return { digests: [filter.digest] };
    const { name, version } = filter;
    if (!name.startsWith(PRESET_PREFIX)) return { name, ...(version !== undefined && { version }) };
    const presets = this.#presets.get(name) ?? [];
    const chosen = presets.filter((preset) => version === undefined || preset.version === version);
    return { digests: [...new Set(chosen.map(({ digest }) => digest))] };
  }

  async create(ruleset: NewRuleset): Promise<CreatedRuleset> {
    return this.#store.createRuleset(ruleset);
  }

  /** Finds an earlier publication under the same idempotency key, and whether it prevents this one. */
  async meet(question: PublicationQuestion): Promise<MetPublication> {
    return this.#store.meetPublication(question);
  }
}

function toStoredRuleset({ name, version, body, createdAt }: Preset): StoredRuleset {
  return {
    name,
    version,
    body: canonicalJson(body),
    digest: rulesetDigest(parseRuleset(body)),
    createdAtMs: Date.parse(createdAt),
  };
}

import { canonicalJson } from "@groundrule/engine/records";
import type { SavedBody } from "@groundrule/service/plain";
import type { FoundRuleset, NamedRuleset } from "../answering/answerer.ts";

/** A version of a ruleset under a name. */
export interface PublishedRuleset {
  readonly name: string;
  /** From 1. */
  readonly version: number;
  /** Description, sets and checks. */
  readonly body: object;
}

const PRESET_PREFIX = "preset.";

/** The rulesets that can be named without a service: presets, those of files, and those saved in the page. */
export class LocalCatalog {
  /** Rulesets by name and version. */
  readonly #rulesets = new Map<string, Map<number, SavedBody>>();

  constructor(rulesets: readonly PublishedRuleset[]) {
    for (const ruleset of rulesets) this.add(ruleset);
  }

  /** Stores a ruleset under a name as its next version; an unchanged body adds no version. */
  publish(name: string, body: object): PublishedRuleset {
    const versions = this.#rulesets.get(name);
    const latest = getLatestVersion(versions);
    const text = canonicalJson(body);
    if (versions?.get(latest)?.body === text) return { name, version: latest, body };
    const published = { name, version: latest + 1, body };
    this.add(published);
    return published;
  }

  /** @param version absent: the latest */
  find({ name, version }: { readonly name: string; readonly version?: number }): SavedBody | undefined {
    const versions = this.#rulesets.get(name);
    return versions?.get(version ?? getLatestVersion(versions));
  }

  /** Each name once, in its latest version, ascending; presets last. */
  list(): NamedRuleset[] {
    return [...this.#rulesets.keys()]
      .map((name): NamedRuleset => {
        const { version, body } = this.find({ name })!;
        const { description } = JSON.parse(body) as { readonly description?: unknown };
        return {
          name,
          version,
          isPreset: name.startsWith(PRESET_PREFIX),
          ...(typeof description === "string" && { description }),
        };
      })
      .sort((a, b) =>
        a.isPreset === b.isPreset ? (a.name < b.name ? -1 : 1) : Number(a.isPreset) - Number(b.isPreset),
      );
  }

  /** @param id `name` or `name@version` */
  get(id: string): FoundRuleset | undefined {
    const [name = "", version] = id.split("@");
    const found = this.find({ name, ...(version !== undefined && { version: Number(version) }) });
    return found && { name, version: found.version, body: JSON.parse(found.body) as object };
  }

  /** Adds a version. */
  add({ name, version, body }: PublishedRuleset): void {
    const versions = this.#rulesets.get(name) ?? new Map<number, SavedBody>();
    versions.set(version, { name, version, body: canonicalJson(body) });
    this.#rulesets.set(name, versions);
  }
}

/** The number of the latest version; 0 if there is none. */
function getLatestVersion(versions: ReadonlyMap<number, SavedBody> = new Map()): number {
  return [...versions.keys()].reduce((a, b) => Math.max(a, b), 0);
}

/** What the page is told of where it stands: `config.json` beside it. */
export interface PageConfig {
  /** The base URL of the service that answers, relative to the page; null where the page answers by itself. */
  readonly service: string | null;
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
  readonly snapshots: readonly string[];
  readonly rulesets: readonly string[];
}

const ALONE: PageConfig = { service: null, tiles: null, snapshots: [], rulesets: [] };

/** The configuration; of a page without one, that it answers by itself. */
export async function readConfig(): Promise<PageConfig> {
  try {
    const response = await fetch("config.json");
    return response.ok ? { ...ALONE, ...((await response.json()) as Partial<PageConfig>) } : ALONE;
  } catch {
    return ALONE;
  }
}

/** What the address says after `#`: a key, and the ruleset to begin with. */
export interface Fragment {
  readonly key: string | undefined;
  readonly ruleset: string | undefined;
}

/** @param hash e.g. `#key=gr_test_…&ruleset=forest-areas` */
export function readFragment(hash: string): Fragment {
  const members = new URLSearchParams(hash.replace(/^#/, ""));
  return { key: members.get("key") ?? undefined, ruleset: members.get("ruleset") ?? undefined };
}

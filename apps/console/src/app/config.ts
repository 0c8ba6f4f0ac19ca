import type { Bounds } from "../map/layers/plot-features.ts";

/** What the page is told of where it stands: `config.json` beside it. */
export interface PageConfig {
  /** The base URL of the service that answers, relative to the page; null where the page answers by itself. */
  readonly service: string | null;
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
  /** A style of MapLibre in place of tiles; absent in the files of earlier releases. */
  readonly style: { readonly url: string; readonly attribution: string } | null;
  readonly snapshots: readonly string[];
  readonly rulesets: readonly string[];
}

const ALONE: PageConfig = { service: null, tiles: null, style: null, snapshots: [], rulesets: [] };

/** The configuration; of a page without one, that it answers by itself. */
export async function readConfig(): Promise<PageConfig> {
  try {
    const response = await fetch("config.json");
    return response.ok ? { ...ALONE, ...((await response.json()) as Partial<PageConfig>) } : ALONE;
  } catch {
    return ALONE;
  }
}

/** What the address says after `#`. */
export interface Fragment {
  readonly key: string | undefined;
  /** Name of the ruleset to begin with. */
  readonly ruleset: string | undefined;
  /** Where the map begins: west, south, east and north, in degrees. */
  readonly bbox: Bounds | undefined;
}

/** @param hash e.g. `#key=gr_test_…&ruleset=forest-areas&bbox=-59.8,-10.7,-59.4,-10.3` */
export function readFragment(hash: string): Fragment {
  const members = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    key: members.get("key") ?? undefined,
    ruleset: members.get("ruleset") ?? undefined,
    bbox: boundsIn(members.get("bbox") ?? ""),
  };
}

/** The box that a text tells; undefined where it tells none, or one that is not on the map. */
function boundsIn(text: string): Bounds | undefined {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [west, south, east, north] = numbers as [number, number, number, number];
  const isBox =
    numbers.length === 4 &&
    -180 <= west &&
    west < east &&
    east <= 180 &&
    -85 <= south &&
    south < north &&
    north <= 85;
  return isBox ? [west, south, east, north] : undefined;
}

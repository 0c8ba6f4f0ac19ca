import type { Bounds } from "../map/layers/plot-features.ts";
import type { MapView } from "../state/map-view.ts";

/** The page's deployment settings, from the file `config.json` in its folder. */
export interface PageConfig {
  /** The base URL of the service, relative to the page; null if the page itself answers. */
  readonly service: string | null;
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
  /** A MapLibre style, in place of tiles; absent in files of earlier releases. */
  readonly style: { readonly url: string; readonly attribution: string } | null;
  readonly snapshots: readonly string[];
  readonly rulesets: readonly string[];
}

const ALONE: PageConfig = { service: null, tiles: null, style: null, snapshots: [], rulesets: [] };

/** Reads the configuration; without a file, the page itself answers. */
export async function fetchPageConfig(): Promise<PageConfig> {
  try {
    const response = await fetch("config.json");
    return response.ok ? { ...ALONE, ...((await response.json()) as Partial<PageConfig>) } : ALONE;
  } catch {
    return ALONE;
  }
}

/** The settings after `#` in the address. */
export interface Fragment {
  readonly key: string | undefined;
  /** Name of the ruleset to start with. */
  readonly ruleset: string | undefined;
  /** Initial view of the map: west, south, east and north, in degrees. */
  readonly bbox: Bounds | undefined;
  /** The exact view that the page wrote itself; goes before `bbox`. */
  readonly view: MapView | undefined;
}

/** @param hash e.g. `#key=gr_test_…&ruleset=forest-areas&bbox=-59.8,-10.7,-59.4,-10.3` */
export function parseAddressFragment(hash: string): Fragment {
  const members = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    key: members.get("key") ?? undefined,
    ruleset: members.get("ruleset") ?? undefined,
    bbox: parseBounds(members.get("bbox") ?? ""),
    view: parseView(members.get("view") ?? ""),
  };
}

/**
 * The fragment with which the page opens again as it is: never with a key.
 *
 * @returns empty if there is nothing to remember
 */
export function formatAddressFragment({
  ruleset,
  view,
}: Partial<Pick<Fragment, "ruleset" | "view">>): string {
  const members = new URLSearchParams();
  if (ruleset !== undefined) members.set("ruleset", ruleset);
  if (view !== undefined) {
    const { longitude, latitude, zoom } = view;
    members.set("view", [longitude.toFixed(5), latitude.toFixed(5), zoom.toFixed(2)].join());
  }
  const text = members.toString().replaceAll("%2C", ",").replaceAll("%40", "@");
  return text === "" ? "" : `#${text}`;
}

/** Parses a view; undefined if the text is malformed, or the view is not on the map. */
function parseView(text: string): MapView | undefined {
  const [longitude, latitude, zoom] = parseNumbers(text) as [number, number, number];
  const isView = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 85.06 && zoom >= 0 && zoom <= 24;
  return isView ? { longitude, latitude, zoom } : undefined;
}

function parseNumbers(text: string): readonly number[] {
  return text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
}

/** Parses a box; undefined if the text is malformed, or the box is not on the map. */
function parseBounds(text: string): Bounds | undefined {
  const numbers = parseNumbers(text);
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

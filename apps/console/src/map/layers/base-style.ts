import type { LayerSpecification, SourceSpecification, StyleSpecification } from "maplibre-gl";

/** A base map of an operator's choice, its sources and layers under names that are none of the page's. */
export interface BaseStyle {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  readonly layers: readonly LayerSpecification[];
  readonly glyphs?: string;
  readonly sprite?: string;
  /** Fonts that its glyphs have: the page's own labels are written in them. */
  readonly fonts?: readonly string[];
  /** Whose it is, beside what its sources tell of themselves. */
  readonly attribution?: string;
}

/** What names of a base map begin with. */
export const BASE = "base ";

/** Fails: where the style cannot be fetched, or is none. */
export async function loadStyle(url: string, attribution: string): Promise<BaseStyle> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the style's server answered ${response.status}`);
  return styleOf((await response.json()) as StyleSpecification, url, attribution);
}

/** @param url of the style, from which its addresses start */
export function styleOf(style: StyleSpecification, url: string, attribution: string): BaseStyle {
  const absolute = (address: string): string =>
    new URL(address, url).href.replace(/%7B([\w-]+)%7D/gi, "{$1}");
  const sources = Object.entries(style.sources).map(([name, source]) => {
    const { url: of, tiles, ...others } = source as { url?: string; tiles?: string[] };
    return [
      BASE + name,
      {
        ...others,
        ...(of !== undefined && { url: absolute(of) }),
        ...(tiles !== undefined && { tiles: tiles.map(absolute) }),
      } as SourceSpecification,
    ] as const;
  });
  const layers = style.layers.map(
    (layer) =>
      ({
        ...layer,
        id: BASE + layer.id,
        ...("source" in layer && { source: `${BASE}${layer.source}` }),
      }) as LayerSpecification,
  );
  const fonts = style.layers.map(
    ({ layout }) => (layout as { "text-font"?: unknown } | undefined)?.["text-font"],
  );
  const named = fonts.find(
    (each): each is string[] => Array.isArray(each) && !/^[a-z]/.test(String(each[0])),
  );
  const { glyphs, sprite } = style;
  return {
    sources: Object.fromEntries(sources),
    layers,
    ...(glyphs !== undefined && { glyphs: absolute(glyphs) }),
    ...(typeof sprite === "string" && { sprite: absolute(sprite) }),
    ...(named !== undefined && { fonts: named }),
    ...(attribution !== "" && { attribution }),
  };
}

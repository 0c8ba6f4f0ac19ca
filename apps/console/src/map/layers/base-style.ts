import type { LayerSpecification, SourceSpecification, StyleSpecification } from "maplibre-gl";

/** A base map of the operator's choice; the names of its sources and layers never collide with the page's. */
export interface BaseStyle {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  readonly layers: readonly LayerSpecification[];
  readonly glyphs?: string;
  readonly sprite?: string;
  /** Fonts of its glyphs: the page's own labels use them. */
  readonly fonts?: readonly string[];
  /** Attribution, in addition to that of its sources. */
  readonly attribution?: string;
}

/** Prefix of a base map's names. */
export const BASE = "base ";

/** Fails: if the style cannot be fetched, or is invalid. */
export async function fetchBaseStyle(url: string, attribution: string): Promise<BaseStyle> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the style's server answered ${response.status}`);
  return toBaseStyle((await response.json()) as StyleSpecification, url, attribution);
}

/** @param url of the style, to which its addresses are relative */
export function toBaseStyle(style: StyleSpecification, url: string, attribution: string): BaseStyle {
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

import type { LayerSpecification, Map as MapLibreMap, SourceSpecification } from "maplibre-gl";
import type { WantedLayers } from "./map-look.ts";

/** The part of a map needed to manage its layers. */
type Target = Pick<
  MapLibreMap,
  | "addLayer"
  | "addSource"
  | "removeLayer"
  | "removeSource"
  | "setFilter"
  | "setLayoutProperty"
  | "setPaintProperty"
  | "getLayer"
>;

/**
 * Brings a map's layers to a wanted state with minimal changes, so that others' layers (the drawing) and the data of
 * sources stay.
 */
export class MapLayers {
  readonly #map: Target;
  #sources = new Map<string, string>();
  #layers: readonly LayerSpecification[] = [];

  constructor(map: Target) {
    this.#map = map;
  }

  apply({ sources, layers }: WantedLayers): void {
    const stays = new Set(
      Object.entries(sources)
        .filter(([id, source]) => this.#sources.get(id) === JSON.stringify(source))
        .map(([id]) => id),
    );
    const kept = this.#removeLayers(layers, stays);
    this.#replaceSources(sources, stays);
    this.#placeLayers(layers, kept);
    this.#layers = layers;
  }

  /** Removes layers that are not wanted; those of changed sources must go first. */
  #removeLayers(
    wanted: readonly LayerSpecification[],
    stays: ReadonlySet<string>,
  ): Map<string, LayerSpecification> {
    const byId = new Map(wanted.map((layer) => [layer.id, layer]));
    const kept = new Map<string, LayerSpecification>();
    for (const layer of this.#layers) {
      const next = byId.get(layer.id);
      const isKept =
        next !== undefined && next.type === layer.type && findLayerSource(next) === findLayerSource(layer);
      if (isKept && (findLayerSource(layer) === undefined || stays.has(findLayerSource(layer)!)))
        kept.set(layer.id, layer);
      else this.#map.removeLayer(layer.id);
    }
    return kept;
  }

  #replaceSources(wanted: Readonly<Record<string, SourceSpecification>>, stays: ReadonlySet<string>): void {
    for (const id of this.#sources.keys()) {
      if (!stays.has(id)) this.#map.removeSource(id);
    }
    for (const [id, source] of Object.entries(wanted)) {
      if (!stays.has(id)) this.#map.addSource(id, source);
    }
    this.#sources = new Map(Object.entries(wanted).map(([id, source]) => [id, JSON.stringify(source)]));
  }

  /** From top to bottom, so that the layer above exists when one is inserted below it. */
  #placeLayers(wanted: readonly LayerSpecification[], kept: ReadonlyMap<string, LayerSpecification>): void {
    let above: string | undefined;
    for (const layer of wanted.toReversed()) {
      const before = kept.get(layer.id);
      if (before === undefined) this.#map.addLayer(layer, above);
      else this.#change(before, layer);
      above = layer.id;
    }
  }

  #change(before: LayerSpecification, after: LayerSpecification): void {
    const [old, wanted] = [getLayerParts(before), getLayerParts(after)];
    if (!isSame(old.filter, wanted.filter)) this.#map.setFilter(after.id, wanted.filter as never);
    for (const name of collectMemberNames(old.paint, wanted.paint)) {
      if (!isSame(old.paint[name], wanted.paint[name])) {
        this.#map.setPaintProperty(after.id, name as never, wanted.paint[name] as never);
      }
    }
    for (const name of collectMemberNames(old.layout, wanted.layout)) {
      if (!isSame(old.layout[name], wanted.layout[name])) {
        this.#map.setLayoutProperty(after.id, name as never, wanted.layout[name] as never);
      }
    }
  }
}

interface Parts {
  readonly filter: unknown;
  readonly paint: Readonly<Record<string, unknown>>;
  readonly layout: Readonly<Record<string, unknown>>;
}

function getLayerParts(layer: LayerSpecification): Parts {
  const { filter, paint = {}, layout = {} } = layer as Partial<Parts>;
  return { filter, paint, layout };
}

function findLayerSource(layer: LayerSpecification): string | undefined {
  return "source" in layer && typeof layer.source === "string" ? layer.source : undefined;
}

function collectMemberNames(...parts: readonly Readonly<Record<string, unknown>>[]): Set<string> {
  return new Set(parts.flatMap(Object.keys));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

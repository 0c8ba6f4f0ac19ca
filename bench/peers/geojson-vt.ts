import type { SourceAreas } from "@groundrule/engine/areas";
import type { TilePlace } from "@groundrule/tiles";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import GeoJSONVT from "geojson-vt";

interface PolygonFeature {
  readonly type: "Feature";
  readonly properties: { readonly source_id: string; readonly name: string | null; readonly index: number };
  readonly geometry: { readonly type: "MultiPolygon"; readonly coordinates: number[][][][] };
}

export interface FeatureCollection {
  readonly type: "FeatureCollection";
  readonly features: readonly PolygonFeature[];
}

/** The areas of a source as the objects of GeoJSON that geojson-vt asks for. */
export function geojsonOf({ layer, attributes }: SourceAreas): FeatureCollection {
  const { xy, ringStarts, areaRings, ringRoles } = layer;
  const features = Array.from({ length: layer.areaCount }, (_, area): PolygonFeature => {
    const coordinates: number[][][][] = [];
    for (let ring = areaRings[area]!; ring < areaRings[area + 1]!; ring++) {
      const positions: number[][] = [];
      for (let i = ringStarts[ring]!; i < ringStarts[ring + 1]!; i++)
        positions.push([xy[2 * i]!, xy[2 * i + 1]!]);
      if (ringRoles[ring] === 0) coordinates.push([positions]);
      else coordinates.at(-1)!.push(positions);
    }
    const properties = { source_id: attributes.id(area), name: attributes.name(area), index: area };
    return { type: "Feature", properties, geometry: { type: "MultiPolygon", coordinates } };
  });
  return { type: "FeatureCollection", features };
}

/** geojson-vt over one layer, with its defaults, written by vt-pbf. */
export class GeojsonVt {
  readonly #index: GeoJSONVT;

  constructor(areas: FeatureCollection) {
    // Its own extent and buffer are ours; beyond zoom 14 neither cuts anything.
    this.#index = new GeoJSONVT(areas as unknown as ConstructorParameters<typeof GeoJSONVT>[0], {
      maxZoom: 14,
      generateId: true,
    });
  }

  /** A tile; without bytes where there is nothing. */
  cut({ z, x, y }: TilePlace): Uint8Array {
    const tile = this.#index.getTile(z, x, y);
    if (tile === null) return new Uint8Array();
    return fromGeojsonVt(
      { areas: tile as unknown as Parameters<typeof fromGeojsonVt>[0][string] },
      { version: 2 },
    );
  }
}

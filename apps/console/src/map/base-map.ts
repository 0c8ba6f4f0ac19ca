import type { Feature, FeatureCollection, MultiLineString, Point } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

/** What the base map draws of the world. */
export interface BaseMap {
  readonly land: FeatureCollection;
  readonly borders: MultiLineString;
}

/** The countries of the world as world-atlas has them. */
export type WorldAtlas = Topology<{
  countries: GeometryCollection<{ name: string }>;
  land: GeometryCollection;
}>;

/** Land, and the borders between countries, from Natural Earth. */
export function baseMapOf(atlas: WorldAtlas): BaseMap {
  const { countries, land } = atlas.objects;
  return {
    land: feature(atlas, land) as FeatureCollection,
    borders: mesh(atlas, countries, (a, b) => a !== b),
  };
}

/**
 * Where the name of a country goes: the middle of its largest ring's box.
 *
 * @param named by numeric ISO 3166-1 code, as the atlas has it; countries without a name are left out
 */
export function countryNames(
  atlas: WorldAtlas,
  named: (numericCode: string) => string | undefined,
): FeatureCollection<Point, { name: string; rank: number }> {
  const features: Feature<Point, { name: string; rank: number }>[] = [];
  for (const country of (feature(atlas, atlas.objects.countries) as FeatureCollection).features) {
    const name = country.id === undefined ? undefined : named(String(country.id));
    const box = name === undefined ? undefined : largestBox(country.geometry);
    if (name === undefined || box === undefined) continue;
    const size = (box[2] - box[0]) * (box[3] - box[1]);
    features.push({
      type: "Feature",
      properties: { name, rank: -size },
      geometry: { type: "Point", coordinates: [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] },
    });
  }
  return { type: "FeatureCollection", features };
}

type Box = [west: number, south: number, east: number, north: number];

function largestBox(geometry: Feature["geometry"]): Box | undefined {
  const polygons =
    geometry.type === "Polygon"
      ? [geometry.coordinates]
      : geometry.type === "MultiPolygon"
        ? geometry.coordinates
        : [];
  let largest: Box | undefined;
  let size = -1;
  for (const [outer] of polygons) {
    const box: Box = [180, 90, -180, -90];
    for (const [x, y] of outer ?? []) {
      box[0] = Math.min(box[0], x!);
      box[1] = Math.min(box[1], y!);
      box[2] = Math.max(box[2], x!);
      box[3] = Math.max(box[3], y!);
    }
    const area = (box[2] - box[0]) * (box[3] - box[1]);
    if (area > size) [largest, size] = [box, area];
  }
  return largest;
}

import { iso2Of } from "@groundrule/borders/iso-3166";
import { type CountryOutline, countryOutlines, landBorders } from "@groundrule/borders/outlines";
import type { Feature, FeatureCollection, MultiLineString, MultiPolygon, Point } from "geojson";
import type { Bounds } from "./plot-features.ts";

/** The geometries of the base map. */
export interface BaseMap {
  readonly land: FeatureCollection<MultiPolygon>;
  readonly borders: MultiLineString;
}

/** Land, and the borders between countries, from Natural Earth. */
export function createBaseMap(): BaseMap {
  const features = countryOutlines().map(
    ({ coordinates }): Feature<MultiPolygon> => ({
      type: "Feature",
      properties: {},
      geometry: { type: "MultiPolygon", coordinates: coordinates as [number, number][][][] },
    }),
  );
  return {
    land: { type: "FeatureCollection", features },
    borders: { type: "MultiLineString", coordinates: landBorders() as [number, number][][] },
  };
}

/** Minimum width or height of a country, in CSS pixels, for its name to be written. */
const NAME_ROOM = 36;

/**
 * The names of countries in the middle of the largest part of each, with the zoom from which the name fits.
 *
 * @param language BCP 47; the browser supplies the names
 */
export function buildCountryNames(
  language: string,
): FeatureCollection<Point, { name: string; from: number; rank: number }> {
  const features = countryOutlines().flatMap((country) => {
    const name = findCountryName(language, country);
    const box = name === undefined ? undefined : computeLargestPartBounds(country);
    if (name === undefined || box === undefined) return [];
    const [west, south, east, north] = box;
    const size = Math.max(east - west, north - south);
    return [
      {
        type: "Feature" as const,
        properties: { name, from: Math.log2((NAME_ROOM * 360) / (512 * size)), rank: -size },
        geometry: { type: "Point" as const, coordinates: [(west + east) / 2, (south + north) / 2] },
      },
    ];
  });
  return { type: "FeatureCollection", features };
}

let names: readonly [language: string, names: Intl.DisplayNames] | undefined;

/** A country's name, as the browser has it; undefined for land without a code. */
export function findCountryName(
  language: string,
  { iso3 }: Pick<CountryOutline, "iso3">,
): string | undefined {
  if (names?.[0] !== language) {
    names = [language, new Intl.DisplayNames([language], { type: "region", fallback: "none" })];
  }
  const iso2 = iso3 === null ? undefined : iso2Of(iso3);
  return iso2 === undefined ? undefined : names[1].of(iso2);
}

/** The box around the largest part of a country; undefined for codes without an outline. */
export function findCountryBounds(iso3: string): Bounds | undefined {
  const country = countryOutlines().find((each) => each.iso3 === iso3);
  return country && computeLargestPartBounds(country);
}

function computeLargestPartBounds({ coordinates }: CountryOutline): Bounds | undefined {
  let largest: Bounds | undefined;
  let size = -1;
  for (const [outer = []] of coordinates) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of outer) {
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    }
    const area = (east - west) * (north - south);
    if (area > size) [largest, size] = [[west, south, east, north], area];
  }
  return largest;
}

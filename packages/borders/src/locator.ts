import { type CountryOutline, countryOutlines, type Position } from "./outlines.ts";

/** Degrees within which a border may lie elsewhere than its outline: 17 km on the equator. */
const DOUBT = 0.15;
/** Least and greatest degrees of latitude of a small map; without a country, its height. */
const LEAST_DEGREES = 3;
const MOST_DEGREES = 56;
const AT_SEA_DEGREES = 24;
/** Room around the country, as a share of its size. */
const MARGIN = 0.12;

/**
 * The country whose outline holds a place.
 *
 * @param position longitude and latitude, degrees; longitudes may run on past ±180
 *
 * @returns undefined at sea
 */
export function outlineAt([longitude, latitude]: Position): CountryOutline | undefined {
  const place: Position = [wrapLongitude(longitude), latitude];
  return countryOutlines().find(({ coordinates }) => containsPosition(coordinates, place));
}

/**
 * The countries that a place may lie in, as far as outlines show: the one that contains it first, then those whose
 * outline comes within some 17 km.
 *
 * @param position longitude and latitude, degrees; longitudes may run on past ±180
 *
 * @returns none far out at sea
 */
export function outlinesNear([longitude, latitude]: Position): readonly CountryOutline[] {
  const found = AROUND.map(([right, up]) => outlineAt([longitude + right * DOUBT, latitude + up * DOUBT]));
  return [...new Set(found.filter((country) => country !== undefined))];
}

/** The place itself, then eight around it. */
const AROUND = [0, -1, 1].flatMap((right) => [0, -1, 1].map((up) => [right, up] as const));

/**
 * The frame of a small map that shows where a place lies: the part of a country that contains it, and the country's
 * other parts nearby; a window if the country is too wide.
 *
 * @param position longitude and latitude, degrees
 * @param country that the place lies in; absent at sea
 * @param shape the map's width ÷ its height, where a degree of longitude is as long as one of latitude is in the middle
 *
 * @returns west, south, east and north, degrees; longitudes may run on past ±180
 */
export function locatorFrame(
  position: Position,
  country: CountryOutline | undefined,
  shape: number,
): readonly [west: number, south: number, east: number, north: number] {
  const middle: Position = [wrapLongitude(position[0]), position[1]];
  const stretch = Math.max(0.1, Math.cos((middle[1] * Math.PI) / 180));
  const window = ([lon, lat]: Position, degrees: number): Box => {
    const half = degrees / 2;
    const wide = (half * shape) / stretch;
    return [lon - wide, lat - half, lon + wide, lat + half];
  };
  const box = country === undefined ? undefined : computeCountryBox(country, middle);
  if (box === undefined) return window(middle, AT_SEA_DEGREES);
  const [west, south, east, north] = box;
  const degrees = Math.max(north - south, ((east - west) * stretch) / shape) * (1 + 2 * MARGIN);
  if (degrees > MOST_DEGREES) return window(middle, MOST_DEGREES);
  return window([(west + east) / 2, (south + north) / 2], Math.max(LEAST_DEGREES, degrees));
}

type Box = readonly [west: number, south: number, east: number, north: number];

function wrapLongitude(longitude: number): number {
  return longitude - 360 * Math.round(longitude / 360);
}

/** By the even-odd rule. Outlines may run on past ±180. */
function containsPosition(
  coordinates: CountryOutline["coordinates"],
  [longitude, latitude]: Position,
): boolean {
  return [0, -360, 360].some((turn) => {
    let isInside = false;
    for (const ring of coordinates.flat()) {
      for (let i = 1; i < ring.length; i++) {
        const [[x1, y1], [x2, y2]] = [ring[i - 1]!, ring[i]!];
        if (y1 > latitude === y2 > latitude) continue;
        if (longitude + turn < x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
      }
    }
    return isInside;
  });
}

function computeCountryBox({ coordinates }: CountryOutline, [lon, lat]: Position): Box | undefined {
  const boxes = coordinates.map(([outer = []]): Box => {
    const points = outer.map(([x, y]): Box => [x, y, x, y]);
    const [west, south, east, north] = points.reduce(mergeBoxes);
    const turn = 360 * Math.round(((west + east) / 2 - lon) / 360);
    return [west - turn, south, east - turn, north];
  });
  // A place that lies just off the coast is at the part that is nearest.
  const away = ([west, south, east, north]: Box): number =>
    Math.max(0, west - lon, lon - east) + Math.max(0, south - lat, lat - north);
  const main = boxes.reduce<Box | undefined>(
    (best, box) => (best && away(best) <= away(box) ? best : box),
    undefined,
  );
  if (main === undefined) return undefined;
  const [wide, high] = [(main[2] - main[0]) / 2, (main[3] - main[1]) / 2];
  return boxes
    .filter(
      ([west, south, east, north]) =>
        west >= main[0] - wide &&
        east <= main[2] + wide &&
        south >= main[1] - high &&
        north <= main[3] + high,
    )
    .reduce(mergeBoxes, main);
}

function mergeBoxes(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

import { OUTLINES_TEXT } from "./outlines-text.ts";

/** A position in degrees on WGS 84. */
export type Position = readonly [longitude: number, latitude: number];

/** The outline of a country, for small maps. */
export interface CountryOutline {
  /** ISO 3166-1 alpha-3; null for land without a code. */
  readonly iso3: string | null;
  /**
   * Rings of each polygon as GeoJSON's `MultiPolygon` has them: closed, outer ring first. Longitudes run on past ±180
   * where a ring crosses there, and Antarctica is closed along the pole.
   */
  readonly coordinates: readonly (readonly (readonly Position[])[])[];
}

/**
 * The outlines of all countries: Natural Earth's at 1:50 million, simplified to some ten kilometres, on a grid of
 * 0.018°. Neighbours share the positions of their border. For maps that show where something is: they say nothing on
 * which country a place near a border is in.
 *
 * @returns the same list at every call, decoded at the first
 */
export function countryOutlines(): readonly CountryOutline[] {
  outlines ??= getAtlas().countries.map(([code, polygons]) => ({
    iso3: code === "" ? null : code,
    coordinates: polygons.map((polygon) => polygon.map(joinArcsToRing)),
  }));
  return outlines;
}

/**
 * The borders between countries, without the coasts: lines of positions, as GeoJSON's `MultiLineString` has them. Each
 * border comes once.
 *
 * @returns the same list at every call, decoded at the first
 */
export function landBorders(): readonly (readonly Position[])[] {
  borders ??= listSharedArcs();
  return borders;
}

/** As `tools/borders/write-outlines.ts` writes it: TopoJSON's arcs and transform, arcs of rings by country. */
interface Atlas {
  readonly countries: readonly (readonly [code: string, polygons: readonly (readonly number[][])[]])[];
  readonly arcs: readonly (readonly Position[])[];
}

let decoded: Atlas | undefined;
let outlines: readonly CountryOutline[] | undefined;
let borders: readonly (readonly Position[])[] | undefined;

function getAtlas(): Atlas {
  decoded ??= decodeAtlas();
  return decoded;
}

function decodeAtlas(): Atlas {
  const { transform, countries, arcs } = JSON.parse(OUTLINES_TEXT) as {
    readonly transform: { readonly scale: Position; readonly translate: Position };
    readonly countries: Atlas["countries"];
    readonly arcs: string;
  };
  const { scale, translate } = transform;
  return {
    countries,
    arcs: arcs.split(" ").map((text) => {
      const numbers = decodeVlqNumbers(text);
      let [x, y] = [0, 0];
      return Array.from({ length: numbers.length / 2 }, (_, i): Position => {
        x += numbers[2 * i]!;
        y += numbers[2 * i + 1]!;
        return [roundDegrees(x * scale[0] + translate[0]), roundDegrees(y * scale[1] + translate[1])];
      });
    }),
  };
}

/** Five bits a digit, low bits first, 32 more on all but the last; twice the number, or twice its complement and one. */
function decodeVlqNumbers(text: string): number[] {
  const numbers: number[] = [];
  let [value, unit] = [0, 1];
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    value += (digit % 32) * unit;
    unit *= 32;
    if (digit >= 32) continue;
    numbers.push(value % 2 === 0 ? value / 2 : -(value + 1) / 2);
    [value, unit] = [0, 1];
  }
  return numbers;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4;
}

/** An arc's number below zero is the complement of one that runs backwards. */
function joinArcsToRing(numbers: readonly number[]): readonly Position[] {
  const ring: Position[] = [];
  for (const number of numbers) {
    const arc = number < 0 ? getAtlas().arcs[~number]!.toReversed() : getAtlas().arcs[number]!;
    for (const [longitude, latitude] of ring.length === 0 ? arc : arc.slice(1)) {
      const before = ring.at(-1)?.[0] ?? longitude;
      ring.push([roundDegrees(longitude + 360 * Math.round((before - longitude) / 360)), latitude]);
    }
  }
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return first[0] === last[0] ? ring : [...ring, [last[0], -90], [first[0], -90], first];
}

function listSharedArcs(): readonly (readonly Position[])[] {
  const { countries, arcs } = getAtlas();
  const users = new Map<number, Set<number>>();
  for (const [i, [, polygons]] of countries.entries()) {
    for (const number of polygons.flat(2)) {
      const at = number < 0 ? ~number : number;
      users.set(at, (users.get(at) ?? new Set()).add(i));
    }
  }
  return arcs.filter((_, i) => (users.get(i)?.size ?? 0) > 1);
}

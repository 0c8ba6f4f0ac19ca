import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { iso31661 } from "iso-3166";

/** A ring of `[longitude, latitude]` in degrees, closed; longitudes run on past ±180 where it crosses there. */
export type Ring = [number, number][];

/** A country or territory of Natural Earth 1:10m. */
export interface NaturalEarthCountry {
  readonly name: string;
  /** ISO 3166-1 alpha-3; null for a territory without a code. */
  readonly iso3: string | null;
  /** Rings of each polygon, outer first. */
  readonly polygons: Ring[][];
}

/** Natural Earth's countries as the npm package world-atlas has them: positions on a grid of 0.0036° by 0.0017°. */
export function readNaturalEarth(): NaturalEarthCountry[] {
  const path = createRequire(import.meta.url).resolve("world-atlas/countries-10m.json");
  const atlas = JSON.parse(readFileSync(path, "utf8")) as Topology;
  const arcs = atlas.arcs.map((arc) => decodeTopoJsonArc(arc, atlas.transform));
  const iso3ByNumber = new Map(iso31661.map(({ numeric, alpha3 }) => [numeric, alpha3]));
  return atlas.objects.countries.geometries.map(({ id, type, arcs: rings, properties: { name } }) => {
    const iso3 = id === undefined ? null : iso3ByNumber.get(id);
    if (iso3 === undefined) throw new Error(`${name} has the number ${id}, which ISO 3166-1 does not assign`);
    const polygons = type === "Polygon" ? [rings as number[][]] : (rings as number[][][]);
    return {
      name,
      iso3,
      polygons: polygons.map((polygon) => polygon.map((ring) => joinArcsToRing(ring, arcs))),
    };
  });
}

interface Topology {
  readonly transform: { readonly scale: [number, number]; readonly translate: [number, number] };
  readonly arcs: readonly (readonly [number, number][])[];
  readonly objects: {
    readonly countries: {
      readonly geometries: readonly {
        readonly id?: string;
        readonly type: "Polygon" | "MultiPolygon";
        readonly arcs: number[][] | number[][][];
        readonly properties: { readonly name: string };
      }[];
    };
  };
}

/** TopoJSON writes an arc as a first position and differences, in steps of a grid. */
function decodeTopoJsonArc(
  arc: readonly [number, number][],
  { scale, translate }: Topology["transform"],
): Ring {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

/** An arc's number below zero is the bitwise complement of an arc that runs backwards. */
function joinArcsToRing(numbers: readonly number[], arcs: readonly Ring[]): Ring {
  const ring: Ring = [];
  for (const number of numbers) {
    const arc = number < 0 ? arcs[~number]!.toReversed() : arcs[number]!;
    for (const [longitude, latitude] of ring.length === 0 ? arc : arc.slice(1)) {
      const before = ring.at(-1)?.[0] ?? longitude;
      ring.push([longitude + 360 * Math.round((before - longitude) / 360), latitude]);
    }
  }
  return closeAroundPole(ring);
}

/** The ring of Antarctica goes round the earth: it is closed along the pole. */
function closeAroundPole(ring: Ring): Ring {
  const first = ring[0]!;
  const last = ring.at(-1)!;
  if (first[0] === last[0]) return ring;
  return [...ring, [last[0], -90], [first[0], -90], [...first]];
}

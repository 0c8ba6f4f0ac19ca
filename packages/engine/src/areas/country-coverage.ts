import { leastBoxChordSquared } from "../geometry/distance/bounds/box-chord.ts";
import { toDegreesBox } from "../geometry/trees/cells.ts";
import { computeLeafSpan } from "../geometry/trees/chain-tree.ts";
import type { AreaLayer } from "../geometry/trees/layer.ts";
import type { CoverageInput, CoveragePieceInput, CoveragePieces } from "../snapshot/coverage.ts";

/** How far around a coverage the land of others is kept, metres: as far as any question about nearness reaches. */
const KEPT_METERS = 1_000_000;
/** Degrees of latitude that are farther apart than that: each is 110,574 m at the least. */
const FARTHEST_LATITUDES = 9.1;

/** The countries that borders know, ascending. */
export function listCountries(borders: CoveragePieces): string[] {
  return [...new Set(borders.countries.flat())].sort();
}

/**
 * The coverage of countries: the pieces that they cover, and of all others the polygons that may lie within
 * 1,000 km of those.
 *
 * @param countries ISO 3166-1 alpha-3, in any order; the borders must know each
 */
export function buildCountryCoverage(
  borders: CoveragePieces,
  countries: Iterable<string>,
  known: "declared" | "derived",
): CoverageInput {
  const { layer } = borders;
  const wanted = new Set(countries);
  const isCovered = borders.countries.map((codes) => codes.some((code) => wanted.has(code)));
  const near = new Nearness(layer, isCovered);
  const pieces = borders.countries.flatMap((codes, piece): CoveragePieceInput[] => {
    const polygons = readPolygons(layer, piece).filter(({ ring }) => isCovered[piece] || near.reaches(ring));
    return polygons.length === 0 ? [] : [{ polygons: polygons.map(({ rings }) => rings), countries: codes }];
  });
  return { extent: "countries", known, countries: [...wanted].sort(), pieces };
}

/** The polygons of an area, each with its rings and the number of its outer ring. */
function readPolygons(
  layer: AreaLayer,
  area: number,
): { readonly ring: number; readonly rings: Float64Array[] }[] {
  const polygons: { readonly ring: number; readonly rings: Float64Array[] }[] = [];
  for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
    const xy = layer.xy.slice(2 * layer.ringStarts[ring]!, 2 * layer.ringStarts[ring + 1]!);
    if (layer.ringRoles[ring] === 0) polygons.push({ ring, rings: [xy] });
    else polygons.at(-1)!.rings.push(xy);
  }
  return polygons;
}

/** Finds the rings that may lie near the covered ones, by the boxes of short stretches of both. */
class Nearness {
  readonly #layer: AreaLayer;
  /** The covered rings that are outer. */
  readonly #covered: number[] = [];

  constructor(layer: AreaLayer, isCovered: readonly boolean[]) {
    this.#layer = layer;
    for (let ring = 0; ring < layer.ringCount; ring++) {
      if (isCovered[layer.ringAreas[ring]!] && layer.ringRoles[ring] === 0) this.#covered.push(ring);
    }
  }

  /** True for every ring within the distance, and for some a little farther away. */
  reaches(ring: number): boolean {
    const { chainStarts } = this.#layer;
    const root = chainStarts[ring + 1]! - 1;
    return this.#covered.some((other) => {
      if (!this.#areNear(root, chainStarts[other + 1]! - 1)) return false;
      const [leaves, others] = [this.#leaves(ring), this.#leaves(other)];
      for (let a = leaves.first; a < leaves.end; a++) {
        if (!this.#areNear(a, chainStarts[other + 1]! - 1)) continue;
        for (let b = others.first; b < others.end; b++) if (this.#areNear(a, b)) return true;
      }
      return false;
    });
  }

  #leaves(ring: number): { readonly first: number; readonly end: number } {
    const { chainStarts, ringStarts } = this.#layer;
    const first = chainStarts[ring]!;
    const edges = ringStarts[ring + 1]! - ringStarts[ring]! - 1;
    return { first, end: first + Math.ceil(edges / computeLeafSpan(edges)) };
  }

  #areNear(a: number, b: number): boolean {
    const { chainBoxes } = this.#layer;
    const [one, other] = [toDegreesBox(chainBoxes, 4 * a), toDegreesBox(chainBoxes, 4 * b)];
    // The bound below is none for latitudes a quarter turn apart.
    if (Math.max(one[1] - other[3], other[1] - one[3]) > FARTHEST_LATITUDES) return false;
    const square = leastBoxChordSquared(...one, ...other);
    return square <= KEPT_METERS * KEPT_METERS;
  }
}

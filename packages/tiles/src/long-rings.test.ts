import { openEngine } from "@groundrule/engine";
import { readSourceAreas, type SourceAreas, snapshotOf } from "@groundrule/engine/build";
import { createSeededRandom } from "@groundrule/testing/random";
import { createCoastRing, createCombRing, createStarRing, reverseRing } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { computeTilePlace, readTileFeatures } from "../test/tiles.ts";
import { cutTile } from "./cut-tile.ts";
import type { TilePlace } from "./tile-place.ts";

const SEED = 20261123;
const EXTENT = 4096;
const BUFFER = 64;

/** Flat `[x, y, …]` in units of a tile, not closed. */
type UnitRing = readonly number[];

function createSource(rings: readonly Float64Array[]): SourceAreas {
  const coordinates = rings.map((ring) =>
    Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]),
  );
  const feature = { type: "Feature", properties: { code: "a" }, geometry: { type: "Polygon", coordinates } };
  return readSourceAreas(openEngine([snapshotOf("my:areas", [feature], { id: "code" })]), "my:areas");
}

/** The rings that a tile shows of its one area. */
function listShownRings(bytes: Uint8Array<ArrayBuffer>): UnitRing[] {
  return readTileFeatures(bytes, "areas").flatMap((feature) =>
    feature.loadGeometry().map((ring) => ring.slice(0, -1).flatMap(({ x, y }) => [x, y])),
  );
}

/** Web Mercator as it is defined, by none of the code that is tested. */
function projectRing(ring: Float64Array, { z, x, y }: TilePlace): number[] {
  const units = EXTENT * 2 ** z;
  const out: number[] = [];
  for (let i = 0; i < ring.length - 2; i += 2) {
    const latitude = (ring[i + 1]! * Math.PI) / 180;
    out.push(
      (ring[i]! / 360 + 0.5) * units - x * EXTENT,
      (0.5 - Math.asinh(Math.tan(latitude)) / (2 * Math.PI)) * units - y * EXTENT,
    );
  }
  return out;
}

/** How often a ring winds around a place, and how far the place is from it. */
function computeWinding(ring: UnitRing, x: number, y: number): { winding: number; distance: number } {
  let winding = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [xa, ya, xb, yb] = [ring[j]! - x, ring[j + 1]! - y, ring[i]! - x, ring[i + 1]! - y];
    if (ya > 0 !== yb > 0 && xa * yb - xb * ya > 0 === yb > ya) winding += yb > ya ? 1 : -1;
    const [dx, dy] = [xb - xa, yb - ya];
    const share = Math.max(0, Math.min(1, -(xa * dx + ya * dy) / (dx * dx + dy * dy || 1)));
    distance = Math.min(distance, Math.hypot(xa + share * dx, ya + share * dy));
  }
  return { winding, distance };
}

const lake = (count: number): Float64Array =>
  reverseRing(createCoastRing(createSeededRandom(SEED + 1), 10, 45, 0.8, count));
const SHAPES: Record<string, readonly Float64Array[]> = {
  "a coast with a lake": [createCoastRing(createSeededRandom(SEED), 10, 45, 3, 2 ** 15), lake(2 ** 13)],
  "a star of spikes": [createStarRing(createSeededRandom(SEED), -50, -10, 3, 3_000)],
  "a comb": [createCombRing(-1, -61, 2, 2, 500)],
};

describe("a tile of long rings", () => {
  it.each(Object.entries(SHAPES))(
    `shows what is inside and what is not, at every zoom: %s (seed ${SEED})`,
    (_, rings) => {
      const areas = createSource(rings);
      const random = createSeededRandom(SEED);
      let [inside, outside] = [0, 0];
      for (let z = 0; z <= 14; z++) {
        for (let k = 0; k < 3; k++) {
          const ring = rings[k % rings.length]!;
          const at = 2 * Math.floor(random.between(0, ring.length / 2));
          const place = computeTilePlace(z, ring[at]!, ring[at + 1]!);
          const exact = rings.map((each) => projectRing(each, place));
          const found = listShownRings(cutTile(areas, place));
          for (const each of found) {
            expect(each.every((value) => value >= -BUFFER && value <= EXTENT + BUFFER)).toBe(true);
          }
          for (let i = 0; i < 8; i++) {
            // Half of them near an edge of the tile, where rings are clipped.
            const x = i < 4 ? random.between(0, EXTENT) : random.between(0, 40);
            const y = random.between(0, EXTENT);
            const truth = exact.map((each) => computeWinding(each, x, y));
            // Within a pixel of an outline it may lie on either side of what is drawn.
            if (truth.some(({ distance }) => distance < 8)) continue;
            const isInside = truth.reduce((sum, { winding }) => sum + winding, 0) !== 0;
            const windings = found.map((each) => computeWinding(each, x, y).winding);
            expect(windings.reduce((sum, winding) => sum + winding, 0)).toBe(isInside ? 1 : 0);
            if (isInside) inside++;
            else outside++;
          }
        }
      }
      expect(Math.min(inside, outside)).toBeGreaterThan(10);
    },
  );

  it("has the positions of its neighbours where they overlap", () => {
    const rings = SHAPES["a coast with a lake"]!;
    const areas = createSource(rings);
    let compared = 0;
    for (const z of [4, 6, 7, 9, 12]) {
      for (let k = 0; k < 6; k++) {
        const ring = rings[0]!;
        const at = 2 * Math.floor((k * ring.length) / 12);
        const place = computeTilePlace(z, ring[at]!, ring[at + 1]!);
        for (const [dx, dy] of [
          [1, 0],
          [0, 1],
        ] as const) {
          const one = listShownRings(cutTile(areas, place));
          const other = listShownRings(cutTile(areas, { z, x: place.x + dx, y: place.y + dy }));
          const strip = (found: UnitRing[], moved: number): string[] =>
            found
              .flatMap((each) =>
                Array.from({ length: each.length / 2 }, (_, i) => [
                  each[2 * i]! + moved * dx,
                  each[2 * i + 1]! + moved * dy,
                ]),
              )
              // Not what clipping adds at the sides of the tile and in the buffer.
              .filter(([x, y]) => Math.abs((dx === 1 ? x! : y!) - EXTENT) < BUFFER)
              .filter(([x, y]) => Math.abs((dx === 1 ? y! : x!) - EXTENT / 2) < EXTENT / 2)
              .map((position) => position.join(" "))
              .sort();
          const [here, there] = [strip(one, 0), strip(other, EXTENT)];
          expect(here).toEqual(there);
          compared += here.length;
        }
      }
    }
    expect(compared).toBeGreaterThan(100);
  });

  it("is the same whatever was requested before", () => {
    const [rings] = Object.values(SHAPES);
    const places = [0, 3, 6, 9, 14].map((z) => computeTilePlace(z, rings![0]![0]!, rings![0]![1]!));
    const first = places.map((place) => cutTile(createSource(rings!), place));
    const areas = createSource(rings!);
    for (const place of [...places].reverse()) cutTile(areas, place);
    expect(places.map((place) => cutTile(areas, place))).toEqual(first);
  });

  it("stays small where more spikes than can be distinguished meet it, and none of it vanishes", () => {
    const ring = createStarRing(createSeededRandom(SEED), 10, 45, 3, 2 ** 16);
    const areas = createSource([ring]);
    for (const z of [0, 2, 4, 5, 6, 7]) {
      for (const place of [computeTilePlace(z, 10, 45), computeTilePlace(z, ring[0]!, ring[1]!)]) {
        const bytes = cutTile(areas, place, { positions: 20_000, rings: 6_000 });
        expect(listShownRings(bytes).length).toBeGreaterThan(0);
        expect(bytes.length).toBeLessThan(60_000);
      }
    }
  });
});

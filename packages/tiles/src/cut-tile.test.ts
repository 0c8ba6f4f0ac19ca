import { openEngine } from "@groundrule/engine";
import { readSourceAreas, type SourceAreas, snapshotOf } from "@groundrule/engine/build";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { computeTilePlace, readTileFeatures } from "../test/tiles.ts";
import { cutTile } from "./cut-tile.ts";
import type { TilePlace } from "./tile-place.ts";

type Ring = readonly (readonly [number, number])[];

const square = (west: number, south: number, size: number): Ring =>
  createBoxPositions(west, south, west + size, south + size);

/** A source whose areas are polygons, each its rings. */
function createSource(polygons: readonly (readonly Ring[])[], coverage?: "global"): SourceAreas {
  const features = polygons.map((coordinates, i) => ({
    type: "Feature" as const,
    properties: { code: `a${i}`, name: `Area ${i}` },
    geometry: { type: "Polygon", coordinates: structuredClone(coordinates) as unknown as number[][][] },
  }));
  const options = { id: "code", name: "name", ...(coverage !== undefined && { coverage }) };
  return readSourceAreas(openEngine([snapshotOf("my:areas", features, options)]), "my:areas");
}

function decodeTile(areas: SourceAreas, place: TilePlace) {
  const tile = cutTile(areas, place);
  return { areas: readTileFeatures(tile, "areas"), coverage: readTileFeatures(tile, "coverage") };
}

/** Signed area with y downward; a ring that closes itself. */
function measureArea(ring: readonly { readonly x: number; readonly y: number }[]): number {
  return ring.reduce((sum, { x, y }, i) => {
    const next = ring[(i + 1) % ring.length]!;
    return sum + (x * next.y - next.x * y) / 2;
  }, 0);
}

describe("a tile", () => {
  it("has each area where it is, with its id, its name and its index", () => {
    const areas = createSource([[square(10, 10, 1)], [square(12, 10, 1)]]);
    const place = computeTilePlace(4, 11, 11);
    const features = decodeTile(areas, place).areas;
    expect(features.map(({ id, properties }) => [id, properties])).toEqual([
      [0, { source_id: "a0", name: "Area 0", index: 0 }],
      [1, { source_id: "a1", name: "Area 1", index: 1 }],
    ]);
    const { x, y, z } = place;
    for (const [i, west] of [10, 12].entries()) {
      const [ring] = (features[i]!.toGeoJSON(x, y, z).geometry as { coordinates: number[][][] }).coordinates;
      const [lons, lats] = [ring!.map(([lon]) => lon!), ring!.map(([, lat]) => lat!)];
      expect(Math.min(...lons)).toBeCloseTo(west, 1);
      expect(Math.max(...lons)).toBeCloseTo(west + 1, 1);
      expect([Math.min(...lats), Math.max(...lats)].map((lat) => Math.round(lat * 100))).toEqual([
        1000, 1100,
      ]);
    }
  });

  it("winds outer rings clockwise to the eye and holes the other way, with the hole's area missing", () => {
    const [feature] = decodeTile(
      createSource([[square(10, 10, 2), square(10.5, 10.5, 1)]]),
      computeTilePlace(4, 11, 11),
    ).areas;
    const [outer, hole] = feature!.loadGeometry();
    expect(measureArea(outer!)).toBeGreaterThan(0);
    expect(measureArea(hole!)).toBeLessThan(0);
    expect(-measureArea(hole!) / measureArea(outer!)).toBeCloseTo(0.25, 2);
  });

  it("shows areas too small to be distinguished as specks, and none of them vanishes", () => {
    const many = Array.from({ length: 400 }, (_, i) => [
      square((i % 20) * 8 - 80, Math.floor(i / 20) * 3 - 30, 0.01),
    ]);
    const features = decodeTile(createSource(many), { z: 0, x: 0, y: 0 }).areas;
    expect(features).toHaveLength(1);
    expect(features[0]!.properties).toEqual({});
    const covered = features[0]!.loadGeometry().reduce((sum, ring) => sum + measureArea(ring), 0);
    // A pixel of 8 by 8 units each.
    expect(covered).toBe(400 * 64);
  });

  it("shows all that it has where limits are reached, the smaller ones more coarsely", () => {
    const areas = createSource([[square(10, 10, 0.4)], [square(11, 10, 1)], [square(12.5, 10, 0.2)]]);
    const place = computeTilePlace(6, 11, 10.5);
    const limited = cutTile(areas, place, { positions: 1, rings: 1 });
    const ids = readTileFeatures(limited, "areas").map(({ properties }) => properties.source_id);
    expect(ids).toEqual(["a1", undefined]);
  });

  it("stays small where more areas than can be distinguished lie over each other", () => {
    const many = Array.from({ length: 7_000 }, (_, i) => [square(10 + i * 1e-5, 10 + i * 1e-5, 5)]);
    const place = computeTilePlace(8, 12, 12);
    const areas = createSource(many);
    expect(cutTile(areas, place).length).toBeLessThan(1_000);
    const [feature, ...others] = decodeTile(areas, place).areas;
    expect(others).toEqual([]);
    expect(measureArea(feature!.loadGeometry()[0]!)).toBe((4096 + 128) ** 2);
    // At their corners each has an envelope of its own, and what is beyond the limit is not left out.
    const corner = decodeTile(areas, computeTilePlace(8, 10.01, 10.01)).areas;
    expect(corner).toHaveLength(1);
    expect(corner[0]!.loadGeometry().length).toBeLessThanOrEqual(2_001);
  });

  it("is whole in the middle of an area, whatever lies outside of it", () => {
    const [feature] = decodeTile(createSource([[square(10, 10, 5)]]), computeTilePlace(12, 12, 12)).areas;
    const [ring] = feature!.loadGeometry();
    expect(measureArea(ring!)).toBe((4096 + 128) ** 2);
  });

  it("shows an area that crosses the antimeridian on both sides of it", () => {
    const areas = createSource([[square(179, 10, 2)]]);
    for (const lon of [179.5, -179.5]) {
      const { areas: found } = decodeTile(areas, computeTilePlace(6, lon, 11));
      expect(found.map(({ properties }) => properties.source_id)).toEqual(["a0"]);
    }
    expect(decodeTile(areas, computeTilePlace(6, 170, 11)).areas).toEqual([]);
  });

  it("shows what reaches a pole as far as the map does", () => {
    const polar = createSource([[createBoxPositions(-180, -90, 180, -80)]]);
    const { areas } = decodeTile(polar, { z: 2, x: 1, y: 3 });
    expect(areas).toHaveLength(1);
    expect(areas[0]!.loadGeometry()[0]!.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(
      true,
    );
  });

  it("shows where a source covers: everywhere, or nowhere declared", () => {
    const place = computeTilePlace(4, 60, 60);
    expect(decodeTile(createSource([[square(10, 10, 1)]], "global"), place).coverage).toHaveLength(1);
    expect(cutTile(createSource([[square(10, 10, 1)]]), place)).toHaveLength(0);
  });

  it.each([
    { z: -1, x: 0, y: 0 },
    { z: 15, x: 0, y: 0 },
    { z: 2, x: 4, y: 0 },
    { z: 2, x: 0, y: -1 },
    { z: 2, x: 0.5, y: 0 },
    { z: Number.NaN, x: 0, y: 0 },
  ])("is refused where there is none: %o", (place) => {
    expect(() => cutTile(createSource([[square(10, 10, 1)]]), place)).toThrow(RangeError);
  });
});

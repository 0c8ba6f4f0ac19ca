import { openEngine } from "@groundrule/engine";
import { readSourceAreas, snapshotOf } from "@groundrule/engine/build";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { cutTile } from "../../../../../packages/tiles/src/cut-tile.ts";
import { COVER, drawSourceCover } from "../sources/source-cover.ts";
import { findSourceBounds } from "./source-bounds.ts";

describe("the box of a source", () => {
  it("is that of its areas, from the closest tile that has all of them", async () => {
    const coordinates = [createBoxPositions(10.5, 50.25, 10.6, 50.3)];
    const features = [
      { type: "Feature" as const, properties: { id: "a" }, geometry: { type: "Polygon", coordinates } },
    ];
    const areas = readSourceAreas(openEngine([snapshotOf("my:areas", features, { id: "id" })]), "my:areas");
    const queried: number[] = [];
    const tiles = {
      get: async (_: string, z: number, x: number, y: number) => {
        queried.push(z);
        return cutTile(areas, { z, x, y }) as Uint8Array<ArrayBuffer>;
      },
    };
    const found = await findSourceBounds(tiles, "my:areas");
    for (const [i, degrees] of [10.5, 50.25, 10.6, 50.3].entries())
      expect(Math.abs(found![i]! - degrees)).toBeLessThan(0.005);
    expect(queried).toHaveLength(2);
    expect(await findSourceBounds({ get: async () => undefined }, "my:areas")).toBe(undefined);
    // Without declared coverage, the small map has the areas, in its middle.
    const { covered } = (await drawSourceCover(tiles, "my:areas"))!;
    const numbers = covered.match(/[\d.]+/g)!.map(Number);
    const xs = numbers.filter((_, i) => i % 2 === 0);
    expect((Math.min(...xs) + Math.max(...xs)) / 2).toBeCloseTo(COVER.width / 2, 0);
  });
});

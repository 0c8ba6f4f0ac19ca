import { describe, expect, it } from "vitest";
import { subtractFromWorld } from "./drawn-shape.ts";

const ring = (from: number, to: number) => [[from, from], [to, from], [to, to], [from, from]]; // biome-ignore format: a ring

describe("the world around a plot", () => {
  it("has a hole for each of its polygons, and none where a polygon has one", () => {
    const [whole, hole, other] = [ring(0, 9), ring(2, 4), ring(20, 21)];
    const around = subtractFromWorld({ type: "MultiPolygon", coordinates: [[whole, hole], [other]] });
    const [[world, ...holes] = [], ...filled] = around!.coordinates;
    expect([holes, filled]).toEqual([[whole, other], [[hole]]]);
    // Covers the world once: copies next to it would cover the hole.
    expect(new Set(world!.map(([x]) => x))).toEqual(new Set([-180, 180]));
  });

  it("is nothing of what has no area", () => {
    expect(subtractFromWorld({ type: "Point", coordinates: [0, 0] })).toBeUndefined();
    expect(subtractFromWorld(undefined)).toBeUndefined();
  });
});

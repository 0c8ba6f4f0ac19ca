import { createBoxPositions as box } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../../base/errors.ts";
import { sumPolygonAreas } from "../../earth/authalic.ts";
import { type PreparedArea, prepareArea } from "./prepare-area.ts";

type Ring = (readonly [number, number])[];

const multi = (...coordinates: Ring[][]): unknown => ({ type: "MultiPolygon", coordinates });
const listRings = (area: PreparedArea): number[][][] =>
  area.polygons.map((rings) => rings.map((ring) => [...ring]));
const listCodes = (area: PreparedArea): string[] => area.faults.map((fault) => fault.code);

describe("prepareArea", () => {
  it("turns rings the right way and drops repeated positions, which is no fault", () => {
    const area = prepareArea(multi([[...box(0, 0, 4, 4)].reverse(), box(1, 1, 2, 2).flatMap((p) => [p, p])]));
    expect(listRings(area)).toEqual([
      [
        [0, 0, 4, 0, 4, 4, 0, 4, 0, 0],
        [1, 1, 1, 2, 2, 2, 2, 1, 1, 1],
      ],
    ]);
    expect(area).toMatchObject({ faults: [], repaired: false });
    expect(area.mended.map(({ code }) => code)).toEqual(["REPEATED_POSITION", "WINDING_REVERSED"]);
  });

  it("unites parts that lie on each other a whole turn apart", () => {
    const area = prepareArea(multi([box(170, 0, 190, 10)], [box(-190, 5, -165, 10)]));
    expect(listCodes(area)).toEqual(["PARTS_OVERLAP"]);
    const expected = [box(170, 0, 190, 5), box(170, 5, 195, 10)].map((ring) => [
      Float64Array.from(ring.flat()),
    ]);
    expect(area.squareMetersAfter! / sumPolygonAreas(expected)).toBeCloseTo(1, 12);
    const apart = multi([box(170, 0, 180, 10)], [box(-180, 0, -170, 10)]);
    expect(listRings(prepareArea(apart))).toEqual([
      [box(170, 0, 180, 10).flat()],
      [box(-180, 0, -170, 10).flat()],
    ]);
  });

  it("unites parts that overlap across the antimeridian, also where one is written a turn further on", () => {
    const east = box(-180, 0, -179, 2);
    expect(listRings(prepareArea(multi([box(179, 0, 181, 2)], [box(180, 0, 181, 2)])))[0]).toHaveLength(1);
    const area = prepareArea(multi([box(179, 0, 181, 2)], [east]));
    expect(listCodes(area)).toEqual(["PARTS_OVERLAP"]);
    expect(area.polygons.map((rings) => rings.length)).toEqual([1]);
    expect(area.squareMetersBefore! / area.squareMetersAfter!).toBeCloseTo(1.5, 9);
    expect(prepareArea(multi([box(179, 0, 180, 2)], [east])).faults).toEqual([]);
    const far = prepareArea(multi([box(539, 0, 540, 2)], [box(-180.5, 0, -179, 2)]));
    expect(far.polygons.flat().every((ring) => ring.every((value) => Math.abs(value) <= 540))).toBe(true);
  });

  it("closes open rings and reports it", () => {
    const area = prepareArea({ type: "Polygon", coordinates: [box(0, 0, 2, 2).slice(0, 4)] });
    expect(listCodes(area)).toEqual(["RING_NOT_CLOSED"]);
    expect(listRings(area)).toEqual([[box(0, 0, 2, 2).flat()]]);
  });

  it.each([
    [{ type: "Point", coordinates: [0, 0] }, "expected Polygon, MultiPolygon"],
    [null, "found null"],
    [{ type: "Polygon", coordinates: [] }, "found an empty array"],
    [{ type: "Polygon", coordinates: [box(0, 88, 2, 92)] }, "found latitude 92, expected"],
    [{ type: "Polygon", coordinates: [box(1, 1, 1, 1)] }, "encloses no area"],
    [multi([box(0, 0, 1, 1), box(0, 0, 1, 1)]), "encloses no area"],
  ])("refuses %j, telling why", (geometry, reason) => {
    const prepare = (): unknown => prepareArea(geometry);
    expect(prepare).toThrow(EngineError);
    expect(prepare).toThrow(reason);
    expect(prepare).toThrow(expect.objectContaining({ code: "GEOMETRY_INVALID" }));
  });

  it("takes areas far beyond what a plot may have", () => {
    const n = 300_000;
    const coast = Array.from({ length: n }, (_, i): [number, number] => {
      const angle = (2 * Math.PI * i) / n;
      const radius = 10 + (i % 2) * 1e-5;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });
    const area = prepareArea({ type: "Polygon", coordinates: [[...coast, coast[0]!]] });
    expect(area.repaired).toBe(false);
    expect(area.polygons[0]![0]).toHaveLength(2 * (n + 1));
  });
});

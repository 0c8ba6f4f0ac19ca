import { catchRefusal } from "@groundrule/testing/refusal";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { makeBoxSnapshot } from "../../../test/box-snapshot.ts";
import { openEngine } from "../../engine.ts";

const NOW = { now: "2026-01-11T12:00:00Z" };
const engine = openEngine([makeBoxSnapshot("demo:parks", [0, 0, 1, 1])]);
const policy = engine.compile({
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "park", set: "parks", outcome: "NON_COMPLIANT" }],
});
const box = (x: number, y: number, size: number) => createBoxPositions(x, y, x + size, y + size);
const polygon = (x: number, y: number, size: number) => ({
  type: "Polygon",
  coordinates: [box(x, y, size)],
});
/** A square of about that many square metres at the equator. */
const buildSquare = (squareMeters: number) =>
  polygon(10.123_456_789, 0.123_456_789, Math.sqrt(squareMeters) / 110_946.3);

describe("a plot of an evaluation", () => {
  it.each([
    ["metres written as degrees", { geometry: buildSquare(0.01) }, "metres, written as degrees"],
    ["few decimals", { geometry: makeSliver() }, "at most 5 decimals, steps of 1.1 m"],
    ["coordinates around 0", { geometry: polygon(0.000_55, -0.000_02, 0.000_001) }, "it lies at 0, 0"],
  ])("is refused below 1 m² with a guess at the cause: %s", (_, input, guess) => {
    const answer = () => policy.evaluate(input, NOW);
    const { code, message, details } = catchRefusal(answer);
    expect(code).toBe("GEOMETRY_INVALID");
    expect(message).toContain(guess);
    expect(details.faults).toMatchObject([{ pointer: "/geometry", code: "PLOT_TOO_SMALL" }]);
  });

  it("is taken from 1 m² on, as it is printed, and all parts together", () => {
    const isTaken = (geometry: object): boolean => {
      try {
        return policy.evaluate({ geometry }, NOW).input.area_m2! >= 1;
      } catch {
        return false;
      }
    };
    let [low, high] = [0.5, 1.5];
    for (let i = 0; i < 40; i++) {
      const middle = (low + high) / 2;
      if (isTaken(buildSquare(middle))) high = middle;
      else low = middle;
    }
    expect(policy.evaluate({ geometry: buildSquare(high) }, NOW).input.area_m2).toBe(1);
    const parts = (count: number) => ({
      type: "MultiPolygon",
      coordinates: Array.from({ length: count }, (_, i) => [box(10 + i, 0.1, 0.000_005)]),
    });
    expect([isTaken(parts(1)), isTaken(parts(3)), isTaken(parts(4))]).toEqual([false, false, true]);
  });

  it("is taken as the least disc there may be around a point", () => {
    for (const latitude of [-88, -45.5, 0, 10, 60]) {
      const geometry = { type: "Point", coordinates: [10, latitude] };
      expect(policy.evaluate({ geometry, area_ha: 0.0001 }, NOW).input.area_m2).toBe(1);
    }
  });

  it("is measured by other questions whatever its size", () => {
    const geometry = polygon(0.5, 0.5, 0.000_001);
    expect(engine.intersections(geometry).matches).toHaveLength(1);
    expect(engine.distance(geometry, { maxDistanceMeters: 1 }).matches).toHaveLength(1);
  });
});

/** A triangle of 0.6 m² whose coordinates have five decimals. */
function makeSliver() {
  const corners = [
    [10, 10],
    [10.00001, 10],
    [10, 10.00001],
    [10, 10],
  ];
  return { type: "Polygon", coordinates: [corners] };
}

import { createSeededRandom } from "@groundrule/testing/random";
import { catchRefusal } from "@groundrule/testing/refusal";
import {
  createBoxRing,
  createCombRing,
  reverseRing,
  toPlot,
  toPositions,
  toRing,
} from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { randomAdversarialPair } from "../../../test/adversarial-pair.ts";
import { makeBoxSnapshot } from "../../../test/box-snapshot.ts";
import { buildAreaLayer } from "../../../test/build-layer.ts";
import { ANSWER_WORK, WorkMeter } from "../../base/work-meter.ts";
import { openEngine } from "../../engine.ts";
import { exactKernel } from "../../geometry/kernel/exact-kernel.ts";
import { PlotOnLayers } from "../../geometry/kernel/plot-on-layers.ts";
import type { EvaluationInput } from "../compile/evaluation-input.ts";
import { requireProperty } from "./require-property.ts";

const SEED = 20261127;
const polygon = (...rings: Float64Array[]) => ({ type: "Polygon", coordinates: rings.map(toPositions) });
/** A circle of so many corners, each moved outwards by what `out` says of it. */
const round = (corners: number, radius: number, out: (i: number) => number = () => 0) =>
  toRing(
    Array.from({ length: corners }, (_, i) => {
      const [angle, r] = [(2 * Math.PI * i) / corners, radius + out(i)];
      return [r * Math.cos(angle), r * Math.sin(angle)] as const;
    }),
  );

const engine = openEngine([makeBoxSnapshot("demo:parks", [5, 5, 6, 6])]);
const policy = engine.compile({
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "one", set: "parks", on: "property", outcome: "WARNING" }],
});
const evaluate = (input: EvaluationInput) => policy.evaluate(input, { now: "2026-11-27T12:00:00Z" });

describe("the property of a plot with 90,000 corners", () => {
  const plot = polygon(round(90_000, 0.1));

  it("is taken where it covers the plot, also with as many corners of its own", () => {
    for (const property of [plot, polygon(round(90_000, 0.11)), polygon(round(4, 0.2))]) {
      expect(evaluate({ geometry: plot, property }).checks[0]!.status).toBe("ok");
    }
  });

  it.each([
    [
      "with one corner outside",
      polygon(createBoxRing(-0.2, -0.2, 0.2, 0.2)),
      (i: number) => (i === 70_000 ? 0.2 : 0),
      70_000,
    ],
    ["smaller than the plot", polygon(round(90_000, 0.09)), () => 0, undefined],
    [
      "with a hole in the plot",
      polygon(createBoxRing(-0.4, -0.4, 0.4, 0.4), reverseRing(createBoxRing(0, 0, 0.01, 0.01))),
      () => 0,
      undefined,
    ],
    ["elsewhere", polygon(createBoxRing(3, 3, 3.5, 3.5)), () => 0, undefined],
  ])("is refused with how much of the plot lies outside, and where, %s", (_, property, out, corner) => {
    const ring = round(90_000, 0.1, out);
    const { code, details } = catchRefusal(() => evaluate({ geometry: polygon(ring), property }));
    expect(code).toBe("VALIDATION_FAILED");
    expect(details).toMatchObject({
      outside_m2: expect.any(Number),
      faults: [{ pointer: "/property", code: "PROPERTY_NOT_AROUND_PLOT" }],
    });
    const [x, y] = details.outside_at as [number, number];
    expect(details.faults![0]!.message).toContain(`m² lie outside the property, such as at ${x}, ${y};`);
    if (corner !== undefined) expect(toPositions(ring)[corner]).toEqual([x, y]);
    expect(Math.hypot(x, y)).toBeLessThan(0.31);
  });
});

describe("a property", () => {
  it("is named as what is too complex where telling whether it covers the plot takes too much work", () => {
    const geometry = polygon(createCombRing(0, 0, 1, 1, 3000));
    const lying = createCombRing(0, 0, 1, 1, 3000).map((_, i, ring) => ring[i % 2 === 0 ? i + 1 : i - 1]!);
    const property = polygon(reverseRing(lying));
    for (const [input, allowed] of [
      [{ geometry, property }, ANSWER_WORK],
      [{ geometry: polygon(createBoxRing(0, 0, 1, 1)), property: polygon(round(100_001, 2)) }, 100_000],
    ] as const) {
      const { code, message, details } = catchRefusal(() => evaluate(input));
      expect([code, details.allowed]).toEqual(["GEOMETRY_TOO_COMPLEX", allowed]);
      expect(details.faults).toEqual([{ pointer: "/property", code, message }]);
      expect(message).toMatch(/^found a property that is too complex: /);
    }
  });

  it(`is around a plot wherever the region outside is slight, and else the refusal measures it (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const seen = { around: 0, refused: 0, large: 0 };
    for (let i = 0; i < 400; i++) {
      const { kind, plot, area } = randomAdversarialPair(random);
      const layer = buildAreaLayer([area]);
      const meter = new WorkMeter();
      const bound = new PlotOnLayers(exactKernel, toPlot(plot), meter);
      const whole = bound.areaSquareMeters;
      const outside = bound.regionSquareMeters({
        op: "difference",
        operands: [{ op: "plot" }, { op: "areas", areas: [{ layer, area: 0 }] }],
      });
      const ask = () => requireProperty(exactKernel, { property: toPlot(area) }, bound, meter);
      if (new PlotOnLayers(exactKernel, toPlot(area), meter).areaSquareMeters > 1e10) {
        expect(catchRefusal(ask).details.faults![0]!.code).toBe("PROPERTY_TOO_LARGE");
        seen.large++;
        continue;
      }
      if (outside < Math.min(Math.max(1, 1e-6 * whole), whole / 100)) {
        expect(ask(), kind).toBeDefined();
        seen.around++;
        continue;
      }
      const { details } = catchRefusal(ask);
      const reported = details.outside_m2 as number;
      expect(Math.abs(reported - outside), `${kind} ${reported} ${outside}`).toBeLessThan(
        0.01 + 1e-9 * whole,
      );
      seen.refused++;
    }
    expect(Math.min(seen.around, seen.refused), JSON.stringify(seen)).toBeGreaterThan(50);
    expect(seen.large).toBeGreaterThan(0);
  });

  it("is refused above 10,000 km², and warned of above a thousand times the plot", () => {
    const buildSquare = (side: number) => polygon(createBoxRing(0, 0, side, side));
    const warned = (side: number, plot: number) =>
      evaluate({ geometry: buildSquare(plot), property: buildSquare(side) }).warnings.map(({ code }) => code);
    // A degree at the equator is about 111 km.
    const [code, { area_m2, faults }] = ((): [string, Record<string, unknown>] => {
      const refused = catchRefusal(() =>
        evaluate({ geometry: buildSquare(0.1), property: buildSquare(0.91) }),
      );
      return [refused.code, refused.details];
    })();
    expect(code).toBe("VALIDATION_FAILED");
    expect(area_m2).toBeGreaterThan(1e10);
    expect(faults).toMatchObject([{ pointer: "/property", code: "PROPERTY_TOO_LARGE" }]);
    expect(warned(0.9, 0.1)).not.toContain("PROPERTY_MUCH_LARGER");
    expect(warned(0.31, 0.01)).not.toContain("PROPERTY_MUCH_LARGER");
    expect(warned(0.32, 0.01)).toContain("PROPERTY_MUCH_LARGER");
    expect(() =>
      evaluate({ geometry: buildSquare(0.1), property: polygon(createBoxRing(-40, -40, 40, 40)) }),
    ).toThrow("expected at most");
  });
});

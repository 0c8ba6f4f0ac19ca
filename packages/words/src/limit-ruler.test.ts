import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getTongue } from "./languages.ts";
import { limitRuler } from "./limit-ruler.ts";

const share = (value: number, threshold: number) =>
  limitRuler({ measure: "overlap_ratio", value, threshold }, getTongue("en"));

describe("limitRuler", () => {
  it("states in words how far a value is from its limit, and where both lie", () => {
    expect(limitRuler({ measure: "overlap_area_m2", value: 1000, threshold: 5000 }, getTongue("en"))).toEqual(
      {
        value: 0.1,
        limit: 0.5,
        end: "1 ha",
        distance: "0.4 ha below the limit",
      },
    );
    expect(share(0.3895, 0.001)).toEqual({
      value: 0.779,
      limit: 0.002,
      end: "50 %",
      distance: "38.85 percentage points above the limit",
    });
    expect(
      limitRuler({ measure: "min_distance_m", value: 6200, threshold: 10_000 }, getTongue("en")),
    ).toEqual({
      value: 0.31,
      limit: 0.5,
      end: "20 km",
      distance: "3.8 km below the limit",
    });
    expect(share(0.8, 0.8)).toMatchObject({ value: 0.8, limit: 0.8, end: "100 %", distance: "at the limit" });
    expect(share(0, 0)).toMatchObject({ value: 0, limit: 0, distance: "at the limit" });
  });

  it("speaks every language", () => {
    const comparison = { measure: "overlap_ratio", value: 0.01, threshold: 0.03 };
    expect(limitRuler(comparison, getTongue("pt"))!.distance).toBe("2 pontos percentuais abaixo do limite");
    expect(limitRuler(comparison, getTongue("es"))!.distance).toBe(
      "2 puntos porcentuales por debajo del límite",
    );
  });

  it("has none for what has no scale", () => {
    expect(share(0.1, 0.1)).toBeDefined();
    expect(
      limitRuler({ measure: "overlap_ratio", value: null, threshold: 0.1 }, getTongue("en")),
    ).toBeUndefined();
    for (const measure of ["count", { sum: "fines" }])
      expect(limitRuler({ measure, value: 3, threshold: 1 }, getTongue("en"))).toBeUndefined();
  });

  it("keeps both on the scale, in their order", () => {
    const figure = fc.double({ min: 0, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(
        figure,
        figure,
        fc.constantFrom("overlap_area_m2", "min_distance_m", "overlap_ratio"),
        (value, threshold, measure) => {
          const ruler = limitRuler({ measure, value, threshold }, getTongue("en"))!;
          for (const place of [ruler.value, ruler.limit]) {
            expect(place).toBeGreaterThanOrEqual(0);
            expect(place).toBeLessThanOrEqual(1);
          }
          expect(Math.sign(ruler.value - ruler.limit) * Math.sign(value - threshold)).toBeGreaterThanOrEqual(
            0,
          );
          const side = value > threshold ? "above" : value < threshold ? "below" : "at";
          expect(ruler.distance).toContain(`${side} the limit`);
        },
      ),
    );
  });
});

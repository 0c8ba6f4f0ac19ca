import { createBoxPositions as box } from "@groundrule/testing/shapes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildAreaLayer } from "../../../../test/build-layer.ts";
import { exactKernel } from "../../kernel/exact-kernel.ts";
import { parsePlot } from "../parse-plot.ts";
import { prepareArea } from "./prepare-area.ts";

type Ring = number[][];

const multi = (...polygons: Ring[][]) => ({ type: "MultiPolygon", coordinates: polygons });

/** How an area stands to a plot, both read from GeoJSON as users send it. */
function relate(area: unknown, plot: unknown) {
  const layer = buildAreaLayer([prepareArea(area).polygons.map((rings) => [...rings])]);
  const bound = exactKernel.bind(parsePlot(plot).plot);
  const [hit] = bound.intersections(layer);
  return hit === undefined ? "apart" : { ...bound.relation(layer, 0), ratio: hit.overlapRatio };
}

const TWO_PARTS = multi([box(0, 0, 1, 1)], [box(1, 0, 2, 1)]);

describe("edges that rings of one geometry share", () => {
  it("do not part a plot from the area that covers it", () => {
    expect(relate(TWO_PARTS, multi([box(0.5, 0.2, 1.5, 0.8)]))).toEqual({
      touches: false,
      covers: true,
      coveredBy: false,
      ratio: 1,
    });
    expect(relate(TWO_PARTS, multi([box(0, 0, 2, 1)]))).toMatchObject({ covers: true, coveredBy: true });
  });

  it("do not part an area from the plot that contains it", () => {
    expect(relate(multi([box(0.5, 0.2, 1.5, 0.8)]), TWO_PARTS)).toMatchObject({
      covers: false,
      coveredBy: true,
    });
  });

  it("are inside, for lines and points upon them", () => {
    const line = {
      type: "LineString",
      coordinates: [
        [0.5, 0.5],
        [1.5, 0.5],
      ],
    };
    expect(relate(TWO_PARTS, line)).toMatchObject({ touches: false, covers: true });
    expect(relate(TWO_PARTS, { type: "Point", coordinates: [1, 0.5] })).toMatchObject({
      touches: false,
      covers: true,
    });
  });

  it("do not let a bay that is written as a hole touch what lies in its mouth", () => {
    const bay = multi([box(0, 0, 4, 4), box(2, 1, 4, 3)]);
    expect(relate(bay, multi([box(4, 1.5, 5, 2.5)]))).toBe("apart");
    expect(relate(bay, multi([box(4, 0.5, 5, 2.5)]))).toMatchObject({ touches: true, ratio: 0 });
  });

  it("are reported, in plots and in areas", () => {
    const reported = [
      expect.objectContaining({
        code: "SHARED_EDGE_DISSOLVED",
        message: expect.stringContaining("1 stretch "),
      }),
    ];
    expect(parsePlot(TWO_PARTS).warnings).toEqual(reported);
    expect(prepareArea(TWO_PARTS)).toMatchObject({ mended: reported, repaired: false, faults: [] });
  });

  it("leave the region of a grid of cells what it is: one area, without inner borders", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(24), { minLength: 2, maxLength: 20 }), (cells) => {
        const at = (cell: number) => [cell % 5, Math.floor(cell / 5)] as const;
        const grid = multi(
          ...cells.map((cell) => [box(at(cell)[0], at(cell)[1], at(cell)[0] + 1, at(cell)[1] + 1)]),
        );
        for (const cell of cells) {
          const [x, y] = at(cell);
          if (!cells.includes(cell + 1) || x === 4) continue;
          // Across the border of two neighbours.
          expect(relate(grid, multi([box(x + 0.25, y + 0.25, x + 1.75, y + 0.75)]))).toMatchObject({
            covers: true,
            ratio: 1,
          });
        }
        expect(relate(grid, multi([box(-1, -1, 6, 6)]))).toMatchObject({ coveredBy: true });
      }),
      { seed: 11, numRuns: 60 },
    );
  });
});

import { crsTable } from "@groundrule/crs";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { fixPlot } from "../fix/fix-plot.ts";
import type { PlotFeature } from "../plot-feature.ts";
import { eudr } from "../profiles/eudr.ts";
import { buildBordersFromLines, describeGap } from "./border-of-lines.ts";

const [X, Y] = [-55.245123, -6.580234];
const CORNERS: readonly (readonly [number, number])[] = [
  [X, Y],
  [X + 0.004, Y],
  [X + 0.004, Y + 0.004],
  [X, Y + 0.004],
];
const CLOSED = [...CORNERS, CORNERS[0]!];
const flat = (positions: readonly (readonly [number, number])[]) => Float64Array.from(positions.flat());

const fix = (geometry: unknown, options: object = {}, more: Partial<PlotFeature> = {}) =>
  fixPlot({ number: 1, id: "a", geometry, properties: {}, ...more }, { profile: eudr, crsTable, ...options });
const line = (coordinates: unknown) => ({ type: "LineString", coordinates });
const POLYGON = { type: "Polygon", coordinates: [CLOSED] };

describe("plots fix, of lines", () => {
  it("makes a Polygon of one that ends where it starts, heights dropped, and notes it", () => {
    const { plots, changes, findings } = fix(line(CLOSED.map(([x, y]) => [x, y, 120])));
    expect(plots[0]!.geometry).toEqual(POLYGON);
    expect(changes.map(({ code }) => code)).toEqual(["LINE_CLOSED", "HEIGHT_DROPPED"]);
    expect(findings).toEqual([]);
    expect(fix(plots[0]!.geometry).changes).toEqual([]);
  });

  it("makes polygons of several, and one of lines that go on where the one before ends", () => {
    const other = CLOSED.map(([x, y]) => [x + 1, y]);
    expect(fix({ type: "MultiLineString", coordinates: [CLOSED, other] }).plots[0]!.geometry).toMatchObject({
      type: "MultiPolygon",
      coordinates: [[CLOSED], [other.map(([x, y]) => [Number(x!.toFixed(6)), y])]],
    });
    const parts = { type: "MultiLineString", coordinates: [CLOSED.slice(0, 3), CLOSED.slice(2)] };
    expect(fix(parts).plots[0]!.geometry).toEqual(POLYGON);
  });

  it("refuses an open one with its gap in metres, and closes it where that is allowed", () => {
    // As PROJ measures it on the ellipsoid: 442.3 m.
    const open = fix(line(CORNERS));
    expect(open.plots[0]!.geometry).toEqual(line(CORNERS));
    expect(open.findings).toMatchObject([
      {
        code: "LINE_UNSUPPORTED",
        found: expect.stringMatching(/^a LineString whose ends lie 44[2-6] m apart$/),
      },
    ]);
    expect(fix(line(CORNERS), { closeGapMeters: 450 }).plots[0]!.geometry).toEqual(POLYGON);
    const near = [...CORNERS, [X + 0.000005, Y] as const];
    expect(fix(line(near)).changes[0]!.code).toBe("LINE_CLOSED");
    const parts = { type: "MultiLineString", coordinates: [CLOSED.slice(0, 2), CLOSED.slice(2)] };
    expect(fix(parts).findings).toMatchObject([{ code: "LINE_UNSUPPORTED" }]);
  });

  it("measures gaps of lines in another CRS in metres too", () => {
    const utm = [
      [500_000, 9_200_000],
      [500_400, 9_200_000],
      [500_400, 9_200_400],
      [500_000, 9_200_042],
    ];
    const { findings } = fix(line(utm), {}, { crs: "EPSG:31982" });
    expect(findings).toMatchObject([{ found: expect.stringContaining("42 m apart") }]);
    expect(fix(line([...utm, utm[0]]), {}, { crs: "EPSG:31982" }).plots[0]!.geometry).toMatchObject({
      type: "Polygon",
    });
    expect(fix(line(utm), {}, { crs: "EPSG:1" }).findings).toMatchObject([
      { found: expect.stringContaining("CRS") },
    ]);
  });

  it("refuses what encloses nothing, and what is no line", () => {
    const [a, b] = CORNERS;
    for (const coordinates of [[a, b, a], [a], [], [a, ["x", 1], a], null, [a, a]]) {
      const { plots, findings } = fix(line(coordinates));
      expect(findings).toHaveLength(1);
      expect(plots[0]!.geometry).toEqual(line(coordinates));
    }
  });

  it("closes any star of corners, and never one whose ends lie farther apart than allowed", () => {
    const random = createSeededRandom(28);
    for (let i = 0; i < 200; i++) {
      const count = 3 + random.integer(20);
      const corners = Array.from({ length: count }, (_, k): [number, number] => {
        const [angle, radius] = [(2 * Math.PI * k) / count, random.between(0.001, 0.01)];
        return [X + radius * Math.cos(angle), Y + radius * Math.sin(angle)];
      });
      const closed = buildBordersFromLines([flat([...corners, corners[0]!])]);
      expect(closed).toEqual({ rings: [flat([...corners, corners[0]!])] });
      const open = buildBordersFromLines([flat(corners)]);
      expect("gapMeters" in open && open.gapMeters).toBeGreaterThan(1);
      if ("gapMeters" in open) {
        expect(buildBordersFromLines([flat(corners)], { mostMeters: open.gapMeters })).toEqual(closed);
        expect(describeGap(open.gapMeters)).toMatch(/^lie \d+(?:\.\d)? m apart$/);
      }
    }
  });
});

import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { catchRefusal } from "@groundrule/testing/refusal";
import { toPairs } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { WorkMeter } from "../../base/work-meter.ts";
import { sumPolygonAreas } from "../earth/authalic.ts";
import { buildDiscRing } from "../earth/disc.ts";
import { parsePlot } from "./parse-plot.ts";
import { type Plot, plotGeometry } from "./plot.ts";
import { findPolygonFaults } from "./validity/validity.ts";

type Position = readonly [number, number];

const parseDiscs = (
  points: readonly Position[],
  squareMeters = 40_000,
): { plot: Plot; warnings: readonly { code: string; message: string }[] } =>
  parsePlot({ type: "MultiPoint", coordinates: points }, { disc: { squareMeters, pointer: "/area_ha" } });
const toPolygons = (plot: Plot): Float64Array[][] => {
  const geometry = plotGeometry(plot);
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  return polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
};
const measureArea = (plot: Plot): number => sumPolygonAreas(toPolygons(plot));
const listCodes = (warnings: readonly { code: string }[]): string[] => warnings.map(({ code }) => code);
const refusal = (points: readonly unknown[], squareMeters = 40_000) =>
  catchRefusal(() =>
    parsePlot({ type: "MultiPoint", coordinates: points }, { disc: { squareMeters, pointer: "/area_ha" } }),
  );

describe("points with an area", () => {
  it("are the disc itself, to the bit, where there is one", () => {
    const disc = { squareMeters: 40_000, pointer: "/area_ha" };
    const { plot, warnings } = parsePlot({ type: "Point", coordinates: [-54.2, -3.1, 120] }, { disc });
    expect(plot.dimension).toBe("polygon");
    expect(plot.xy).toEqual(buildDiscRing(-54.2, -3.1, 40_000));
    expect(listCodes(warnings)).toEqual(["ORDINATES_IGNORED"]);
  });

  it("are as many polygons where their discs lie apart, in the order of the points", () => {
    const points: Position[] = toPairs(10, 5, 10.1, 5, -3, 40);
    const { plot, warnings } = parseDiscs(points);
    expect(toPolygons(plot)).toEqual(points.map(([lon, lat]) => [buildDiscRing(lon, lat, 40_000)]));
    expect(measureArea(plot)).toBeCloseTo(120_000, 3);
    expect(warnings).toEqual([]);
  });

  it("are one region where discs overlap, whose land counts once", () => {
    const { plot, warnings } = parseDiscs(toPairs(10, 5, 10.001, 5, 12, 5));
    expect(toPolygons(plot)).toHaveLength(2);
    expect(listCodes(warnings)).toEqual(["DISCS_UNITED"]);
    // Two circles of radius r whose centres lie d apart share 2r² acos(d/2r) − d/2 √(4r² − d²).
    const [r, d] = [Math.sqrt(40_000 / Math.PI), 110.9];
    const shared = 2 * r * r * Math.acos(d / (2 * r)) - (d / 2) * Math.sqrt(4 * r * r - d * d);
    expect(Math.abs(measureArea(plot) - (120_000 - shared))).toBeLessThan(100);
  });

  it("are one disc where a point is repeated, a turn further on too", () => {
    const { plot, warnings } = parseDiscs(toPairs(10, 5, 10, 5, 10, 5));
    expect(plot.xy).toEqual(buildDiscRing(10, 5, 40_000));
    expect(warnings).toEqual([
      {
        pointer: "",
        code: "REPEATED_POINT",
        message: "2 points that repeat another were removed: each place becomes one disc",
      },
    ]);
    const across = parseDiscs(toPairs(180, 5, -180, 5));
    expect(across.plot.xy).toEqual(buildDiscRing(-180, 5, 40_000));
    expect(listCodes(across.warnings)).toEqual(["REPEATED_POINT"]);
  });

  it("are united across the antimeridian, by longitudes past it", () => {
    const { plot } = parseDiscs(toPairs(179.9998, 5, -179.9998, 5));
    const [west, , east] = plot.bbox;
    expect(toPolygons(plot)).toHaveLength(1);
    expect([west > 179.9, east > 180, east < 180.1]).toEqual([true, true, true]);
    const inland = parseDiscs(toPairs(19.9998, 5, 20.0002, 5));
    expect(measureArea(plot)).toBeCloseTo(measureArea(inland.plot), 4);
    // Positions that already lie in one turn stay as they were written.
    expect(parseDiscs([[190, 5]]).plot.bbox[0]).toBeGreaterThan(189);
    expect(parseDiscs(toPairs(-70, 5, 100, 5)).plot.bbox[0]).toBeLessThan(-70);
  });

  it("stay within the longitudes that an input may have", () => {
    for (const lon of [540, -540]) {
      const [west, , east] = parseDiscs([[lon, 0]], 1e9).plot.bbox;
      expect(Math.max(-west, east)).toBeLessThan(540);
      expect(Math.abs((west + east) / 2)).toBeCloseTo(180, 9);
    }
  });

  it("are refused within 1° of a pole, each at its place", () => {
    const { code, message, details } = refusal(toPairs(0, 88, 5, 89.5, 7, -89.00001));
    expect(code).toBe("GEOMETRY_INVALID");
    expect(message).toContain("the point at latitude 89.5 is within 1° of a pole, expected −89 to 89");
    expect(details.faults).toMatchObject([
      { pointer: "/coordinates/1", code: "POINT_NEAR_POLE", coordinate: [5, 89.5] },
      { pointer: "/coordinates/2", code: "POINT_NEAR_POLE" },
    ]);
    expect(parseDiscs(toPairs(0, 89, 90, -89), 1e9).plot.polygonStarts).toHaveLength(3);
  });

  it("are refused where their discs close a ring round the earth", () => {
    const round = Array.from({ length: 30 }, (_, i): Position => [12 * i - 180, 89]);
    expect(refusal(round, 1e9)).toMatchObject({
      code: "GEOMETRY_INVALID",
      details: { faults: [{ pointer: "/coordinates/0", code: "LONGITUDE_SPAN" }] },
    });
    expect(toPolygons(parseDiscs(round.slice(0, 25), 1e9).plot)).toHaveLength(1);
  });

  it("are refused beyond 1,000, and where uniting them takes more work than an answer has", () => {
    const grid = (count: number, step: number) =>
      Array.from({ length: count }, (_, i): Position => [(i % 40) * step, Math.floor(i / 40) * step]);
    expect(toPolygons(parseDiscs(grid(1000, 0.1)).plot)).toHaveLength(1000);
    expect(refusal(grid(1001, 0.1))).toMatchObject({
      code: "GEOMETRY_TOO_COMPLEX",
      message: "found 1001 points, expected at most 1000, because each becomes a disc; send them in parts",
      details: { counted: 1001, allowed: 1000 },
    });
    const { code, details } = refusal(grid(1000, 0.00001));
    expect([code, details.allowed]).toEqual(["GEOMETRY_TOO_COMPLEX", 28_000_000]);
  });

  it("are refused as an area of a polygon or a line", () => {
    for (const [type, coordinates] of [
      ["Polygon", [toPairs(0, 0, 1, 0, 1, 1, 0, 0)]],
      ["LineString", toPairs(0, 0, 1, 1)],
    ] as const) {
      const disc = { squareMeters: 1, pointer: "/area_ha" };
      const { code, details } = catchRefusal(() => parsePlot({ type, coordinates }, { disc }));
      expect([code, details.faults?.[0]?.pointer]).toEqual(["VALIDATION_FAILED", "/area_ha"]);
    }
  });

  const SEED = 20261122;
  const CLUSTERS = Number(process.env.GROUNDRULE_FULL ? 20_000 : 40);
  it(`are a plot that is read back as it is, however the discs meet, in ${CLUSTERS} clusters (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    for (let i = 0; i < CLUSTERS; i++) {
      const squareMeters = 10 ** random.between(0, 9);
      const points = randomCluster(random, squareMeters);
      const { plot } = parsePlot(
        { type: "MultiPoint", coordinates: points },
        { disc: { squareMeters, pointer: "/area_ha" }, meter: new WorkMeter(Infinity) },
      );
      const polygons = toPolygons(plot);
      expect(findPolygonFaults(polygons), JSON.stringify(points)).toEqual([]);
      const again = parsePlot(plotGeometry(plot), { meter: new WorkMeter(Infinity) });
      expect(again).toEqual({ plot, crs: undefined, warnings: [] });
      const area = sumPolygonAreas(polygons);
      expect(area).toBeGreaterThan(squareMeters * (1 - 1e-9) - 1e-3);
      expect(area).toBeLessThan(squareMeters * points.length * (1 + 1e-9) + 1e-3);
    }
  });
});

/** Up to a dozen points about as far apart as their discs are wide: overlapping, touching, all but the same. */
function randomCluster(random: Random, squareMeters: number): Position[] {
  const latitude = random.between(-88.5, 88.5);
  const longitude = [179.9999, -180, 0][random.integer(6)] ?? random.between(-180, 180);
  const degrees = Math.sqrt(squareMeters / Math.PI) / 111_000;
  const points: Position[] = [];
  const count = 1 + random.integer(12);
  while (points.length < count) {
    const [lon, lat] = points[random.integer(points.length)] ?? [longitude, latitude];
    const apart = degrees * [1e-12, 1e-6, 0.5, 1, 2, 2.0001][random.integer(6)]!;
    const [east, north] = [random.between(-1, 1), random.between(-1, 1)];
    points.push([
      lon + (apart * east) / Math.cos((latitude * Math.PI) / 180),
      Math.max(-89, Math.min(89, lat + apart * north)),
    ]);
  }
  return points;
}

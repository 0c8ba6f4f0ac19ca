import { parsePlot } from "@groundrule/engine";
import { prepareArea } from "@groundrule/engine/build";
import { createSeededRandom } from "@groundrule/testing/random";
import { catchRefusal } from "@groundrule/testing/refusal";
import { createBoxPositions, toPositions } from "@groundrule/testing/shapes";
import proj4 from "proj4";
import { describe, expect, it } from "vitest";
import { crsTable } from "./crs-table.ts";
import { formatDefinition } from "./format-definition.ts";
import { SYSTEMS } from "./systems.ts";

type Position = readonly [number, number];

const PROJECTED = crsTable.codes.filter((code) => crsTable.find(code)!.isProjected);
const CENTIMETER = 0.01;

const place = (code: number, [x, y]: Position): Position => {
  const out: [number, number] = [x, y];
  crsTable.find(code)!.transform(out);
  return out;
};
const polygon = (ring: readonly Position[]) => ({ type: "Polygon", coordinates: [ring] });
const areaIn = (code: number, ring: readonly Position[]) =>
  toPositions(
    prepareArea(polygon(ring), { crs: `EPSG:${code}`, crsTable }).polygons.map(([outer]) => outer!)[0]!,
  );
const middleOf = (code: number): Position => {
  const [west, south, east, north] = SYSTEMS.get(code)!.areas[0]!;
  return [(west + (east < west ? east + 360 : east)) / 2, Math.max(-85, Math.min(85, (south + north) / 2))];
};

/** Metres from a place to an edge that is straight in longitude and latitude, in the plane that touches the ellipsoid there. */
function metersToEdge([longitude, latitude]: Position, from: Position, to: Position): number {
  const phi = (latitude * Math.PI) / 180;
  const bent = 1 - 0.00669437999014 * Math.sin(phi) ** 2;
  const perRadian = [(6378137 / Math.sqrt(bent)) * Math.cos(phi), (6378137 * 0.99330562000986) / bent ** 1.5];
  const turned = (degrees: number) => degrees - 360 * Math.round(degrees / 360);
  const [ax, ay, bx, by] = [from, to].flatMap(([x, y]) => [
    (perRadian[0]! * turned(x - longitude) * Math.PI) / 180,
    (perRadian[1]! * (y - latitude) * Math.PI) / 180,
  ]) as [number, number, number, number];
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / squared));
  return Math.hypot(ax + along * dx, ay + along * dy);
}

const nearestMeters = (at: Position, ring: readonly Position[]): number =>
  Math.min(...ring.slice(1).map((to, i) => metersToEdge(at, ring[i]!, to)));

/** A triangle about the middle of the area of use, its sides about so many metres or feet. */
function createTriangle(code: number, reach: number, random: () => number): Position[] {
  const middle = proj4(formatDefinition(SYSTEMS.get(code)!)).forward([...middleOf(code)]) as [number, number];
  const start = random() * 2 * Math.PI;
  const corners = [0, 1, 2].map((k): Position => {
    const angle = start + (k + 0.4 * random()) * ((2 * Math.PI) / 3);
    return [middle[0] + reach * Math.cos(angle), middle[1] + reach * Math.sin(angle)];
  });
  return [...corners, corners[0]!];
}

describe("the edges of projected input", () => {
  const every = process.env.GROUNDRULE_FULL ? 1 : 12;

  it.each([
    [300, 1],
    [3_000, 1],
    [30_000, Math.min(4, every)],
    [200_000, every],
  ])(
    "lie within 1 cm of the projected lines: sides of %d m, in one CRS of %d (seed 20261122)",
    (reach, step) => {
      const random = createSeededRandom(20261122).next;
      for (const code of PROJECTED.filter((_, i) => i % step === 0)) {
        const ring = createTriangle(code, reach, random);
        const filled = areaIn(code, ring);
        for (const corner of ring) {
          const [x, y] = place(code, corner);
          expect(filled.some(([a, b]) => a === x && b === y)).toBe(true);
        }
        for (let i = 0; i < 12; i++) {
          const edge = Math.floor(random() * 3);
          const t = random();
          const [a, b] = [ring[edge]!, ring[edge + 1]!];
          const on: Position = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
          const meters = nearestMeters(place(code, on), filled);
          expect([code, meters < CENTIMETER]).toEqual([code, true]);
        }
      }
    },
  );

  it("have the same positions whichever way they run, so that neighbours do not overlap", () => {
    const [x, y] = [500_000, 8_000_000];
    const west = areaIn(31983, [
      [x - 10_000, y],
      [x + 777, y],
      [x + 333, y + 10_000],
      [x - 10_000, y + 10_000],
      [x - 10_000, y],
    ]);
    const east = areaIn(31983, [
      [x + 777, y],
      [x + 10_000, y],
      [x + 10_000, y + 10_000],
      [x + 333, y + 10_000],
      [x + 777, y],
    ]);
    const between = (ring: readonly Position[]) => {
      const [from, to] = [place(31983, [x + 777, y]), place(31983, [x + 333, y + 10_000])];
      const [south, north] = [from[1], to[1]];
      return ring
        .filter(([, latitude]) => latitude >= south && latitude <= north)
        .filter((position) => metersToEdge(position, from, to) < 50)
        .map(String);
    };
    expect(new Set(between(west))).toEqual(new Set(between(east)));
  });

  it("keep the area of a triangle of 10 km to what a centimetre along its sides holds", () => {
    const [x, y, side] = [300_000, 7_000_000, 10_000];
    const corners: Position[] = [
      [x, y],
      [x + side, y],
      [x + side / 2, y + side / 2],
      [x, y],
    ];
    const steps = corners.slice(1).flatMap((to, i): Position[] => {
      const from = corners[i]!;
      return Array.from({ length: 2_000 }, (_, k) => {
        const t = k / 2_000;
        return place(31983, [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]);
      });
    });
    const followed = measureSquareMeters([...steps, steps[0]!]);
    const filled = measureSquareMeters(areaIn(31983, corners));
    const straight = measureSquareMeters(corners.map((corner) => place(31983, corner)));
    expect(Math.abs(filled - followed)).toBeLessThan(3 * side * CENTIMETER);
    expect(Math.abs(straight - followed)).toBeGreaterThan(1_000);
  });

  it("get no position where they are short, or straight in longitude and latitude too", () => {
    const field: Position[] = [
      [300_000, 7_000_000],
      [300_050, 7_000_000],
      [300_050, 7_000_050],
      [300_000, 7_000_000],
    ];
    expect(areaIn(31983, field)).toHaveLength(4);
    const alongMeridian: Position[] = createBoxPositions(0, 0, 200_000, 200_000);
    expect(areaIn(3857, alongMeridian)).toHaveLength(5);
    expect(
      areaIn(4674, [
        [-60, -10],
        [-50, -10],
        [-50, 3],
        [-60, -10],
      ]),
    ).toHaveLength(4);
  });

  it("go on across the antimeridian, holes too, where the projection has no seam", () => {
    const square = (y: number, reach: number): Position[] => [
      [reach, y - reach],
      [reach, y + reach],
      [-reach, y + reach],
      [-reach, y - reach],
      [reach, y - reach],
    ];
    const land = {
      type: "Polygon",
      coordinates: [square(700_000, 100_000), square(700_000, 5_000).reverse()],
    };
    const { plot } = parsePlot(land, { crs: "EPSG:3995", crsTable });
    expect(plot.bbox[2] - plot.bbox[0]).toBeLessThan(30);
    expect(plot.ringStarts).toHaveLength(3);
    const { polygons } = prepareArea(land, { crs: "EPSG:3995", crsTable });
    expect(polygons.map((rings) => rings.length)).toEqual([2]);
  });

  it("make a belt where outer ring and hole go round the pole", () => {
    const ring = (reach: number): Position[] => [
      [reach, -reach],
      [reach, reach],
      [-reach, reach],
      [-reach, -reach],
      [reach, -reach],
    ];
    const belt = { type: "Polygon", coordinates: [ring(300_000), ring(100_000).reverse()] };
    const { polygons } = prepareArea(belt, { crs: "EPSG:3995", crsTable });
    const sum = polygons.flat().reduce((a, xy) => a + measureSquareMeters(toPositions(xy)), 0);
    const onEarth = (2 * 300_000) ** 2 / 0.9728 ** 2;
    expect(Math.abs(sum / (onEarth * (8 / 9)) - 1)).toBeLessThan(0.02);
  });

  it.each([
    ["EPSG:3995", [1, 90]],
    ["EPSG:3031", [-90, -1]],
  ])("go round the pole of %s with the land", (crs, [south, north]) => {
    const reach = 300_000;
    const cap = polygon([
      [reach, -reach],
      [reach, reach],
      [-reach, reach],
      [-reach, -reach],
      [reach, -reach],
    ]);
    const { plot } = parsePlot(cap, { crs, crsTable });
    expect(plot.bbox[2] - plot.bbox[0]).toBe(360);
    expect([Math.min(1, plot.bbox[1]), Math.max(-1, plot.bbox[3])]).toEqual([south, north]);
    // The scale of both projections at their pole, true at 71°; a fiftieth more or less about it.
    const onEarth = (2 * reach) / 0.9728;
    expect(Math.abs(measureSquareMeters(toPositions(plot.xy)) / onEarth ** 2 - 1)).toBeLessThan(0.02);
  });

  it("are reported with the places of the input", () => {
    const bowTie = polygon([
      [300_000, 7_000_000],
      [310_000, 7_010_000],
      [310_000, 7_000_000],
      [300_000, 7_010_000],
      [300_000, 7_000_000],
    ]);
    const { details } = catchRefusal(() => parsePlot(bowTie, { crs: "EPSG:31983", crsTable }));
    const [fault] = details.faults as unknown as readonly { pointer: string; position: number }[];
    expect(fault!.pointer).toMatch(/^\/coordinates\/0\/[0-3]$/);
    expect(fault!.position).toBeLessThan(4);
  });

  it("are refused where they would need more positions than a plot may have", () => {
    const zigzag = Array.from(
      { length: 1_500 },
      (_, i): Position => [i % 2 === 0 ? 200_000 : 800_000, 6_000_000 + 600 * i],
    );
    const ring = [...zigzag, [100_000, 6_900_000] as const, zigzag[0]!];
    const { code, message, details } = catchRefusal(() =>
      parsePlot(polygon(ring), { crs: "EPSG:31983", crsTable }),
    );
    expect([code, details.allowed]).toEqual(["GEOMETRY_TOO_COMPLEX", 100_000]);
    expect(message).toContain("within 1 cm");
  });
});

/** On the ellipsoid, by the engine; its areas are held to GeographicLib elsewhere. */
function measureSquareMeters(ring: readonly Position[]): number {
  const { plot } = parsePlot(polygon(ring));
  return computePlanarArea(plot.xy);
}

/** Square metres of a small ring by the equal-area cylinder about the ellipsoid. */
function computePlanarArea(xy: Float64Array): number {
  const e2 = 0.00669437999014;
  const e = Math.sqrt(e2);
  const q = (latitude: number) => {
    const s = Math.sin((latitude * Math.PI) / 180);
    return (1 - e2) * (s / (1 - e2 * s * s) - Math.log((1 - e * s) / (1 + e * s)) / (2 * e));
  };
  // Longitude is linear along an edge in latitude: short edges make the chord good enough.
  let sum = 0;
  const [x0, q0] = [xy[0]!, q(xy[1]!)];
  for (let i = 0; i + 3 < xy.length; i += 2) {
    const steps = 8;
    for (let k = 0; k < steps; k++) {
      const at = (t: number): Position => [
        xy[i]! + t * (xy[i + 2]! - xy[i]!) - x0,
        q(xy[i + 1]! + t * (xy[i + 3]! - xy[i + 1]!)) - q0,
      ];
      const [ax, aq] = at(k / steps);
      const [bx, bq] = at((k + 1) / steps);
      sum += (ax * bq - bx * aq) / 2;
    }
  }
  return Math.abs(sum) * 6378137 ** 2 * (Math.PI / 180) * 0.5;
}

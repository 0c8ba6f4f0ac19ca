import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { bordersSnapshot, hasBorders, piecesFor } from "@groundrule/borders";
import { openEngine } from "@groundrule/engine";
import { prepareArea, snapshotOf } from "@groundrule/engine/build";
import { toPositions } from "@groundrule/testing/shapes";
import { iso31661 } from "iso-3166";
import { describe, expect, it } from "vitest";
import { iso3Of } from "../../packages/borders/src/iso-3166.ts";
import { compareBrazilBorders } from "./deviation.ts";
import { createInsideTest } from "./inside-test.ts";
import { type NaturalEarthCountry, type Ring, readNaturalEarth } from "./natural-earth.ts";

/** Everything is asked, instead of one in so many. */
const FULL = process.env.GROUNDRULE_FULL !== undefined;
const folder = process.env.GROUNDRULE_REAL_DATA;

const LEAST_METERS = 3800;
const GREATEST_METERS = 5000;

const countries = new Map<string, NaturalEarthCountry["polygons"]>();
for (const { iso3, polygons } of readNaturalEarth()) {
  if (iso3 !== null) countries.set(iso3, [...(countries.get(iso3) ?? []), ...polygons]);
}

describe("the widened territory of each country", () => {
  it("holds whatever lies within 3.8 km of Natural Earth's outline", () => {
    const EVERY = FULL ? 1 : 200;
    const wrong: string[] = [];
    let compared = 0;
    for (const [iso3, polygons] of countries) {
      const isInside = createInsideTest(listOutlineRings(iso3));
      for (const [i, position] of polygons.flat(2).entries()) {
        if (i % EVERY !== 0 || Math.abs(position[1]) > 85) continue;
        for (const [x, y] of listPositionsAround(position, LEAST_METERS)) {
          compared++;
          if (!isInside(x, y)) wrong.push(`${iso3} ${x},${y}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(15_000);
  });

  it.runIf(FULL)("has no gap, however thin, on land of Natural Earth's", () => {
    const wrong = [...countries].flatMap(([iso3, polygons]) => {
      const isInside = createInsideTest(polygons.flat());
      return listBoundaryPositions(iso3)
        .filter(([x, y]) => [x - 360, x, x + 360].some((turned) => isInside(turned, y)))
        .map((position) => `${iso3} ${position}`);
    });
    expect(wrong).toEqual([]);
  });

  it("ends 3.8 to 5 km from Natural Earth's", () => {
    const EVERY = FULL ? 1 : 640;
    const wrong: string[] = [];
    let [compared, least, greatest] = [0, Number.POSITIVE_INFINITY, 0];
    for (const [iso3, polygons] of countries) {
      const features = polygons.map((coordinates, id) => ({
        type: "Feature",
        properties: { id },
        geometry: { type: "Polygon", coordinates },
      }));
      const { bytes } = snapshotOf("country", features, { id: "id", onFault: "leaveOut" });
      const engine = openEngine([bytes]);
      for (const [i, position] of listBoundaryPositions(iso3).entries()) {
        if (i % EVERY !== 0) continue;
        const { matches } = engine.distance(
          { type: "Point", coordinates: position },
          { maxDistanceMeters: 2 * GREATEST_METERS },
        );
        const measured = matches[0]?.distance_m ?? Number.POSITIVE_INFINITY;
        // Islets that are lines or points are no areas to the engine.
        const meters =
          measured <= GREATEST_METERS ? measured : Math.min(measured, metersToOutline(position, polygons));
        compared++;
        least = Math.min(least, meters);
        greatest = Math.max(greatest, meters);
        // In three places of Antarctica it ends farther out, 7.5 km at the most.
        const allowed = iso3 === "ATA" ? 1.5 * GREATEST_METERS : GREATEST_METERS;
        if (meters < LEAST_METERS || meters > allowed) wrong.push(`${iso3} ${position}: ${meters} m`);
      }
    }
    console.log(`${compared} positions of outlines lie ${least} to ${greatest} m from Natural Earth's`);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(500);
  });
});

describe("iso3Of", () => {
  it("knows what ISO 3166-1 assigns officially", () => {
    for (const { alpha2, alpha3, state } of iso31661) {
      expect(state).toBe("assigned");
      expect([iso3Of(alpha2), iso3Of(alpha3)]).toEqual([alpha3, alpha3]);
    }
    expect(iso31661).toHaveLength(249);
  });

  it("has borders for every code of Natural Earth, and for no other", () => {
    expect([...countries.keys()].sort()).toEqual(
      iso31661
        .map(({ alpha3 }) => alpha3)
        .filter(hasBorders)
        .sort(),
    );
  });
});

describe.runIf(folder !== undefined)("real data", () => {
  // Parcels of the Danube, "râuri": Natural Earth draws the border of Romania with Bulgaria up to 8.8 km beside it.
  const RIVERS = ["ec_ro-43", "ec_ro-44", "ec_ro-52", "ec_ro-59", "ec_ro-60", "ec_ro-61"];

  it.each([
    ["plots_fields_world", 2610, RIVERS],
    ["plots_whisp_examples", 50, []],
  ])("lies in the territory of its country: %s, %i plots, but for %j", (name, count, rivers) => {
    const { features } = JSON.parse(
      gunzipSync(readFileSync(join(folder!, `${name}.geojson.gz`))).toString(),
    ) as { features: { geometry: object; properties: { id: string; iso3: string } }[] };
    expect(features).toHaveLength(count);
    const engine = openEngine([bordersSnapshot()]);
    const outside = features.filter(({ geometry, properties: { iso3 } }) => {
      const { matches } = engine.intersections(toValidGeometry(geometry));
      const share = matches
        .filter(({ properties }) => `${properties.countries}`.split(",").includes(iso3))
        .reduce((sum, { overlap_ratio }) => sum + overlap_ratio, 0);
      return !(share > 1 - 1e-5);
    });
    expect(outside.map(({ properties }) => properties.id)).toEqual(rivers);
  });

  // Figures of data that seldom changes: fifteen seconds of CPU.
  it.runIf(FULL)("shows the deviation of Brazil's borders that the page states", () => {
    const { intoOthers, intoTheSea, fromOthers, fromTheSea } = compareBrazilBorders(folder!);
    const quantiles = [intoOthers, intoTheSea, fromOthers, fromTheSea].map((strays) =>
      [0.5, 0.9, 0.95, 0.99, 1].map((share) =>
        Math.round(strays[Math.min(strays.length - 1, Math.floor(share * strays.length))]!.meters),
      ),
    );
    expect(quantiles).toEqual([
      [916, 2469, 3378, 9594, 16087],
      [1103, 5935, 8287, 13901, 64027],
      [974, 2382, 3144, 7053, 13670],
      [480, 1383, 1820, 9600, Number.POSITIVE_INFINITY],
    ]);
    const near = intoOthers.filter(({ meters }) => meters <= LEAST_METERS).length;
    expect(near / intoOthers.length).toBeCloseTo(0.958, 3);
  });
});

/** One plot of the 2,660 is not valid. */
function toValidGeometry(geometry: object): object {
  const { polygons } = prepareArea(geometry);
  const coordinates = polygons.map((rings) => rings.map(toPositions));
  return { type: "MultiPolygon", coordinates };
}

/** Rings of a country's pieces: shared edges count twice, so that a position in an odd number of them is in. */
function listOutlineRings(iso3: string): Ring[] {
  return piecesFor([iso3])
    .filter(({ countries: holders }) => holders.includes(iso3))
    .flatMap(({ polygons }) => polygons.flat())
    .map(toPositions);
}

/** Where the outline of a country's territory turns, and the middles between, but for where the map is cut. */
function listBoundaryPositions(iso3: string): [number, number][] {
  const edges = listOutlineRings(iso3).flatMap((ring) =>
    ring.slice(1).map((end, i) => [ring[i]!, end] as const),
  );
  const keys = new Set(edges.map((edge) => edge.join()));
  const isCut = ([[x1, y1], [x2, y2]]: (typeof edges)[number]): boolean =>
    (Math.abs(x1) === 180 && x2 === x1) || (Math.abs(y1) === 90 && y2 === y1);
  return edges
    .filter((edge) => !keys.has(edge.toReversed().join()) && !isCut(edge))
    .flatMap(([start, end]): [number, number][] => [
      start,
      [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2],
    ]);
}

const METERS_PER_DEGREE = 110_900;
const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

/** Eight places a little nearer than a distance, since a degree of latitude is no longer than 111,694 m. */
function listPositionsAround([x, y]: Ring[0], meters: number): [number, number][] {
  return [0, 45, 90, 135, 180, 225, 270, 315].map((azimuth) => {
    const north = (meters * cosine(azimuth)) / 111_800;
    const east = (meters * cosine(azimuth - 90)) / (111_800 * cosine(Math.abs(y) - 0.04));
    return [((((x + east + 180) % 360) + 360) % 360) - 180, y + north];
  });
}

/** To the nearest edge of an outline, to some metres. */
function metersToOutline(
  [x, y]: readonly [number, number],
  polygons: NaturalEarthCountry["polygons"],
): number {
  let least = Number.POSITIVE_INFINITY;
  const planar = ([px, py]: Ring[0]): [number, number] => [
    (px - x - 360 * Math.round((px - x) / 360)) * cosine(y) * METERS_PER_DEGREE,
    (py - y) * METERS_PER_DEGREE,
  ];
  for (const ring of polygons.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [planar(ring[i - 1]!), planar(ring[i]!)];
      const [dx, dy] = [x2 - x1, y2 - y1];
      const along = Math.min(1, Math.max(0, -(x1 * dx + y1 * dy) / (dx * dx + dy * dy || 1)));
      least = Math.min(least, Math.hypot(x1 + along * dx, y1 + along * dy));
    }
  }
  return least;
}

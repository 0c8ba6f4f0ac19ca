import { type Engine, openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { findPolygonFaults } from "@groundrule/engine/internal";
import { describe, expect, it } from "vitest";
import { COUNTRY_CODES } from "../../engine/src/base/country-codes.ts";
import {
  type BorderPiece,
  bordersSnapshot,
  countriesAt,
  countryName,
  hasBorders,
  iso3Of,
  piecesFor,
} from "./index.ts";

const WITH_BORDERS = COUNTRY_CODES.filter(hasBorders);
const ALL = piecesFor(WITH_BORDERS);
const POLYGONS = ALL.flatMap(({ polygons }) => polygons);
const engine = openEngine([bordersSnapshot()]);

/** The countries that the borders tell of a place; of one on the edge of pieces, those of each. */
const measuredAt = (longitude: number, latitude: number): unknown[] => {
  const { matches } = engine.intersections({ type: "Point", coordinates: [longitude, latitude] });
  return [...new Set(matches.map(({ properties }) => properties.countries))];
};

describe("bordersSnapshot", () => {
  it.each([
    ["Brasília", -47.9, -15.8, "BRA"],
    ["Basel, where three countries meet", 7.59, 47.56, "CHE,DEU,FRA"],
    ["Foz do Iguaçu", -54.585, -25.594, "ARG,BRA,PRY"],
    ["Maseru, in a country within another", 27.48, -29.31, "LSO,ZAF"],
    ["Thaba-Tseka, far within it", 28.6, -29.52, "LSO"],
    ["Suva", 178.44, -18.14, "FJI"],
    ["Taveuni, which the antimeridian crosses", -179.99, -16.8, "FJI"],
    ["Chukotka, west of the antimeridian", 179.999, 67.5, "RUS"],
    ["Chukotka, east of it", -179.999, 67.5, "RUS"],
    ["the south pole", 12, -90, "ATA"],
    ["Cayenne, which is France's to Natural Earth", -52.33, 4.93, "FRA"],
    ["Pristina, which has no code of ISO's", 21.16, 42.66, ""],
    ["Hargeisa, in Somaliland", 44.06, 9.56, ""],
    ["Nicosia, beside a line that has no code", 33.36, 35.17, "CYP"],
    ["Libreville", 9.45, 0.39, "GAB"],
    ["Jakarta", 106.83, -6.18, "IDN"],
    ["Longyearbyen, which is Norway's to Natural Earth", 15.64, 78.22, "NOR"],
  ])("knows %s", (_place, longitude, latitude, countries) => {
    expect(measuredAt(longitude, latitude)).toEqual([countries]);
    expect(countriesAt(longitude, latitude)?.join()).toBe(countries);
    expect(countriesAt(longitude + 360, latitude)?.join()).toBe(countries);
  });

  it("has no country for the open sea", () => {
    expect(measuredAt(-30, 0)).toEqual([]);
    expect(measuredAt(60, -40)).toEqual([]);
    expect([countriesAt(-30, 0), countriesAt(60, -40), countriesAt(0, 95)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("names countries in English, and a code without a name by itself", () => {
    expect(["BRA", "CIV", "XKX", "QQQ"].map(countryName)).toEqual([
      "Brazil",
      "Côte d’Ivoire",
      "Kosovo",
      "QQQ",
    ]);
  });

  it("has an area for each piece of the world", () => {
    expect(engine.sources().map(({ feature_count }) => feature_count)).toEqual([ALL.length]);
  });

  it("is the same bytes at every call, made once", () => {
    expect(bordersSnapshot()).toBe(bordersSnapshot());
  });
});

describe("pieces", () => {
  const rings = ALL.flatMap(({ polygons }) => polygons.flat());

  it("are a partition: valid polygons, none of which overlaps another", () => {
    expect(findPolygonFaults(ALL.flatMap(({ polygons }) => polygons))).toEqual([]);
  });

  it("are wound as the writer wants them, and lie within ±180 and ±90", () => {
    for (const { polygons } of ALL) {
      for (const outerAndHoles of polygons) {
        expect(outerAndHoles.map((ring) => computeDoubledArea(ring) > 0)).toEqual(
          outerAndHoles.map((_, r) => r === 0),
        );
      }
    }
    const beyond = (ring: Float64Array) =>
      ring.some((value, i) => Math.abs(value) > (i % 2 === 0 ? 180 : 90));
    expect(rings.filter(beyond)).toEqual([]);
  });

  it("share edges bit for bit: where an edge bounds one piece, no other lies beyond it", () => {
    const edges = rings.flatMap((ring) =>
      Array.from({ length: ring.length / 2 - 1 }, (_, i) => ring.subarray(2 * i, 2 * i + 4)),
    );
    const keys = new Set(edges.map((edge) => edge.join()));
    expect(keys.size).toBe(edges.length);
    const lone = edges.filter(([x1, y1, x2, y2]) => !keys.has([x2, y2, x1, y1].join()));
    expect(lone.length).toBeGreaterThan(100_000);
    expect(lone.length).toBeLessThan(0.7 * edges.length);
    const wrong = lone
      .filter((_, i) => i % 40 === 0)
      .filter(([x1, y1, x2, y2]) => {
        const [x, y] = [(x1! + x2!) / 2 + (y2! - y1!) * 1e-6, (y1! + y2!) / 2 - (x2! - x1!) * 1e-6];
        return Math.abs(x) < 180 && Math.abs(y) < 90 && measuredAt(x, y).length > 0;
      });
    expect(wrong).toEqual([]);
  });

  it("are found in the snapshot by their countries", () => {
    const wrong = ALL.filter(({ polygons, countries }) => {
      // Beside the middle of an edge, within the piece.
      const [x1, y1, x2, y2] = polygons[0]![0]!;
      const found = measuredAt((x1! + x2!) / 2 - (y2! - y1!) * 1e-6, (y1! + y2!) / 2 + (x2! - x1!) * 1e-6);
      return found.length !== 1 || found[0] !== countries.join();
    });
    expect(wrong).toEqual([]);
    expect(ALL.length).toBeGreaterThan(1000);
  });

  it("list countries in ascending order", () => {
    for (const { countries } of ALL) expect(countries).toEqual([...new Set(countries)].sort());
  });
});

describe("piecesFor", () => {
  it("gives the same pieces for the same countries, whatever their order", () => {
    expect(piecesFor(["COL", "BRA", "COL"])).toBe(piecesFor(["BRA", "COL"]));
  });

  it("holds all territory of the country and the land within 1,000 km, and not the rest of the world", () => {
    const pieces = piecesFor(["BRA"]);
    const codes = new Set(pieces.flatMap(({ countries }) => countries));
    for (const near of ["BRA", "ARG", "CHL", "ECU", "PAN", "TTO", "FRA"]) expect(codes).toContain(near);
    for (const far of ["USA", "CAN", "IDN", "RUS"]) expect(codes).not.toContain(far);
    const whole = (of: readonly BorderPiece[]) => of.filter(({ countries }) => countries.includes("BRA"));
    expect(whole(pieces)).toEqual(whole(ALL));
  });

  it("finds land across the antimeridian", () => {
    const fiji = piecesFor(["FJI"]);
    expect(fiji.flatMap(({ countries }) => countries)).toContain("WLF");
    expect(fiji.flatMap(({ countries }) => countries)).toContain("TON");
  });

  it.each([["FJI"], ["LUX"], ["FRO"], ["LSO"]])(
    "leaves out no polygon within 1,000 km of %s, as the engine measures",
    (code) => {
      const pieces = new Set(piecesFor([code]).flatMap(({ polygons }) => polygons.map(toKey)));
      for (const { countries, polygons } of ALL) {
        if (!countries.includes(code)) continue;
        const { matches } = getPolygonEngine().distance(
          { type: "MultiPolygon", coordinates: polygons.map(toCoordinates) },
          { maxDistanceMeters: 1_000_000 },
        );
        expect(matches.length).toBeGreaterThan(5);
        const missing = matches.filter(({ source_id }) => !pieces.has(toKey(POLYGONS[Number(source_id)]!)));
        expect(missing).toEqual([]);
      }
      expect(pieces.size).toBeLessThan(POLYGONS.length / 5);
    },
  );

  it("keeps Brazil and what is near in few positions", () => {
    const rings = piecesFor(["BRA"]).flatMap(({ polygons }) => polygons.flat());
    expect(rings.reduce((sum, ring) => sum + ring.length / 2, 0)).toBeLessThan(20_000);
  });

  it.each(["GUF", "XKX", "bra", "", "constructor"])("refuses %j, which has no borders", (code) => {
    expect(hasBorders(code)).toBe(false);
    expect(() => piecesFor(["BRA", code])).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
  });
});

describe("hasBorders", () => {
  it("knows every code but those of territories that Natural Earth counts to another country", () => {
    expect(COUNTRY_CODES.filter((code) => !hasBorders(code))).toEqual(
      "BES BVT CCK CXR GLP GUF MTQ MYT REU SJM TKL XKX".split(" "),
    );
  });
});

describe("iso3Of", () => {
  it("knows the codes that the engine knows, and no other", () => {
    const known: string[] = [];
    const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
    for (const a of letters)
      for (const b of letters)
        for (const c of letters) if (iso3Of(a + b + c) !== undefined) known.push(a + b + c);
    expect(known).toEqual(COUNTRY_CODES);
  });

  it("reads alpha-2 and alpha-3 in any case", () => {
    expect(["BR", "br", "bra", " Bra ", "XK", "gb", "UK", "B", "", "076", "__proto__"].map(iso3Of)).toEqual(
      ["BRA", "BRA", "BRA", "BRA", "XKX", "GBR", ...Array(5)], // United Kingdom: UK is not assigned
    );
  });
});

describe("coverage by country", () => {
  it("is measured of a thousand discs as of one, where some lie abroad", () => {
    const borders = bordersSnapshot();
    const judge = openEngine([snapshotOf("br:lands", [], { id: "id", coverage: ["BRA"], borders }).bytes]);
    const policy = judge.compile({
      sets: { lands: { sources: ["br:lands"] } },
      checks: [
        { id: "any", set: "lands", outcome: "NON_COMPLIANT" },
        { id: "part", set: "lands", measure: "overlap_ratio", value: 0.001, outcome: "NON_COMPLIANT" },
        { id: "most", set: "lands", measure: "overlap_ratio", value: 0.002, outcome: "NON_COMPLIANT" },
      ],
    });
    const coordinates = Array.from({ length: 1000 }, (_, i) => [
      -55 + (i % 32) * 0.01,
      -12 + (i >> 5) * 0.01,
    ]);
    coordinates[0] = [-1, 7];
    coordinates[999] = [-2, 7];
    const input = { geometry: { type: "MultiPoint", coordinates }, area_ha: 4 };
    const { verdict, checks, sources } = policy.evaluate(input, { now: "2026-11-22T00:00:00Z" });
    expect([verdict, sources[0]?.coverage]).toEqual(["WARNING", "partial"]);
    expect(checks.map(({ status }) => status)).toEqual(["not_covered", "not_covered", "ok"]);
    expect(checks[0]?.open?.[0]?.covered_ratio).toBeCloseTo(0.998, 8);
  });
});

type Polygon = BorderPiece["polygons"][number];

/** No two polygons of a partition have the same outer ring. */
function toKey([outer]: Polygon): string {
  return outer!.join();
}

function toCoordinates(rings: Polygon): number[][][] {
  return rings.map((ring) =>
    Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]),
  );
}

let polygonEngine: Engine | undefined;

/** An engine whose areas are the polygons of all pieces, by their numbers. */
function getPolygonEngine(): Engine {
  if (polygonEngine === undefined) {
    const features = POLYGONS.map((rings, id) => ({
      type: "Feature",
      properties: { id },
      geometry: { type: "Polygon", coordinates: toCoordinates(rings) },
    }));
    polygonEngine = openEngine([snapshotOf("polygons", features, { id: "id" }).bytes]);
  }
  return polygonEngine;
}

function computeDoubledArea(ring: Float64Array): number {
  let doubled = 0;
  for (let i = 2; i < ring.length; i += 2)
    doubled += (ring[i - 2]! - ring[i]!) * (ring[i - 1]! + ring[i + 1]!);
  return doubled;
}

import { countriesAt, countryName, iso2Of, iso3Of, territoryOf } from "@groundrule/borders";
import { prepareRings, sumPolygonAreas } from "@groundrule/engine/internal";
import { createSeededRandom } from "@groundrule/testing/random";
import { createStarRing } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { eudr } from "../profiles/eudr.ts";
import { fixPlot } from "./fix-plot.ts";

const COUNTRIES = { countriesAt, countryName, iso2Of, iso3Of, territoryOf };

const rounded = (value: number): number => Math.round(value * 1e8) / 1e8;

const square = (x: number, y: number, size: number): number[][] =>
  toPairs([x, y, x + size, y, x + size, y + size, x, y + size, x, y].map(rounded));

const fix = (geometry: unknown, properties = {}, options = {}) =>
  fixPlot({ number: 7, id: "farm", geometry, properties }, { profile: eudr, ...options });

const listCodes = (fixed: ReturnType<typeof fix>) => fixed.changes.map(({ code }) => code);

interface Geometry {
  readonly type: string;
  readonly coordinates: number[][][] | number[][][][];
}

function toRings({ type, coordinates }: Geometry): Float64Array[][] {
  const polygons = (type === "Polygon" ? [coordinates] : coordinates) as number[][][][];
  return polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
}

describe("fixPlot", () => {
  it("returns the very plot where nothing is wrong", () => {
    const plot = {
      number: 1,
      id: 1,
      geometry: { type: "Polygon", coordinates: [square(-60, -10, 0.01)] },
      properties: { ProducerName: "A", ProducerCountry: "BR" },
    };
    const { plots, changes, findings } = fixPlot(plot, { profile: eudr });
    expect(plots[0]).toBe(plot);
    expect([changes, findings]).toEqual([[], []]);
  });

  it("closes, cuts, drops repeated positions and winds, and reports each with place and area", () => {
    const ring = [
      [-60, -10],
      [-60, -10],
      [-60, -9.99],
      [-59.9900004, -9.99],
      [-59.9900001, -9.99],
      [-59.99, -10],
    ];
    const fixed = fix({ type: "Polygon", coordinates: [ring] });
    expect(fixed.plots).toEqual([
      {
        number: 7,
        id: "farm",
        properties: {},
        geometry: {
          type: "Polygon",
          coordinates: [[-60, -10, -59.99, -10, -59.99, -9.99, -60, -9.99, -60, -10]].map(toPairs),
        },
      },
    ]);
    expect(listCodes(fixed)).toEqual([
      "RING_CLOSED",
      "COORDINATES_CUT",
      "POSITION_DROPPED",
      "WINDING_TURNED",
    ]);
    expect(fixed.changes[1]).toMatchObject({
      plot: 7,
      id: "farm",
      pointer: "/geometry/coordinates/0/3",
      position: [-59.9900004, -9.99],
      count: 2,
    });
    const { square_meters_before, square_meters_after } = fixed.changes[1]!;
    expect(square_meters_before! - square_meters_after!).toBeCloseTo(-6.06, 1);
  });

  it("mends what only the cut breaks, on the grid", () => {
    // A notch whose tip is less than a unit from the side across: cut, it passes through it.
    const ring = [
      [0, 0],
      [0.001, 0.0003333],
      [0.001, 0.001],
      [0.0005, 0.0001669],
      [0, 0.001],
      [0, 0],
    ];
    const sent = toRings({ type: "Polygon", coordinates: [ring] });
    expect(prepareRings(sent).faults).toEqual([]);
    const fixed = fix({ type: "Polygon", coordinates: [ring] });
    expect(listCodes(fixed)).toContain("CUT_REPAIRED");
    expect(fixed.square_meters_moved).toBeGreaterThan(0);
    expect(fixed.square_meters_moved).toBeLessThan(50);
    for (const { geometry } of fixed.plots) {
      const rings = toRings(geometry as Geometry);
      expect(prepareRings(rings).faults).toEqual([]);
      expect(rings.flat().every((xy) => xy.every((value) => Math.round(value * 1e6) / 1e6 === value))).toBe(
        true,
      );
    }
  });

  it("makes both lobes of a bow-tie", () => {
    const ring = toPairs([0, 0, 0.01, 0.01, 0.01, 0, 0, 0.01, 0, 0]);
    const fixed = fix({ type: "Polygon", coordinates: [ring] });
    expect(listCodes(fixed)).toEqual(["REGION_REPAIRED"]);
    expect(fixed.square_meters_moved).toBeGreaterThan(600_000);
    expect((fixed.plots[0]!.geometry as Geometry).coordinates).toHaveLength(2);
  });

  it("splits holes away into plots that cover the same land, and shares Area out among them", () => {
    const holes = [0.001, 0.004, 0.007].map((at) => square(-60 + at, -10 + at, 0.001).reverse());
    const coordinates = [square(-60, -10, 0.01), ...holes];
    const fixed = fix({ type: "Polygon", coordinates }, { Area: 120, id: "x" });
    expect(listCodes(fixed)).toEqual(["HOLES_SPLIT", "AREA_SHARED"]);
    expect(fixed.plots.map(({ id }) => id)).toEqual(["farm#1", "farm#2"]);
    const parts = fixed.plots.flatMap(({ geometry }) => toRings(geometry as Geometry));
    expect(parts.every((rings) => rings.length === 1)).toBe(true);
    const sent = sumPolygonAreas(toRings({ type: "Polygon", coordinates }));
    expect(sumPolygonAreas(parts)).toBeCloseTo(sent, 4);
    const areas = fixed.plots.map(({ properties }) => properties.Area as number);
    expect(areas[0]! + areas[1]!).toBeCloseTo(120, 3);
  });

  it("splits a plot across the antimeridian, however it is written", () => {
    const beyond = toPairs([179.99, 10, 180.01, 10, 180.01, 10.02, 179.99, 10.02, 179.99, 10]);
    const jumping = toPairs([179.99, 10, -179.99, 10, -179.99, 10.02, 179.99, 10.02, 179.99, 10]);
    const [one, other] = [beyond, jumping].map((ring) => fix({ type: "Polygon", coordinates: [ring] }));
    expect(listCodes(one!)).toEqual(["ANTIMERIDIAN_SPLIT"]);
    expect(one!.plots[0]!.geometry).toEqual(other!.plots[0]!.geometry);
    expect((one!.plots[0]!.geometry as Geometry).coordinates).toHaveLength(2);
    const area = sumPolygonAreas(toRings(one!.plots[0]!.geometry as Geometry));
    expect(area).toBeCloseTo(sumPolygonAreas(toRings({ type: "Polygon", coordinates: [beyond] })), 3);
  });

  it("unfolds a collection, points apart from polygons", () => {
    const geometries = [
      { type: "Polygon", coordinates: [square(0, 0, 0.01)] },
      { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [1.00000009, 1, 300] }] },
      { type: "MultiPolygon", coordinates: [[square(0.02, 0, 0.01)]] },
    ];
    const fixed = fix({ type: "GeometryCollection", geometries });
    expect(listCodes(fixed)).toEqual(["HEIGHT_DROPPED", "COLLECTION_UNFOLDED", "COORDINATES_CUT"]);
    expect(fixed.plots.map(({ id, geometry }) => [id, (geometry as Geometry).type])).toEqual([
      ["farm#1", "MultiPolygon"],
      ["farm#2", "Point"],
    ]);
    expect(fixed.changes[0]!.pointer).toBe("/geometry/geometries/1/geometries/0/coordinates");
  });

  it("writes longitude and latitude, and changes axes only by option", () => {
    const metres = toPairs([300000, 700000, 300100, 700000, 300100, 700100, 300000, 700100, 300000, 700000]);
    const plot = { number: 1, id: 1, geometry: { type: "Polygon", coordinates: [metres] }, properties: {} };
    const transform = (position: [number, number]) => {
      position[0] = position[0] / 100_003 - 60;
      position[1] = position[1] / 100_003 - 17.04;
    };
    const definition = { transform, areas: [[-180, -90, 180, 90]] as [[number, number, number, number]] };
    const crsTable = { codes: [9999], find: () => ({ ...definition, isProjected: true }) };
    const fixed = fixPlot({ ...plot, crs: "EPSG:9999" }, { profile: eudr, crsTable });
    expect(fixed.findings).toEqual([]);
    expect(listCodes(fixed).slice(0, 2)).toEqual(["CRS_CHANGED", "COORDINATES_CUT"]);
    expect(fixed.plots[0]).not.toHaveProperty("crs");
    const [[[longitude, latitude]]] = (fixed.plots[0]!.geometry as Geometry).coordinates as [
      [[number, number]],
    ];
    expect([longitude, latitude]).toEqual([expect.closeTo(-57, 3), expect.closeTo(-10.04, 3)]);

    const point = { type: "Point", coordinates: [-10, -60] };
    expect(fix(point).changes).toEqual([]);
    expect(fix(point, {}, { swapAxes: true }).plots[0]!.geometry).toEqual({
      type: "Point",
      coordinates: [-60, -10],
    });
  });

  it.each([
    ["GEOMETRY_MISSING", null],
    ["GEOMETRY_TYPE_INVALID", { type: "polygon", coordinates: [] }],
    ["GEOMETRY_EMPTY", { type: "MultiPolygon", coordinates: [] }],
    ["LINE_UNSUPPORTED", { type: "LineString", coordinates: toPairs([0, 0, 1, 1]) }],
    ["COORDINATES_INVALID", { type: "Polygon", coordinates: [{}] }],
    ["POSITION_INVALID", { type: "Polygon", coordinates: [[[1, "2"]]] }],
    ["LATITUDE_OUT_OF_RANGE", { type: "Point", coordinates: [2, 91] }],
    ["LONGITUDE_OUT_OF_RANGE", { type: "Point", coordinates: [181, 1] }],
    ["CUT_COLLAPSES_RING", { type: "Polygon", coordinates: [square(5.0000001, 5.0000001, 0.0000005)] }],
    ["RING_STRAIGHT", { type: "Polygon", coordinates: [toPairs([0, 0, 1, 1, 2, 2, 0, 0])] }],
    ["LONGITUDE_JUMP", { type: "Polygon", coordinates: [toPairs([0, 80, 120, 81, -120, 82, 0, 80])] }],
  ])("keeps what cannot be mended, with the finding %s", (code, geometry) => {
    const fixed = fix(geometry, { producername: "A" });
    expect(fixed.findings.map((finding) => finding.code)).toEqual([code]);
    expect(fixed.plots[0]!.geometry).toBe(geometry);
    expect(listCodes(fixed)).toEqual(["MEMBER_RENAMED"]);
  });

  it("swaps the axes of the plots whose country proves it, and of no other", () => {
    const turn = (positions: number[][]) => positions.map(([x, y]) => [y!, x!]);
    const cocoa = square(-1.98, 6.35, 0.01);
    const [right, swapped] = [cocoa, turn(cocoa)].map((ring) => ({ type: "Polygon", coordinates: [ring] }));
    const known = { countries: COUNTRIES };
    const ghana = { ProducerName: "Ama", ProducerCountry: "GH" };
    expect(fix(right, ghana, known).changes).toEqual([]);
    const fixed = fix(swapped, ghana, known);
    expect(listCodes(fixed)).toEqual(["AXES_SWAPPED"]);
    expect(fixed.plots[0]!.geometry).toEqual(right);
    expect(listCodes(fix(swapped, { country: "Ghana" }, { ...known, country: "GH" }))).toContain(
      "AXES_SWAPPED",
    );
    expect(listCodes(fix(swapped, { producer_country: "GHA" }, known))).toContain("AXES_SWAPPED");
    // In the sea without a country: an island that the borders lack lies there, too.
    expect(listCodes(fix(swapped, {}, known))).not.toContain("AXES_SWAPPED");
    expect(listCodes(fix(swapped, { ProducerCountry: "BR" }, known))).not.toContain("AXES_SWAPPED");
    const vietnam = { type: "Point", coordinates: [20.1, 105.1] };
    expect(fix(vietnam, {}, known).plots[0]!.geometry).toEqual({ type: "Point", coordinates: [105.1, 20.1] });
    const half = { type: "GeometryCollection", geometries: [right, swapped] };
    expect(listCodes(fix(half, ghana, known))).not.toContain("AXES_SWAPPED");
  });

  it("gives up on edges that meet without number, in bounded work", () => {
    const ring = Array.from({ length: 12_000 }, (_, i) => [
      i % 2 === 0 ? 0 : 0.3,
      ((i * 7919) % 12_000) / 1e5,
    ]);
    const fixed = fix({ type: "Polygon", coordinates: [[...ring, ring[0]!]] });
    expect(fixed.findings[0]!.code).toBe("GEOMETRY_TOO_COMPLEX");
  });

  it("names and types members where it is plain what is meant", () => {
    const point = { type: "Point", coordinates: [1, 1] };
    const stated = { note: "n", producer_name: "A", PRODUCERCOUNTRY: "bra", Area: "3,5 ha", x: 1 };
    const fixed = fix(point, stated, { countries: COUNTRIES });
    expect(Object.entries(fixed.plots[0]!.properties)).toEqual([
      ["note", "n"],
      ["ProducerName", "A"],
      ["ProducerCountry", "BR"],
      ["Area", 3.5],
      ["x", 1],
    ]);
    expect(listCodes(fixed)).toEqual(["MEMBER_RENAMED", "MEMBER_RENAMED", "COUNTRY_CODE", "AREA_READ"]);
    expect(fixed.plots[0]!.geometry).toBe(point);
  });

  it("fills a missing country and the area of polygons where it is to, and lists both", () => {
    const ring = { type: "Polygon", coordinates: [square(-55.245, -6.58, 0.01)] };
    const known = { countries: COUNTRIES, fill: true };
    const empty = { ProducerName: "A", ProducerCountry: " ", Area: "" };
    const fixed = fix(ring, empty, known);
    expect(listCodes(fixed)).toEqual(["COUNTRY_FILLED", "AREA_FILLED"]);
    expect(fixed.plots[0]!.properties).toEqual({ ProducerName: "A", ProducerCountry: "BR", Area: 122.3026 });
    expect(fixed.changes[1]!.message).toBe(
      "Area was missing and became 122.3026, as measured on the ellipsoid",
    );
    expect(fix(ring, fixed.plots[0]!.properties, known).changes).toEqual([]);
    expect(fix(ring, empty, { countries: COUNTRIES }).changes).toEqual([]);
  });

  it.each([
    ["a point, whose area nobody measured", { type: "Point", coordinates: [-55, -6] }, ["COUNTRY_FILLED"]],
    ["a point where two countries may meet", { type: "Point", coordinates: [-54.6, -25.58] }, []],
    ["a point in the sea", { type: "Point", coordinates: [-30, 0] }, []],
    ["a line", { type: "LineString", coordinates: toPairs([-55, -6, -54, -6]) }, []],
  ])("invents nothing for %s", (_, geometry, codes) => {
    expect(listCodes(fix(geometry, {}, { countries: COUNTRIES, fill: true }))).toEqual(codes);
  });

  it("writes the country that is declared for all plots where a plot has none, without filling", () => {
    const point = { type: "Point", coordinates: [-55, -6] };
    const known = { countries: COUNTRIES, country: "BRA" };
    expect(fix(point, {}, known).plots[0]!.properties).toEqual({ ProducerCountry: "BR" });
    expect(fix(point, { ProducerCountry: "PE" }, known).changes).toEqual([]);
  });

  it("restores identifiers where they fit then, and changes no other", () => {
    const point = { type: "Point", coordinates: [1, 1] };
    const cnpj = (value: unknown) => ({ type: "br:cnpj", value, role: "owner" });
    const scheme = [
      cnpj("6990590000123"),
      cnpj(6990590000123),
      cnpj("CNPJ: 11.222.333/0001-81"),
      cnpj("11222333000180"),
      cnpj("11.222.333/0001-81"),
      { type: "co:nit", value: "7" },
      "text",
      null,
    ];
    const fixed = fix(point, { scheme });
    const [first, ...others] = fixed.plots;
    expect(others).toEqual([]);
    const values = ["06990590000123", "06990590000123", "11222333000181"].map(cnpj);
    expect(first!.properties).toEqual({ scheme: [...values, ...scheme.slice(3)] });
    expect(fixed.changes.map(({ code, pointer, message }) => [code, pointer, message])).toEqual([
      [
        "IDENTIFIER_CORRECTED",
        "/properties/scheme/0/value",
        'the br:cnpj "6990590000123" became "06990590000123"',
      ],
      [
        "IDENTIFIER_CORRECTED",
        "/properties/scheme/1/value",
        'the br:cnpj 6990590000123 became "06990590000123"',
      ],
      [
        "IDENTIFIER_CORRECTED",
        "/properties/scheme/2/value",
        'the br:cnpj "CNPJ: 11.222.333/0001-81" became "11222333000181"',
      ],
    ]);
    expect(fix(point, first!.properties).changes).toEqual([]);
  });

  it("writes names that a Shapefile cut whole, and areas of every unit in hectares", () => {
    const point = { type: "Point", coordinates: [1, 1] };
    const cut = { ProducerNa: "A", PRODUCERCO: "BR", Production: "Farm", area_m2: "12500", AREA: 9 };
    const fixed = fix(point, cut);
    expect(fixed.plots[0]!.properties).toEqual({
      ProducerName: "A",
      ProducerCountry: "BR",
      ProductionPlace: "Farm",
      Area: 1.25,
      AREA: 9,
    });
    expect(fix(point, fixed.plots[0]!.properties).changes).toEqual([]);
    const areas = [
      { area_ha: 2 },
      { ACRES: 2 },
      { Area: null, area_km2: 0.02 },
      { AREA: 2 },
      { "Área (ha)": 2 },
    ];
    expect(areas.map((stated) => fix(point, stated).plots[0]!.properties)).toEqual([
      { Area: 2 },
      { Area: 0.80937128448 },
      { Area: 2 },
      { Area: 2 },
      { Area: 2 },
    ]);
  });

  it.each([
    { Production: "1,200" },
    { ProducerNa: "A", producer_n: "B" },
    { producer__: "A" },
    { producername: "A", PRODUCERNAME: "B" },
    { producername: "A", ProducerName: "B" },
    { Area: "3,500" },
    { Area: "about 3" },
    { area: 20000 },
  ])("leaves members alone where it is not plain: %j", (properties) => {
    expect(fix({ type: "Point", coordinates: [1, 1] }, properties).changes).toEqual([]);
  });

  it("renames area to Area only where it agrees with the measured hectares", () => {
    const geometry = { type: "Polygon", coordinates: [square(0, 0, 0.001)] };
    expect(fix(geometry, { area: 1.2 }).plots[0]!.properties).toEqual({ Area: 1.2 });
    expect(fix(geometry, { area: 12_000 }).plots[0]!.properties).toEqual({ area: 12_000 });
  });

  it("changes nothing the second time", () => {
    const random = createSeededRandom(62);
    for (let i = 0; i < 300; i++) {
      const radius = 1e-5 * 10 ** random.between(0, 4);
      const [x, y] = [random.between(-179, 179), random.between(-80, 80)];
      const rings = [createStarRing(random, x, y, radius, 3 + random.integer(30))];
      if (i % 3 === 0) rings.push(createStarRing(random, x, y, radius / 4, 5));
      const coordinates = rings.map((ring) => toPairs([...ring]));
      const first = fix({ type: "Polygon", coordinates }, { producername: "A" });
      for (const plot of first.plots) {
        if (first.findings.length > 0) continue;
        const second = fixPlot(plot, { profile: eudr });
        expect(second.changes, JSON.stringify(coordinates)).toEqual([]);
        expect(second.plots[0]).toBe(plot);
      }
    }
  });
});

function toPairs(values: readonly number[]): number[][] {
  return Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i]!, values[2 * i + 1]!]);
}

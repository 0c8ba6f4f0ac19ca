import proj4 from "proj4";
import { describe, expect, it } from "vitest";
import { crsTable } from "./crs-table.ts";
import { formatDefinition } from "./format-definition.ts";
import { SYSTEMS } from "./systems.ts";

function transformPosition(code: number, x: number, y: number): [number, number] {
  const position: [number, number] = [x, y];
  crsTable.find(code)!.transform(position);
  return position;
}

const dms = (degrees: number, minutes: number, seconds: number): number =>
  degrees + minutes / 60 + seconds / 3600;
const METER = 9e-6;

describe("crsTable", () => {
  it.each([4326, 4674, 4258, 4269])("changes no bit of coordinates in EPSG:%i", (code) => {
    const x = -52.12345678901234;
    const y = 3.0000000000000004;
    expect(transformPosition(code, x, y)).toEqual([x, y]);
    expect(transformPosition(code, 190.00000000000003, -90)).toEqual([190.00000000000003, -90]);
  });

  // Worked examples of IOGP Publication 373-7-2, the fundamental points of Amersfoort (Kadaster) and
  // Bern (swisstopo), a test point of OSTN15 (Ordnance Survey), and origins of projections.
  it.each([
    [2193, 1576041.15, 6188574.24, 172.739193, -34.444066, 2 * METER],
    [3857, -11169055.58, 2800000, -dms(100, 20, 0), dms(24, 22, 54.433), METER],
    [3035, 3962799.45, 2999718.85, 5, 50, METER],
    [28992, 155000, 463000, 5.38720621, 52.1551744, METER],
    [27700, 651409.903, 313177.27, dms(1, 42, 57.8663), dms(52, 39, 28.8282), 5 * METER],
    [32631, 500000, 0, 3, 0, METER],
    [32723, 500000, 10000000, -45, 0, METER],
    [2056, 2600000, 1200000, dms(7, 26, 19.077), dms(46, 57, 3.898), METER],
    [21781, 600000, 200000, dms(7, 26, 19.077), dms(46, 57, 3.898), METER],
    [2154, 700000, 6600000, 3, 46.5, METER],
    [5880, 5000000, 10000000, -54, 0, METER],
  ])(
    "turns published positions of EPSG:%i into the published ones",
    (code, x, y, longitude, latitude, tolerance) => {
      const [lon, lat] = transformPosition(code, x, y);
      expect(Math.abs(lon - longitude)).toBeLessThan(tolerance);
      expect(Math.abs(lat - latitude)).toBeLessThan(tolerance);
    },
  );

  // Corners of real fields, as PROJ turns them.
  it.each([
    [28992, 98398.0614, 456892.3353, 4.561159947, 52.097383039],
    [2056, 2496599.571, 1122304.656, 6.097949179, 46.244209866],
    [3067, 291464.469, 7022321.31, 22.842567698, 63.268990692],
    [3763, -37150.2001, 88012.2733, -8.571106687, 40.460075682],
    [32648, 275243.0904, 1456055.8487, 102.926436741, 13.162710876],
    [31287, 525502.58, 483107.24, 15.02256203, 48.234937255],
  ])("agrees with PROJ within 1 m in EPSG:%i", (code, x, y, longitude, latitude) => {
    const [lon, lat] = transformPosition(code, x, y);
    expect(Math.abs(lon - longitude)).toBeLessThan(METER);
    expect(Math.abs(lat - latitude)).toBeLessThan(METER);
  });

  it("agrees to a millimetre between SIRGAS 2000, ETRS89 and WGS 84 zones of one meridian", () => {
    for (const [a, b] of [
      [31982, 32722],
      [25832, 32632],
    ] as const) {
      const [lonA, latA] = transformPosition(a, 400000, 5500000);
      const [lonB, latB] = transformPosition(b, 400000, 5500000);
      expect(lonA).toBeCloseTo(lonB, 8);
      expect(latA).toBeCloseTo(latB, 8);
    }
  });

  it("reads zone numbers in front of eastings (EPSG:4647)", () => {
    expect(transformPosition(4647, 32400000, 5500000)).toEqual(transformPosition(25832, 400000, 5500000));
  });

  it("rounds to 1e-9°", () => {
    const [lon, lat] = transformPosition(32722, 412345.678, 9512345.678);
    expect(lon).toBe(Math.round(lon * 1e9) / 1e9);
    expect(lat).toBe(Math.round(lat * 1e9) / 1e9);
  });

  it("runs past ±180 rather than jump across the antimeridian", () => {
    expect(transformPosition(32760, 900000, 8000000)[0]).toBeGreaterThan(180);
    expect(transformPosition(32701, 100000, 8000000)[0]).toBeLessThan(-180);
    expect(transformPosition(3857, 21000000, 0)[0]).toBeCloseTo(188.6462, 4);
    expect(transformPosition(4618, 190, -10)[0]).toBeCloseTo(190, 2);
  });

  it("comes back to where it started in every CRS of the table", () => {
    for (const [code, system] of SYSTEMS) {
      const definition = formatDefinition(system);
      const { lon0 = 0, lat0 = 0, lat1 = 0, y0 = 0 } = system.parameters ?? {};
      const lon = lon0 + 1;
      const parallel = lat0 || lat1 || (y0 === 10_000_000 ? -10.5 : 10);
      const lat = Math.abs(parallel) > 80 ? Math.sign(parallel) * 75 : parallel + 0.5;
      const [x, y] = proj4(definition).forward([lon, lat]);
      const [lonBack, latBack] = transformPosition(code, x, y);
      expect([code, Math.abs(lonBack - lon) < 2e-6, Math.abs(latBack - lat) < 2e-6]).toEqual([
        code,
        true,
        true,
      ]);
    }
  });

  it("holds what callers were promised", () => {
    const promised = [
      4326, 4674, 3857, 5880, 4258, 3035, 28992, 31370, 31287, 2154, 27700, 2056, 21781, 3763,
    ];
    promised.push(5514, 2193, 3067, 3006, 2180, 4647, 4269, 4283);
    for (let code = 31965; code <= 31985; code++) promised.push(code);
    for (let code = 25828; code <= 25837; code++) promised.push(code);
    for (let zone = 1; zone <= 60; zone++) promised.push(32600 + zone, 32700 + zone);
    expect(promised.filter((code) => crsTable.find(code) === undefined)).toEqual([]);
  });

  it("states how accurate a shift is that is coarser than 10 m, of the grids of countries without a better one", () => {
    const coarse = [...SYSTEMS.keys()].flatMap((code) => {
      const { accuracyMeters } = crsTable.find(code)!;
      return accuracyMeters === undefined ? [] : [[code, accuracyMeters]];
    });
    expect(coarse.length).toBe(17);
    expect(Object.fromEntries(coarse)).toMatchObject({
      3168: 15,
      21036: 35,
      24878: 16,
      24880: 19,
      26391: 15,
      29873: 19,
    });
  });

  it("parses a definition by its parameters, and refuses every word that it does not compute with", () => {
    const albers =
      "+proj=aea +lat_1=-5 +lat_2=-42 +lat_0=-32 +lon_0=-60 +x_0=0 +y_0=0 +ellps=aust_SA +towgs84=-67.35,3.88,-38.22 +units=m";
    const position: [number, number] = [1e6, 2e6];
    crsTable.parse!(albers)!.transform(position);
    // As PROJ 9.6 transforms it.
    expect(position).toEqual([-50.359513212, -14.526226833]);
    expect(crsTable.parse!(albers)).toMatchObject({ isProjected: true, areas: [[-180, -90, 180, 90]] });
    expect(
      crsTable.parse!("+proj=utm +zone=23 +south +datum=WGS84 +units=m +no_defs +type=crs"),
    ).toBeDefined();
    for (const refused of [
      "+proj=longlat +ellps=intl",
      "+proj=utm +zone=17 +datum=WGS84 +nadgrids=@null",
      "+proj=utm +zone=17 +datum=NAD27",
      "+proj=utm +zone=170 +datum=WGS84",
      "+proj=aea +lat_1=x +datum=WGS84",
      "+proj=aea +lat_1=1 +lat_1=2 +datum=WGS84",
      "+proj=geos +h=35785831 +datum=WGS84",
      "+proj=longlat +datum=WGS84 +axis=neu",
      `+proj=longlat +datum=WGS84${" +no_defs".repeat(100)}`,
      "+proj=",
      "",
    ]) {
      expect(crsTable.parse!(refused), refused).toBeUndefined();
    }
  });

  it("names known codes near one that it does not have by the areas in which they are in use", () => {
    // Accra / TM 1 NW, PSAD56 / UTM zone 19N, Timbalai's longitude and latitude, and none of the registry.
    expect(crsTable.nearest!(2137)).toEqual([25000, 2136, 2041]);
    expect(crsTable.nearest!(24819)).toEqual([31973, 3117, 3118]);
    expect(crsTable.nearest!(4298)?.[0]).toBe(3376);
    expect(crsTable.nearest!(99999)).toEqual([]);
  });

  it.each([
    ["PSAD56", 4248],
    ["Arc 1960", 4210],
    ["ED50 as a whole", 4230],
    ["SAD69 in Colombia", 29168],
  ])("knows no %s, which nothing shifts to within 10 m without a grid file", (_, code) => {
    expect(crsTable.find(code)).toBeUndefined();
  });
});

describe("the area of use of a CRS", () => {
  it("is known of every CRS in the table, and no farther from it than its own central meridian", () => {
    for (const [code, { areas, method, parameters = {} }] of SYSTEMS) {
      expect(areas.length, `EPSG:${code}`).toBeGreaterThan(0);
      for (const [west, south, east, north] of areas) {
        expect(west < east && east - west <= 360 && south < north).toBe(true);
      }
      const { lon0: meridian = 0, k, y0 = 0 } = parameters;
      // Zones of UTM.
      if (method !== "transverse-mercator" || k !== 0.9996) continue;
      const latitude = y0 === 10_000_000 ? -20 : 40;
      const isNear = areas.some(([west, south, east, north]) => {
        const turned = meridian + 360 * Math.round((west - meridian) / 360);
        return (
          [turned, turned + 360].some((lon) => lon > west - 40 && lon < east + 40) &&
          latitude > south - 40 &&
          latitude < north + 40
        );
      });
      expect(isNear, `EPSG:${code}`).toBe(true);
    }
  });
});

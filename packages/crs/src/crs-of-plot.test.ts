import { EngineError, parsePlot as parse } from "@groundrule/engine";
import { prepareArea as prepare } from "@groundrule/engine/build";
import { catchRefusal } from "@groundrule/testing/refusal";
import { createBoxPositions } from "@groundrule/testing/shapes";
import proj4 from "proj4";
import { describe, expect, it } from "vitest";
import { crsTable } from "./crs-table.ts";
import { formatDefinition } from "./format-definition.ts";
import { SYSTEMS } from "./systems.ts";

type Position = readonly [number, number];

/** A field in the Cerrado, longitude and latitude. */
const FIELD: Position[] = createBoxPositions(-47, -15, -46.99, -14.99);
const inCrs = (code: number, ring: readonly Position[]): Position[] =>
  ring.map(([x, y]) => proj4(formatDefinition(SYSTEMS.get(code)!)).forward([x, y]) as [number, number]);
const polygon = (ring: readonly Position[], members: object = {}) => ({
  type: "Polygon",
  coordinates: [ring],
  ...members,
});
const named = (name: unknown) => ({ crs: { type: "name", properties: { name } } });

const parsePlot = (input: unknown, options: Parameters<typeof parse>[1] = {}) =>
  parse(input, { ...options, crsTable });
const prepareArea = (input: unknown, options: Parameters<typeof prepare>[1] = {}) =>
  prepare(input, { ...options, crsTable });

const refusal = (input: unknown, options: Parameters<typeof parsePlot>[1] = {}) =>
  catchRefusal(() => parsePlot(input, options));

describe("the CRS of a plot", () => {
  const metres = inCrs(31983, FIELD);

  it("is the one its geometry or Feature names, in the manner before RFC 7946", () => {
    const inMetres = parsePlot(polygon(metres), { crs: "EPSG:31983" });
    expect(inMetres.plot.bbox[0]).toBeCloseTo(-47, 6);
    for (const name of [
      "EPSG:31983",
      "urn:ogc:def:crs:EPSG::31983",
      "http://www.opengis.net/def/crs/EPSG/0/31983",
    ]) {
      for (const input of [
        polygon(metres, named(name)),
        { type: "Feature", properties: {}, ...named(name), geometry: polygon(metres) },
        { type: "Feature", properties: {}, geometry: polygon(metres, named(name)) },
        { type: "Feature", ...named("EPSG:31983"), geometry: polygon(metres, named(name)) },
      ]) {
        expect(parsePlot(input).plot).toEqual(inMetres.plot);
        expect(parsePlot(input, { crs: "EPSG:31983" }).plot).toEqual(inMetres.plot);
      }
      expect(prepareArea(polygon(metres, named(name))).polygons).toEqual(
        prepareArea(polygon(metres), { crs: name }).polygons,
      );
    }
    expect(parsePlot(polygon(FIELD, { crs: null })).plot).toEqual(parsePlot(polygon(FIELD)).plot);
  });

  it("is turned into longitude and latitude", () => {
    const utm: Position[] = createBoxPositions(400000, 9500000, 401000, 9501000);
    const { bbox } = parsePlot(polygon(utm), { crs: "EPSG:31982" }).plot;
    expect(bbox[0]).toBeCloseTo(-51.9, 1);
    expect(bbox[1]).toBeCloseTo(-4.52, 1);
    const lost = polygon(FIELD.map(([x, y]) => [x * 1e300, y * 1e300]));
    expect(refusal(lost, { crs: "EPSG:31982" }).code).toBe("GEOMETRY_INVALID");
  });

  it("is refused where two names contradict each other, at the inner one", () => {
    const { code, details } = refusal(polygon(metres, named("EPSG:31983")), {
      crs: "EPSG:31982",
      pointer: "/geometry",
    });
    expect(code).toBe("VALIDATION_FAILED");
    expect(details.faults).toEqual([
      {
        pointer: "/geometry/crs/properties/name",
        code: "CRS_CONTRADICTED",
        message:
          'found the CRS "EPSG:31983", expected "EPSG:31982", which is also named; leave one of them out',
      },
    ]);
    const feature = { type: "Feature", ...named("OGC:CRS84"), geometry: polygon(FIELD, named("EPSG:4674")) };
    expect(refusal(feature).details.faults).toMatchObject([{ pointer: "/geometry/crs/properties/name" }]);
    expect(parsePlot({ ...feature, geometry: polygon(FIELD, named("EPSG:4326")) }).warnings).toEqual([]);
  });

  it("is refused at its place where it is not known, or is no name", () => {
    expect(refusal(polygon(FIELD, named("EPSG:1")), { pointer: "/geometry" })).toMatchObject({
      code: "CRS_UNKNOWN",
      details: { crs: "EPSG:1", faults: [{ pointer: "/geometry/crs/properties/name", code: "CRS_UNKNOWN" }] },
    });
    expect(refusal(polygon(FIELD), { crs: "EPSG:1", crsPointer: "/crs" }).details.faults).toMatchObject([
      { pointer: "/crs" },
    ]);
    for (const crs of [true, { type: "link", properties: { href: "x" } }, named([]).crs, []]) {
      expect(refusal(polygon(FIELD, { crs }))).toMatchObject({
        code: "VALIDATION_FAILED",
        details: { faults: [{ pointer: "/crs", code: "CRS_INVALID" }] },
      });
    }
  });

  it("does not fit degrees where it has metres, whatever its zone", () => {
    for (const code of [31983, 32623, 3857, 5880, 27700, 2154]) {
      const { code: found, details } = refusal(polygon(FIELD), { crs: `EPSG:${code}` });
      expect(found).toBe("CRS_MISMATCH");
      expect(details).toMatchObject({ crs: `EPSG:${code}`, faults: [{ pointer: "/coordinates/0/0" }] });
      expect(details.areas_of_use).toEqual(expect.any(Array));
      expect(() => prepareArea(polygon(FIELD), { crs: `EPSG:${code}` })).toThrow(EngineError);
    }
  });

  it("does not fit positions more than 10° outside its area of use, and is doubted up to there", () => {
    const { code, details } = refusal(polygon(inCrs(31979, FIELD)), { crs: "EPSG:31979" });
    expect(code).toBe("CRS_MISMATCH");
    expect(details.faults).toHaveLength(5);
    const swapped = metres.map(([x, y]) => [y, x] as const);
    expect(refusal(polygon(swapped), { crs: "EPSG:31983" }).code).toMatch(/CRS_MISMATCH|GEOMETRY_INVALID/);
    expect(refusal(polygon(FIELD), { crs: "EPSG:4258" }).code).toBe("CRS_MISMATCH");

    expect(parsePlot(polygon(metres), { crs: "EPSG:31983" }).warnings).toEqual([]);
    // Metres of zone 22 are used for states that reach beyond it.
    const { warnings, plot } = parsePlot(
      polygon(
        inCrs(
          31982,
          FIELD.map(([x, y]) => [x - 2, y]),
        ),
      ),
      {
        crs: "EPSG:31982",
      },
    );
    expect(plot.bbox[0]).toBeCloseTo(-49, 6);
    expect(warnings).toEqual([]);
    const east = parsePlot(polygon(inCrs(31982, FIELD)), { crs: "EPSG:31982" });
    expect(east.warnings).toMatchObject([
      {
        code: "OUTSIDE_AREA_OF_USE",
        pointer: "/coordinates/0/0",
        message: expect.stringContaining("5 positions lie up to 1.00° outside"),
      },
    ]);
  });
});

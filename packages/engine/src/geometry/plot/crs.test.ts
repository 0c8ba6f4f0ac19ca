import { catchRefusal } from "@groundrule/testing/refusal";
import { describe, expect, it } from "vitest";
import { type CrsDefinition, type CrsTable, getCrs, isSameCrs, measureDegreesOutside } from "./crs.ts";

const SOMEWHERE: CrsDefinition = { transform: () => {}, areas: [[5, 45, 11, 48]], isProjected: true };
const table: CrsTable = {
  codes: [2056, 4326, 21781, 31370],
  find: (code) => (code === 2056 || code === 3857 ? SOMEWHERE : undefined),
  parse: (definition) => (definition.startsWith("+proj=") ? SOMEWHERE : undefined),
  nearest: (code) => (code === 31999 ? [31370, 21781] : []),
};

const refusal = (name: string, crsTable?: CrsTable) => catchRefusal(() => getCrs(name, crsTable));

describe("getCrs", () => {
  it.each([
    "OGC:CRS84",
    "EPSG:4326",
    "epsg:4326",
    "urn:ogc:def:crs:OGC:1.3:CRS84",
    "urn:ogc:def:crs:OGC::CRS84",
    "urn:ogc:def:crs:EPSG::4326",
    "http://www.opengis.net/def/crs/EPSG/0/4326",
    "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
    "http://www.opengis.net/def/crs/OGC/0/CRS84",
    "CRS:84",
    "CRS84",
    "WGS84",
    "WGS 84",
    "wgs_84",
    "GCS_WGS_1984",
    "urn:x-ogc:def:crs:EPSG:4326",
    "urn:x-ogc:def:crs:EPSG:6.9:4326",
    "urn:ogc:def:crs:EPSG:4326",
    "urn:ogc:def:crs:OGC:2:84",
    "http://www.opengis.net/gml/srs/epsg.xml#4326",
  ])("changes no bit of coordinates in %s, and needs no table", (name) => {
    for (const crsTable of [
      [-52.12345678901234, 3.0000000000000004] as const,
      [190.00000000000003, -90] as const,
    ]) {
      const position: [number, number] = [...crsTable];
      const crs = getCrs(name);
      crs.transform(position);
      expect(position).toEqual(crsTable);
      expect(crs).toMatchObject({ name, isProjected: false, areas: [[-180, -90, 180, 90]] });
    }
  });

  it.each([
    "EPSG:2056",
    "urn:ogc:def:crs:EPSG::2056",
    "urn:ogc:def:crs:EPSG:9.9.1:2056",
    "https://www.opengis.net/def/crs/EPSG/9.9.1/2056",
  ])("finds the code of %s in the table", (name) => {
    expect(getCrs(name, table)).toEqual({ name, ...SOMEWHERE });
    expect(isSameCrs(name, "epsg:2056")).toBe(true);
    expect(isSameCrs(name, "EPSG:21781")).toBe(false);
  });

  it.each([
    "EPSG:102100",
    "ESRI:102100",
    "EPSG:900913",
    "EPSG:102113",
    "EPSG:3785",
    "urn:ogc:def:crs:EPSG::102100",
  ])("reads %s as the Mercator of web maps", (name) => {
    expect(getCrs(name, table)).toEqual({ name, ...SOMEWHERE });
    expect(isSameCrs(name, "EPSG:3857")).toBe(true);
  });

  it("parses a definition by the table, and refuses one that it does not parse", () => {
    const name = "+proj=aea +lat_1=-5";
    expect(getCrs(name, table)).toEqual({ name, ...SOMEWHERE });
    expect(refusal("+init=epsg:4618", table).code).toBe("CRS_UNKNOWN");
    expect(refusal(name).message).toContain("expected EPSG:<code>");
  });

  it("names codes of the same area that the table holds, and what transforms the file", () => {
    expect(refusal("EPSG:31999", table)).toMatchObject({
      code: "CRS_UNKNOWN",
      message:
        'the CRS "EPSG:31999" is unknown; known codes of the same area are EPSG:31370, EPSG:21781; or transform the file: `ogr2ogr -t_srs EPSG:4326 out.gpkg in.gpkg`',
      details: { crs: "EPSG:31999", nearest: ["EPSG:31370", "EPSG:21781"] },
    });
    expect(refusal("EPSG:99999", table).details).toEqual({ crs: "EPSG:99999", nearest: [] });
  });

  it("states that no table was given, and which to pass", () => {
    const error = refusal("EPSG:2056");
    expect(error).toMatchObject({ code: "CRS_UNKNOWN", details: { crs: "EPSG:2056" } });
    expect(error.message).toContain("unknown without a table of CRSs");
    expect(error.message).toMatch(/pass crsTable of @groundrule\/crs as crsTable$/);
  });

  it.each([
    "",
    "4326",
    "WGS",
    "WGS72",
    "EPSG:",
    "EPSG:04326",
    "EPSG:4326 ",
    "__proto__",
    "http://www.opengis.net/def/crs/EPSG/4326",
    "http://example.org/def/crs/EPSG/0/4326",
  ])("does not guess what %j means", (name) => {
    for (const crsTable of [table, undefined]) {
      expect(refusal(name, crsTable)).toMatchObject({
        code: "CRS_UNKNOWN",
        message: expect.stringContaining("expected EPSG:<code> or OGC:CRS84"),
      });
    }
  });
});

describe("measureDegreesOutside", () => {
  it("counts degrees to the nearest side, whole turns of longitude being nothing", () => {
    const zone60 = [[174, 0, 180, 84]] as const;
    expect(measureDegreesOutside(zone60, 177, 10)).toBe(0);
    expect(measureDegreesOutside(zone60, 181, 10)).toBe(1);
    expect(measureDegreesOutside(zone60, -179, 10)).toBe(1);
    expect(measureDegreesOutside(zone60, 177, -3)).toBe(3);
    expect(measureDegreesOutside([[-180, -90, 180, 90]], 539, -90)).toBe(0);
  });
});

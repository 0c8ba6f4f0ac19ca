import { describe, expect, it } from "vitest";
import { readCrsMember } from "./crs-member.ts";

describe("crsMember", () => {
  it.each([
    [{ type: "name", properties: { name: "EPSG:4618" } }, "EPSG:4618"],
    [{ type: "Name", properties: { name: "EPSG:4618" } }, "EPSG:4618"],
    [{ properties: { name: "WGS 84" } }, "WGS 84"],
    [{ type: "EPSG", properties: { code: 4618 } }, "EPSG:4618"],
    [{ type: "EPSG", properties: { code: "4618" } }, "EPSG:4618"],
    [{ type: "OGC", properties: { urn: "urn:ogc:def:crs:OGC:1.3:CRS84" } }, "urn:ogc:def:crs:OGC:1.3:CRS84"],
    ["EPSG:4618", "EPSG:4618"],
    ["4618", "EPSG:4618"],
    [4618, "EPSG:4618"],
    [
      { type: "link", properties: { href: "http://spatialreference.org/ref/epsg/4618/ogcwkt/" } },
      "EPSG:4618",
    ],
    [{ type: "link", properties: { href: "https://epsg.io/31983.wkt?download=1" } }, "EPSG:31983"],
    [{ type: "link", properties: { href: "http://www.opengis.net/def/crs/EPSG/0/31983" } }, "EPSG:31983"],
    [{ type: "link", properties: { href: "http://www.opengis.net/gml/srs/epsg.xml#4618" } }, "EPSG:4618"],
    [{ type: "url", properties: { url: "urn:ogc:def:crs:EPSG::4618" } }, "EPSG:4618"],
  ])("reads %j", (crs, name) => {
    expect(readCrsMember(crs)?.name).toBe(name);
  });

  it.each([
    [{ type: "link", properties: { href: "data.crs", type: "ogcwkt" } }],
    [{ type: "link", properties: { href: "http://spatialreference.org/ref/sr-org/6864/" } }],
    [{ type: "link", properties: { href: "http://example.org/?epsg/4618" } }],
    [{ type: "name", properties: {} }],
    [{ type: "name" }],
    [{ type: "name", properties: { name: "" } }],
    [{ type: "EPSG", properties: { code: 4618.5 } }],
    [{ type: "EPSG", properties: { code: -4618 } }],
    [["EPSG:4618"]],
    [true],
    [22],
  ])("finds no name in %j, which is refused then", (crs) => {
    expect(readCrsMember(crs)).toBeUndefined();
  });
});

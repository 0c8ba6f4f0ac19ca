import { mulberry32 } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { AreaGeometry } from "./area-geometry.ts";
import { readWkt, WktFault } from "./wkt.ts";

const read = (text: string) => {
  const { geometry, srid } = readWkt(text);
  const plain = geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
  return srid === undefined ? plain : { srid, plain };
};
const RING = [
  [1, 2],
  [3, 2],
  [3, 4.5],
  [1, 2],
];

describe("readWkt", () => {
  it.each([
    ["POINT (1 2)", { type: "Point", coordinates: [1, 2] }],
    ["point(-1.5e1 +.5)", { type: "Point", coordinates: [-15, 0.5] }],
    ["POINT Z (1 2 3)", { type: "Point", coordinates: [1, 2] }],
    ["POINT ZM(1 2 3 4)", { type: "Point", coordinates: [1, 2] }],
    ["POINTM (1 2 3)", { type: "Point", coordinates: [1, 2] }],
    ["POINT(1 2 3)", { type: "Point", coordinates: [1, 2] }],
    [
      "LINESTRING (1 2,\n3 4)",
      {
        type: "LineString",
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ["POLYGON ((1 2,3 2,3 4.5,1 2))", { type: "Polygon", coordinates: [RING] }],
    ["POLYGONZ((1 2 0,3 2 0,3 4.5 0,1 2 0))", { type: "Polygon", coordinates: [RING] }],
    [
      "MULTIPOINT (1 2, 3 4)",
      {
        type: "MultiPoint",
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      "MULTIPOINT ((1 2), (3 4))",
      {
        type: "MultiPoint",
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ["MULTIPOLYGON (((1 2,3 2,3 4.5,1 2)))", { type: "MultiPolygon", coordinates: [[RING]] }],
    ["SRID=4674;POINT(1 2)", { srid: 4674, plain: { type: "Point", coordinates: [1, 2] } }],
    [
      "GEOMETRYCOLLECTION (POINT (1 2), POLYGON((1 2,3 2,3 4.5,1 2)))",
      {
        type: "GeometryCollection",
        geometries: [
          { type: "Point", coordinates: [1, 2] },
          { type: "Polygon", coordinates: [RING] },
        ],
      },
    ],
    ["POLYGON EMPTY", null],
  ])("reads %j", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ["", "character 1: found the end, expected one of POINT"],
    ["POLYGON", 'character 8: found the end, expected "("'],
    ["POLYGON ((1 2, 3 x))", 'character 18: found "x))", expected a number'],
    ["POLYGON ((1 2 3 4 5))", 'character 19: found "5))", expected "," or ")"'],
    ["POINT (1)", 'character 9: found ")", expected a number'],
    ["POINT Z (1 2)", 'character 13: found ")", expected a number'],
    ["POINT (1 2), POINT (1 2)", 'character 12: found ", POINT (1 2)", expected the end of the geometry'],
    ["CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1))", "expected one of POINT"],
    ["POINT (1,5 2)", 'found ",5 2)"'],
    ["POINT (0x1 2)", "expected a number"],
  ])("refuses %j with the character", (text, said) => {
    expect(() => readWkt(text)).toThrow(WktFault);
    expect(() => readWkt(text)).toThrow(said);
  });

  it("refuses collections within each other beyond the depth, and not the stack", () => {
    const deep = `${"GEOMETRYCOLLECTION (".repeat(100_000)}POINT (1 2)${")".repeat(100_000)}`;
    expect(() => readWkt(deep)).toThrow("fewer collections within each other");
  });

  it("gives a geometry or a fault, whatever is cut off or changed", () => {
    const seed = 20261122;
    const text =
      "SRID=4326;MULTIPOLYGON Z (((1 2 3,3 2 3,3 4 3,1 2 3),(1 1 1,2 2 2,1 2 1,1 1 1)),((5 5 5,6 5 5,6 6 5,5 5 5)))";
    const random = mulberry32(seed);
    const integer = (most: number) => Math.floor(random() * most);
    for (let i = 0; i < 5_000; i++) {
      const at = integer(text.length);
      const changed =
        i < text.length
          ? text.slice(0, i)
          : text.slice(0, at) + String.fromCharCode(32 + integer(95)) + text.slice(at + 1);
      try {
        readWkt(changed);
      } catch (error) {
        if (!(error instanceof WktFault)) throw new Error(`seed ${seed}, ${changed}`, { cause: error });
      }
    }
  });
});

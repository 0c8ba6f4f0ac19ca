import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { randomGeometry } from "../../test/random-geometry.ts";
import { SQUARE, toPlainGeometry } from "../../test/reading.ts";
import { encodeWkb, type Geometry, PLAIN_WKB, type WkbForm } from "../../test/wkb-encoder.ts";
import type { AreaGeometry } from "../area-geometry.ts";
import { FormatError } from "../format-error.ts";
import { readWkb, WKB_DEPTH } from "./read-wkb.ts";

const read = (bytes: Uint8Array): unknown => toPlainGeometry(readWkb(bytes));

function readRefusal(bytes: Uint8Array): FormatError {
  try {
    readWkb(bytes);
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error("was read");
}

describe("readWkb", () => {
  it("reads what an encoder of its own wrote, in every form, bit by bit", () => {
    const seed = 71;
    const random = createSeededRandom(seed);
    for (let i = 0; i < 3000; i++) {
      const geometry = randomGeometry(random);
      const form: WkbForm = {
        isLittle: random.integer(2) === 0,
        hasZ: random.integer(2) === 0,
        hasM: random.integer(2) === 0,
        isExtended: random.integer(2) === 0,
        ...(random.integer(2) === 0 && { srid: random.integer(2 ** 31) }),
      };
      expect(read(encodeWkb(geometry, form)), `seed ${seed}, geometry ${i}`).toEqual(geometry);
    }
  });

  it("gives polygons in typed arrays, whatever memory the bytes lie in", () => {
    const wkb = encodeWkb(SQUARE);
    for (let shift = 0; shift < 9; shift++) {
      const room = new Uint8Array(wkb.length + shift);
      room.set(wkb, shift);
      const geometry = readWkb(room.subarray(shift)) as AreaGeometry;
      expect(geometry.polygons[0]![0]).toEqual(Float64Array.of(0, 0, 1, 0, 1, 1, 0, 0));
    }
  });

  it("refuses every geometry that is cut short, at the byte where it ends or before", () => {
    const random = createSeededRandom(72);
    for (let i = 0; i < 60; i++) {
      const wkb = encodeWkb(randomGeometry(random));
      for (let length = 0; length < wkb.length; length++) {
        const { code, details } = readRefusal(wkb.subarray(0, length));
        expect(code).toBe("FILE_DAMAGED");
        expect(details.place!.byte).toBeLessThanOrEqual(length);
      }
    }
  });

  it("reads or refuses what has bits flipped, and never more positions than the bytes hold", () => {
    const random = createSeededRandom(73);
    let refused = 0;
    for (let i = 0; i < 4000; i++) {
      const wkb = encodeWkb(randomGeometry(random));
      for (let flips = 1 + random.integer(3); flips > 0; flips--)
        wkb[random.integer(wkb.length)]! ^= 1 << random.integer(8);
      try {
        expect(JSON.stringify(read(wkb)).length).toBeLessThan(100 * wkb.length);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(400);
  });

  it("refuses counts that the bytes cannot hold before it takes memory for them", () => {
    for (const type of [2, 3, 4, 5, 6, 7]) {
      const wkb = Uint8Array.of(1, type, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);
      expect(readRefusal(wkb).message).toMatch(
        /^byte 5: found 4294967295 .* in 4 bytes, expected \d+ bytes for each/,
      );
    }
  });

  it("reports what it found and expected, and where", () => {
    const wkb = encodeWkb(SQUARE);
    expect(readRefusal(Uint8Array.of(...wkb, 0, 0)).message).toBe(
      `byte ${wkb.length}: found 2 bytes behind the geometry, expected the end`,
    );
    expect(readRefusal(Uint8Array.of(2, 1, 0, 0, 0)).message).toBe(
      "byte 0: found the byte order 2, expected 0 or 1",
    );
    expect(readRefusal(Uint8Array.of(1, 99, 0, 0, 0)).message).toBe(
      "byte 1: found the type 99 of a geometry, expected a type of 1 to 17",
    );
    expect(readRefusal(Uint8Array.of(1, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)).message).toBe(
      "byte 9: found a ring without positions, expected a position or more",
    );
  });

  it("names curves and surfaces that it does not read, with the mend", () => {
    const curve = Uint8Array.of(1, 10, 0, 0, 0, 0, 0, 0, 0);
    const error = readRefusal(curve);
    expect(error.code).toBe("FORMAT_UNSUPPORTED");
    expect(error.message).toContain(
      "found a CurvePolygon, expected points, lines or polygons; `ogr2ogr -nlt",
    );
    const surface = encodeWkb({ type: "MultiPolygon", coordinates: [SQUARE.coordinates] });
    surface[1] = 12;
    expect(read(surface)).toEqual({ type: "MultiPolygon", coordinates: [SQUARE.coordinates] });
    surface[10] = 10;
    expect(readRefusal(surface).message).toContain("found a CurvePolygon");
  });

  it("follows collections so deep and no deeper", () => {
    const nested = (depth: number): Geometry => ({
      type: "GeometryCollection",
      geometries: depth === 0 ? [] : [nested(depth - 1)],
    });
    expect(read(encodeWkb(nested(WKB_DEPTH - 1)))).toEqual(nested(WKB_DEPTH - 1));
    expect(readRefusal(encodeWkb(nested(WKB_DEPTH))).message).toContain(
      `found collections ${WKB_DEPTH + 1} deep, expected at most ${WKB_DEPTH}`,
    );
    expect(readRefusal(encodeWkb(nested(10 * WKB_DEPTH))).code).toBe("FILE_DAMAGED");
  });

  it("keeps positions that are no degrees, and what is no number", () => {
    const far = {
      type: "Polygon",
      coordinates: [
        [
          [500_000.25, 9_999_999],
          [Number.NaN, 1],
          [1, Number.POSITIVE_INFINITY],
        ],
      ],
    };
    expect(read(encodeWkb(far, { ...PLAIN_WKB, isLittle: false }))).toEqual(far);
  });
});

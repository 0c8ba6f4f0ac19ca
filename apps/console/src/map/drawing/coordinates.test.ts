import { describe, expect, it } from "vitest";
import {
  computeZoomDecimals,
  formatCorners,
  formatPosition,
  parseCorners,
  toPolygon,
  wrapLongitude,
} from "./coordinates.ts";

const corners = [
  [-59.12, -9.12],
  [-59.11, -9.12],
  [-59.11, -9.13],
] as const;

describe("readCorners", () => {
  it.each([
    ["commas", "-9.12, -59.12\n-9.12, -59.11\n-9.13, -59.11"],
    ["spaces and empty lines", "\n-9.12 -59.12\n\n-9.12\t-59.11\n-9.13   -59.11\n"],
    ["decimal commas", "-9,12; -59,12\n-9,12; -59,11\n-9,13; -59,11"],
    ["decimal commas and spaces", "-9,12 -59,12\n-9,12 -59,11\n-9,13 -59,11"],
    ["a ring that is closed", "-9.12,-59.12\n-9.12,-59.11\n-9.13,-59.11\n-9.12,-59.12"],
  ])("reads %s", (_, text) => {
    expect(parseCorners(text)).toEqual({ corners });
  });

  it.each([
    ["0, 0\n1, 1\nhere", { fault: "line", line: 3, text: "here" }],
    ["0, 0\n1, 1, 1\n2, 2", { fault: "line", line: 2, text: "1, 1, 1" }],
    ["-59.12, -9.12\n-120.5, 3", { fault: "latitude", line: 2, text: "-120.5, 3" }],
    ["1, 181", { fault: "longitude", line: 1, text: "1, 181" }],
    ["0, 0\n0, 1", { fault: "few", line: 2, text: "" }],
    ["<img src=x onerror=alert(1)>", { fault: "line", line: 1, text: "<img src=x onerror=alert(1)>" }],
  ])("reports the line of %j that cannot be read", (text, expected) => {
    expect(parseCorners(text)).toEqual(expected);
  });

  it("reads what it writes", () => {
    expect(parseCorners(formatCorners(corners))).toEqual({ corners });
  });

  it("takes as long for a hostile line as for any other", () => {
    expect(parseCorners(`${"-".repeat(1_000_000)}, 1`)).toMatchObject({ fault: "line", line: 1 });
    expect(parseCorners(`${" ".repeat(1_000_000)}x`)).toMatchObject({ fault: "line", line: 1 });
  });
});

describe("polygonOf", () => {
  it("closes the ring and winds it as RFC 7946 wants it, whichever way it was drawn", () => {
    const square = [
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 0],
    ] as const;
    const ring = toPolygon(square).coordinates[0]!;
    expect(ring).toEqual([
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
      [1, 0],
    ]);
    expect(toPolygon(square.toReversed()).coordinates[0]).toEqual(ring);
  });
});

describe("formatPosition", () => {
  it("marks hemispheres by letters and stays within one turn", () => {
    const letters = { n: "N", s: "S", e: "L", w: "O" };
    expect(formatPosition([-59.123456, -9.5], 2, letters)).toBe("9.50° S, 59.12° O");
    expect(formatPosition([190, 1], 0, letters)).toBe("1° N, 170° O");
    expect(wrapLongitude(-541)).toBe(179);
  });

  it("is finer the closer the map looks", () => {
    expect([0, 6, 12, 20].map(computeZoomDecimals)).toEqual([2, 2, 4, 7]);
  });
});

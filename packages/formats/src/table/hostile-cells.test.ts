import { drawText, mulberry32, toRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { openBlob } from "../file/open-blob.ts";
import { FormatError } from "../format-error.ts";
import { openTable } from "../open/open-table.ts";
import { parseAngle } from "./angle.ts";
import { detectGeometryNotation, readCellGeometry } from "./cell-geometry.ts";

const CELLS = 20_000;
const TABLES = 1_500;
/** The alphabet of drawn cells: signs of every notation, so that most begin as one and go on as another. */
const TOKENS = [
  ..."0 1 -6.5 55.2 55,245 180 1e9 ° ' \" N S W O E , ; | / ( ) [ ] { } : . - − \u00a0 é 6°34'48.8\"S".split(
    " ",
  ),
  ...[
    "POLYGON ((",
    "))",
    "POINT(",
    "SRID=4326;",
    '{"type":"Point","coordinates":[1,2]}',
    "0101000000",
    "00",
    "\\x",
  ],
  ...[" ", " ", ";-6.5 -55.2 0 4", "6d34m", "EMPTY", "null", "NaN"],
];
const NAMES = [
  "id",
  "plot_id",
  "lat",
  "lon",
  "x",
  "y",
  "wkt",
  "geom",
  "gps",
  "vertex",
  "seq",
  "",
  "name",
  "fact:a",
  "property",
];

describe("a cell of any text", () => {
  it("is a geometry or a fault, and an angle or none, never anything else", () => {
    const random = toRandom(mulberry32(44));
    let read = 0;
    for (let i = 0; i < CELLS; i++) {
      const text = drawText(random, TOKENS, 1 + random.integer(7));
      const angle = parseAngle(text);
      if (typeof angle === "object") expect(Number.isNaN(angle.degrees), text).toBe(false);
      const { geometry, fault } = readCellGeometry(text, "c", { order: "latitude", openList: "way" });
      expect(geometry === null || fault === undefined, text).toBe(true);
      if (fault === undefined) read++;
      else expect(fault.code).toBe("GEOMETRY_INVALID");
      if (detectGeometryNotation(text) === "pair") expect(fault, text).toBeUndefined();
    }
    expect(read).toBeGreaterThan(CELLS / 50);
  });

  it("of long texts that repeat a sign is read in time that grows with them", () => {
    for (const sign of [" ", "1 ", "1,", "-", "N", "°", "'", "(", "1;", "1 1 1 1;", "0", "[", "POINT"]) {
      const text = `1 ${sign.repeat(60_000)}x`;
      const used = process.cpuUsage();
      parseAngle(text);
      readCellGeometry(text, "c", { order: "latitude", openList: "way" });
      const { user } = process.cpuUsage(used);
      expect(user, sign).toBeLessThan(2_000_000);
    }
  });
});

describe("a table of any cells", () => {
  it("is read or refused with a FormatError, every row once where no row is a corner", async () => {
    const random = toRandom(mulberry32(45));
    for (let i = 0; i < TABLES; i++) {
      const names = Array.from({ length: 2 + random.integer(4) }, () => NAMES[random.integer(NAMES.length)]!);
      const rows = Array.from({ length: random.integer(8) }, () =>
        names.map(() => `"${TOKENS[random.integer(TOKENS.length)]!.replaceAll('"', '""')}"`).join(","),
      );
      const text = [names.join(","), ...rows].join("\n");
      try {
        const table = await openTable(openBlob(new TextEncoder().encode(text), { name: "t" }), {
          cornersOf: "none",
        });
        let count = 0;
        for await (const { properties } of table.features()) {
          count++;
          expect(properties.has("")).toBe(false);
        }
        const blank = rows.filter((row) => /^(?:"\s*",?)*$/.test(row)).length;
        expect(count, text).toBeGreaterThanOrEqual(rows.length - blank - 1);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
  });
});

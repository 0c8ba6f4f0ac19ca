import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeFlatGeobuf } from "../test/flatgeobuf-file.ts";
import { geometryBlob, writeGeoPackage } from "../test/geopackage-file.ts";
import { dataPage, parquetByHand, ZSTD } from "../test/parquet-by-hand.ts";
import { encodeWkb } from "../test/wkb-encoder.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-hostile-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Reads a file in a process of its own, which may take 64 MB of heap and a minute. */
function readInChild(
  format: string,
  name: string,
  bytes?: Uint8Array,
): { outcome: string; megabytes: number } {
  const path = join(dir, name);
  if (bytes !== undefined) writeFileSync(path, bytes);
  const script = join(import.meta.dirname, "../test/read-in-child.ts");
  const options = { encoding: "utf8", timeout: 60_000 } as const;
  const output = execFileSync(process.execPath, ["--max-old-space-size=64", script, format, path], options);
  return JSON.parse(output.trim().split("\n").at(-1)!);
}

const SQUARE = { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }; // biome-ignore format: a square

/** A page of two gigabytes of zeros takes some hundred kilobytes; the limit is 200 times. */
function parquetBomb(): Uint8Array {
  const zeros = zstdCompressSync(new Uint8Array(2 ** 27), {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
  const page = dataPage(zeros, { values: 2 ** 25, size: 2 ** 27 });
  return parquetByHand(page, { values: 2n ** 25n, codec: ZSTD });
}

describe("a hostile file, read in a process that may take little memory", () => {
  it.each<[string, string, string, () => Uint8Array]>([
    ["a page that unpacks a thousandfold", "geoparquet", "UNPACKED_TOO_LARGE", parquetBomb],
    [
      "a page of two thousand million nulls",
      "geoparquet",
      "UNPACKED_TOO_LARGE",
      () =>
        parquetByHand(dataPage([6, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0], { values: 2 ** 31 - 1 }), {
          values: 2n ** 31n - 1n,
          optional: true,
        }),
    ],
    [
      "metadata that say they are the file",
      "geoparquet",
      "FILE_DAMAGED",
      () =>
        Buffer.concat([
          new Uint8Array(1 << 20).fill(0x19),
          Uint8Array.of(0, 0, 0x10, 0),
          Buffer.from("PAR1"),
        ]),
    ],
    [
      "an index for more features than there are bytes",
      "flatgeobuf",
      "FILE_DAMAGED",
      () => encodeFlatGeobuf({ featureCount: 2 ** 48, nodeSize: 2 }),
    ],
    [
      "a header that is longer than the file",
      "flatgeobuf",
      "FILE_DAMAGED",
      () => encodeFlatGeobuf({ features: [{ geometry: SQUARE }] }).fill(0xff, 8, 12),
    ],
  ])("with %s", (name, format, outcome, make) => {
    const result = readInChild(format, name, make());
    expect(result.outcome).toBe(outcome);
    expect(result.megabytes).toBeLessThan(250);
  });

  it("with a geometry of more rings than there are bytes, and pages that lie below themselves", () => {
    const wkb = encodeWkb(SQUARE);
    new DataView(wkb.buffer).setUint32(5, 2 ** 31, true);
    const blob = Uint8Array.of(...geometryBlob(SQUARE).subarray(0, 8), ...wkb);
    const columns = { fid: "INTEGER PRIMARY KEY", geom: "POLYGON", text: "TEXT" };
    const rows = Array.from({ length: 200 }, (_, i) => [i, i === 0 ? blob : null, "x".repeat(60)]);
    const path = join(dir, "rings");
    writeGeoPackage(path, [{ name: "units", geometryType: "POLYGON", columns, rows }]);
    expect(readInChild("geopackage", "rings")).toMatchObject({ outcome: "FILE_DAMAGED" });

    const bytes = readFileSync(path);
    for (let page = 1024; page < bytes.length; page += 1024) {
      if (bytes[page] !== 5) continue;
      for (let i = 0; i < bytes.readUInt16BE(page + 3); i++)
        bytes.writeUInt32BE(page / 1024 + 1, page + bytes.readUInt16BE(page + 12 + 2 * i));
    }
    const result = readInChild("geopackage", "pages", bytes);
    expect(result.outcome).toBe("FILE_DAMAGED");
    expect(result.megabytes).toBeLessThan(250);
  });
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeDbf, writeShp } from "../test/write-shapefile.ts";
import { writeZip } from "../test/write-zip.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-hostile-archives-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Reads a file in a process of its own, which may take 64 MB of heap and a minute. */
function readInChild(format: string, bytes: Uint8Array): { outcome: string; megabytes: number } {
  const path = join(dir, "hostile");
  writeFileSync(path, bytes);
  const script = join(import.meta.dirname, "../test/read-in-child.ts");
  const options = { encoding: "utf8", timeout: 60_000 } as const;
  const output = execFileSync(process.execPath, ["--max-old-space-size=64", script, format, path], options);
  return JSON.parse(output.trim().split("\n").at(-1)!);
}

const ZEROS = new Uint8Array(1 << 28);
const text = (value: string): Buffer => Buffer.from(value);

/** A shapefile of one shape of so many rings, each within the one before. */
function nestedRings(count: number): Buffer {
  const parts = Array.from({ length: count }, (_, i) => {
    const far = 2 * count - i;
    return [
      [i, i],
      [far, i],
      [far, far],
      [i, far],
      [i, i],
    ] as const;
  });
  const { shp, shx } = writeShp(5, [parts]);
  const dbf = writeDbf({ fields: [["id", "N", 4]], rows: [["1"]] });
  return writeZip([
    { name: "a.shp", bytes: shp },
    { name: "a.shx", bytes: shx },
    { name: "a.dbf", bytes: dbf },
  ]);
}

/** A shapefile of one shape of so many rings of one position. */
function tinyRings(count: number): Buffer {
  const { shp, shx } = writeShp(5, [Array.from({ length: count }, (_, i) => [[i / count, 0] as const])]);
  const dbf = writeDbf({ fields: [["id", "N", 4]], rows: [["1"]] });
  return writeZip([
    { name: "a.shp", bytes: shp },
    { name: "a.shx", bytes: shx },
    { name: "a.dbf", bytes: dbf },
  ]);
}

describe("a hostile archive or document, read in a process that may take little memory", () => {
  it.each<[string, string, string, () => Uint8Array]>([
    [
      "an entry that says it is small, and is not",
      "shapefile",
      "ARCHIVE_INVALID",
      () =>
        writeZip([
          { name: "a.shp", bytes: text("x") },
          { name: "a.dbf", bytes: ZEROS, size: 1_000 },
        ]),
    ],
    [
      "an entry that says it is larger than any limit",
      "kml",
      "UNPACKED_TOO_LARGE",
      () => writeZip([{ name: "doc.kml", bytes: ZEROS, size: 2 ** 40, zip64: true }]),
    ],
    [
      "a .prj of a quarter of a gigabyte",
      "shapefile",
      "FILE_DAMAGED",
      () =>
        writeZip([
          { name: "a.shp", bytes: text("x") },
          { name: "a.prj", bytes: ZEROS },
        ]),
    ],
    ["5,000 rings within each other", "shapefile", "read", () => nestedRings(5_000)],
    ["20,000 rings of one position", "shapefile", "FILE_DAMAGED", () => tinyRings(20_000)],
    [
      "a table of rows that it does not have",
      "shapefile",
      "FILE_DAMAGED",
      () => {
        const dbf = writeDbf({ fields: [["id", "N", 4]], rows: [["1"]] });
        dbf.writeUInt32LE(0xffffffff, 4);
        return writeZip([
          { name: "a.shp", bytes: text("x") },
          { name: "a.dbf", bytes: dbf },
        ]);
      },
    ],
    [
      "a placemark of more elements than memory holds",
      "kml",
      "TEXT_TOO_LARGE",
      () => text(`<kml><Placemark>${"<a/>".repeat(3_000_000)}`),
    ],
    [
      "half a million folders",
      "kml",
      "read",
      () => text(`<kml>${"<Folder> </Folder>".repeat(500_000)}</kml>`),
    ],
  ])("with %s", { timeout: 120_000 }, (_, format, outcome, make) => {
    const result = readInChild(format, make());
    expect(result.outcome).toBe(outcome);
    expect(result.megabytes).toBeLessThan(300);
  });
});

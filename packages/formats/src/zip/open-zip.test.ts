import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { toLocalFile } from "../../test/local-bytes.ts";
import { encodeZip, type PackedFile } from "../../test/write-zip.ts";
import { FormatError } from "../format-error.ts";
import type { FormatLimits } from "../limits.ts";
import { ZIP_ENTRIES } from "./directory.ts";
import { openZipArchive } from "./open-zip.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const HELLO: PackedFile = { name: "hello.txt", bytes: text("hello hello hello hello") };

async function unpackFiles(zip: Uint8Array, limits?: Partial<FormatLimits>): Promise<Map<string, string>> {
  const archive = await openZipArchive(toLocalFile(zip), { limits });
  const files = new Map<string, string>();
  for (const entry of archive.entries) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of archive.open(entry)) chunks.push(chunk);
    files.set(entry.name, Buffer.concat(chunks).toString());
  }
  return files;
}

const refused = (zip: Uint8Array, limits?: Partial<FormatLimits>) => expect(unpackFiles(zip, limits)).rejects;

describe("openZip", () => {
  it("unpacks what is stored and what is deflated, in any order, again and again", async () => {
    const large = new Uint8Array(1_000_000).map((_, i) => (i * i) >> 7);
    const zip = encodeZip([
      HELLO,
      { name: "a/large.bin", bytes: large, store: true },
      { name: "no", bytes: text("") },
    ]);
    const archive = await openZipArchive(toLocalFile(zip));
    expect(archive.entries.map(({ name, size }) => [name, size])).toEqual([
      ["hello.txt", 23],
      ["a/large.bin", 1_000_000],
      ["no", 0],
    ]);
    for (const _ of [1, 2]) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of archive.open(archive.entries[1]!)) chunks.push(chunk);
      expect(Buffer.concat(chunks).equals(large)).toBe(true);
    }
  });

  it("reads zip64, comments, and names in code page 437 and UTF-8", async () => {
    const zip = encodeZip(
      [
        { ...HELLO, zip64: true },
        { name: Uint8Array.of(0x87, 0xa1), bytes: text("1") },
        { name: "ção", bytes: text("2") },
      ],
      { zip64: true, comment: "made by hand" },
    );
    expect([...(await unpackFiles(zip)).keys()]).toEqual(["hello.txt", "çí", "ção"]);
  });

  it("passes over folders and what macOS adds, and turns backslashes", async () => {
    const bytes = text("x");
    const zip = encodeZip(
      ["a/", "__MACOSX/a/._b.shp", "a/._b.shp", "a/.DS_Store", "a\\b.shp"].map((name) => ({ name, bytes })),
    );
    expect([...(await unpackFiles(zip)).keys()]).toEqual(["a/b.shp"]);
  });

  it.each(["../x", "/x", "a/../../x", "C:/x", "..\\x"])("refuses the name %s", async (name) => {
    await refused(encodeZip([{ name, bytes: text("x") }])).toMatchObject({ code: "ARCHIVE_INVALID" });
  });

  it.each<[string, Partial<PackedFile>, string]>([
    ["is encrypted", { flags: 1 }, "encrypted"],
    ["is packed by bzip2", { method: 12 }, "method 12"],
    ["has another CRC-32", { crc: 1 }, "00000001"],
    ["states too large a size", { size: 24 }, "23 bytes"],
    ["states too small a size", { size: 22 }, "22 bytes"],
  ])("refuses a file that %s", async (_, lie, said) => {
    await refused(encodeZip([{ ...HELLO, ...lie }])).toMatchObject({
      code: "ARCHIVE_INVALID",
      message: expect.stringContaining(said),
      details: { place: { entry: "hello.txt" } },
    });
  });

  it("refuses entries that share bytes, and two of one name", async () => {
    const shared = encodeZip([HELLO, { ...HELLO, name: "again.txt", offset: 0 }]);
    await refused(shared).toMatchObject({ code: "ARCHIVE_INVALID" });
    await refused(encodeZip([HELLO, HELLO])).toMatchObject({
      message: expect.stringContaining("two entries"),
    });
  });

  it("refuses what unpacks to more than the limit, without unpacking it", async () => {
    const zeros = encodeZip([{ name: "zeros", bytes: new Uint8Array(1_000_000) }]);
    await refused(zeros, { unpackedBytes: 999_999 }).toMatchObject({
      code: "UNPACKED_TOO_LARGE",
      details: { limit: 999_999 },
    });
    const ten = Array.from({ length: 10 }, (_, i) => ({ name: `${i}`, bytes: new Uint8Array(100_000) }));
    await refused(encodeZip(ten), { unpackedBytes: 999_999 }).toMatchObject({ code: "UNPACKED_TOO_LARGE" });
    const promised = encodeZip([{ name: "zeros", bytes: new Uint8Array(1_000_000), size: 3_000_000_000 }]);
    await refused(promised).toMatchObject({ code: "UNPACKED_TOO_LARGE", details: { limit: 200 } });
  });

  it("refuses more entries than its limit before reading one", async () => {
    await refused(encodeZip([HELLO], { count: ZIP_ENTRIES + 1 })).toMatchObject({ code: "ARCHIVE_INVALID" });
    const file = toLocalFile(encodeZip([HELLO], { count: 2 ** 40, zip64: true }));
    await expect(openZipArchive(file)).rejects.toMatchObject({ details: { limit: ZIP_ENTRIES } });
    expect(file.bytesRead).toBeLessThan(1_000);
  });

  it("reads or refuses an archive that is cut at any byte, or has any bit turned", async () => {
    const zip = encodeZip([HELLO, { name: "b", bytes: text("stored"), store: true, zip64: true }], {
      zip64: true,
    });
    const whole = await unpackFiles(zip);
    for (let length = 0; length < zip.length; length++) {
      await refused(zip.subarray(0, length)).toBeInstanceOf(FormatError);
    }
    const random = createSeededRandom(73);
    for (let i = 0; i < 500; i++) {
      const turned = Buffer.from(zip);
      const at = random.integer(zip.length);
      turned[at]! ^= 1 << random.integer(8);
      try {
        for (const [name, content] of await unpackFiles(turned)) {
          // The name itself is not under the checksum.
          if (whole.has(name)) expect(content).toBe(whole.get(name));
        }
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
  });
});

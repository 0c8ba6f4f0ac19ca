import { createHash } from "node:crypto";
import { crc32 as zlibCrc32 } from "node:zlib";
import { createSeededRandom } from "@groundrule/testing/random";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import {
  cellsAreEqual,
  createCountingReader,
  makeEmptyRaster,
  makeLatticeWindow,
  makeRasterFile,
  makeSmallRaster,
  makeTinyRaster,
  openVerifiedRaster,
  type RasterContent,
  readCells,
  writeRaster,
} from "../../../test/rasters.ts";
import { SnapshotParts } from "../../../test/snapshot-file.ts";
import type { Tiling } from "../../geometry/raster/grid.ts";
import { createCellRuns, NODATA } from "../../geometry/raster/raster-layer.ts";
import { HEADER, SECTION } from "../format.ts";
import { cellSquareMetersByRow } from "../raster/tile-areas.ts";
import { isRaster, type RasterSnapshot } from "../snapshot.ts";
import { MemorySpill } from "../write/spill.ts";
import { openSnapshot, openWithCoverage, verifySnapshot } from "./reader.ts";
import { TileCache } from "./tile-cache.ts";

describe("a raster", () => {
  it.each([2, 20, 200, 254, 255, 3000])("of %i areas gives back every cell", (areaCount) => {
    const content = makeSmallRaster(areaCount);
    const { layer, meta } = openVerifiedRaster(makeRasterFile(content));
    expect(layer.grid).toEqual(content.grid);
    expect(meta.manifest.kind).toBe("leaf");
    expect(cellsAreEqual(readCells(layer), content.cells)).toBe(true);
  });

  it("gives the cells of any part of a row, over the borders of tiles, in runs that differ from their neighbours", () => {
    const random = createSeededRandom(7);
    const content = makeSmallRaster();
    const { columns, rows } = content.grid;
    const { layer } = openVerifiedRaster(makeRasterFile(content));
    const runs = createCellRuns();
    for (let n = 0; n < 3000; n++) {
      const row = random.integer(rows);
      const from = random.integer(columns);
      const to = from + 1 + random.integer(Math.min(n % 3 === 0 ? columns : 20, columns - from));
      layer.cells.readRow(row, from, to, runs);
      const expected: [number, number][] = [];
      for (let c = from; c < to; c++) {
        const value = content.cells[row * columns + c]!;
        const last = expected.at(-1);
        if (last?.[1] === value) last[0] = c + 1;
        else expected.push([c + 1, value]);
      }
      const found = Array.from({ length: runs.count }, (_, i) => [runs.ends[i]!, runs.values[i]!]);
      expect(found).toEqual(expected);
    }
  });

  it("has the sum of each tile, and what each area takes", () => {
    const content = makeSmallRaster();
    const { grid } = content;
    const { layer } = openVerifiedRaster(makeRasterFile(content));
    const { tiling } = layer.cells;
    const areas = new Map<number, [cells: number, squareMeters: number]>();
    for (let tileRow = 0; tileRow < tiling.tileRows; tileRow++) {
      const cellArea = cellSquareMetersByRow(grid, tiling, tileRow);
      for (let tileColumn = 0; tileColumn < tiling.tileColumns; tileColumn++) {
        const expected = new Map<number, [number, number]>();
        for (let r = 0; r < 256; r++) {
          const row = tileRow * 256 + r - tiling.rowOffset;
          for (let c = 0; c < 256; c++) {
            const column = tileColumn * 256 + c - tiling.columnOffset;
            if (row < 0 || row >= grid.rows || column < 0 || column >= grid.columns) continue;
            const value = content.cells[row * grid.columns + column]!;
            for (const sums of [expected, areas]) {
              const [cells, squareMeters] = sums.get(value) ?? [0, 0];
              sums.set(value, [cells + 1, squareMeters + cellArea[r]!]);
            }
          }
        }
        const sums = layer.cells.sums(tileRow, tileColumn);
        expect([...sums.values]).toEqual([...expected.keys()].sort((a, b) => a - b));
        for (const [i, value] of sums.values.entries()) {
          const [cells, squareMeters] = expected.get(value)!;
          expect(sums.cells[i]).toBe(cells);
          expect(Math.abs(sums.squareMeters[i]! - squareMeters)).toBeLessThan(1e-10 * squareMeters);
        }
      }
    }
    for (let area = 0; area < layer.areaCount; area++) {
      const [cells, squareMeters] = areas.get(area) ?? [0, 0];
      expect(layer.areaCells[area]).toBe(cells);
      expect(Math.abs(layer.areaSquareMeters[area]! - squareMeters)).toBeLessThan(1e-9 * squareMeters);
    }
  });

  it("has attributes, countries and a category as areas have them", () => {
    const { meta, attributes } = openVerifiedRaster(makeRasterFile(makeSmallRaster(3)));
    expect(meta).toMatchObject({ feature_count: 3, country_coverage: ["DOM"], schemes: [] });
    expect(meta.manifest).toMatchObject({ category: "loss", columns: { value: "number" } });
    expect(attributes.id(1)).toBe("2");
    expect(attributes.countryIso3(1)).toBe("DOM");
    expect(attributes.properties(2)).toEqual({ value: 3 });
  });

  it("has the same bytes in cells of two bytes, with a spill, and with a host's checksums", () => {
    const content = makeSmallRaster();
    const plain = new Uint8Array(makeRasterFile(content));
    const options = { spill: new MemorySpill(), crc32: zlibCrc32, sha256: () => createHash("sha256") };
    expect(new Uint8Array(joinFileBytes(writeRaster(content, options)))).toEqual(plain);
    expect(new Uint8Array(joinFileBytes(writeRaster(content, {}, undefined, 2)))).toEqual(plain);
  });

  it("without data has tiles of no bytes", () => {
    const bytes = makeRasterFile(makeEmptyRaster());
    const { layer } = openVerifiedRaster(bytes);
    expect(readCells(layer).every((cell) => cell === NODATA)).toBe(true);
    expect(new SnapshotParts(bytes).bytes(SECTION.TILE_DATA).length).toBe(0);
  });

  it.each([
    ["at the poles", { a: -180, b: 90, s: 1, t: 1, n: 1, columns: 360, rows: 180 }],
    ["of one cell", { a: 5, b: 7, s: 1, t: 1, n: 100, columns: 1, rows: 1 }],
    ["past 180° E", { a: 179_000, b: 1_000, s: 1, t: 1, n: 1000, columns: 3_000, rows: 3 }],
    ["west of 180° W", { a: -1_900, b: 0, s: 1, t: 2, n: 10, columns: 300, rows: 20 }],
  ])("opens %s", (_, grid) => {
    const cells = new Uint16Array(grid.columns * grid.rows).map((_, i) => (i * 7) % 5);
    const { layer } = openVerifiedRaster(makeRasterFile({ grid, areaCount: 5, cells }));
    expect(cellsAreEqual(readCells(layer), cells)).toBe(true);
  });
});

describe("a raster that is read by range", () => {
  const content = makeSmallRaster();
  const file = makeRasterFile(content);

  it("gives the same cells and sums, whatever the limit of its tiles", () => {
    const inMemory = openVerifiedRaster(file).layer.cells;
    for (const tileBytes of [0, 100_000, undefined]) {
      const snapshot = openSnapshot(createCountingReader(file), { tileBytes });
      if (!isRaster(snapshot)) throw new Error("not a raster");
      expect(cellsAreEqual(readCells(snapshot.layer), content.cells)).toBe(true);
      const { tiling } = inMemory;
      for (let row = 0; row < tiling.tileRows; row++) {
        for (let column = 0; column < tiling.tileColumns; column++) {
          expect(snapshot.layer.cells.sums(row, column)).toEqual(inMemory.sums(row, column));
        }
      }
    }
    expect(verifySnapshot(createCountingReader(file)).meta).toEqual(openVerifiedRaster(file).meta);
  });

  it("reads no tile at opening, a tile once while it is kept, and again where it is not", () => {
    const parts = new SnapshotParts(file);
    const unread = parts.bytes(SECTION.TILE_DATA).length + parts.bytes(SECTION.TILE_HASHES).length;
    const taken = (tileBytes: number | undefined) => {
      const range = createCountingReader(file);
      const { layer } = openSnapshot(range, { tileBytes }) as RasterSnapshot;
      expect(range.taken).toBeLessThan(file.byteLength - unread + 2000);
      const before = range.taken;
      for (let times = 0; times < 3; times++) readCells(layer, 0, 300);
      return range.taken - before;
    };
    const few = taken(undefined);
    expect(few).toBeLessThan(unread);
    expect(taken(0)).toBeGreaterThan(2.9 * few);
  });

  it("is damaged in the tiles that cannot be read, and in no other", () => {
    const range = createCountingReader(file);
    const { layer } = openSnapshot(range) as RasterSnapshot;
    const { read } = range;
    readCells(layer, 0, 100);
    range.read = () => {
      throw new Error("the disk is gone");
    };
    readCells(layer, 0, 100);
    expect(() => readCells(layer)).toThrow(
      expect.objectContaining({
        name: "DamagedTile",
        sourceName: "test:raster",
        message: expect.stringMatching(/tile in row 0, column 1 .* the disk is gone/),
      }),
    );
    range.read = read;
    expect(cellsAreEqual(readCells(layer), content.cells)).toBe(true);
  });

  it("shares one limit among the rasters of a cache", () => {
    const tiles = new TileCache(1 << 20);
    const other = makeLatticeWindow(285_913, 432_763, 700, 1_100, 200);
    const layers = [content, other].map(
      (each) =>
        openWithCoverage(createCountingReader(makeRasterFile(each)), { tiles }).snapshot as RasterSnapshot,
    );
    for (let times = 0; times < 2; times++) {
      expect(cellsAreEqual(readCells(layers[0]!.layer), content.cells)).toBe(true);
      expect(cellsAreEqual(readCells(layers[1]!.layer), other.cells)).toBe(true);
    }
  });
});

describe("a raster that is held to its digests", () => {
  const sha256 = () => createHash("sha256");

  it("gives the same cells", () => {
    for (const areaCount of [20, 600]) {
      const content = makeSmallRaster(areaCount);
      const file = makeRasterFile(content);
      for (const source of [file, createCountingReader(file)]) {
        const { layer } = openWithCoverage(source, { sha256 }).snapshot as RasterSnapshot;
        expect(cellsAreEqual(readCells(layer), content.cells)).toBe(true);
      }
    }
  });

  it("is refused where the digests are not the edition's, and damaged where a tile is not its digest's", () => {
    const parts = new SnapshotParts(makeRasterFile(makeTinyRaster()));
    const digests = parts.bytes(SECTION.TILE_HASHES);
    digests[40]! ^= 1;
    expect(() => openSnapshot(parts.seal(), { sha256 })).toThrow("content.digest");
    openSnapshot(parts.seal());
    digests[40]! ^= 1;
    // A cell that is another one, with a checksum to match: its sums stay.
    const index = parts.u32(SECTION.TILE_INDEX);
    const packed = 6;
    const [start, length] = [16 * index[4 * packed + 1]!, index[4 * packed + 2]!];
    const tile = parts.bytes(SECTION.TILE_DATA).subarray(start, start + length);
    tile[length - 1] = tile[length - 1] === 0 ? 1 : 0;
    index[4 * packed + 3] = zlibCrc32(tile);
    const file = parts.seal();
    for (const source of [file, createCountingReader(file)]) {
      const plain = openWithCoverage(source).snapshot as RasterSnapshot;
      readCells(plain.layer);
      const { layer } = openWithCoverage(source, { sha256 }).snapshot as RasterSnapshot;
      for (let times = 0; times < 2; times++) {
        expect(() => readCells(layer)).toThrow("not those that its digest names");
      }
    }
  });
});

describe("a raster's writer", () => {
  it("refuses a value that is no area, in cells of either width, and a grid that is none", () => {
    const content = makeTinyRaster();
    content.cells[123_456] = 20;
    for (const width of [1, 2] as const) {
      expect(() => writeRaster(content, {}, undefined, width)).toThrow("found the value 20 in a cell");
    }
    const grid = { ...content.grid, rows: 0 };
    expect(() => writeRaster({ ...content, grid })).toThrow("found a grid with 0 rows");
  });
});

describe("the digest of a raster", () => {
  it("has the leaves of the blocks that two windows of a lattice both hold wholly", () => {
    // 286 columns and 49 rows apart, as two crops of one publisher are.
    const whole = mapDigestLeaves(makeLatticeWindow(285_913, 432_763, 700, 1_200, 20));
    const within = mapDigestLeaves(makeLatticeWindow(285_962, 433_049, 600, 700, 20));
    const blocks = [...within.keys()].filter((block) => isWhole(block, 285_962, 433_049, 600, 700));
    expect(blocks.length).toBe(2);
    for (const block of blocks) expect(whole.get(block)).toBe(within.get(block));
    // A block that the second window holds in part has another leaf.
    expect([...within].some(([block, leaf]) => whole.has(block) && whole.get(block) !== leaf)).toBe(true);
  });

  it("keeps its other leaves where a granule is added in the north and west", () => {
    const before = mapDigestLeaves(makeLatticeWindow(286_208, 433_152, 512, 512, 20));
    const after = mapDigestLeaves(makeLatticeWindow(286_208 - 300, 433_152 - 300, 812, 812, 20));
    expect(before.size).toBe(4);
    for (const [block, leaf] of before) expect(after.get(block)).toBe(leaf);
    expect(after.size).toBe(16);
  });

  it("differs where one cell, an area, the category or the grid does", () => {
    const content = makeTinyRaster();
    const cells = content.cells.slice();
    cells[5] = cells[5] === 0 ? 1 : 0;
    const manifest = { source_name: "test:raster", kind: "leaf" } as const;
    const editions = [
      writeRaster(content),
      writeRaster({ ...content, cells }),
      writeRaster({ ...content, areaCount: 21 }),
      writeRaster(content, {}, manifest),
      writeRaster({ ...content, grid: { ...content.grid, b: content.grid.b + 1 } }),
    ].map(({ meta }) => meta.edition);
    expect(new Set(editions).size).toBe(5);
    expect(
      writeRaster(content, {}, { ...manifest, category: "loss", license_spdx: "MIT" }).meta.edition,
    ).toBe(editions[0]);
  });

  it("is the stream of docs/formats/snapshot.md", () => {
    const content = makeTinyRaster();
    const { layer, meta } = openVerifiedRaster(makeRasterFile(content));
    expect(meta.edition).toBe(streamDigest(content, layer.cells.tiling));
  });
});

describe("a snapshot of version 3", () => {
  it("may hold optional sections, which are passed over and verified", () => {
    const parts = new SnapshotParts(makeRasterFile(makeTinyRaster()));
    const place = parts.sections.findIndex(({ id }) => id === SECTION.TILE_HASHES);
    parts.sections.splice(place, 0, { id: 0x4321, bytes: Uint8Array.of(1, 2, 3) });
    const file = parts.seal();
    expect(verifySnapshot(file).meta.edition).toBe(
      openVerifiedRaster(makeRasterFile(makeTinyRaster())).meta.edition,
    );
    expect(new SnapshotParts(file).bytes(0x4321)).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("may not hold other sections, nor those anywhere else, nor be of version 2", () => {
    for (const [id, place] of [
      [0x8002, 12],
      [0x3fff, 10],
      [0x4000, 3],
    ] as const) {
      const parts = new SnapshotParts(makeRasterFile(makeTinyRaster()));
      parts.sections.splice(place, 0, { id, bytes: new Uint8Array(1) });
      expect(() => openSnapshot(parts.seal())).toThrow(
        expect.objectContaining({
          code: "SNAPSHOT_CORRUPT",
          details: expect.objectContaining({ check: "table.id" }),
        }),
      );
    }
    const parts = new SnapshotParts(makeRasterFile(makeTinyRaster()));
    parts.header.setUint32(HEADER.version, 2, true);
    expect(() => openSnapshot(parts.seal())).toThrow("kind 3");
  });
});

/** The digest's entry for each block, by its line and column on the lattice. */
function mapDigestLeaves(content: RasterContent): Map<string, string> {
  const parts = new SnapshotParts(makeRasterFile(content));
  const index = parts.u32(SECTION.TILE_INDEX);
  const hashes = parts.bytes(SECTION.TILE_HASHES);
  const { tiling } = openVerifiedRaster(parts.seal()).layer.cells;
  const found = new Map<string, string>();
  const firstRow = (360_000 - content.grid.b - tiling.rowOffset) / 256;
  const firstColumn = (content.grid.a + 720_000 - tiling.columnOffset) / 256;
  let stored = 0;
  for (let tile = 0; tile < index.length / 4; tile++) {
    const row = firstRow + Math.floor(tile / tiling.tileColumns);
    const column = firstColumn + (tile % tiling.tileColumns);
    const isStored = (index[4 * tile]! & 0xff) > 0;
    const leaf = isStored ? hashes.subarray(32 * stored, 32 * ++stored).join() : `${index[4 * tile]! >>> 16}`;
    found.set(`${row} ${column}`, leaf);
  }
  return found;
}

function isWhole(block: string, line: number, column: number, rows: number, columns: number): boolean {
  const [r, c] = block.split(" ").map((number) => 256 * Number(number)) as [number, number];
  return r >= line && r + 256 <= line + rows && c >= column && c + 256 <= column + columns;
}

/** The digest of a raster of the test's manifest and areas, written from the page. */
function streamDigest(
  { grid, areaCount, cells }: RasterContent,
  { tileRows, tileColumns, rowOffset, columnOffset }: Tiling,
): string {
  const stream = createHash("sha256");
  const u32 = (number: number) => Buffer.from(Uint32Array.of(number).buffer);
  const f64 = (number: number) => Buffer.from(Float64Array.of(number).buffer);
  const text = (of: string) => Buffer.concat([u32(Buffer.byteLength(of)), Buffer.from(of)]);
  const optional = (of: string | null) =>
    of === null ? Buffer.of(0) : Buffer.concat([Buffer.of(1), text(of)]);
  stream.update(text("groundrule content 3")).update(text("raster")).update(optional("loss"));
  stream.update(u32(areaCount));
  for (let i = 0; i < areaCount; i++) {
    stream.update(text(`${i + 1}`)).update(optional(`Value ${i + 1}`));
    stream.update(optional(i % 3 === 1 ? "DOM" : null));
  }
  stream.update(u32(1)).update(text("value")).update(text("number"));
  for (let i = 0; i < areaCount; i++) stream.update(Buffer.of(1)).update(f64(i + 1));
  for (const number of [grid.a, grid.b, grid.s, grid.t, grid.n]) stream.update(f64(number));
  stream.update(u32(grid.columns)).update(u32(grid.rows));
  for (let tile = 0; tile < tileRows * tileColumns; tile++) {
    const block = Buffer.alloc(65_536, 255);
    const north = Math.floor(tile / tileColumns) * 256 - rowOffset;
    const west = (tile % tileColumns) * 256 - columnOffset;
    for (let k = 0; k < block.length; k++) {
      const [row, column] = [north + (k >> 8), west + (k & 255)];
      if (row < 0 || row >= grid.rows || column < 0 || column >= grid.columns) continue;
      block[k] = cells[row * grid.columns + column]! & 0xff;
    }
    const isConstant = block.every((cell) => cell === block[0]);
    const value = block[0]! < 254 ? block[0]! : 0xff00 + block[0]!;
    if (isConstant) stream.update(Buffer.of(0, value & 0xff, value >> 8));
    else stream.update(Buffer.of(1)).update(createHash("sha256").update(block).digest());
  }
  return stream.digest("hex");
}

import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import {
  cellsAreEqual,
  createCountingReader,
  makeLatticeWindow,
  makeRasterFile,
  readCells,
} from "../../../test/rasters.ts";
import { SnapshotParts } from "../../../test/snapshot-file.ts";
import { EngineError } from "../../base/errors.ts";
import { DamagedTile } from "../../geometry/raster/damaged-tile.ts";
import { BACKGROUND } from "../../geometry/raster/raster-layer.ts";
import { crc32 } from "../crc32.ts";
import { SECTION, TILE_ENTRY_BYTES } from "../format.ts";
import { isRaster } from "../snapshot.ts";
import { openSnapshot, verifySnapshot } from "./reader.ts";

const SEED = 20_261_128;
const MUTATIONS = process.env.GROUNDRULE_FULL ? 10_000 : 250;

describe(`a hostile raster (seed ${SEED})`, () => {
  // Tiles of runs and packed ones, of one byte and of two, most of them partly off the grid.
  const contents = [
    makeLatticeWindow(285_913, 432_763, 310, 470, 20),
    makeLatticeWindow(286_208, 433_152, 256, 300, 3),
    makeLatticeWindow(286_208, 432_763, 200, 470, 600),
  ];
  const files = contents.map((content) => makeRasterFile(content));

  it(`with a flipped bit is refused, or gives the same cells, ${MUTATIONS} times`, () => {
    const random = createSeededRandom(SEED);
    let damaged = 0;
    for (let n = 0; n < MUTATIONS; n++) {
      const k = random.integer(files.length);
      const file = files[k]!.slice();
      const tiles = new SnapshotParts(file).bytes(SECTION.TILE_DATA).length;
      const at = n % 4 === 0 ? random.integer(file.byteLength) : file.byteLength - 1 - random.integer(tiles);
      new Uint8Array(file)[at]! ^= 1 << random.integer(8);
      const found = readCellsUnlessRefused(n % 2 === 0 ? file : createCountingReader(file));
      if (found === undefined) damaged++;
      else expect(cellsAreEqual(found, contents[k]!.cells), `bit of byte ${at}`).toBe(true);
      if (n % 8 === 0) expect(() => verifySnapshot(file)).toThrow(EngineError);
    }
    expect(damaged).toBeGreaterThan(0.6 * MUTATIONS);
  });

  it(`whose checksums were made to match is refused, or gives cells that are some, ${MUTATIONS} times`, () => {
    const random = createSeededRandom(SEED + 1);
    const outcomes = { refused: 0, answered: 0 };
    for (let n = 0; n < MUTATIONS; n++) {
      const k = random.integer(files.length);
      const { areaCount } = contents[k]!;
      const parts = new SnapshotParts(files[k]!);
      for (let times = 1 + random.integer(3); times > 0; times--) forgeTile(parts, random);
      const file = parts.seal();
      const cells = readCellsUnlessRefused(n % 2 === 0 ? file : createCountingReader(file));
      if (cells === undefined) outcomes.refused++;
      else {
        outcomes.answered++;
        expect(cells.every((cell) => cell < areaCount || cell >= BACKGROUND)).toBe(true);
      }
    }
    expect(outcomes.refused).toBeGreaterThan(0.3 * MUTATIONS);
    expect(outcomes.answered).toBeGreaterThan(0.05 * MUTATIONS);
  });
});

/** All cells, and the sums of all tiles; undefined where the file, or a tile, is refused as it should be. */
function readCellsUnlessRefused(file: Parameters<typeof openSnapshot>[0]): Uint16Array | undefined {
  try {
    const snapshot = openSnapshot(file);
    if (!isRaster(snapshot)) throw new Error("not a raster");
    const { cells } = snapshot.layer;
    for (let row = 0; row < cells.tiling.tileRows; row++) {
      for (let column = 0; column < cells.tiling.tileColumns; column++) {
        const { squareMeters } = cells.sums(row, column);
        if (!squareMeters.every((each) => each >= 0)) throw new Error("an area that is none");
      }
    }
    return readCells(snapshot.layer);
  } catch (error) {
    const isRefusal =
      error instanceof DamagedTile ||
      (error instanceof EngineError &&
        ["SNAPSHOT_CORRUPT", "SNAPSHOT_VERSION_UNSUPPORTED"].includes(error.code));
    if (isRefusal) return undefined;
    throw error;
  }
}

/** Changes a stored tile, its entry in the index, or the grid; the tile's checksum is made to match. */
function forgeTile(parts: SnapshotParts, random: Random): void {
  const index = parts.u32(SECTION.TILE_INDEX);
  const data = parts.bytes(SECTION.TILE_DATA);
  const tile = random.integer(index.length / 4);
  const start = 16 * index[4 * tile + 1]!;
  const length = index[4 * tile + 2]!;
  switch (random.integer(8)) {
    case 0:
      parts.bytes(SECTION.TILE_INDEX)[tile * TILE_ENTRY_BYTES + random.integer(12)]! ^=
        1 << random.integer(8);
      return;
    case 1:
      parts.bytes(SECTION.GRID)[random.integer(48)]! ^= 1 << random.integer(8);
      return;
    default:
  }
  if (length === 0) return;
  // Half of them where the values, the sums and the rows stand.
  const at = start + random.integer(random.integer(2) === 0 ? Math.min(length, 800) : length);
  if (at >= data.length) return;
  data[at] = random.integer(3) === 0 ? data[Math.max(start, at - 2)]! : random.integer(256);
  index[4 * tile + 3] = crc32(data.subarray(start, start + length));
}

import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { createRasterWriter } from "@groundrule/engine/build";
import { BACKGROUND, NODATA } from "@groundrule/engine/internal";
import { openLocalFile } from "@groundrule/formats";
import { openGeoTiff } from "@groundrule/formats/geotiff";
import { openSpillFile } from "@groundrule/node/internal";

/** Years of loss in the crop. */
export const VALUES = 20;
/** Lines of a degree. */
export const LINES = 12_000;
/** North-western corner, degrees. */
export const [WEST, NORTH] = [-72, 9];
const FOLDER = join(import.meta.dirname, "../../.groundrule/bench");

/** A crop of tree cover loss, mirrored again and again to a square of 1/12000° cells: 0 is no loss, else the year. */
export interface Mirrored {
  readonly side: number;
  /** One row; the next call overwrites it. */
  row(row: number): Uint8Array;
}

export async function readMirroredCrop(path: string, side: number): Promise<Mirrored> {
  const file = await openLocalFile(path);
  const { image } = await openGeoTiff(file);
  const { blocks, columns: width, rows: height } = image;
  const crop = new Uint8Array(width * height);
  for (let y = 0; y < blocks.down; y++) {
    for (let x = 0; x < blocks.across; x++) {
      const [samples] = (await image.readBlock(x, y, [0]))!;
      for (let r = 0; r < blocks.rows && y * blocks.rows + r < height; r++) {
        for (let c = 0; c < blocks.columns && x * blocks.columns + c < width; c++) {
          crop[(y * blocks.rows + r) * width + x * blocks.columns + c] = samples![r * blocks.columns + c]!;
        }
      }
    }
  }
  await file.close();
  const mirror = (at: number, size: number) =>
    Math.floor(at / size) % 2 === 0 ? at % size : size - 1 - (at % size);
  const wide = Array.from({ length: height }, (_, r) =>
    Uint8Array.from({ length: side }, (_, c) => crop[r * width + mirror(c, width)]!),
  );
  return { side, row: (row) => wide[mirror(row, height)]! };
}

/** A file of the bench's folder, made once. */
export async function makeFileOnce(
  name: string,
  make: (path: string) => Promise<void> | void,
): Promise<string> {
  const path = join(FOLDER, name);
  if (!existsSync(path)) {
    mkdirSync(FOLDER, { recursive: true });
    await make(`${path}.part`);
    renameSync(`${path}.part`, path);
  }
  return path;
}

/** Writes its cells as they are. */
export function writeRawCells({ side, row }: Mirrored, path: string): void {
  const file = openSync(path, "w");
  for (let r = 0; r < side; r++) writeSync(file, row(r));
  closeSync(file);
}

/** Writes its snapshot, without a GeoTIFF between. */
export function writeSnapshot({ side, row }: Mirrored, path: string): void {
  const grid = { a: WEST * LINES, b: NORTH * LINES, s: 1, t: 1, n: LINES, columns: side, rows: side };
  const areas = Array.from({ length: VALUES }, (_, i) => ({
    id: `${i + 1}`,
    name: null,
    countryIso3: null,
    properties: { value: i + 1 },
  }));
  const spill = openSpillFile();
  const writer = createRasterWriter({ source_name: "bench:loss", kind: "leaf" }, grid, areas, {
    crc32,
    sha256: () => createHash("sha256"),
    spill,
  });
  const stored = Uint8Array.from({ length: 256 }, (_, value) =>
    value === 0 ? BACKGROUND & 0xff : value <= VALUES ? value - 1 : NODATA & 0xff,
  );
  let band = new Uint8Array(0);
  for (let done = 0; writer.nextRows > 0; ) {
    const count = writer.nextRows;
    if (band.length !== count * side) band = new Uint8Array(count * side);
    for (let r = 0; r < count; r++) band.set(row(done + r), r * side);
    for (let i = 0; i < band.length; i++) band[i] = stored[band[i]!]!;
    writer.add(band);
    done += count;
  }
  writeChunks(path, writer.finish().chunks);
  spill.close();
}

export function writeChunks(path: string, chunks: Iterable<Uint8Array>): void {
  const file = openSync(path, "w");
  for (const chunk of chunks) writeSync(file, chunk);
  closeSync(file);
}

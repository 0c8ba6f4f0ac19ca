import {
  computeTiling,
  lineLatitude,
  lineLongitude,
  NODATA,
  type RasterGrid,
  TILE_CELLS,
} from "@groundrule/engine/internal";
import { gdalTranslate } from "@groundrule/formats/geotiff";
import { createIngestError } from "../ingest-error.ts";
import type { Cells, Stretch } from "../manifest/value-table.ts";
import type { Granule, Lying } from "./granule.ts";
import type { KeptTiles } from "./kept-tiles.ts";
import type { BlockCells, Layer } from "./layer.ts";
import type { MaskFile } from "./masks.ts";
import { splitTileRows } from "./parts.ts";

/** All that a grid's cells come from. */
export interface RasterInput {
  readonly grid: RasterGrid;
  readonly granules: readonly Lying<Granule>[];
  readonly maskFiles: readonly Lying<MaskFile>[];
  readonly kept: KeptTiles;
  /** True if a file's own mask makes cells nodata; otherwise the hidden cells are only counted. */
  readonly obeysOwnMasks: boolean;
  /** True if a band has all parts of its rows; else it has one, of at most {@link MOST_PART_COLUMNS} columns. */
  readonly needsWholeRows: boolean;
}

/** Some rows of a grid, between two lines of tiles, where files reach it. All other cells of these rows are nodata. */
export interface Band {
  readonly firstRow: number;
  readonly rows: number;
  /** From west to east. Overwritten by the next band. */
  readonly parts: readonly BandPart[];
  /** True if the next band has other rows. */
  readonly isLast: boolean;
}

/** Some columns of a band, from tile to tile. */
export interface BandPart extends Stretch {
  /** Row by row. */
  readonly cells: Cells;
}

/** Findings of reading besides the cells. */
export interface Findings {
  /** Cells that are nodata because a mask hides them. */
  masked: number;
  /** Cells that files' own masks hide, although the manifest does not mention them. */
  unsaidMasked: number;
}

/** Most columns that are read at once: 64 MiB of bytes. */
const MOST_PART_COLUMNS: number = 1 << 18;
/** Most columns of whole rows: a turn at 10 m has 4.3 million. */
const MOST_WHOLE_COLUMNS = 5_000_000;

/**
 * Reads the cells of a grid, one row of tiles after another, from the north: areas, background and nodata, as the
 * snapshot's writer takes them. Memory: one band, and the blocks that reach beyond it.
 *
 * Where files overlap, one that holds nodata says nothing; all others must hold the same.
 *
 * @param bytes of a cell, 1 or 2
 *
 * Fails: `CELLS_DISAGREE`; `GRID_MISMATCH` for whole rows that are too long; `FormatError` where a file is damaged.
 */
export async function* readGridBands(
  input: RasterInput,
  bytes: 1 | 2,
  findings: Findings,
): AsyncGenerator<Band, void, undefined> {
  const { granules } = input;
  const overlapping = new Set(granules.filter((each) => granules.some((other) => overlaps(each, other))));
  const reader = new PartReader(input, bytes, overlapping, findings);
  for (const { firstRow, rows, parts } of splitTileRows(input.grid, granules, input.kept)) {
    if (parts.length === 0 || input.needsWholeRows) {
      const read: BandPart[] = [];
      let columns = 0;
      for (const { from, to } of parts) columns += to - from;
      if (columns > MOST_WHOLE_COLUMNS) {
        const found = `patches on rows of ${columns} cells`;
        throw createIngestError("GRID_MISMATCH", found, `at most ${MOST_WHOLE_COLUMNS}`, {
          mend: "build sources of parts of the land apart, or leave patches out",
        });
      }
      reader.start(rows * columns);
      for (const part of parts) read.push(await reader.read(firstRow, rows, part));
      yield { firstRow, rows, parts: read, isLast: true };
      continue;
    }
    const pieces = parts.flatMap((part) => cutAtTileLines(input.grid, part));
    for (const [i, piece] of pieces.entries()) {
      reader.start(rows * (piece.to - piece.from));
      const part = await reader.read(firstRow, rows, piece);
      yield { firstRow, rows, parts: [part], isLast: i === pieces.length - 1 };
    }
  }
}

/** Pieces of a part that can be read at once; they end at lines of tiles. */
function cutAtTileLines(grid: RasterGrid, { from, to }: Stretch): Stretch[] {
  const { columnOffset } = computeTiling(grid);
  const pieces: Stretch[] = [];
  for (let at = from; at < to; ) {
    const end = Math.min(to, at + MOST_PART_COLUMNS - ((at + columnOffset) % TILE_CELLS));
    pieces.push({ from: at, to: end });
    at = end;
  }
  return pieces;
}

/** Value of nodata in cells of a given width. */
export function nodataValue(cells: Cells): number {
  return cells.BYTES_PER_ELEMENT === 1 ? NODATA & 0xff : NODATA;
}

/** Columns and rows of the grid. */
interface Part {
  readonly column: number;
  readonly row: number;
  readonly endColumn: number;
  readonly endRow: number;
}

/** Cells of a part of the grid, row by row. */
interface Target extends Part {
  readonly cells: Cells;
}

interface Sized {
  readonly columns: number;
  readonly rows: number;
}

/** Reads parts of bands into memory that it uses again. */
class PartReader {
  readonly #input: RasterInput;
  readonly #overlapping: ReadonlySet<Lying<Granule>>;
  readonly #findings: Findings;
  readonly #create: (length: number) => Cells;
  #cells: Cells;
  #used = 0;
  #aside: Cells;
  #shown = new Uint8Array(0);

  constructor(
    input: RasterInput,
    bytes: 1 | 2,
    overlapping: ReadonlySet<Lying<Granule>>,
    findings: Findings,
  ) {
    this.#input = input;
    this.#overlapping = overlapping;
    this.#findings = findings;
    this.#create = (length) => (bytes === 1 ? new Uint8Array(length) : new Uint16Array(length));
    this.#cells = this.#create(0);
    this.#aside = this.#create(0);
  }

  /** Before the parts of a band, which have so many cells. */
  start(length: number): void {
    if (this.#cells.length < length) this.#cells = this.#create(length);
    this.#used = 0;
  }

  async read(firstRow: number, rows: number, { from, to }: Stretch): Promise<BandPart> {
    const length = rows * (to - from);
    const cells = this.#cells.subarray(this.#used, this.#used + length);
    this.#used += length;
    cells.fill(NODATA);
    const whole: Target = { column: from, row: firstRow, endColumn: to, endRow: firstRow + rows, cells };
    for (const granule of this.#input.granules) {
      const part = computeOverlap(granule, whole);
      if (part === undefined) continue;
      if (!this.#overlapping.has(granule)) {
        await this.#fill(granule, part, whole);
        continue;
      }
      const size = (part.endColumn - part.column) * (part.endRow - part.row);
      if (this.#aside.length < size) this.#aside = this.#create(size);
      const aside: Target = { ...part, cells: this.#aside.subarray(0, size) };
      aside.cells.fill(NODATA);
      await this.#fill(granule, part, aside);
      mergeOverlappingCells(granule.of.name, aside, whole, this.#input.grid);
    }
    if (this.#input.maskFiles.length > 0) await this.#hide(whole);
    return { from, to, cells };
  }

  async #fill({ of: granule, spot }: Lying<Granule>, part: Part, target: Target): Promise<void> {
    const { counts, absent } = granule;
    const { cells } = target;
    await forEachRow(granule.cells, spot, part, ({ samples }, from, row, column, length) => {
      const at = computeCellIndex(target, row, column);
      if (samples !== undefined) counts.map(samples, from, cells, at, length);
      else if (absent !== undefined) counts.fill(absent, cells, at, length);
      else throw cellsLeftOutError(granule);
    });
    const nodata = nodataValue(cells);
    const findings = this.#findings;
    for (const { layer, isOwn, absent: absentMask, isHidden } of granule.masks) {
      const isObeyed = !isOwn || this.#input.obeysOwnMasks;
      await forEachRow(layer, spot, part, ({ samples }, from, row, column, length) => {
        const at = computeCellIndex(target, row, column);
        for (let i = 0; i < length; i++) {
          if (cells[at + i] === nodata) continue;
          if (!isHidden(samples === undefined ? absentMask : samples[from + i]!)) continue;
          if (!isObeyed) findings.unsaidMasked++;
          else {
            cells[at + i] = NODATA;
            findings.masked++;
          }
        }
      });
    }
  }

  /** Makes nodata of the cells that no file of the mask shows. */
  async #hide(whole: Target): Promise<void> {
    const { cells } = whole;
    if (this.#shown.length < cells.length) this.#shown = new Uint8Array(cells.length);
    const shown = this.#shown.fill(0, 0, cells.length);
    for (const file of this.#input.maskFiles) {
      const part = computeOverlap(file, whole);
      if (part === undefined) continue;
      const { layer, absent, isHidden } = file.of.mask;
      await forEachRow(layer, file.spot, part, ({ samples }, from, row, column, length) => {
        const at = computeCellIndex(whole, row, column);
        for (let i = 0; i < length; i++) {
          if (!isHidden(samples === undefined ? absent : samples[from + i]!)) shown[at + i] = 1;
        }
      });
    }
    const nodata = nodataValue(cells);
    for (let i = 0; i < cells.length; i++) {
      if (shown[i] !== 0 || cells[i] === nodata) continue;
      cells[i] = NODATA;
      this.#findings.masked++;
    }
  }
}

function cellsLeftOutError({ name, nodataText }: Granule): Error {
  const found = `cells that the file leaves out, and a nodata tag of ${nodataText}, which its cells cannot hold`;
  return createIngestError("NODATA_UNREPEATED", found, "a tag that they can hold", {
    place: { entry: name },
    mend: `say "nodata_tag": "ignored" in cells of the manifest if they are what GDAL fills in, or write them: ${gdalTranslate(name, "-co COMPRESS=DEFLATE -co TILED=YES")}`,
  });
}

function computeCellIndex(target: Part, row: number, column: number): number {
  return (row - target.row) * (target.endColumn - target.column) + column - target.column;
}

/** Where a file meets a part of the grid. */
function computeOverlap({ of, spot }: Lying<Sized>, part: Part): Part | undefined {
  const met = {
    column: Math.max(part.column, spot.column),
    row: Math.max(part.row, spot.row),
    endColumn: Math.min(part.endColumn, spot.column + of.columns),
    endRow: Math.min(part.endRow, spot.row + of.rows),
  };
  return met.column < met.endColumn && met.row < met.endRow ? met : undefined;
}

function overlaps(a: Lying<Sized>, b: Lying<Sized>): boolean {
  return (
    a !== b &&
    a.spot.column < b.spot.column + b.of.columns &&
    b.spot.column < a.spot.column + a.of.columns &&
    a.spot.row < b.spot.row + b.of.rows &&
    b.spot.row < a.spot.row + a.of.rows
  );
}

/** Calls `use` for each row of each block of a layer that lies in a part of the grid. */
async function forEachRow(
  layer: Layer,
  spot: Lying<unknown>["spot"],
  part: Part,
  use: (block: BlockCells, from: number, row: number, column: number, length: number) => void,
): Promise<void> {
  const from = { column: part.column - spot.column, row: part.row - spot.row };
  const to = { column: part.endColumn - spot.column, row: part.endRow - spot.row };
  await layer.forBlocks(from, to, (block) => {
    const column = Math.max(block.column, from.column);
    const length = Math.min(block.endColumn, to.column) - column;
    const endRow = Math.min(block.endRow, to.row);
    for (let row = Math.max(block.row, from.row); row < endRow; row++) {
      const at = (row - block.row) * block.width + column - block.column;
      use(block, at, row + spot.row, column + spot.column, length);
    }
  });
}

function mergeOverlappingCells(name: string, aside: Target, whole: Target, grid: RasterGrid): void {
  const { cells } = whole;
  const nodata = nodataValue(cells);
  for (let row = aside.row; row < aside.endRow; row++) {
    for (let column = aside.column; column < aside.endColumn; column++) {
      const value = aside.cells[computeCellIndex(aside, row, column)]!;
      if (value === nodata) continue;
      const at = computeCellIndex(whole, row, column);
      if (cells[at] === nodata) cells[at] = value;
      else if (cells[at] !== value) {
        const where = `longitude ${lineLongitude(grid, column + 0.5)}, latitude ${lineLatitude(grid, row + 0.5)}`;
        const found = `two values of one cell, at ${where}`;
        const expected = "files that hold the same where they overlap";
        throw createIngestError("CELLS_DISAGREE", found, expected, {
          place: { entry: name },
          mend: "leave one of them out",
        });
      }
    }
  }
}

import type { CellsManifest } from "@groundrule/engine";
import type { LocalFile } from "@groundrule/formats";
import {
  type GeoTiff,
  ofFile,
  openGeoTiff,
  openMaskFile,
  type Samples,
  type TiffImage,
} from "@groundrule/formats/geotiff";
import { refusal } from "../ingest-error.ts";
import type { Placed, Spot } from "./lattice.ts";
import { ValueCounts, type ValueTable, valueTable } from "./value-table.ts";

/** A file of cells, opened; where it lies on the grid is told once all are open. */
export interface Granule extends Placed {
  readonly tiff: GeoTiff;
  readonly cells: Layer;
  readonly table: ValueTable;
  readonly counts: ValueCounts;
  /** What the file is tagged with as no value, as a number; undefined where it is not tagged. */
  readonly nodataTag: number | undefined;
  /** What hides cells: a band of the file, its own mask. */
  readonly masks: readonly Mask[];
}

/** A granule or a file of a mask, and where it lies. */
export interface Lying<Of> {
  readonly of: Of;
  readonly spot: Spot;
}

/** Says which cells of its layer are hidden. */
export interface Mask {
  readonly layer: Layer;
  /** Whether it came with the file unasked, and what the manifest makes of that. */
  readonly isOwn: boolean;
  isHidden(value: number): boolean;
}

/** One band of an image, its blocks kept as long as rows of them are still to come. */
export class Layer {
  readonly image: TiffImage;
  readonly #name: string;
  readonly #band: number;
  readonly #held = new Map<number, Samples | undefined>();
  #heldBytes = 0;

  constructor(image: TiffImage, band: number, name: string) {
    this.image = image;
    this.#band = band;
    this.#name = name;
  }

  /**
   * Calls `use` for the blocks that meet some columns of some rows.
   *
   * @param use with the block's values (undefined: the file leaves it out), its first column and row, its end after the
   *   last ones in the image
   */
  async forBlocks(
    from: Spot,
    to: Spot,
    isWanted: (fromColumn: number, toColumn: number) => boolean,
    use: (block: BlockCells) => void,
  ): Promise<void> {
    const { blocks, columns, rows } = this.image;
    const lastRow = Math.floor((to.row - 1) / blocks.rows);
    for (let down = Math.floor(from.row / blocks.rows); down <= lastRow; down++) {
      const lastColumn = Math.floor((to.column - 1) / blocks.columns);
      for (let across = Math.floor(from.column / blocks.columns); across <= lastColumn; across++) {
        const column = across * blocks.columns;
        const row = down * blocks.rows;
        const endColumn = Math.min(columns, column + blocks.columns);
        const endRow = Math.min(rows, row + blocks.rows);
        if (!isWanted(Math.max(column, from.column), Math.min(endColumn, to.column))) continue;
        const samples = await this.#read(across, down, endRow > to.row);
        use({ samples, column, row, endColumn, endRow, width: blocks.columns });
      }
    }
  }

  async #read(across: number, down: number, isNeededAgain: boolean): Promise<Samples | undefined> {
    const key = down * this.image.blocks.across + across;
    let samples = this.#held.get(key);
    if (samples === undefined && !this.#held.has(key)) {
      try {
        [samples] = (await this.image.readBlock(across, down, [this.#band])) ?? [];
      } catch (error) {
        throw ofFile(error, this.#name);
      }
      const size = samples?.byteLength ?? 0;
      if (isNeededAgain && this.#heldBytes + size <= MOST_HELD_BYTES) {
        this.#held.set(key, samples);
        this.#heldBytes += size;
      }
    } else if (!isNeededAgain) {
      this.#held.delete(key);
      this.#heldBytes -= samples?.byteLength ?? 0;
    }
    return samples;
  }
}

/** A row of blocks of 40,000 columns and 4,096 rows fits; beyond, blocks are unpacked once for each band that they meet. */
const MOST_HELD_BYTES = 192 * 2 ** 20;

/** The values of a strip or tile, and where they lie in their image. */
export interface BlockCells {
  readonly samples: Samples | undefined;
  readonly column: number;
  readonly row: number;
  readonly endColumn: number;
  readonly endRow: number;
  /** Cells of a row in `samples`. */
  readonly width: number;
}

/**
 * Opens a file of cells.
 *
 * @param besideMask the `.msk` file beside it, if there is one
 *
 * Fails: as `openGeoTiff`; `BAND_UNKNOWN`, `RANGES_MISSING`.
 */
export async function openGranule(
  file: LocalFile,
  cells: CellsManifest,
  isGeographic: boolean,
  besideMask: LocalFile | undefined,
): Promise<Granule> {
  const tiff = await openGeoTiff(file, { isGeographic });
  const { image, place, nodata } = tiff;
  const band = bandOf(tiff, cells.band);
  const table = valueTable(cells, image.type);
  const masks: Mask[] = [];
  if (cells.mask?.band !== undefined) {
    const nodataValues = new Set(cells.mask.nodata);
    const layer = new Layer(image, bandOf(tiff, cells.mask.band), file.name);
    masks.push({ layer, isOwn: false, isHidden: (value) => nodataValues.has(value) });
  }
  const own = tiff.mask ?? (besideMask && (await openMaskFile(besideMask)));
  if (own !== undefined && cells.file_mask !== "ignored") {
    if (own.columns !== image.columns || own.rows !== image.rows) {
      const found = `a mask of ${own.columns} × ${own.rows} cells`;
      const expected = `${image.columns} × ${image.rows}, as ${file.name} has`;
      const entry = besideMask?.name ?? file.name;
      throw refusal("GRID_MISMATCH", found, expected, { place: { entry } });
    }
    masks.push({ layer: new Layer(own, 0, file.name), isOwn: true, isHidden: (value) => value === 0 });
  }
  return {
    name: file.name,
    place,
    columns: image.columns,
    rows: image.rows,
    tiff,
    cells: new Layer(image, band, file.name),
    table,
    counts: new ValueCounts(table),
    nodataTag: nodata === undefined || nodata === "" ? undefined : Number(nodata),
    masks,
  };
}

/** Number of a band from 0. Fails: `BAND_UNKNOWN`. */
export function bandOf({ name, image }: GeoTiff, band: number | undefined): number {
  const isThere = band === undefined ? image.bands === 1 : band <= image.bands;
  if (isThere) return (band ?? 1) - 1;
  const found = band === undefined ? `${image.bands} bands` : `no band ${band} among ${image.bands}`;
  const expected =
    band === undefined ? `"band": the number of one of them, from 1` : `one of 1 to ${image.bands}`;
  throw refusal("BAND_UNKNOWN", found, expected, { place: { entry: name } });
}

import { ofFile, type Samples, type TiffImage } from "@groundrule/formats/geotiff";
import type { Spot } from "./lattice.ts";

/** The values of a strip or tile, and where they lie in their image. */
export interface BlockCells {
  /** Undefined where the file leaves the block out. */
  readonly samples: Samples | undefined;
  readonly column: number;
  readonly row: number;
  readonly endColumn: number;
  readonly endRow: number;
  /** Cells of a row in `samples`. */
  readonly width: number;
}

/** Most bytes of blocks that are kept; beyond, blocks are unpacked once for each part of the grid that they meet. */
const MOST_KEPT_BYTES = 192 * 2 ** 20;

interface KeptBlock {
  readonly samples: Samples | undefined;
  readonly endRow: number;
}

/** One band of an image, its blocks kept as long as cells of them are still to come. */
export class Layer {
  readonly image: TiffImage;
  readonly #name: string;
  readonly #band: number;
  readonly #kept = new Map<number, KeptBlock>();
  #keptBytes = 0;

  constructor(image: TiffImage, band: number, name: string) {
    this.image = image;
    this.#band = band;
    this.#name = name;
  }

  /**
   * Calls `use` for the blocks that meet some columns of some rows. Calls go from north to south, and along the same rows
   * from west to east.
   *
   * @param use with the block's values, its first column and row, its end after the last ones in the image
   */
  async forBlocks(from: Spot, to: Spot, use: (block: BlockCells) => void): Promise<void> {
    const { blocks, columns, rows } = this.image;
    const lastRow = Math.floor((to.row - 1) / blocks.rows);
    for (let down = Math.floor(from.row / blocks.rows); down <= lastRow; down++) {
      const lastColumn = Math.floor((to.column - 1) / blocks.columns);
      for (let across = Math.floor(from.column / blocks.columns); across <= lastColumn; across++) {
        const column = across * blocks.columns;
        const row = down * blocks.rows;
        const endColumn = Math.min(columns, column + blocks.columns);
        const endRow = Math.min(rows, row + blocks.rows);
        const isNeededAgain = endRow > to.row || endColumn > to.column;
        const samples = await this.#read(across, down, endRow, isNeededAgain, from.row);
        use({ samples, column, row, endColumn, endRow, width: blocks.columns });
      }
    }
  }

  async #read(
    across: number,
    down: number,
    endRow: number,
    isNeededAgain: boolean,
    firstRow: number,
  ): Promise<Samples | undefined> {
    const key = down * this.image.blocks.across + across;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      if (!isNeededAgain) this.#drop(key, kept);
      return kept.samples;
    }
    let samples: Samples | undefined;
    try {
      [samples] = (await this.image.readBlock(across, down, [this.#band])) ?? [];
    } catch (error) {
      throw ofFile(error, this.#name);
    }
    const size = samples?.byteLength ?? 0;
    if (!isNeededAgain) return samples;
    if (this.#keptBytes + size > MOST_KEPT_BYTES) {
      // Blocks north of what is read now were kept for cells that nobody wanted.
      for (const [other, block] of this.#kept) if (block.endRow <= firstRow) this.#drop(other, block);
    }
    if (this.#keptBytes + size <= MOST_KEPT_BYTES) {
      this.#kept.set(key, { samples, endRow });
      this.#keptBytes += size;
    }
    return samples;
  }

  #drop(key: number, { samples }: KeptBlock): void {
    this.#kept.delete(key);
    this.#keptBytes -= samples?.byteLength ?? 0;
  }
}

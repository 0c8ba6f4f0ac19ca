import type { RangeReader } from "../snapshot.ts";

/** Bytes of tiles that are kept by default. */
const DEFAULT_TILE_BYTES: number = 64 * 1024 * 1024;

/** Rows and columns of pairs of slots: any window of 128 by 128 tiles finds each of its tiles a slot of its own. */
const ROW_SHIFT = 7;
const COLUMN_SHIFT = 6;
const ROW_MASK: number = (1 << ROW_SHIFT) - 1;
const COLUMN_MASK: number = (1 << COLUMN_SHIFT) - 1;
const PAIRS: number = 1 << (ROW_SHIFT + COLUMN_SHIFT);
const SLOTS: number = 2 * PAIRS;
/** Slots have a multiple of these bytes, so that the next tile mostly fits. */
const STEP_BYTES = 16_384;
/** Keys of two rasters lie this far apart. */
const KEYS_A_RASTER = 0x2_0000_0000;

/** A raster of a cache. */
export interface CachedRaster {
  /** To which it adds the numbers of its tiles. */
  readonly firstKey: number;
  /** The pair of slots of its tile 0, 0: far from those of others, for rasters of one grid are queried at one place. */
  readonly corner: number;
}

/** Halves of the table, then quarters, and so on: the bits of a number are those of a row and of a column in turn. */
function computeRasterCorner(raster: number): number {
  let corner = 0;
  for (let bit = 0; bit < COLUMN_SHIFT; bit++) {
    if ((raster >> (2 * bit)) & 1) corner |= 1 << (ROW_SHIFT + COLUMN_SHIFT - 1 - bit);
    if ((raster >> (2 * bit + 1)) & 1) corner |= 1 << (COLUMN_SHIFT - 1 - bit);
  }
  return corner;
}

/**
 * The tiles that were read last, of all rasters of one engine that are read by range. A flat table: a tile has two slots
 * that it can be in, and takes the one that was not used last. The bytes of all slots stay within a limit.
 */
export class TileCache {
  readonly #limit: number;
  readonly #keys: Float64Array = new Float64Array(SLOTS).fill(-1);
  readonly #bytes: Uint8Array[] = new Array(SLOTS).fill(NOTHING);
  readonly #units: Uint16Array[] = new Array(SLOTS).fill(NO_UNITS);
  /** Which slot of each pair was used last. */
  readonly #latest: Uint8Array = new Uint8Array(PAIRS);
  #rasters = 0;
  #used = 0;
  /** The slot to empty next where bytes run out. */
  #hand = 0;

  /** @param limit most bytes of all tiles; one tile is kept in any case */
  constructor(limit: number = DEFAULT_TILE_BYTES) {
    this.#limit = limit;
  }

  /** Takes in another raster. */
  addRaster(): CachedRaster {
    const raster = this.#rasters++;
    return { firstKey: raster * KEYS_A_RASTER, corner: computeRasterCorner(raster) };
  }

  /** The slot that holds a tile, else the one that it is to be read into. */
  slotOf({ corner }: CachedRaster, tileRow: number, tileColumn: number, key: number): number {
    const pair = (((tileRow & ROW_MASK) << COLUMN_SHIFT) | (tileColumn & COLUMN_MASK)) ^ corner;
    const latest = this.#latest[pair]!;
    const slot = 2 * pair + latest;
    if (this.#keys[slot] === key) return slot;
    this.#latest[pair] = 1 - latest;
    return slot ^ 1;
  }

  holds(slot: number, key: number): boolean {
    return this.#keys[slot] === key;
  }

  bytes(slot: number): Uint8Array {
    return this.#bytes[slot]!;
  }

  /** The bytes of a slot by twos. */
  units(slot: number): Uint16Array {
    return this.#units[slot]!;
  }

  /** Reads a tile into a slot, which is empty until {@link keep} marks it as sound. */
  read(slot: number, source: RangeReader, offset: number, byteLength: number): Uint8Array {
    this.#keys[slot] = -1;
    let bytes = this.#bytes[slot]!;
    if (!bufferFitsTile(bytes, byteLength)) {
      this.#used -= bytes.length;
      bytes = this.#room(slot, byteLength);
    }
    const tile = bytes.subarray(0, byteLength);
    source.read(offset, tile);
    return tile;
  }

  keep(slot: number, key: number): void {
    this.#keys[slot] = key;
  }

  /** Finds bytes for a slot: new ones within the limit, else those of a slot whose tile is dropped. */
  #room(slot: number, byteLength: number): Uint8Array {
    const capacity = Math.ceil(byteLength / STEP_BYTES) * STEP_BYTES;
    for (let n = 0; n < SLOTS && this.#used + capacity > this.#limit; n++) {
      const other = this.#hand;
      this.#hand = (other + 1) % SLOTS;
      const bytes = this.#bytes[other]!;
      if (bytes.length === 0 || other === slot) continue;
      const units = this.#units[other]!;
      this.#put(other, NOTHING, NO_UNITS);
      if (bufferFitsTile(bytes, byteLength)) return this.#put(slot, bytes, units);
      this.#used -= bytes.length;
    }
    const bytes = new Uint8Array(capacity);
    this.#used += capacity;
    return this.#put(slot, bytes, new Uint16Array(bytes.buffer));
  }

  #put(slot: number, bytes: Uint8Array, units: Uint16Array): Uint8Array {
    this.#keys[slot] = -1;
    this.#bytes[slot] = bytes;
    this.#units[slot] = units;
    return bytes;
  }
}

/** True if bytes have room for a tile, and are not far too large. */
function bufferFitsTile({ length }: Uint8Array, byteLength: number): boolean {
  return length >= byteLength && length <= Math.max(STEP_BYTES, 2 * byteLength);
}

const NOTHING = new Uint8Array(0);
const NO_UNITS = new Uint16Array(0);

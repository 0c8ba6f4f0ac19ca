import type { RangeReader } from "../snapshot.ts";

/** Bytes of tiles that are kept where nobody says how many. */
export const DEFAULT_TILE_BYTES: number = 64 * 1024 * 1024;

/** Slots along each side of the table: any window of as many tiles finds each of its tiles a slot of its own. */
const SIDE_SHIFT = 7;
const SIDE_MASK: number = (1 << SIDE_SHIFT) - 1;
const SLOTS: number = 1 << (2 * SIDE_SHIFT);
/** Least bytes of a slot, so that the next tile mostly fits. */
const LEAST_BYTES = 4096;
/** Keys of two rasters lie this far apart. */
const KEYS_A_RASTER = 0x2_0000_0000;

/**
 * The tiles that were read last, of all rasters of one engine that are read by range. A flat table: a tile has one slot
 * that it can be in, and what was there goes. The bytes of all slots stay within a limit.
 */
export class TileCache {
  readonly #limit: number;
  readonly #keys: Float64Array = new Float64Array(SLOTS).fill(-1);
  readonly #bytes: Uint8Array[] = new Array(SLOTS).fill(NOTHING);
  readonly #units: Uint16Array[] = new Array(SLOTS).fill(NO_UNITS);
  #rasters = 0;
  #used = 0;
  /** The slot to empty next where bytes run out. */
  #hand = 0;

  /** @param limit most bytes of all tiles; one tile is kept in any case */
  constructor(limit: number = DEFAULT_TILE_BYTES) {
    this.#limit = limit;
  }

  /** The first key of another raster, which adds the numbers of its tiles. */
  addRaster(): number {
    return this.#rasters++ * KEYS_A_RASTER;
  }

  /** The slot of a tile. */
  slotOf(tileRow: number, tileColumn: number): number {
    return ((tileRow & SIDE_MASK) << SIDE_SHIFT) | (tileColumn & SIDE_MASK);
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

  /** Reads a tile into a slot, which holds no tile until {@link keep} says that it is sound. */
  read(slot: number, source: RangeReader, offset: number, byteLength: number): Uint8Array {
    this.#keys[slot] = -1;
    let bytes = this.#bytes[slot]!;
    if (bytes.length < byteLength || bytes.length > Math.max(LEAST_BYTES, 4 * byteLength)) {
      this.#empty(slot);
      let capacity = LEAST_BYTES;
      while (capacity < byteLength) capacity *= 2;
      for (let n = 0; n < SLOTS && this.#used + capacity > this.#limit; n++) {
        this.#empty(this.#hand);
        this.#hand = (this.#hand + 1) % SLOTS;
      }
      bytes = new Uint8Array(capacity);
      this.#used += capacity;
      this.#bytes[slot] = bytes;
      this.#units[slot] = new Uint16Array(bytes.buffer);
    }
    const tile = bytes.subarray(0, byteLength);
    source.read(offset, tile);
    return tile;
  }

  keep(slot: number, key: number): void {
    this.#keys[slot] = key;
  }

  #empty(slot: number): void {
    this.#keys[slot] = -1;
    this.#used -= this.#bytes[slot]!.length;
    this.#bytes[slot] = NOTHING;
    this.#units[slot] = NO_UNITS;
  }
}

const NOTHING = new Uint8Array(0);
const NO_UNITS = new Uint16Array(0);

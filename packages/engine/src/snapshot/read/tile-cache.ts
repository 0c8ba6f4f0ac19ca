import type { RangeReader } from "../snapshot.ts";

/** Bytes of tiles that are kept where nobody says how many. */
export const DEFAULT_TILE_BYTES: number = 64 * 1024 * 1024;

/** Slots along each side of the table: any window of as many tiles finds each of its tiles a slot of its own. */
const SIDE_SHIFT = 7;
const SIDE_MASK: number = (1 << SIDE_SHIFT) - 1;
const SLOTS: number = 1 << (2 * SIDE_SHIFT);
/** Slots have a multiple of these bytes, so that the next tile mostly fits. */
const STEP_BYTES = 16_384;
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
    if (!suits(bytes, byteLength)) {
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

  /** Gives a slot bytes for a tile: new ones within the limit, else those of a slot whose tile goes. */
  #room(slot: number, byteLength: number): Uint8Array {
    const capacity = Math.ceil(byteLength / STEP_BYTES) * STEP_BYTES;
    for (let n = 0; n < SLOTS && this.#used + capacity > this.#limit; n++) {
      const other = this.#hand;
      this.#hand = (other + 1) % SLOTS;
      const bytes = this.#bytes[other]!;
      if (bytes.length === 0 || other === slot) continue;
      const units = this.#units[other]!;
      this.#put(other, NOTHING, NO_UNITS);
      if (suits(bytes, byteLength)) return this.#put(slot, bytes, units);
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

/** Whether bytes have room for a tile, and not far too much. */
function suits({ length }: Uint8Array, byteLength: number): boolean {
  return length >= byteLength && length <= Math.max(STEP_BYTES, 2 * byteLength);
}

const NOTHING = new Uint8Array(0);
const NO_UNITS = new Uint16Array(0);

/** Keeps bytes for a writer outside of its memory, e.g. in a temporary file. */
export interface Spill {
  /** Keeps a copy of `bytes`, behind those kept before. @returns their place */
  write(bytes: Uint8Array): number;
  /** Fills `into` with kept bytes, from `place` on. */
  read(place: number, into: Uint8Array): void;
}

/** Bytes of a section, or how to read them again. */
export type Piece = Uint8Array | (() => Uint8Array);

/** The bytes of a piece, to be let go of after use. */
export function readPieceBytes(piece: Piece): Uint8Array {
  return typeof piece === "function" ? piece() : piece;
}

/** Keeps bytes in memory, for writers without another place. */
export class MemorySpill implements Spill {
  readonly #blocks: Uint8Array[] = [];
  readonly #places: number[] = [];
  #end = 0;

  write(bytes: Uint8Array): number {
    const place = this.#end;
    this.#blocks.push(bytes.slice());
    this.#places.push(place);
    this.#end += bytes.length;
    return place;
  }

  read(place: number, into: Uint8Array): void {
    let block = this.#places.length - 1;
    while (this.#places[block]! > place) block--;
    for (let done = 0; done < into.length; block++) {
      const bytes = this.#blocks[block]!;
      const from = place + done - this.#places[block]!;
      const taken = bytes.subarray(from, from + into.length - done);
      into.set(taken, done);
      done += taken.length;
    }
  }
}

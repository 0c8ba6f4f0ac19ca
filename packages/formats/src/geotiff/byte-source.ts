import { damaged } from "../damaged.ts";
import type { LocalFile } from "../open/local-file.ts";

/** A file read by what it claims: a piece that does not lie in it is refused before memory is taken for it. */
export interface ByteSource {
  readonly size: number;
  /** Fails: `FILE_DAMAGED` for a piece that does not lie in the file. */
  read(offset: number, length: number, what: string): Promise<Uint8Array>;
}

/** The bytes of a file. */
export function byteSource(file: LocalFile): ByteSource {
  return {
    size: file.size,
    async read(offset, length, what) {
      if (!(offset >= 0 && length >= 0 && offset + length <= file.size)) {
        const end = `${offset} to ${offset + length}`;
        throw damaged(`${what} in bytes ${end}`, `them within the file's ${file.size} bytes`);
      }
      return file.read(offset, length);
    },
  };
}

/** What is used of yauzl 3, which brings no types. */
declare module "yauzl" {
  import type { EventEmitter } from "node:events";

  export class RandomAccessReader extends EventEmitter {
    read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null, bytesRead?: number) => void,
    ): void;
    close(callback: (error: Error | null) => void): void;
  }

  export interface Entry {
    readonly fileName: string;
    readonly fileNameLength: number;
    readonly compressedSize: number;
    readonly uncompressedSize: number;
    readonly compressionMethod: number;
    readonly crc32: number;
    readonly relativeOffsetOfLocalHeader: number;
    isEncrypted(): boolean;
  }

  export interface ZipFile {
    readonly entryCount: number;
    eachEntry(): AsyncIterable<Entry>;
    readLocalFileHeaderPromise(
      entry: Entry,
      options: { readonly minimal: true },
    ): Promise<{ readonly fileDataStart: number }>;
  }

  export function fromRandomAccessReaderPromise(
    reader: RandomAccessReader,
    totalSize: number,
    options: { readonly autoClose: boolean },
  ): Promise<ZipFile>;
}

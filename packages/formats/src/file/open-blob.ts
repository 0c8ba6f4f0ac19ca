import { CHUNK_BYTES, fileChangedError, type LocalFile } from "./local-file.ts";

/**
 * Opens bytes in a browser: a file that was chosen or dropped, or bytes in memory. Large ones are read only as needed.
 *
 * @param blob a `File`, a `Blob`, or bytes
 * @param options.name what errors call it; absent: the name of the file
 * @param options.siblings the files that came with it: of a shapefile its `.dbf`, `.prj` and others
 */
export function openBlob(
  blob: Blob | Uint8Array<ArrayBuffer> | ArrayBuffer,
  options: { readonly name?: string; readonly siblings?: readonly LocalFile[] } = {},
): LocalFile {
  const content = blob instanceof Blob ? blob : new Blob([blob]);
  const own = "name" in content && typeof content.name === "string" ? content.name : "the file";
  return new BlobFile(content, options.name ?? own, options.siblings);
}

class BlobFile implements LocalFile {
  readonly name: string;
  readonly path = "";
  readonly size: number;
  readonly siblings?: readonly LocalFile[];
  readonly #blob: Blob;

  constructor(blob: Blob, name: string, siblings: readonly LocalFile[] | undefined) {
    this.#blob = blob;
    this.name = name;
    this.size = blob.size;
    if (siblings !== undefined) this.siblings = siblings;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    try {
      return new Uint8Array(await this.#blob.slice(offset, offset + length).arrayBuffer());
    } catch (error) {
      // A browser reads no file that was written to since it was chosen.
      if (error instanceof DOMException && error.name === "NotReadableError")
        throw fileChangedError(this.name);
      throw error;
    }
  }

  async *stream(from = 0): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = from; at < this.size; at += CHUNK_BYTES) yield this.read(at, CHUNK_BYTES);
  }

  async close(): Promise<void> {}
}

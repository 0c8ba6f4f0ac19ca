import { type LocalFile, type Siblings, unpackedTooLargeError } from "../../file/local-file.ts";
import { openBlob } from "../../file/open-blob.ts";
import { FORMAT_LIMITS } from "../../limits.ts";

/** Most bytes of a scratch file, which lies in memory here, or where the browser puts large blobs. */
const MOST_SCRATCH_BYTES = 2 ** 30;

/** There are no paths in a browser: files are opened by `openBlob`. */
export async function openLocalFile(path: string): Promise<LocalFile> {
  throw new Error(`"${path}" is a path, which browsers cannot open: open the file with openBlob`);
}

/** As {@link openLocalFile}. */
export const openPath: (path: string, layer?: string) => Promise<LocalFile> = openLocalFile;

/**
 * Holds a stream, to be read from anywhere in it.
 *
 * Fails: `UNPACKED_TOO_LARGE` past the limit or {@link MOST_SCRATCH_BYTES}, and what the stream throws.
 */
export async function spoolStreamToFile(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  limit: number = FORMAT_LIMITS.unpackedBytes,
): Promise<LocalFile> {
  const most = Math.min(limit, MOST_SCRATCH_BYTES);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) throw unpackedTooLargeError(most);
    chunks.push(new Uint8Array(chunk));
  }
  return openBlob(new Blob(chunks), { name });
}

/** The files that were passed in with a file. */
export async function listSiblings(file: LocalFile): Promise<Siblings> {
  const all = [file, ...(file.siblings ?? [])];
  return {
    names: all.map(({ name }) => name),
    open: async (name) => all.find((each) => each.name === name)!,
  };
}
export { loadSqliteBy } from "./sqlite-binary.ts";

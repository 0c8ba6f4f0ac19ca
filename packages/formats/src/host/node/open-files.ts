import { randomBytes } from "node:crypto";
import { type FileHandle, open, readdir, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  CHUNK_BYTES,
  fileChangedError,
  type LocalFile,
  type Siblings,
  unpackedTooLargeError,
} from "../../file/local-file.ts";
import { FORMAT_LIMITS } from "../../limits.ts";

/**
 * Opens a file. Anything but a regular file (a pipe) is written into a scratch file first.
 *
 * @param path as the operating system has it
 * @param name what errors call it; absent: its path
 * @param limit most bytes taken from what is no regular file
 *
 * Fails: what the operating system says; `UNPACKED_TOO_LARGE`.
 */
export async function openLocalFile(
  path: string,
  name: string = path,
  limit: number = FORMAT_LIMITS.unpackedBytes,
): Promise<LocalFile> {
  const handle = await open(path, "r");
  try {
    const stat = await handle.stat();
    if (stat.isFile()) return new OpenFile(handle, path, name, stat.size, stat.mtimeMs);
    if (stat.isDirectory()) throw pathIsFolderError(path);
    const file = await spoolStreamToFile(handle.createReadStream({ autoClose: false }), name, limit);
    await handle.close();
    return file;
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Writes a stream (standard input, an entry of an archive) into a scratch file, which `close` removes.
 *
 * @param name what errors call it
 * @param limit most bytes taken
 *
 * Fails: `UNPACKED_TOO_LARGE` past the limit, and what the stream throws; nothing is left behind then.
 */
export async function spoolStreamToFile(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  limit: number = FORMAT_LIMITS.unpackedBytes,
): Promise<LocalFile> {
  const path = join(tmpdir(), `groundrule-${randomBytes(12).toString("hex")}.scratch`);
  const handle = await open(path, "wx+", 0o600);
  try {
    let size = 0;
    for await (const chunk of stream) {
      if (size + chunk.length > limit) throw unpackedTooLargeError(limit);
      let written = 0;
      while (written < chunk.length) {
        written += (await handle.write(chunk, written, chunk.length - written, size + written)).bytesWritten;
      }
      size += chunk.length;
    }
    return new OpenFile(handle, path, name, size);
  } catch (error) {
    await handle.close();
    await unlink(path);
    throw error;
  }
}

/** As reading a folder would have failed. */
function pathIsFolderError(path: string): Error {
  const error: NodeJS.ErrnoException = new Error(`EISDIR: illegal operation on a directory, open '${path}'`);
  return Object.assign(error, { code: "EISDIR", syscall: "open", path });
}

class OpenFile implements LocalFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly #handle: FileHandle;
  /** Absent of a scratch file. */
  readonly #changedMs: number | undefined;
  #isOpen: boolean = true;

  constructor(handle: FileHandle, path: string, name: string, size: number, changedMs?: number) {
    this.#handle = handle;
    this.path = path;
    this.name = name;
    this.size = size;
    this.#changedMs = changedMs;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.size - offset));
    const bytes = new Uint8Array(wanted);
    let got = 0;
    while (got < wanted) {
      const { bytesRead } = await this.#handle.read(bytes, got, wanted - got, offset + got);
      if (bytesRead === 0) throw fileChangedError(this.name);
      got += bytesRead;
    }
    return bytes;
  }

  async *stream(from = 0): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = from; at < this.size; ) {
      const chunk = await this.read(at, CHUNK_BYTES);
      at += chunk.length;
      yield chunk;
    }
    if (this.#changedMs !== undefined && (await this.#handle.stat()).mtimeMs !== this.#changedMs) {
      throw fileChangedError(this.name);
    }
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
    if (this.#changedMs === undefined) await unlink(this.path);
  }
}

/** The files in the folder of a file. */
export async function listSiblings(file: LocalFile): Promise<Siblings> {
  const folder = dirname(file.path);
  const names = await readdir(folder);
  return { names, open: (name) => openLocalFile(join(folder, name), name) };
}

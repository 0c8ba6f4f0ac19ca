import type { HereFile, Progress } from "../protocol.ts";

/** An unreadable file, with a message for people. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** Maximum bytes of a snapshot, which must fit into one buffer. */
const BYTES_MAX = 2 ** 32;

export function getFileName(file: HereFile): string {
  if (file instanceof File) return file.webkitRelativePath || file.name;
  const path = new URL(file.url, "http://page/").pathname;
  return decodeURIComponent(path.slice(1));
}

/**
 * Reads a file once, into one buffer.
 *
 * @param tell called with the progress after each part
 * @param bytesMax larger files are refused
 *
 * Fails: {@link UnreadableFile}.
 */
export async function readWholeFile(
  file: HereFile,
  tell: (progress: Progress) => void = () => {},
  bytesMax: number = BYTES_MAX,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly modifiedAt?: string }> {
  const { stream, length, modifiedAt } = await openFileStream(file);
  const name = getFileName(file);
  if (length !== undefined && length > bytesMax) throw fileTooLargeError(name, length, bytesMax);
  let bytes = new Uint8Array(length ?? 1 << 20);
  let readBytes = 0;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const end = readBytes + value.length;
      if (end > bytesMax) throw fileTooLargeError(name, end, bytesMax);
      if (end > bytes.length) bytes = growBuffer(bytes, end);
      bytes.set(value, readBytes);
      readBytes = end;
      tell({ name, readBytes, bytes: length });
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableFile(`found ${readBytes} bytes of ${name}, then: ${reason}; choose the file again`);
  } finally {
    reader.releaseLock();
  }
  // A snapshot's bytes are used in place, so they must be a whole buffer.
  return {
    bytes: readBytes === bytes.length ? bytes : bytes.slice(0, readBytes),
    ...(modifiedAt !== undefined && { modifiedAt }),
  };
}

interface OpenedStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly length: number | undefined;
  readonly modifiedAt: string | undefined;
}

async function openFileStream(file: HereFile): Promise<OpenedStream> {
  if (file instanceof File) {
    const modifiedAt = new Date(file.lastModified).toISOString();
    return { stream: file.stream(), length: file.size, modifiedAt };
  }
  let response: Response;
  try {
    response = await fetch(file.url, { credentials: "same-origin" });
  } catch {
    throw new UnreadableFile(`found no way to ${file.url}: the network does not answer`);
  }
  if (!response.ok || response.body === null) {
    throw new UnreadableFile(`found no file at ${file.url}: the server answered ${response.status}`);
  }
  // The declared length is the file's only if it was not compressed in transit.
  const isPacked = response.headers.get("Content-Encoding") !== null;
  const length = Number(response.headers.get("Content-Length") ?? Number.NaN);
  const modified = new Date(response.headers.get("Last-Modified") ?? Number.NaN);
  return {
    stream: response.body,
    length: isPacked || !Number.isSafeInteger(length) ? undefined : length,
    modifiedAt: Number.isNaN(modified.getTime()) ? undefined : modified.toISOString(),
  };
}

function growBuffer(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(length, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}

function fileTooLargeError(name: string, found: number, expected: number): UnreadableFile {
  return new UnreadableFile(`found ${found} bytes in ${name}, expected at most ${expected}`);
}

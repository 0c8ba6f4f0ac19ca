import { type LocalFile, openPath } from "@groundrule/formats";
import type { Terminal } from "../terminal/terminal.ts";
import { readInputBytes, toReadError } from "./input-file.ts";

/** A named file, or the bytes of standard input. */
export type Input = LocalFile | AsyncGenerator<Uint8Array>;

/**
 * Opens a file, a folder with a shapefile, or standard input if the path is absent or `-`. Reading ends when the
 * command is aborted.
 *
 * @param layer the shapefile to open in a folder with several
 *
 * Fails: `InputFileError` for a file that cannot be opened; `UsageError` if a person at a terminal named none;
 * `FormatError` for a folder without that one layer.
 */
export async function openInputFile(
  path: string | undefined,
  terminal: Terminal,
  layer?: string,
): Promise<Input> {
  if (path === undefined || path === "-") return readInputBytes(path, terminal);
  try {
    return makeFileAbortable(await openPath(path, layer), terminal.signal);
  } catch (error) {
    throw toReadError(error, path);
  }
}

export function isFile(input: Input): input is LocalFile {
  return "path" in input;
}

function makeFileAbortable(file: LocalFile, signal: AbortSignal): LocalFile {
  async function* stream(from?: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of file.stream(from)) {
      signal.throwIfAborted();
      yield chunk;
    }
  }
  return {
    name: file.name,
    path: file.path,
    size: file.size,
    read(offset, length) {
      signal.throwIfAborted();
      return file.read(offset, length);
    },
    stream,
    close: () => file.close(),
  };
}

import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import {
  findNearestName,
  MalformedJson,
  parseStrictJson,
  type StrictJsonOptions,
} from "@groundrule/engine/internal/json";
import { UsageError } from "../command-line/arguments.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A named file cannot be read: exit code 3. */
export class InputFileError extends Error {
  override readonly name = "InputFileError";
}

const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a file, or standard input if none is named or the name is `-`.
 *
 * Fails: {@link InputFileError} while reading; {@link UsageError} if a person at a terminal named no file.
 */
export async function* readInputBytes(
  path: string | undefined,
  terminal: Terminal,
): AsyncGenerator<Uint8Array> {
  const named = path !== undefined && path !== "-";
  if (!named && terminal.input.isTTY === true) {
    throw new UsageError("FILE is missing: name a file, or pipe one in");
  }
  const stream: Readable = named ? createReadStream(path, { highWaterMark: CHUNK_BYTES }) : terminal.input;
  addAbortSignal(terminal.signal, stream);
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    throw toReadError(error, path ?? "standard input");
  }
}

/** Parses a JSON file. Fails: {@link InputFileError} with the fault's line and JSON pointer. */
export function readJsonFile(path: string, options: StrictJsonOptions = {}): unknown {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw toReadError(error, path);
  }
  return parseJsonInput(bytes, path, options);
}

/**
 * Parses JSON bytes.
 *
 * @param name used in errors
 * Fails: {@link InputFileError} with the fault's line and JSON pointer.
 */
export function parseJsonInput(bytes: Uint8Array, name: string, options: StrictJsonOptions = {}): unknown {
  try {
    return parseStrictJson(bytes, options);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    const { message, offset, pointer } = error;
    const line = bytes.subarray(0, offset).filter((byte) => byte === NEWLINE).length + 1;
    throw new InputFileError(`${name} is not valid JSON at line ${line}, "${pointer}": ${message}`);
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "no such file"],
  ["EACCES", "permission denied"],
  ["EISDIR", "it is a folder"],
  ["EEXIST", "it is there already"],
  ["ENOSPC", "the disk is full"],
  ["ENOTDIR", "a part of its path is no folder"],
  ["EROFS", "the disk is read-only"],
]);

/** Converts a system error on a named file to one in words; returns any other error unchanged. */
export function toReadError(error: unknown, path: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const hint = code === "ENOENT" ? explainMissingFile(path) : "";
  return new InputFileError(`cannot read ${path}: ${REASONS.get(code ?? "") ?? message}${hint}`);
}

/** Describes a system error in words, with its path if it has one. */
export function describeSystemError({ code, path, message }: NodeJS.ErrnoException): string {
  const reason = REASONS.get(code ?? "");
  if (reason === undefined || path === undefined) return message;
  return `cannot open ${path}: ${reason}${code === "ENOENT" ? explainMissingFile(path) : ""}`;
}

/** The probable reason why there is no file of a name, with what to write instead; empty if none is known. */
function explainMissingFile(path: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    return "; it is an address, and files are read from this machine: download it first";
  }
  if (/[*?]/.test(path))
    return "; no file matches the pattern, or the shell did not expand it: name one file";
  if (path.startsWith("~")) return "; the shell did not expand ~: write the folder in full, or use $HOME";
  if (sep === "/" && path.includes("\\")) {
    return `; the separator of folders is / on this system: ${path.replace(/^[a-z]:/i, "").replaceAll("\\", "/")}`;
  }
  const folder = dirname(path);
  const names = listFolderNames(folder);
  if (names === undefined) return `; there is no folder ${folder} (the working folder is ${process.cwd()})`;
  const nearest = findNearestName(basename(path), names.slice(0, MOST_NAMES));
  return nearest === undefined
    ? `; the working folder is ${process.cwd()}`
    : `; did you mean ${join(folder, nearest)}?`;
}

/** No more files of a folder are compared with a misspelt name. */
const MOST_NAMES = 5_000;

function listFolderNames(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

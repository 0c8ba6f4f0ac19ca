import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { RunError } from "./run-error.ts";

/** Every file of a run, by its purpose. */
export interface RunPaths {
  /** There when all of it is. */
  readonly output: string;
  /** What becomes the output. */
  readonly part: string;
  /** Rows that are turned into the output at the end, of a format that is not written line by line. */
  readonly rows: string;
  /** Where error lines go that do not stand among the results. */
  readonly errors: string | undefined;
  readonly errorsPart: string | undefined;
  /** How far an unfinished run came. */
  readonly journal: string;
  /** What a finished run says of itself. */
  readonly description: string;
  /** Held while a process writes to the run. */
  readonly locks: readonly string[];
}

/**
 * The files of a run. A symbolic link stands for what it names.
 *
 * @param inputs files that are read: none of them may be written over, under any name
 *
 * Fails: `OUTPUT_INVALID` where a name is no regular file's, its folder is missing, or two names are of one file.
 */
export function runPaths(
  output: string,
  errors: string | undefined,
  inputs: readonly string[] = [],
): RunPaths {
  const file = target(output, "--output");
  const errorFile = errors === undefined ? undefined : target(errors, "--errors");
  if (errorFile !== undefined && isSame(file, errorFile)) {
    throw invalid(`--errors names the file of --output, ${output}; name another`);
  }
  for (const [name, path] of [
    ["--output", file],
    ["--errors", errorFile],
  ] as const) {
    const input = inputs.find((each) => path !== undefined && isSame(each, path));
    if (input !== undefined)
      throw invalid(`${name} would replace ${input}, the input of this run; name another file`);
  }
  return {
    output: file,
    part: `${file}.part`,
    rows: `${file}.rows.part`,
    errors: errorFile,
    errorsPart: errorFile === undefined ? undefined : `${errorFile}.part`,
    journal: `${file}.run`,
    description: describedAt(file),
    locks: [file, errorFile].flatMap((path) => (path === undefined ? [] : [`${path}.lock`])),
  };
}

/** Where the description of a finished output stands. */
export function describedAt(output: string): string {
  return `${output}.run.json`;
}

/** A file's name as the description beside an output has it: as seen from its folder. */
export function nameBeside(output: string, path: string): string {
  return relative(dirname(output), path).replaceAll("\\", "/");
}

function target(given: string, option: string): string {
  const found = stats(given);
  if (found === undefined) return inFolder(given, option);
  if (found.isFile()) return realpathSync(given);
  const kind = found.isDirectory() ? "a folder" : "not a regular file";
  throw invalid(`${option} ${given} is ${kind}, expected a file to write`);
}

/** The path of a file that is not there yet. */
function inFolder(given: string, option: string): string {
  const folder = dirname(resolve(given));
  if (stats(folder)?.isDirectory() !== true) {
    throw invalid(`${option} ${given}: there is no folder ${folder}; make it first`);
  }
  return join(realpathSync(folder), basename(given));
}

/** Whether two paths are of one file, under whatever names. */
export function isSame(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  const [a, b] = [stats(one), stats(other)];
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function stats(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function invalid(message: string): RunError {
  return new RunError("OUTPUT_INVALID", message);
}

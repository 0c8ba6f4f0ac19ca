import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { RunError } from "./run-error.ts";

/** Every file of a run, by its purpose. */
export interface RunPaths {
  /** Exists only when it is complete. */
  readonly output: string;
  /** The temporary file that becomes the output. */
  readonly part: string;
  /** The temporary rows from which the output is made at the end, for a format that is not written line by line. */
  readonly rows: string;
  /** The file of error lines, if they are not among the results. */
  readonly errors: string | undefined;
  readonly errorsPart: string | undefined;
  /** The progress of an unfinished run. */
  readonly journal: string;
  /** The description of a finished run. */
  readonly description: string;
  /** Lock files, locked while a process writes to the run. */
  readonly locks: readonly string[];
}

/**
 * The files of a run. A symbolic link is followed.
 *
 * @param inputs files that are read: none of them may be overwritten, under any name
 *
 * Fails: `OUTPUT_INVALID` if a name is not a regular file's, its folder is missing, or two names are of one file.
 */
export function resolveRunPaths(
  output: string,
  errors: string | undefined,
  inputs: readonly string[] = [],
): RunPaths {
  const file = resolveOutputPath(output, "--output");
  const errorFile = errors === undefined ? undefined : resolveOutputPath(errors, "--errors");
  if (errorFile !== undefined && isSame(file, errorFile)) {
    throw outputInvalidError(`--errors names the file of --output, ${output}; name another`);
  }
  for (const [name, path] of [
    ["--output", file],
    ["--errors", errorFile],
  ] as const) {
    const input = inputs.find((each) => path !== undefined && isSame(each, path));
    if (input !== undefined)
      throw outputInvalidError(`${name} would replace ${input}, the input of this run; name another file`);
  }
  return {
    output: file,
    part: `${file}.part`,
    rows: `${file}.rows.part`,
    errors: errorFile,
    errorsPart: errorFile === undefined ? undefined : `${errorFile}.part`,
    journal: `${file}.run`,
    description: getDescriptionPath(file),
    locks: [file, errorFile].flatMap((path) => (path === undefined ? [] : [`${path}.lock`])),
  };
}

/** The path of the description of a finished output. */
export function getDescriptionPath(output: string): string {
  return `${output}.run.json`;
}

/** A file's name in the description next to an output: relative to its folder. */
export function getRelativeName(output: string, path: string): string {
  return relative(dirname(output), path).replaceAll("\\", "/");
}

function resolveOutputPath(path: string, option: string): string {
  const found = findFileStats(path);
  if (found === undefined) return resolveNewFilePath(path, option);
  if (found.isFile()) return realpathSync(path);
  const kind = found.isDirectory() ? "a folder" : "not a regular file";
  throw outputInvalidError(`${option} ${path} is ${kind}, expected a file to write`);
}

/** The real path of a file that does not exist yet. */
function resolveNewFilePath(path: string, option: string): string {
  const folder = dirname(resolve(path));
  if (findFileStats(folder)?.isDirectory() !== true) {
    throw outputInvalidError(`${option} ${path}: there is no folder ${folder}; make it first`);
  }
  return join(realpathSync(folder), basename(path));
}

/** True if two paths lead to one file. */
export function isSame(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  const [a, b] = [findFileStats(one), findFileStats(other)];
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function findFileStats(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function outputInvalidError(message: string): RunError {
  return new RunError("OUTPUT_INVALID", message);
}

import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { getErrorMessage, StoreError } from "../port/store-error.ts";

/** Default path of the pepper for a state file. */
export function defaultPepperPath(path: string): string {
  return `${findStateFile(path) ?? path}.pepper`;
}

/** The real name of a file, links resolved; undefined if there is no file. */
export function findStateFile(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw stateUnavailableError(path, error);
  }
}

/**
 * The state file at a path, links resolved.
 *
 * Fails: `STORE_MISSING` if it is absent or empty; `STORE_FILE_SHARED` if it has a second name, unless it is only read;
 * `STORAGE_UNAVAILABLE` if it is not a file.
 */
export function getStateFile(
  path: string,
  { isShareable = false }: { readonly isShareable?: boolean } = {},
): string {
  const file = findStateFile(path);
  if (file === undefined) throw stateMissingError(path, isLink(path) ? " (it is a link to nothing)" : "");
  const found = statSync(file);
  if (!found.isFile()) {
    throw new StoreError("STORAGE_UNAVAILABLE", `${path} is not a file`, { path });
  }
  if (!isShareable) refuseSecondName(file, found);
  if (found.size === 0) throw stateMissingError(path, " (the file is empty)");
  return file;
}

/**
 * The state file at a path; if absent, an empty one is created that only its owner may read.
 *
 * Fails: as {@link getStateFile} does, and `STORE_MISSING` if remains of a store show that there was one.
 */
export function makeStateFile(path: string): string {
  if (findStateFile(path) === undefined && isLink(path))
    throw stateMissingError(path, " (it is a link to nothing)");
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return getStateFile(path);
  refuseStoreRemains(path);
  makePrivateFolder(dirname(path));
  makePrivateFile(path);
  const file = resolveFolderLinks(path);
  refuseSecondName(file, statSync(file));
  return file;
}

/** Creates a folder that only its owner may enter, and its parents; an existing one is left as it is. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Creates an empty file that only its owner may read; an existing one is left as it is. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

/**
 * Refuses to create a store next to the remains of one: its owner has lost a store without noticing. With a new store
 * every key would be refused, and the charges in the old log would be lost.
 */
function refuseStoreRemains(path: string): void {
  if (existsSync(`${path}.pepper`)) {
    throw stateMissingError(path, "", `; to start afresh without it, move ${path}.pepper away`);
  }
  refuseOrphanedLog(path);
}

/**
 * A log without its file may contain acknowledged charges, and would be read into any file created next to it.
 *
 * Fails: `STORE_MISSING`.
 */
export function refuseOrphanedLog(path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new StoreError(
      "STORE_MISSING",
      `no store is at ${path}, but its log ${path}-wal exists and may contain charges: put the store's file back beside it, or move the log away`,
      { path },
    );
  }
}

function stateMissingError(path: string, why: string, alternative = ""): StoreError {
  const mend = existsSync(`${path}.pepper`)
    ? `, but its pepper is at ${path}.pepper: the store was moved or lost, or its disk is not mounted; put it back, or restore a backup with groundrule restore${alternative}`
    : "; name another with --store, or create one with groundrule org create, groundrule restore or groundrule serve --init";
  return new StoreError("STORE_MISSING", `no store is at ${path}${why}${mend}`, { path });
}

/**
 * Lock, log and index are named after the file, so they are unique only if the file has a single name. Under a second
 * name another process could serve it unnoticed.
 */
function refuseSecondName(file: string, { nlink }: Stats): void {
  if (nlink > 1) {
    throw new StoreError(
      "STORE_FILE_SHARED",
      `${file} has ${nlink} names (hard links), and two processes could serve it under different names; remove the other names (find / -xdev -samefile ${file} lists them)`,
      { path: file, names: nlink },
    );
  }
  if (readMountPoints().has(file)) {
    throw new StoreError(
      "STORE_FILE_SHARED",
      `${file} is a mount of a single file, which has another name elsewhere; mount its folder instead, because its lock and log lie beside it`,
      { path: file },
    );
  }
}

/** Paths at which something is mounted, on Linux; elsewhere single files are not mounted. */
function readMountPoints(): ReadonlySet<string> {
  try {
    const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    return new Set(lines.map((line) => unescapeOctal(line.split(" ", 5)[4] ?? "")));
  } catch {
    return new Set();
  }
}

/** The kernel writes blanks and a few other characters as octal codes. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function resolveFolderLinks(path: string): string {
  return join(realpathSync.native(dirname(resolve(path))), basename(path));
}

function stateUnavailableError(path: string, error: unknown): StoreError {
  return new StoreError(
    "STORAGE_UNAVAILABLE",
    `${path} cannot be reached: ${getErrorMessage(error)}`,
    { path },
    error,
  );
}

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
import { messageOf, StoreError } from "../port/store-error.ts";

/** Where the pepper of a state file lies unless another is named. */
export function pepperBeside(path: string): string {
  return `${findStateFile(path) ?? path}.pepper`;
}

/** The name of the file itself, links resolved; undefined where there is none. */
export function findStateFile(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unavailable(path, error);
  }
}

/**
 * The state file at a path, links resolved.
 *
 * Fails: `STORE_MISSING` where there is none, or an empty one; `STORE_FILE_SHARED` where it has a second
 * name, unless it is only read; `STORAGE_UNAVAILABLE` where it is no file.
 */
export function getStateFile(
  path: string,
  { isShareable = false }: { readonly isShareable?: boolean } = {},
): string {
  const file = findStateFile(path);
  if (file === undefined) throw missing(path, isLink(path) ? " (it is a link to nothing)" : "");
  const found = statSync(file);
  if (!found.isFile()) {
    throw new StoreError("STORAGE_UNAVAILABLE", `${path} is not a file`, { path });
  }
  if (!isShareable) refuseSecondName(file, found);
  if (found.size === 0) throw missing(path, " (the file is empty)");
  return file;
}

/**
 * The state file at a path; where there is none an empty one is made, which only its owner reads.
 *
 * Fails: as {@link getStateFile} does, and `STORE_MISSING` where what is left of a store says that there was one.
 */
export function makeStateFile(path: string): string {
  if (findStateFile(path) === undefined && isLink(path)) throw missing(path, " (it is a link to nothing)");
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return getStateFile(path);
  refuseRemains(path);
  makeFolder(dirname(path));
  makePrivateFile(path);
  const file = getNamed(path);
  refuseSecondName(file, statSync(file));
  return file;
}

/** Makes a folder that only its owner enters, and those above it; one that is there is left as it is. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** An empty file that only its owner reads; one that is there is left as it is. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

/**
 * Whoever makes a store anew beside what is left of one has lost it without knowing: every key would be
 * refused, and charges that stand in its log forgotten.
 */
function refuseRemains(path: string): void {
  if (existsSync(`${path}.pepper`)) {
    throw missing(path, "", `; to start afresh without it, move ${path}.pepper away`);
  }
  refuseLog(path);
}

/**
 * A log without its file may hold charges that were acknowledged, and would be read into whatever file comes
 * to lie beside it.
 *
 * Fails: `STORE_MISSING`.
 */
export function refuseLog(path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new StoreError(
      "STORE_MISSING",
      `no store is at ${path}, but its log ${path}-wal exists and may contain charges: put the store's file back beside it, or move the log away`,
      { path },
    );
  }
}

function missing(path: string, why: string, alternative = ""): StoreError {
  const mend = existsSync(`${path}.pepper`)
    ? `, but its pepper is at ${path}.pepper: the store was moved or lost, or its disk is not mounted; put it back, or restore a backup with groundrule restore${alternative}`
    : "; name another with --store, or create one with groundrule org create, groundrule restore or groundrule serve --init";
  return new StoreError("STORE_MISSING", `no store is at ${path}${why}${mend}`, { path });
}

/**
 * A file has one lock, one log and one index as long as it has one name: all three are named after it. Under
 * a second name another process would serve it unseen.
 */
function refuseSecondName(file: string, { nlink }: Stats): void {
  if (nlink > 1) {
    throw new StoreError(
      "STORE_FILE_SHARED",
      `${file} has ${nlink} names (hard links), and two processes could serve it under different names; remove the other names (find / -xdev -samefile ${file} lists them)`,
      { path: file, names: nlink },
    );
  }
  if (mountPoints().has(file)) {
    throw new StoreError(
      "STORE_FILE_SHARED",
      `${file} is a mount of a single file, which has another name elsewhere; mount its folder instead, because its lock and log lie beside it`,
      { path: file },
    );
  }
}

/** Where something is mounted, as Linux tells; elsewhere files are not mounted. */
function mountPoints(): ReadonlySet<string> {
  try {
    const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    return new Set(lines.map((line) => unescaped(line.split(" ", 5)[4] ?? "")));
  } catch {
    return new Set();
  }
}

/** The kernel writes blanks, and a few more, as their octal code. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function getNamed(path: string): string {
  return join(realpathSync.native(dirname(resolve(path))), basename(path));
}

function unavailable(path: string, error: unknown): StoreError {
  return new StoreError(
    "STORAGE_UNAVAILABLE",
    `${path} cannot be reached: ${messageOf(error)}`,
    { path },
    error,
  );
}

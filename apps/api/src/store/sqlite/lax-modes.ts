import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../port/store-error.ts";
import { findStateFile } from "./state-file.ts";

/** A file of a store, or its folder, whose mode allows others than its owner too much. */
export interface LaxMode {
  readonly path: string;
  /** Octal, e.g. `0644`. */
  readonly found: string;
  readonly expected: string;
  readonly mend: string;
}

/**
 * Files of a store that others can read, and folders in which others can replace files. Windows has no such modes.
 *
 * @param pepper the file with the pepper, in any folder
 */
export function findLaxModes(path: string | undefined, pepper: string): readonly LaxMode[] {
  if (process.platform === "win32") return [];
  const file = path === undefined ? undefined : findStateFile(path);
  const files =
    file === undefined ? [] : ["", "-wal", "-shm", ".serving"].map((suffix) => `${file}${suffix}`);
  const folders = new Set([...files.slice(0, 1), pepper].map(dirname));
  return [
    // A user who may enter a folder sees names; one who may write to it replaces the files.
    ...[...folders].flatMap(findLaxFolderModes),
    ...[...files, pepper].flatMap(findLaxFileModes),
  ];
}

/**
 * Fails: `VALUE_INVALID` if others may read or write a file. A file owned by root may be readable by its group: that is
 * how Kubernetes and systemd pass a secret to a process, and what PostgreSQL allows for its own keys.
 *
 * @param what the file contains, for messages
 */
export function assertPrivate(path: string, stats: Pick<Stats, "mode" | "uid">, what: string): void {
  const allowed = getAllowedMode(stats);
  if (allowed === undefined || (stats.mode & ~allowed & 0o077) === 0) return;
  const expected = allowed.toString(8);
  throw new StoreError(
    "VALUE_INVALID",
    `found mode ${(stats.mode & 0o777).toString(8)} on ${path}, which contains ${what}, expected ${expected}; run chmod ${expected} ${path}`,
    { path },
  );
}

/**
 * Fails: `VALUE_INVALID` if every user may replace a file in the folder.
 *
 * @param what the file contains, for messages
 */
export function assertFolderKept(path: string, what: string): void {
  const { mode } = statSync(path);
  if (process.platform === "win32" || (mode & 0o002) === 0 || (mode & STICKY) !== 0) return;
  throw new StoreError(
    "VALUE_INVALID",
    `found mode ${(mode & 0o777).toString(8)} on ${path}, in which ${what} lies, expected ${(mode & 0o755).toString(8)}; run chmod go-w ${path}`,
    { path },
  );
}

/**
 * The permission bits that a secret's file may have for its owner and group; undefined on Windows, which has no such
 * modes.
 */
function getAllowedMode({ uid }: Pick<Stats, "uid">): number | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  return uid === 0 && user !== 0 ? 0o440 : 0o600;
}

const WRITING = 0o022;
/** In a folder with this bit, like /tmp, only a file's owner may replace it. */
const STICKY = 0o1000;

function findLaxFileModes(path: string): readonly LaxMode[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  const allowed = stats && getAllowedMode(stats);
  if (allowed === undefined || (stats!.mode & ~allowed & 0o077) === 0) return [];
  const expected = formatOctalMode(allowed);
  return [{ path, found: formatOctalMode(stats!.mode), expected, mend: `chmod ${expected} ${path}` }];
}

function findLaxFolderModes(path: string): readonly LaxMode[] {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & WRITING) === 0 || (mode & STICKY) !== 0) return [];
  return [
    {
      path,
      found: formatOctalMode(mode),
      expected: formatOctalMode(mode & ~WRITING),
      mend: `chmod go-w ${path}`,
    },
  ];
}

function formatOctalMode(mode: number): string {
  return `0${(mode & 0o777).toString(8).padStart(3, "0")}`;
}

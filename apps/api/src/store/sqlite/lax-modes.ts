import { statSync } from "node:fs";
import { dirname } from "node:path";
import { findStateFile } from "./state-file.ts";

/** A file of a store, or its folder, that others than its owner can do more with than they should. */
export interface LaxMode {
  readonly path: string;
  /** Octal, e.g. `0644`. */
  readonly found: string;
  readonly expected: string;
  readonly mend: string;
}

/**
 * Which files of a store others can read, and whether others can put files in their place. Windows has no
 * such modes.
 *
 * @param pepper the file with the pepper, wherever it lies
 */
export function findLaxModes(path: string | undefined, pepper: string): readonly LaxMode[] {
  if (process.platform === "win32") return [];
  const file = path === undefined ? undefined : findStateFile(path);
  const files =
    file === undefined ? [] : ["", "-wal", "-shm", ".serving"].map((suffix) => `${file}${suffix}`);
  const folders = new Set([...files.slice(0, 1), pepper].map(dirname));
  return [
    // Who may enter a folder sees names; who may write to it replaces what they lead to.
    ...[...folders].flatMap((folder) => laxMode(folder, WRITING, "go-w")),
    ...[...files, pepper].flatMap((name) => laxMode(name, 0o077, "go=")),
  ];
}

const WRITING = 0o022;
const STICKY = 0o1000;

function laxMode(path: string, barred: number, change: string): readonly LaxMode[] {
  const { mode, uid } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined || (mode & barred) === 0) return [];
  // Root hands secrets in this way, for the group of the process: Kubernetes does, and systemd.
  if (barred === 0o077 && (mode & 0o037) === 0 && uid === 0 && process.geteuid?.() !== 0) return [];
  // In a folder like /tmp only the owner of a file replaces it.
  if (barred === WRITING && (mode & STICKY) !== 0) return [];
  const octal = (bits: number) => `0${(bits & 0o777).toString(8).padStart(3, "0")}`;
  return [{ path, found: octal(mode), expected: octal(mode & ~barred), mend: `chmod ${change} ${path}` }];
}

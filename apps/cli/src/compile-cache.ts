import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/** Permission bits that let others write. */
const WRITING = 0o022;
const STICKY = 0o1000;

/**
 * Keeps compiled code for the next start, in a folder that only the user can write to, since its content is run.
 * Without such a folder, nothing is kept.
 */
export function keepCompiledCode(): void {
  if (process.getuid === undefined) {
    // On Windows the temporary folder belongs to the user.
    enableCompileCache();
    return;
  }
  const folder = compileCacheFolder(process.env.XDG_CACHE_HOME, findHomeFolder(), process.getuid());
  if (folder !== undefined) enableCompileCache(folder);
}

/** Undefined for a user without a home: in a container its number may be in no list of users. */
function findHomeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/**
 * The folder for compiled code, created if absent; undefined if another user could put files into it.
 *
 * @param cacheHome the user's cache folder; default `.cache` in the home
 * @param user who runs this
 */
export function compileCacheFolder(
  cacheHome: string | undefined,
  home: string | undefined,
  user: number,
): string | undefined {
  const usual = home === undefined ? undefined : join(home, ".cache");
  const base = cacheHome !== undefined && isAbsolute(cacheHome) ? cacheHome : usual;
  if (base === undefined) return undefined;
  const ours = join(base, "groundrule");
  const folder = join(ours, "compiled");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The base may be reached through a link; our own folder may not be one.
    const real = join(realpathSync(base), "groundrule", "compiled");
    return isWritableOnlyBy(user, real) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** True if only that user, and root, can write to a folder or replace one above it. */
function isWritableOnlyBy(user: number, folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    const isOwn = path === folder;
    const found = lstatSync(path);
    if (!found.isDirectory()) return false;
    const { mode, uid } = found;
    if (uid !== user && (isOwn || uid !== 0)) return false;
    const isShared = (mode & WRITING) !== 0;
    // In a folder like /tmp other users create names, but cannot change those of others.
    if (isShared && (isOwn || (mode & STICKY) === 0)) return false;
    if (path === dirname(path)) return true;
  }
}

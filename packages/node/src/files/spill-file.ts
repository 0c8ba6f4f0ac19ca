import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Spill } from "@groundrule/engine/build";

/** A temporary file for data that a build does not need at the moment. */
export interface SpillFile extends Spill {
  /** Removes it. */
  close(): void;
}

/**
 * Opens a temporary file for a build, in the system's folder for temporary files: a register needs about three times
 * its snapshot there. If the system allows it, the file is unlinked at once, so that nothing remains after a crash.
 */
export function openSpillFile(): SpillFile {
  const folder = mkdtempSync(join(tmpdir(), "groundrule-build-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const file = openInFolder(folder, remove);
  if (process.platform !== "win32") remove();
  let end = 0;
  return {
    write(bytes) {
      const place = end;
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, place + done);
      }
      end += bytes.length;
      return place;
    },
    read(place, into) {
      for (let done = 0; done < into.length; ) {
        const taken = readSync(file, into, done, into.length - done, place + done);
        if (taken === 0) throw new Error(`nothing was kept at byte ${place + done}`);
        done += taken;
      }
    },
    close() {
      closeSync(file);
      remove();
    },
  };
}

/** Opens a new file in a folder, which is removed if that fails. */
function openInFolder(folder: string, remove: () => void): number {
  try {
    return openSync(join(folder, "spill"), "wx+", 0o600);
  } catch (error) {
    remove();
    throw error;
  }
}

import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DataError } from "@groundrule/node";
import type { Arguments } from "../command-line/arguments.ts";
import { textSetting } from "../settings/read-setting.ts";

/** The data folder a command works on. */
export function dataFolder(args: Arguments): string {
  return textSetting(args, "data");
}

/**
 * Makes a data folder that is not there yet, in a folder that is: where that one is missing too, the path is more likely
 * misspelt, or its volume not mounted, than new.
 *
 * @returns true if the folder was made
 *
 * Fails: `DATA_FOLDER_MISSING` for a file, and for a folder that cannot be made.
 */
export function makeDataFolder(dir: string): boolean {
  const path = resolve(dir);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return false;
  const refuse = (message: string) => new DataError("DATA_FOLDER_MISSING", message, { path });
  const where = "name it with --data, GROUNDRULE_DATA or data in groundrule.yaml";
  if (found !== undefined) throw refuse(`found a file at ${path}, expected a data folder; ${where}`);
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === "ENOENT" ? `there is no folder ${dirname(path)} either` : `it cannot be made (${code})`;
    throw refuse(
      `found no data folder at ${path}, and ${reason}; correct the path, mount its volume, or make the folder: ${where}`,
    );
  }
}

import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DataError } from "@groundrule/node";
import type { Arguments } from "../command-line/arguments.ts";
import { getTextSetting } from "../settings/read-setting.ts";

/** The data folder a command works on. */
export function getDataFolder(args: Arguments): string {
  return getTextSetting(args, "data");
}

/**
 * True if a data folder is there. A missing one may still be mounted or made where the folder around it is there; where
 * that one is missing too, the path is misspelt or its volume is not mounted.
 *
 * Fails: `DATA_FOLDER_MISSING` for such a path, and for that of a file.
 */
export function isDataFolder(dir: string): boolean {
  const path = resolve(dir);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return true;
  const refuse = (fault: string) => {
    const remedy = "name it with --data, GROUNDRULE_DATA or data in groundrule.yaml";
    return new DataError("DATA_FOLDER_MISSING", `${fault}; ${remedy}`, { path });
  };
  if (found !== undefined) throw refuse(`found a file at ${path}, expected a data folder`);
  const around = dirname(path);
  if (statSync(around, { throwIfNoEntry: false })?.isDirectory() === true) return false;
  throw refuse(
    `found no data folder at ${path}, nor the folder ${around}; correct the path, mount its volume, or make the folder`,
  );
}

import type { Arguments } from "../command-line/arguments.ts";
import { textSetting } from "../settings/read-setting.ts";

/** The data folder a command works on. */
export function dataFolder(args: Arguments): string {
  return textSetting(args, "data");
}

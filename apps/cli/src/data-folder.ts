import type { Arguments } from "./arguments.ts";

/** The data folder a command works on. */
export function dataFolder(args: Arguments): string {
  return args.find("data") ?? "./.groundrule";
}

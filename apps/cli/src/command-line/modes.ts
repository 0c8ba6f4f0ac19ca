import type { KeyMode } from "@groundrule/api/state";
import { type Arguments, UsageError } from "./arguments.ts";
import type { OptionSpec } from "./command-line.ts";

export const MODE_OPTION: OptionSpec = {
  name: "mode",
  value: "MODE",
  help: "live (default) or test; each has its own keys, quotas and rulesets",
};

export function modeOf(args: Arguments): KeyMode {
  const mode = args.find("mode") ?? "live";
  if (mode !== "live" && mode !== "test") {
    throw new UsageError(`found --mode "${mode}", expected live or test`);
  }
  return mode;
}

import type { KeyMode } from "@groundrule/api/state";
import type { Arguments } from "./arguments.ts";
import type { OptionSpec } from "./command-line.ts";

export const ORG_OPTION: OptionSpec = {
  name: "org",
  value: "ORG",
  required: true,
  help: "id or name of the organization",
};

export const MODE_OPTION: OptionSpec = {
  name: "mode",
  value: "MODE",
  help: "live (default) or test; each has its own keys, quotas and rulesets",
};

export function modeOf(args: Arguments): KeyMode {
  return args.findChoice("mode", ["live", "test"]) ?? "live";
}

import type { KeyMode } from "@groundrule/api/state";
import type { Arguments } from "./arguments.ts";
import { type OptionSpec, option } from "./command-line.ts";

export const ORG_OPTION: OptionSpec = option("org ORG", "id or name of the organization", { required: true });

export const MODE_OPTION: OptionSpec = option(
  "mode MODE",
  "live (default) or test; each has its own keys, quotas and rulesets",
);

export function modeOf(args: Arguments): KeyMode {
  return args.findChoice("mode", ["live", "test"]) ?? "live";
}

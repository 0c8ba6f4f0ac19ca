import type { KeyMode } from "@groundrule/api/state";
import type { Arguments } from "./arguments.ts";
import { defineOption, type OptionSpec } from "./command-line.ts";

export const ORG_OPTION: OptionSpec = defineOption("org ORG", "id or name of the organization", {
  required: true,
});

export const MODE_OPTION: OptionSpec = defineOption(
  "mode MODE",
  "live (default) or test; each has its own keys, quotas and rulesets",
);

export function readMode(args: Arguments): KeyMode {
  return args.findChoice("mode", ["live", "test"]) ?? "live";
}

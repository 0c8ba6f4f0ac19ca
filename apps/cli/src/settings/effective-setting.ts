import { availableParallelism } from "node:os";
import type { Arguments } from "../command-line/arguments.ts";
import { findNumberSetting, getNumberSetting } from "./read-setting.ts";
import type { SettingName } from "./settings.ts";

/** The value of a numeric setting, computed if its default is not a plain value. */
export function getEffectiveNumber(args: Arguments, name: SettingName): number {
  return findNumberSetting(args, name) ?? COMPUTED[name]?.(args) ?? getNumberSetting(args, name);
}

const COMPUTED: Partial<Record<SettingName, (args: Arguments) => number>> = {
  workers: () => availableParallelism(),
  requests_of_organization: (args) => Math.ceil((getNumberSetting(args, "requests_in_progress") * 3) / 4),
  large_bodies_of_organization_mib: (args) => getNumberSetting(args, "large_bodies_mib") / 2,
};

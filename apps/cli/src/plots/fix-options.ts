import { crsTable } from "@groundrule/crs";
import { type FixOptions, findProfile, PROFILE_NAMES } from "@groundrule/plots";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { COUNTRIES, readCountryOption } from "./countries.ts";
import { FILL_OPTION } from "./fill-option.ts";

export const FIX_PROFILE_OPTION: OptionSpec = defineOption(
  "profile NAME",
  `the system that will receive the plots: ${PROFILE_NAMES.join(", ")} (default eudr)`,
);

/** The options of fixing for a named system. Fails: {@link UsageError} for an unknown profile. */
export function getFixOptions(name: string, option: string): FixOptions {
  const profile = findProfile(name);
  if (profile === undefined) {
    throw new UsageError(`found --${option} "${name}", expected ${PROFILE_NAMES.join(" or ")}`);
  }
  return { profile, crsTable, countries: COUNTRIES };
}

export const CLOSE_GAP_OPTION: OptionSpec = defineOption(
  "close-gap M",
  "also close a line whose ends lie at most this many metres apart, as a walked border's do (default 1)",
);

/** {@link getFixOptions} of `--profile`, `--country`, `--fill` and `--close-gap`. Fails: {@link UsageError}. */
export function readFixOptions(args: Arguments): FixOptions {
  const closeGapMeters = args.findNumber(CLOSE_GAP_OPTION.name);
  return {
    ...getFixOptions(args.find("profile") ?? "eudr", "profile"),
    country: readCountryOption(args),
    fill: args.flag(FILL_OPTION.name),
    ...(closeGapMeters !== undefined && { closeGapMeters }),
  };
}

import type { SpatialOptions } from "@groundrule/engine";
import { isCountryIso3 } from "@groundrule/engine/internal";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { PLOT_READ_OPTIONS } from "./read-options.ts";

export const CRS_OPTION: OptionSpec = defineOption(
  "crs EPSG:N",
  "CRS of the plots (default: the one that their file names, else longitude and latitude)",
);

/** Options of the spatial queries. */
export const SPATIAL_OPTIONS: readonly OptionSpec[] = [
  defineOption("source NAME", "query only this source or group", { multiple: true }),
  defineOption("country ISO3", "only areas of this country, e.g. BRA"),
  CRS_OPTION,
  ...PLOT_READ_OPTIONS,
];

export function readSpatialOptions(args: Arguments): SpatialOptions {
  const sources = args.all("source");
  const country = args.find("country")?.toUpperCase();
  if (country !== undefined && !isCountryIso3(country)) {
    throw new UsageError(`found --country "${args.find("country")}", expected an ISO 3166-1 alpha-3 code`);
  }
  return {
    ...(sources.length > 0 && { sources }),
    ...(country !== undefined && { countryIso3: country }),
  };
}

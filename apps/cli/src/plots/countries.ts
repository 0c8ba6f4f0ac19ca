import {
  countriesAt,
  countryName,
  iso2OfCountry,
  iso3Of,
  iso3OfCountry,
  territoryOf,
} from "@groundrule/borders";
import type { Countries } from "@groundrule/plots";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";

/** The countries of the world, with which plots are compared. */
export const COUNTRIES: Countries = {
  countriesAt,
  countryName,
  iso2Of: iso2OfCountry,
  iso3Of: iso3OfCountry,
  territoryOf,
};

export const COUNTRY_OPTION: OptionSpec = defineOption("country ISO", "country for plots that declare none");

/** The code of `--country`. Fails: {@link UsageError} for an unknown code. */
export function readCountryOption(args: Arguments): string | undefined {
  const country = args.find(COUNTRY_OPTION.name);
  if (country !== undefined && iso3Of(country) === undefined) {
    throw new UsageError(`found --country "${country}", expected an ISO 3166-1 code of two letters or three`);
  }
  return country;
}

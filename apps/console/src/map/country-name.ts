import { iso31661NumericToAlpha2 } from "iso-3166";

/**
 * The name of a country in a language, as the browser knows it.
 *
 * @param language BCP 47
 * @returns by numeric ISO 3166-1 code, three digits; undefined for codes that are no country's
 */
export function countryName(language: string): (numericCode: string) => string | undefined {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  return (numericCode) => {
    const iso2 = iso31661NumericToAlpha2[numericCode];
    return iso2 === undefined ? undefined : names.of(iso2);
  };
}

import { isCutOf } from "./plain-name.ts";

/** Properties in which files tell the country of a plot. */
const OF_PLOTS = ["country_iso3", "iso3", "country"] as const;
/** The EU's. */
const OF_PRODUCERS = "ProducerCountry";
const WHOLE = [...OF_PLOTS, OF_PRODUCERS];
const PRODUCER_FIRST = [OF_PRODUCERS, ...OF_PLOTS];

/**
 * ISO 3166-1 alpha-3 of the country that the properties of a plot tell: the first of these that is a code; a name of a
 * country is none.
 *
 * @param iso3Of the ISO 3166-1 alpha-3 code of a code of two letters or three, in any case; undefined for what is none
 * @param isProducerFirst whether `ProducerCountry` is read before the others
 */
export function statedCountry(
  properties: Readonly<Record<string, unknown>>,
  iso3Of: (code: string) => string | undefined,
  isProducerFirst = false,
): string | undefined {
  const codeIn = (name: string): string | undefined => {
    const value = properties[name];
    return typeof value === "string" ? iso3Of(value) : undefined;
  };
  const names = isProducerFirst ? PRODUCER_FIRST : WHOLE;
  for (const name of names) {
    const code = codeIn(name);
    if (code !== undefined) return code;
  }
  for (const written of Object.keys(properties)) {
    const code = names.some((name) => isCutOf(written, name)) ? codeIn(written) : undefined;
    if (code !== undefined) return code;
  }
  return undefined;
}

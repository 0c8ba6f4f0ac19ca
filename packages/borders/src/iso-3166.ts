import { COUNTRY_CODES } from "@groundrule/engine/internal";

/**
 * Whatever spelling of an ISO 3166-1 code a file has, as alpha-3.
 *
 * @param code alpha-2 or alpha-3, in any case, with or without spaces around it: `BR`, `bra`
 * @returns alpha-3 of an officially assigned code, or `XKX` for `XK` and `XKX`, in use for Kosovo; undefined for
 *   everything else
 */
export function iso3Of(code: string): string | undefined {
  return ISO3.get(code.trim().toUpperCase());
}

/**
 * Whatever spelling of an ISO 3166-1 code a file has, as alpha-2.
 *
 * @param code as {@link iso3Of} takes it
 * @returns alpha-2 of the country of {@link iso3Of}; undefined where that is
 */
export function iso2Of(code: string): string | undefined {
  const iso3 = iso3Of(code);
  return iso3 === undefined ? undefined : ISO2.get(iso3);
}

/**
 * English name of a country.
 *
 * @param iso3 ISO 3166-1 alpha-3, in capitals
 * @returns as the host's language data have it; the code where they have no name
 */
export function countryName(iso3: string): string {
  names ??= new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const iso2 = ISO2.get(iso3);
  return (iso2 === undefined ? undefined : names.of(iso2)) ?? iso3;
}

let names: Intl.DisplayNames | undefined;

/** Alpha-2 of each of {@link COUNTRY_CODES}, in their order. */
const ALPHA_2 =
  "AWAFAOAIAXALADAEARAMASAQTFAGAUATAZBIBEBJBQBFBDBGBHBSBABLBYBZBMBOBRBBBNBTBVBWCFCACCCHCLCNCICMCDCGCKCO" +
  "KMCVCRCUCWCXKYCYCZDEDJDMDKDODZECEGEREHESEEETFIFJFKFRFOFMGAGBGEGGGHGIGNGPGMGWGQGRGDGLGTGFGUGYHKHMHNHR" +
  "HTHUIDIMINIOIEIRIQISILITJMJEJOJPKZKEKGKHKIKNKRKWLALBLRLYLCLILKLSLTLULVMOMFMAMCMDMGMVMXMHMKMLMTMMMEMN" +
  "MPMZMRMSMQMUMWMYYTNANCNENFNGNINUNLNONPNRNZOMPKPAPNPEPHPWPGPLPRKPPTPYPSPFQARERORURWSASDSNSGGSSHSJSBSL" +
  "SVSMSOPMRSSSSTSRSKSISESZSXSCSYTCTDTGTHTJTKTMTLTOTTTNTRTVTWTZUGUAUMUYUSUZVAVCVEVGVIVNVUWFWSXKYEZAZMZW";

const ISO2: ReadonlyMap<string, string> = new Map(
  COUNTRY_CODES.map((iso3, i) => [iso3, ALPHA_2.slice(2 * i, 2 * i + 2)]),
);

const ISO3: ReadonlyMap<string, string> = new Map(
  [...ISO2].flatMap(([iso3, iso2]) => [
    [iso3, iso3],
    [iso2, iso3],
  ]),
);

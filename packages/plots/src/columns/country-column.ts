import { FARM_WORD, NAME_WORD, PLOT_WORD, PRODUCER_WORD, splitNameIntoWords } from "./name-words.ts";
import { isCutOf, toPlainName } from "./plain-name.ts";

/** The EU's name of the producer's country. */
const OF_PRODUCERS = "ProducerCountry";

/** Names of columns that hold the country of a plot, made plain, the surest first. */
const NAMES: readonly string[] = [
  ...["countryiso3", "iso3", "country", toPlainName(OF_PRODUCERS)],
  ...["countryiso2", "iso2", "countryiso", "isocountry", "countrycode", "codigopais", "codpais", "paisiso"],
  ...["pais", "pays", "productioncountry", "countryofproduction", "paisdeproducao", "paisproducao"],
  ...["paisdeproduccion", "paisproduccion", "paysdeproduction", "countryoforigin", "paisdeorigem"],
  ...["paisorigem", "paisdeorigen", "paisorigen", "paysdorigine"],
];
const RANKS: ReadonlyMap<string, number> = new Map(NAMES.map((name, rank) => [name, rank]));

/** The names to the letter: most files have one of them, and each goes before every other spelling. */
const EXACT: readonly string[] = ["country_iso3", "iso3", "country", OF_PRODUCERS];
const PRODUCER_FIRST: readonly string[] = [OF_PRODUCERS, ...EXACT.slice(0, -1)];

const COUNTRY_WORD = /^(?:country|countries|nation|pais|pays|negara)$/;
const CODE_WORD = /^(?:iso|iso2|iso3|iso3166|alpha|alpha2|alpha3|2|3|code|cod|codigo|kode)$/;
/** Words for the beginning of what is grown. */
const ORIGIN_WORD = /^(?:origin|origem|origen|origine|asal|production|producao|produccion|produksi|prod)$/;

/** Those of some columns that may hold countries, the surest first; a name may be cut as a Shapefile cuts it. */
export function countryColumns(columns: Iterable<string>, isProducerFirst = false): string[] {
  const found: { readonly column: string; readonly rank: number }[] = [];
  const exact = isProducerFirst ? PRODUCER_FIRST : EXACT;
  for (const column of columns) {
    const at = exact.indexOf(column);
    const rank =
      at >= 0
        ? at - exact.length
        : (RANKS.get(toPlainName(column)) ?? rankOfCut(column) ?? rankOfWords(column));
    if (rank !== undefined) found.push({ column, rank });
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ column }) => column);
}

function rankOfCut(column: string): number | undefined {
  const at = NAMES.findIndex((name) => isCutOf(column, name));
  return at < 0 ? undefined : NAMES.length + at;
}

/** The rank of a name made of words for a country, a code or name of one, and what is of it: `Nom du pays du producteur`. */
function rankOfWords(column: string): number | undefined {
  const words = splitNameIntoWords(column);
  const [ofCountry, ofCode] = [COUNTRY_WORD, CODE_WORD].map((kind) => words.some((word) => kind.test(word)));
  const kinds = [COUNTRY_WORD, CODE_WORD, ORIGIN_WORD, NAME_WORD, PRODUCER_WORD, PLOT_WORD, FARM_WORD];
  if (!ofCountry || !words.every((word) => kinds.some((kind) => kind.test(word)))) return undefined;
  return 2 * NAMES.length + (ofCode ? 0 : 1);
}

/**
 * ISO 3166-1 alpha-3 of the country in the properties of a plot: the first of {@link countryColumns} with a code; a
 * name of a country is none.
 *
 * @param iso3Of the ISO 3166-1 alpha-3 code of a code of two letters or three, in any case; undefined for what is none
 * @param isProducerFirst whether `ProducerCountry` is read before the others
 */
export function findStatedCountry(
  properties: Readonly<Record<string, unknown>>,
  iso3Of: (code: string) => string | undefined,
  isProducerFirst = false,
): string | undefined {
  for (const column of countryColumns(Object.keys(properties), isProducerFirst)) {
    const value = properties[column];
    const code = typeof value === "string" ? iso3Of(value.trim()) : undefined;
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Names that were cut into words: files have few of them, and each in every plot. */
const cut = new Map<string, readonly string[]>();
const MOST_CUT = 4096;

/** Words that join others, and the `s` of `farmer's`: `código do talhão` is the code of a plot. */
const JOINING = /^(?:of|the|de|do|da|dos|das|del|la|el|los|du|des|le|in|em|en|and|e|et|y|dan|s)$/;

/** The words of a column's name in lower case, without accents and without those that join others. */
export function splitNameIntoWords(name: string): readonly string[] {
  const known = cut.get(name);
  if (known !== undefined) return known;
  const words = name
    .replaceAll("²", "2")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "" && !JOINING.test(word));
  if (cut.size >= MOST_CUT) cut.clear();
  cut.set(name, words);
  return words;
}

/** Words for a plot. */
export const PLOT_WORD: RegExp =
  /^(?:plots?|parcels?|parcelas?|parcelles?|fields?|talhao|talhoes|lotes?|glebas?|quadras?|chacras?|polygone?s?|poligonos?|poligon|predios?|bidang|petak|lahan|persil|terrains?|terrenos?|plantations?|gardens?|blocks?|blok|blocs?|champs?|cafetal|cafetales|cafezal|cacaotal|cacaotales)$/;

/** Words for the land around plots. */
export const FARM_WORD: RegExp =
  /^(?:farms?|fincas?|fazendas?|kebun|exploitation|propriedade|propiedad|imovel)$/;

/** Words for the people who grow something on plots. */
export const PRODUCER_WORD: RegExp =
  /^(?:producers?|produtor[ae]?s?|productor[ae]?s?|producteurs?|productrices?|farmers?|growers?|agricultor[ae]?s?|agriculteurs?|petani|pekebun|caficultor[ae]?s?|cacaoicultor|cacaocultor[ae]?s?|cacaoculteurs?|planteurs?|cultivateurs?|cultivador[ae]?s?)$/;

/** Words for a name, and for the parts of one. */
export const NAME_WORD: RegExp =
  /^(?:names?|nomes?|nombres?|noms?|nama|full|completo|complet|lengkap|first|last|surname|given|family|sobrenomes?|apellidos?|prenoms?)$/;

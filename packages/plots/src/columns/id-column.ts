import { FARM_WORD, PLOT_WORD, splitNameIntoWords } from "./name-words.ts";
import { toPlainName } from "./plain-name.ts";

/** Names of columns that identify plots, made plain, the surest first. */
const OF_IDS: readonly string[] = [
  ...["plotid", "idplot", "parcelid", "fieldid", "talhaoid", "idtalhao", "parcelaid", "idparcela", "loteid"],
  ...["plotcode", "codigotalhao", "codtalhao", "codigoparcela", "codparcela", "plotno", "plotnumber"],
  ...["codimovel", "codcar", "numcar", "numerocar", "codigocar"],
  ...["polygonid", "geoid", "externalid", "uuid", "guid"],
  ...["id", "codigo", "code", "cod", "ref", "reference"],
  ...["talhao", "parcela", "lote", "gleba", "plot", "parcel", "field", "objectid"],
  ...["key", "instanceid", "metainstanceid"],
];

/** Names that identify plots only if all of them are different. */
const OF_NAMES: readonly string[] = ["plotname", "name", "nome", "nombre", "title", "productionplace"];

const RANKS: ReadonlyMap<string, number> = new Map(
  [...OF_IDS, ...OF_NAMES].map((name, rank) => [name, rank]),
);

const ID_WORD =
  /^(?:id|ids|identifier|identificador|identifiant|geoid|n|code|cod|codigo|kode|number|numero|num|nr|no|nro|nomor|ref|reference|referencia)$/;
const NAME_WORD = /^(?:name|nome|nombre|nom|nama)$/;
/** A number alone is mostly that of the row: `No`, `Nº`. */
const NUMBER_WORD = /^(?:number|numero|num|nr|no|nro|nomor|n)$/;
/** Words that change nothing of what a column holds: `Unique plot ID`, `Código catastral`, `Plot_ID_2024`. */
const PASSED_OVER =
  /^(?:unique|unico|unica|external|sub|identification|identificacao|identificacion|catastral|cadastral|cadastrale?|\d{1,4})$/;
/** A unit of a farm is a plot. */
const UNIT_WORD = /^(?:units?|unidad|unidade|unite)$/;

/**
 * The rank of a name by its words, in any order: the code of a plot, a code, a plot; its name, or the identity of a
 * farm, serve only if all are different.
 */
function rankOfWords(column: string): number | undefined {
  const named = splitNameIntoWords(column);
  const meaning = named.filter((word) => !PASSED_OVER.test(word));
  const all = meaning.length > 0 ? meaning : named;
  const words = all.some((word) => FARM_WORD.test(word))
    ? all.map((word) => (UNIT_WORD.test(word) ? "plot" : word))
    : all;
  if (words.length > 0 && words.every((word) => NUMBER_WORD.test(word))) return RANK_OF_NUMBERS;
  const [ofPlot, ofFarm, ofId, ofName] = [PLOT_WORD, FARM_WORD, ID_WORD, NAME_WORD].map((kind) =>
    words.some((word) => kind.test(word)),
  );
  const isOther = (word: string): boolean =>
    ![PLOT_WORD, FARM_WORD, ID_WORD, NAME_WORD].some((kind) => kind.test(word));
  if (words.length === 0 || words.length > 4 || words.some(isOther)) return undefined;
  if (ofFarm && ofId && !ofName && !ofPlot) return RANK_OF_FARM_IDS;
  if (ofName || (ofFarm && !ofPlot)) return OF_IDS.length + OF_NAMES.length;
  if (ofPlot && ofId) return RANK_OF_PLOT_IDS;
  return ofId ? RANK_OF_IDS : OF_IDS.length - 0.5;
}

/** Behind the names of plots' ids and of ids that are known to the letter. */
const RANK_OF_PLOT_IDS = OF_IDS.indexOf("codimovel") - 0.5;
const RANK_OF_IDS = OF_IDS.indexOf("reference") + 0.5;
/** Behind the ids of plots, and before what is a name. */
const RANK_OF_FARM_IDS = OF_IDS.length - 0.3;
const RANK_OF_NUMBERS = OF_IDS.length - 0.2;

/** A column that may hold the ids of plots. */
export interface IdColumn {
  /** Its name, as the file writes it. */
  readonly column: string;
  /** 0: its name is the surest. */
  readonly rank: number;
  /** True if it holds names: they serve as ids only if all are different. */
  readonly isName: boolean;
}

/** Those of some columns that may hold ids, the surest first. */
export function idColumns(columns: Iterable<string>): IdColumn[] {
  const found: IdColumn[] = [];
  for (const column of columns) {
    const rank = RANKS.get(toPlainName(column)) ?? rankOfWords(column);
    if (rank !== undefined)
      found.push({ column, rank, isName: rank >= OF_IDS.length || rank === RANK_OF_FARM_IDS });
  }
  return found.sort((a, b) => a.rank - b.rank);
}

/**
 * A value as an id.
 *
 * @param value of a property, as it was read
 *
 * @returns undefined for what names nothing
 */
export function idIn(value: unknown): string | number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" ? undefined : text;
}

import { plainName } from "./plain-name.ts";

/** Names of columns by which plots are told apart, made plain, the surest first. */
const OF_IDS: readonly string[] = [
  ...["plotid", "idplot", "parcelid", "fieldid", "talhaoid", "idtalhao", "parcelaid", "idparcela", "loteid"],
  ...["plotcode", "codigotalhao", "codtalhao", "codigoparcela", "codparcela", "plotno", "plotnumber"],
  ...["codimovel", "codcar", "polygonid", "externalid", "uuid", "guid"],
  ...["id", "codigo", "code", "cod", "ref", "reference"],
  ...["talhao", "parcela", "lote", "gleba", "plot", "parcel", "field", "objectid"],
];

/** Names that tell plots apart only where every one of them is another. */
const OF_NAMES: readonly string[] = ["plotname", "name", "nome", "nombre", "title", "productionplace"];

const RANKS: ReadonlyMap<string, number> = new Map(
  [...OF_IDS, ...OF_NAMES].map((name, rank) => [name, rank]),
);

/** A column that may hold the ids of plots. */
export interface IdColumn {
  /** Its name, as the file writes it. */
  readonly column: string;
  /** 0: its name is the surest. */
  readonly rank: number;
  /** Whether it holds names: they serve as ids only where each is another. */
  readonly isName: boolean;
}

/** Those of some columns that may hold ids, the surest first. */
export function idColumns(columns: Iterable<string>): IdColumn[] {
  const found: IdColumn[] = [];
  for (const column of columns) {
    const rank = RANKS.get(plainName(column));
    if (rank !== undefined) found.push({ column, rank, isName: rank >= OF_IDS.length });
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

import { iso3OfCountry } from "@groundrule/borders/country-names";
import type { LocalFile, ReadOptions } from "@groundrule/formats";
import {
  type ColumnOptions,
  type PlotColumns,
  readPlotFile,
  swapped,
  type UnreadPlot,
  untilBroken,
} from "@groundrule/plot-files";
import { type PlotFeature, readPlotInput, withPointArea } from "@groundrule/plots";
import type { PagePlot } from "../state/plot.ts";
import { toMapGeometry } from "./placed.ts";
import { namePlots } from "./plot-names.ts";

/** Settings for reading a file that its bytes do not contain. */
export type FileOptions = Pick<ReadOptions, "layer" | "crs" | "decimal" | "swapAxes"> &
  Pick<ColumnOptions, "id" | "identifiers">;

/** The detected meanings of a file's columns. */
export type TakenColumns = Pick<PlotColumns, "id" | "area" | "identifiers" | "table">;

/** A plot that is not in the list yet. */
export type NewPlot = Omit<PagePlot, "key">;

/**
 * The doubt about a file's positions: most are no place on earth, but would be with latitude and longitude swapped
 * (`axes`), or in another reference system (`crs`); or its numbers have decimal commas.
 */
export type PlaceDoubt = "axes" | "crs" | "decimal";

/** Maximum plots that the list takes from one file. */
const MOST_PLOTS = 10_000;

/**
 * Reads the plots of a file for the page's list.
 *
 * @param tell called with its columns, with the first plot
 *
 * @returns the doubt about their places, and true if the file has more than {@link MOST_PLOTS}
 *
 * Fails: `FormatError` for a file that cannot be read.
 */
export async function* readPagePlots(
  file: LocalFile,
  origin: string,
  options: FileOptions,
  tell: (columns: TakenColumns) => void = () => {},
): AsyncGenerator<NewPlot, { readonly doubt: PlaceDoubt | undefined; readonly isCut: boolean }, undefined> {
  const { crs, swapAxes: isSwapped = false, ...others } = options;
  const places = { all: 0, outside: 0, swappable: 0, hasCommas: false };
  let count = 0;
  let columns: TakenColumns | undefined;
  const note = (taken: TakenColumns): void => {
    columns = taken;
  };
  const found = untilBroken(readPlotFile(file, { ...others, crs }, note));
  const tellNamed = (id: TakenColumns["id"] | undefined): void => {
    if (columns !== undefined) tell({ ...columns, id: id ?? columns.id });
  };
  for await (const read of namePlots(found, others.id !== undefined, tellNamed)) {
    if (++count > MOST_PLOTS) return { doubt: detectPlaceDoubt(places), isCut: true };
    const plot = isSwapped ? swapped(read) : read;
    if ("error" in plot) places.hasCommas ||= plot.error.message.endsWith(COMMA_HINT);
    else if (plot.crs === undefined && crs === undefined) recordFirstPosition(plot.geometry, places);
    yield await createPagePlot(plot, origin, crs);
  }
  return { doubt: detectPlaceDoubt(places), isCut: false };
}

/** The CSV reader's hint when the first rows agree that they have decimal commas. */
const COMMA_HINT = "--decimal comma";

/** @param crs used for a plot without one */
async function createPagePlot(
  plot: PlotFeature | UnreadPlot,
  origin: string,
  crs: string | undefined,
): Promise<NewPlot> {
  if ("error" in plot) {
    const { code, message } = plot.error;
    const unread = { kind: "unread", error: { code, message } } as const;
    return {
      id: String(plot.id),
      geometry: undefined,
      properties: {},
      input: undefined,
      origin,
      state: unread,
    };
  }
  const named = { ...plot, ...(plot.crs === undefined && crs !== undefined && { crs }) };
  const { properties } = plot;
  const id = String(plot.id);
  const geometry = await toMapGeometry(named);
  const fileFacts = readPlotInput(named, iso3OfCountry);
  const sized = "error" in fileFacts ? fileFacts : withPointArea(fileFacts.input, fileFacts.area);
  const of = { id, geometry, properties, origin };
  if ("error" in sized) {
    const { code, message } = sized.error;
    return { ...of, input: undefined, state: { kind: "unread", error: { code, message } } };
  }
  // Entered facts take precedence over the file's.
  const { facts, ...input } = sized.input;
  const { rawFacts: columns } = fileFacts as Exclude<typeof fileFacts, { readonly error: unknown }>;
  const declared = { ...(facts && { facts }), ...(columns && { columns }) };
  const isDeclared = Object.keys(declared).length > 0;
  return { ...of, input, ...(isDeclared && { fileFacts: declared }), state: { kind: "new" } };
}

interface Places {
  all: number;
  outside: number;
  swappable: number;
  hasCommas: boolean;
}

function recordFirstPosition(geometry: unknown, places: Places): void {
  const [x, y] =
    findFirstPosition((geometry as { readonly coordinates?: unknown } | null)?.coordinates) ?? [];
  if (x === undefined || y === undefined) return;
  places.all++;
  if (Math.abs(y) <= 90 && Math.abs(x) <= 540) return;
  places.outside++;
  if (Math.abs(x) <= 90 && Math.abs(y) <= 180) places.swappable++;
}

function findFirstPosition(coordinates: unknown): readonly [number, number] | undefined {
  let inner = coordinates;
  while (Array.isArray(inner) && Array.isArray(inner[0])) inner = inner[0];
  if (!Array.isArray(inner) || typeof inner[0] !== "number" || typeof inner[1] !== "number") return undefined;
  return [inner[0], inner[1]];
}

function detectPlaceDoubt({ all, outside, swappable, hasCommas }: Places): PlaceDoubt | undefined {
  if (hasCommas) return "decimal";
  if (outside === 0 || outside < all / 2) return undefined;
  return swappable === outside ? "axes" : "crs";
}

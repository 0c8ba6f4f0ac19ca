import type { UnreadPlot } from "@groundrule/plot-files";
import { type PlotFeature, toPlainName } from "@groundrule/plots";

/** Number of plots by which the column is chosen. */
const LOOKED_AT = 100;

/** Minimum share of plots that a column must tell apart. */
const DISTINCT = 0.9;

/** Headings of columns that name land, and of those that name something; the first are better names of plots. */
const HEADINGS = [/farm|plot|parcel|fazenda|talhao|finca|lote/, /name|nome|nombre|producerid/];

type ReadPlot = PlotFeature | UnreadPlot;

/**
 * The first column with texts that tell nearly all plots apart, and with a heading that names land, else names.
 *
 * @param rows properties of the first plots
 *
 * @returns undefined if there is none
 */
export function findNameColumn(rows: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const columns = [...new Set(rows.flatMap(Object.keys))].filter((column) => {
    const texts = rows.flatMap((row) => toName(row[column]) ?? []);
    return texts.length > 0 && new Set(texts).size >= DISTINCT * rows.length;
  });
  for (const heading of HEADINGS) {
    const found = columns.find((column) => heading.test(toPlainName(column)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Plots of a file with names for people: those without an id of their own are named by a column, and a name that comes
 * again ends in " (2)".
 *
 * @param isChosen true if the reader chose the column of ids: then only plots without a value in it get a name
 * @param report called before the first plot: with the column, or that plots are numbered; with nothing if they have ids
 */
export async function* namePlots(
  plots: AsyncIterable<ReadPlot>,
  isChosen: boolean,
  report: (id: { readonly column: string } | "number" | undefined) => void,
): AsyncGenerator<ReadPlot, void, undefined> {
  const used = new Map<string, number>();
  let waiting: ReadPlot[] | undefined = [];
  let column: string | undefined;
  let areNumbered = false;
  const name = (plot: ReadPlot): ReadPlot => {
    if ("error" in plot || !(areNumbered || isWithoutId(plot))) return plot;
    const { properties } = plot;
    const found = toName(column === undefined ? undefined : properties[column]) ?? toName(properties.name);
    return found === undefined ? plot : { ...plot, id: makeUnique(found, used) };
  };
  const release = function* (): Generator<ReadPlot, void, undefined> {
    const first = waiting!.flatMap((plot) => ("error" in plot ? [] : plot));
    areNumbered = !isChosen && first.every(isNumbered);
    if (areNumbered) column = findNameColumn(first.map(({ properties }) => properties));
    report(column !== undefined ? { column } : areNumbered ? "number" : undefined);
    yield* waiting!.map(name);
    waiting = undefined;
  };
  for await (const plot of plots) {
    if (waiting === undefined) yield name(plot);
    else if (waiting.push(plot) === LOOKED_AT) yield* release();
  }
  if (waiting !== undefined) yield* release();
}

/** True if the id of a plot is its place in the file, counted from 1, or from 0 as programs do. */
function isNumbered({ id, number }: PlotFeature): boolean {
  return Number(id) === number || Number(id) === number - 1;
}

function isWithoutId({ misnamed }: PlotFeature): boolean {
  return misnamed !== undefined && misnamed.value === undefined;
}

function toName(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** @param used the names so far, each with the last number behind it: a name may come a hundred thousand times */
function makeUnique(name: string, used: Map<string, number>): string {
  let unique = name;
  let last = used.get(name) ?? 1;
  while (used.has(unique)) unique = `${name} (${++last})`;
  used.set(name, last);
  if (unique !== name) used.set(unique, 1);
  return unique;
}

import { iso3OfCountry } from "@groundrule/borders";
import type { EvaluationInput } from "@groundrule/engine";
import type { SubmittedAs } from "@groundrule/engine/records";
import { type PlotColumns, readPlotFile, type UnreadPlot } from "@groundrule/plot-files";
import { type FactColumns, type PlotFeature, readPlotInput } from "@groundrule/plots";
import type { Arguments } from "../command-line/arguments.ts";
import { isFile, openInputFile } from "../files/open-input.ts";
import { addOptions, type LineError } from "../terminal/line-error.ts";
import { type Terminal, toPrintable } from "../terminal/terminal.ts";
import { writeNewMapping } from "./mapping.ts";
import { parsePlotReadOptions } from "./read-options.ts";

/** A plot as read, or the reason why it could not be. */
export type PlotLine =
  | {
      readonly id: string | number;
      readonly input: EvaluationInput;
      /** `Area` of its properties, as found: for a point, its hectares. */
      readonly area?: unknown;
      /** Set if the input is the form that a system will store: the submission itself. */
      readonly submittedAs?: SubmittedAs;
      /** ISO 3166-1 alpha-3 of the country in its properties, if any. */
      readonly country?: string;
      /** The content of its columns of facts, if it has any. */
      readonly rawFacts?: FactColumns;
    }
  | { readonly id: string | number; readonly error: LineError };

/**
 * Reads plots as a stream, from every format; see {@link readPlotFeatures}.
 *
 * Fails: as it does.
 */
export async function* readPlots(
  args: Arguments,
  terminal: Terminal,
  path: string | undefined = args.operands[0],
): AsyncGenerator<PlotLine, void, undefined> {
  for await (const plot of readPlotFeatures(args, terminal, path)) yield toPlotLine(plot);
}

/** A plot as it goes into an evaluation. */
export function toPlotLine(plot: PlotFeature | UnreadPlot): PlotLine {
  const { id } = plot;
  if ("error" in plot) return { id, error: plot.error };
  const read = readPlotInput(plot, iso3OfCountry);
  return "error" in read ? { id, error: addOptions(read.error) } : { id, ...read };
}

/** Names of country columns that need no announcement. */
const OF_COUNTRIES: readonly string[] = ["ProducerCountry", "country_iso3", "iso3", "country"];

/**
 * Announces the columns of geometries, ids, areas and countries, unless they are the members of GeoJSON and of the EU
 * format.
 */
export function noteUsedColumns(
  { id, area, country, table, readAs, otherId }: PlotColumns,
  terminal: Terminal,
): void {
  for (const note of table?.notes ?? []) terminal.note(toPrintable(note));
  if (otherId !== undefined) {
    terminal.note(
      toPrintable(
        `the ids of plots are those of the features, their numbers; the column ${otherId} tells them apart too: --id ${otherId}`,
      ),
    );
  }
  if (readAs !== undefined) terminal.note(`the file is ${readAs}, and is read as that`);
  if (typeof id === "object" && id.column !== "id") {
    terminal.note(
      toPrintable(`the ids of plots are read from the column ${id.column}; to choose another, use --id`),
    );
  }
  if (id === "number") {
    terminal.note(
      "no column with ids was found, so plots have their numbers as ids; to name a column, use --id",
    );
  }
  if (area !== undefined && area.column !== "Area") {
    terminal.note(toPrintable(`areas are read from the column ${area.column}, in ${area.unit}`));
  }
  const isRead = country?.unread === undefined || iso3OfCountry(country.unread) !== undefined;
  if (country?.unread !== undefined && !isRead) {
    const { column, unread } = country;
    terminal.note(
      toPrintable(
        `no country is read from the column ${column}: found ${JSON.stringify(unread)}, expected a country or its ISO 3166-1 code, such as BR or BRA; to name another column, use --column ProducerCountry=COLUMN`,
      ),
    );
  } else if (country !== undefined && !OF_COUNTRIES.includes(country.column)) {
    terminal.note(toPrintable(`countries are read from the column ${country.column}`));
  }
}

/**
 * Reads the plots of the file named on the command line, or of standard input; see {@link readPlotFile}.
 *
 * @param tell called with the columns of the file, before the first plot
 *
 * Fails: as it does; as {@link openInputFile}.
 */
export async function* readPlotFeatures(
  args: Arguments,
  terminal: Terminal,
  path: string | undefined = args.operands[0],
  tell?: (columns: PlotColumns) => void,
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  const options = parsePlotReadOptions(args);
  const input = await openInputFile(path, terminal, options.layer);
  try {
    yield* readPlotFile(input, options, (columns) => {
      tell?.(columns);
      noteUsedColumns(columns, terminal);
      writeNewMapping(args, columns, options, terminal);
    });
  } finally {
    if (isFile(input)) await input.close();
  }
}

/** A file without plots is accepted, but is probably the wrong one. */
export const NO_PLOTS_NOTE = "warning: the file has no plot";

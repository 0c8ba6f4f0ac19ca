import { iso3Of } from "@groundrule/borders";
import type { EvaluationInput } from "@groundrule/engine";
import type { SubmittedAs } from "@groundrule/engine/records";
import type { UnreadPlot } from "@groundrule/plot-files";
import { type PlotFeature, readPlotInput, type ToldFacts } from "@groundrule/plots";
import type { Arguments } from "../command-line/arguments.ts";
import type { LineError } from "../terminal/line-error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readPlotFeatures } from "./plot-features.ts";

/** A plot as it was read, or why it could not be. */
export type PlotLine =
  | {
      readonly id: string | number;
      readonly input: EvaluationInput;
      /** `Area` of its properties, as found: of a point, its hectares. */
      readonly area?: unknown;
      /** Where the input is what a system will hold of the plot: what was sent. */
      readonly submittedAs?: SubmittedAs;
      /** ISO 3166-1 alpha-3 of the country that its properties tell, where they tell one. */
      readonly country?: string;
      /** What its columns of facts hold, where it has some. */
      readonly told?: ToldFacts;
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
  for await (const plot of readPlotFeatures(args, terminal, path)) yield plotLine(plot);
}

/** A plot as it goes into an evaluation. */
export function plotLine(plot: PlotFeature | UnreadPlot): PlotLine {
  const { id } = plot;
  return "error" in plot ? { id, error: plot.error } : { id, ...readPlotInput(plot, iso3Of) };
}

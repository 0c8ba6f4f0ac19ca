import { type PlotColumns, readPlotFile, type UnreadPlot } from "@groundrule/plot-files";
import type { PlotFeature } from "@groundrule/plots";
import type { Arguments } from "../command-line/arguments.ts";
import { plotReadOptions } from "../command-line/read-options.ts";
import { isFile, openInput } from "../files/open-input.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { tellColumns } from "../words/tell-columns.ts";

/**
 * Reads the plots of the file that the command line names, or of standard input; see {@link readPlotFile}.
 *
 * @param tell is handed what the columns of the file are, before the first plot
 *
 * Fails: as it does; as {@link openInput}.
 */
export async function* readPlotFeatures(
  args: Arguments,
  terminal: Terminal,
  path: string | undefined = args.operands[0],
  tell?: (columns: PlotColumns) => void,
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  const options = plotReadOptions(args);
  const input = await openInput(path, terminal, options.layer);
  try {
    yield* readPlotFile(input, options, (columns) => {
      tell?.(columns);
      tellColumns(columns, terminal);
    });
  } finally {
    if (isFile(input)) await input.close();
  }
}

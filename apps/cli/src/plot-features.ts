import { readPlotFile, type UnreadPlot } from "@groundrule/plot-files";
import type { PlotFeature } from "@groundrule/plots";
import type { Arguments } from "./arguments.ts";
import { isFile, openInput } from "./open-input.ts";
import { plotReadOptions } from "./read-options.ts";
import { tellColumns } from "./tell-columns.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Reads the plots of the file that the command line names, or of standard input; see {@link readPlotFile}.
 *
 * Fails: as it does; as {@link openInput}.
 */
export async function* readPlotFeatures(
  args: Arguments,
  terminal: Terminal,
  path: string | undefined = args.operands[0],
): AsyncGenerator<PlotFeature | UnreadPlot, void, undefined> {
  const options = plotReadOptions(args);
  const input = await openInput(path, terminal, options.layer);
  try {
    yield* readPlotFile(input, options, (columns) => tellColumns(columns, terminal));
  } finally {
    if (isFile(input)) await input.close();
  }
}

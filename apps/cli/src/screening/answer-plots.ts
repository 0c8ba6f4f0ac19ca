import type { Answer, Provided, SpatialOptions } from "@groundrule/engine";
import type { Arguments } from "../command-line/arguments.ts";
import type { ExitCode } from "../command-line/exit-code.ts";
import type { AskedData } from "../data/asked-data.ts";
import { openLiveAreas } from "../data/live-areas.ts";
import { readPlots } from "../plots/plots.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type AnswerPrinter, answerOrError } from "./results/answer-printer.ts";

/**
 * Runs the query for each plot of the command's input in turn, and prints its answer, or the reason why there is none.
 */
export async function answerPlots<Match, Options extends SpatialOptions>(
  args: Arguments,
  terminal: Terminal,
  printer: AnswerPrinter<Match>,
  { data, now }: AskedData,
  options: Options,
  ask: (geometry: object, asked: Options & { readonly provided?: Provided }) => Answer<Match>,
): Promise<ExitCode> {
  const live = await openLiveAreas(data.current.live, terminal);
  try {
    for await (const plot of readPlots(args, terminal)) {
      if ("error" in plot) {
        await printer.error(plot.id, plot.error);
        continue;
      }
      const geometry = plot.input.geometry!;
      const crs = args.find("crs") ?? plot.input.crs;
      const asked = { ...options, now, ...(crs !== undefined && { crs }) };
      const areas = await live.ask(() => data.liveNeeds(geometry, asked));
      await printer.print(
        plot.id,
        answerOrError(() => ask(geometry, { ...asked, ...areas })),
      );
    }
  } finally {
    await live.close();
  }
  return printer.finish();
}

import type { Answer, EvaluationInput } from "@groundrule/engine";
import { type AnswerPrinter, awaitedOrError } from "./answer-printer.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode } from "./exit-code.ts";
import { readPlots } from "./plots.ts";
import type { Terminal } from "./terminal.ts";

/** Asks each plot of the command's input in turn and prints its answer, or why there is none. */
export async function answerPlots<Match>(
  args: Arguments,
  terminal: Terminal,
  printer: AnswerPrinter<Match>,
  ask: (input: EvaluationInput) => Promise<Answer<Match>>,
): Promise<ExitCode> {
  const given = args.find("crs");
  for await (const plot of readPlots(args, terminal)) {
    if ("error" in plot) {
      await printer.error(plot.id, plot.error);
      continue;
    }
    const input = given === undefined ? plot.input : { ...plot.input, crs: given };
    await printer.print(plot.id, await awaitedOrError(() => ask(input)));
  }
  return printer.finish();
}

import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { openCommandData, readCompileOptions } from "../../data/command-data.ts";
import { openLiveAreas } from "../../data/live-areas.ts";
import { readInputBytes } from "../../files/input-file.ts";
import { readRuleset } from "../../files/ruleset-file.ts";
import { readIdentifierColumns } from "../../plots/read-options.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { refuseOtherOptions } from "../screen-options.ts";
import { readRecordBatches } from "./batch-stream.ts";
import { RowScreener } from "./row-screener.ts";

/**
 * Answers an Arrow IPC stream of plots on standard input with one of verdicts on standard output: one batch of as many
 * rows, in the same order, for each batch, before the next is read. The schema of the answer is written at once, with
 * the editions the verdicts are based on. A plot that cannot be evaluated yields a row with its error.
 *
 * Fails: as opening data and compiling the ruleset; `FormatError` for a stream of another form; {@link UsageError}.
 */
export async function screenArrowStream(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  refuseOtherOptions(args);
  if (terminal.human)
    throw new UsageError("--stdio writes an Arrow stream: pipe standard output to a program");
  const identifiers = readIdentifierColumns(args);
  const ruleset = readRuleset(args.get("ruleset"));
  const { data, now } = openCommandData(args, terminal);
  const policy = data.engine.compile(ruleset, undefined, readCompileOptions(args));
  const live = await openLiveAreas(data.current.live, terminal);
  try {
    const screener = new RowScreener(args, { data, live, now, ruleset, policy });
    await terminal.write(screener.results.head);
    for await (const batch of readRecordBatches(readInputBytes(undefined, terminal), identifiers))
      await terminal.write(await screener.answer(batch));
    await terminal.write(screener.results.end);
  } finally {
    await live.close();
  }
  return EXIT.done;
}

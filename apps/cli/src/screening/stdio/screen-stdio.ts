import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { openCommandData, readCompileOptions, readCoverageOptions } from "../../data/command-data.ts";
import { openLiveAreas } from "../../data/live-areas.ts";
import { readInputBytes } from "../../files/input-file.ts";
import { readRuleset } from "../../files/ruleset-file.ts";
import { preparePlotLine, readJudgeOptions } from "../../plots/judged-plots.ts";
import { toPlotLine } from "../../plots/plots.ts";
import { readIdentifierColumns } from "../../plots/read-options.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { VERSION } from "../../version.ts";
import { answerOrError } from "../results/answer-printer.ts";
import { toCompactVerdict } from "../results/compact.ts";
import { buildErrorRow, buildVerdictRow, type ResultRow } from "../results/result-columns.ts";
import { readEvidenceOption, refuseOtherOptions } from "../screen-options.ts";
import { readRecordBatches } from "./batch-stream.ts";
import { PlotRows } from "./plot-columns.ts";
import { ResultStream } from "./result-stream.ts";

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
  const evidence = readEvidenceOption(args, "triggered");
  const identifiers = readIdentifierColumns(args);
  const ruleset = readRuleset(args.get("ruleset"));
  const { data, now } = openCommandData(args, terminal);
  const policy = data.engine.compile(ruleset, undefined, readCompileOptions(args));
  const judge = readJudgeOptions(args, policy.ruleset.facts ?? {});
  const options = { now, ...readCoverageOptions(args) };
  const live = await openLiveAreas(data.current.live, terminal);
  const checks = policy.ruleset.checks.map(({ id }) => id);
  const results = new ResultStream(
    checks,
    new Map([
      ["groundrule.version", VERSION],
      ["semantics", String(data.engine.semantics)],
      ["ruleset_digest", policy.digest],
      ["editions", JSON.stringify(policy.editions)],
      ["now", now],
      ...(policy.without.length > 0 ? [["without", JSON.stringify(policy.without)] as const] : []),
    ]),
  );

  let number = 0;
  const answer = async (rows: PlotRows, row: number): Promise<ResultRow> => {
    const id = rows.id(row);
    const plot = preparePlotLine(toPlotLine(rows.plot(row, ++number)), judge);
    if ("error" in plot) return buildErrorRow(id, plot.error, checks.length);
    const areas = await live.ask(() => policy.liveNeeds(plot.input));
    const found = answerOrError(() => policy.evaluate(plot.input, { ...options, ...areas }));
    return "error" in found
      ? buildErrorRow(id, found.error, checks.length)
      : buildVerdictRow(id, toCompactVerdict(found, evidence));
  };

  await terminal.write(results.head);
  try {
    for await (const batch of readRecordBatches(readInputBytes(undefined, terminal), identifiers)) {
      const rows = new PlotRows(batch, identifiers);
      const answers: ResultRow[] = [];
      for (let row = 0; row < rows.count; row++) answers.push(await answer(rows, row));
      await terminal.write(results.batch(answers));
    }
  } finally {
    await live.close();
  }
  await terminal.write(results.end);
  return EXIT.done;
}

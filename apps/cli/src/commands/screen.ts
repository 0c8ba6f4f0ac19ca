import { availableParallelism } from "node:os";
import { verdictRecord } from "@groundrule/engine/records";
import { DEFAULT_POOL_SIZE, EnginePool, type LiveEntry } from "@groundrule/node";
import { openAskedData, REPEATABLE_OPTIONS } from "../asked-data.ts";
import type { Command } from "../command.ts";
import { coverageOptions, STRICT_COVERAGE_OPTION } from "../coverage-option.ts";
import { decimal } from "../format.ts";
import { POINT_AREA_DETAIL, POINT_AREA_OPTION, readJudgedPlots } from "../judged-plots.ts";
import { lineError } from "../line-error.ts";
import { openLiveSources, provideAreas } from "../live-areas.ts";
import { LotEvaluator } from "../lot-evaluator.ts";
import { mapInOrder } from "../map-in-order.ts";
import type { PlotLine } from "../plots.ts";
import { READ_OPTIONS } from "../read-options.ts";
import { recordFolder } from "../record-file.ts";
import { RULESET_OPTION, readRuleset } from "../ruleset-file.ts";
import { EVIDENCE_OPTION, STDIO_OPTION } from "../screening/stdio/stdio-options.ts";
import { CRS_OPTION } from "../spatial-options.ts";
import { AS_SUBMITTED_OPTION } from "../submitted-plots.ts";
import { Turns } from "../turns.ts";
import { FAIL_ON_OPTION, VerdictPrinter } from "../verdict-printer.ts";
import { VERSION } from "../version.ts";

/** Plots read ahead of the one whose verdict is printed next, for each worker. */
const AHEAD_PER_WORKER = 64;

/** Nobody waits for one plot of a batch; its worker is ended only where it would never come back. */
const PLOT_DEADLINE_MS = 10_000;

/** Plots that live sources are asked about at the same time: as many as each has connections. */
function askedAtOnce(entries: readonly LiveEntry[]): number {
  return Math.min(...entries.map(({ provider }) => provider.pool_size ?? DEFAULT_POOL_SIZE), Infinity);
}

export const screenCommand: Command = {
  path: "screen",
  summary: "Evaluate a stream of plots on all cores, in input order",
  operands: "[FILE]",
  operandCount: [0, 1],
  options: [
    RULESET_OPTION,
    { name: "workers", value: "N", help: "worker threads (default: one per core)" },
    FAIL_ON_OPTION,
    {
      name: "record",
      value: "DIR",
      help: "also write each request and its response to a folder, for replay",
    },
    CRS_OPTION,
    ...READ_OPTIONS,
    POINT_AREA_OPTION,
    AS_SUBMITTED_OPTION,
    STRICT_COVERAGE_OPTION,
    ...REPEATABLE_OPTIONS,
    STDIO_OPTION,
    EVIDENCE_OPTION,
  ],
  details: [
    "Prints what evaluate prints, in constant memory for a stream of any length. A plot that cannot be evaluated gives an error line, and the next plot is evaluated.",
    POINT_AREA_DETAIL,
  ],
  async run(args, terminal) {
    if (args.flag(STDIO_OPTION.name)) {
      // Arrow is loaded where it is spoken.
      const { screenStdio } = await import("../screening/stdio/screen-stdio.ts");
      return screenStdio(args, terminal);
    }
    const workers = args.findInteger("workers", 1, 256) ?? availableParallelism();
    const printer = new VerdictPrinter(args, terminal);
    const ruleset = readRuleset(args.get("ruleset"));
    const { data, now } = openAskedData(args);
    const policy = data.engine.compile(ruleset); // its faults are told once, not for every plot
    const groups = data.current.options.groups ?? {};
    const pool = new EnginePool(data.current, { size: workers, deadlineMs: PLOT_DEADLINE_MS });
    const coverage = coverageOptions(args);
    const lots = new LotEvaluator(pool, ruleset, { now, ...coverage }, workers);
    const recordPath = args.find("record");
    const records = recordPath === undefined ? undefined : recordFolder(recordPath);

    const live = await openLiveSources(data.current.live, terminal);
    const turns = new Turns(askedAtOnce(data.current.live));
    const evaluate = async (plot: PlotLine) => {
      if ("error" in plot) return plot;
      const { id, input, submittedAs } = plot;
      const areas = live.isEmpty
        ? {}
        : await turns.take(() => provideAreas(live, () => policy.liveNeeds(input)));
      return { id, input, submittedAs, areas, answer: await lots.evaluate(input, areas.provided) };
    };

    const startedAt = performance.now();
    let count = 0;
    try {
      const plots = readJudgedPlots(args, terminal);
      for await (const result of mapInOrder(plots, AHEAD_PER_WORKER * workers, evaluate)) {
        if ("error" in result) await printer.error(result.id, result.error);
        else if (result.answer instanceof Error) await printer.error(result.id, lineError(result.answer));
        else {
          const { id, input, submittedAs, areas, answer } = result;
          records?.write(
            verdictRecord(
              {
                id,
                input,
                submittedAs,
                ruleset,
                policy,
                ...coverage,
                ...areas,
                groups,
                engineVersion: VERSION,
              },
              answer,
            ),
          );
          await printer.verdict(id, answer);
        }
        count++;
        terminal.progress(() => {
          const perSecond = (count * 1000) / (performance.now() - startedAt);
          return `${decimal(count, 0)} ${count === 1 ? "plot" : "plots"}, ${decimal(perSecond, 0)} per second: ${printer.summary}`;
        });
      }
    } finally {
      records?.close();
      await pool.close();
      await live.close();
    }
    if (terminal.human) terminal.note(printer.summary);
    return printer.finish();
  },
};

import { verdictRecord } from "@groundrule/engine/records";
import { answerOrError } from "../answer-printer.ts";
import { openAskedData, REPEATABLE_OPTIONS } from "../asked-data.ts";
import type { Command } from "../command.ts";
import { coverageOptions, STRICT_COVERAGE_OPTION } from "../coverage-option.ts";
import { POINT_AREA_DETAIL, POINT_AREA_OPTION, readJudgedPlots } from "../judged-plots.ts";
import type { LineError } from "../line-error.ts";
import { openLiveSources, provideAreas } from "../live-areas.ts";
import { PLOT_READ_OPTIONS } from "../read-options.ts";
import { recordFile, refusalLine } from "../record-file.ts";
import { RULESET_OPTION, readRuleset } from "../ruleset-file.ts";
import { FAIL_ON_OPTION } from "../screening/conclusion.ts";
import { CRS_OPTION } from "../spatial-options.ts";
import { AS_SUBMITTED_OPTION } from "../submitted-plots.ts";
import { VerdictPrinter } from "../verdict-printer.ts";
import { VERSION } from "../version.ts";

export const evaluateCommand: Command = {
  path: "evaluate",
  summary: "Evaluate whether plots comply with a ruleset, and show the evidence",
  operands: "[FILE]",
  operandCount: [0, 1],
  options: [
    RULESET_OPTION,
    { name: "evidence-limit", value: "N", help: "evidence items per check, 1 to 200 (default 20)" },
    FAIL_ON_OPTION,
    {
      name: "record",
      value: "FILE",
      help: "also write each request and its response, one per line, for replay",
    },
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
    POINT_AREA_OPTION,
    AS_SUBMITTED_OPTION,
    STRICT_COVERAGE_OPTION,
    ...REPEATABLE_OPTIONS,
  ],
  details: [
    'Prints one line per plot: {"id": …, "verdict": {…}}, or {"id": …, "error": {"code": …}}. The id is the feature\'s id, else the value of the id column (named with --id, else found by its name), else the line number. A plot names its subjects in its scheme property: {"type": …, "value": …} or an array of such objects.',
    POINT_AREA_DETAIL,
  ],
  async run(args, terminal) {
    const evidenceLimit = args.findInteger("evidence-limit", 1, 200);
    const printer = new VerdictPrinter(args, terminal);
    const ruleset = readRuleset(args.get("ruleset"));
    const { data, now } = openAskedData(args, terminal);
    const { engine } = data;
    const policy = engine.compile(ruleset);
    const coverage = coverageOptions(args);
    const options = { now, ...(evidenceLimit !== undefined && { evidenceLimit }), ...coverage };
    const recordPath = args.find("record");
    const records = recordPath === undefined ? undefined : recordFile(recordPath);
    const asked = {
      ruleset,
      policy,
      evidenceLimit,
      ...coverage,
      groups: data.current.options.groups ?? {},
      engineVersion: VERSION,
    };
    const refuse = (id: string | number, error: LineError): Promise<void> => {
      records?.write(refusalLine({ id, error }));
      return printer.error(id, error);
    };
    const live = await openLiveSources(data.current.live, terminal);
    try {
      for await (const plot of readJudgedPlots(args, terminal)) {
        if ("error" in plot) {
          await refuse(plot.id, plot.error);
          continue;
        }
        const { input, submittedAs } = plot;
        const areas = await provideAreas(live, () => policy.liveNeeds(input));
        const answer = answerOrError(() => policy.evaluate(input, { ...options, ...areas }));
        if ("error" in answer) {
          await refuse(plot.id, answer.error);
          continue;
        }
        records?.write(
          JSON.stringify(verdictRecord({ id: plot.id, input, submittedAs, ...asked, ...areas }, answer)),
        );
        await printer.verdict(plot.id, answer);
      }
    } finally {
      records?.close();
      await live.close();
    }
    return printer.finish();
  },
};

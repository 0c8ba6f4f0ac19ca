import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import {
  openCommandData,
  REPEATABLE_OPTIONS,
  readCompileOptions,
  readCoverageOptions,
  STRICT_COVERAGE_OPTION,
  WITHOUT_OPTION,
} from "../../data/command-data.ts";
import { openLiveAreas } from "../../data/live-areas.ts";
import { openRecordFile } from "../../files/record-file.ts";
import { RULESET_OPTION, readRuleset } from "../../files/ruleset-file.ts";
import { DECLARED_DETAIL, DECLARED_OPTIONS, readDeclarations } from "../../plots/declared-options.ts";
import {
  POINT_AREA_DETAIL,
  POINT_AREA_OPTION,
  readJudgedPlots,
  readJudgeOptions,
} from "../../plots/judged-plots.ts";
import { PLOT_READ_OPTIONS } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { AS_SUBMITTED_OPTION } from "../../plots/submitted-plots.ts";
import { PlotScreener } from "../../screening/plot-screener.ts";
import { FAIL_ON_OPTION, FailOn, TallyNotes } from "../../screening/results/conclusion.ts";
import { formatMendingLine } from "../../screening/results/mending-line.ts";
import { addTallies, EMPTY_TALLY } from "../../screening/results/tally.ts";

export const evaluateCommand: Command = {
  summary: "Evaluate whether plots comply with a ruleset, and show the evidence",
  examples: [
    "--ruleset preset.eudr plots.geojson",
    "--ruleset preset.eudr --fact commodity=coffee plots.csv",
  ],
  operands: "[FILE]",
  options: [
    RULESET_OPTION,
    defineOption("evidence-limit N", "evidence items per check, 1 to 200 (default 20)"),
    FAIL_ON_OPTION,
    defineOption("record FILE", "also write each request and its response, one per line, for replay"),
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
    POINT_AREA_OPTION,
    ...DECLARED_OPTIONS,
    AS_SUBMITTED_OPTION,
    STRICT_COVERAGE_OPTION,
    WITHOUT_OPTION,
    ...REPEATABLE_OPTIONS,
  ],
  details: [
    'Prints one line per plot: {"id": …, "verdict": {…}}, or {"id": …, "error": {"code": …}}. The id is the feature\'s id, else the value of the id column (named with --id, else found by its name), else the line number. A plot names its subjects in its scheme property: {"type": …, "value": …} or an array of such objects.',
    POINT_AREA_DETAIL,
    DECLARED_DETAIL,
  ],
  async run(args, terminal) {
    const evidenceLimit = args.findInteger("evidence-limit", 1, 200);
    const failOn = new FailOn(args);
    const notes = new TallyNotes(terminal);
    const ruleset = readRuleset(args.get("ruleset"));
    const { data, now } = openCommandData(args, terminal);
    const policy = data.engine.compile(ruleset, undefined, readCompileOptions(args));
    const { facts = {} } = policy.ruleset;
    const declared = await readDeclarations(args, facts, terminal);
    const judge = { ...readJudgeOptions(args, facts), declared };
    const recordPath = args.find("record");
    const records = recordPath === undefined ? undefined : openRecordFile(recordPath);
    const screener = new PlotScreener(data.engine, policy, {
      ruleset,
      compiled: readCompileOptions(args),
      options: { now, ...(evidenceLimit !== undefined && { evidenceLimit }), ...readCoverageOptions(args) },
      style: {
        format: terminal.human && !args.flag("json") ? "text" : "ndjson",
        ...{ evidence: "all", checks: [], areErrorsApart: false, hasColours: terminal.hasColours },
        width: terminal.width,
      },
      record: records && { groups: data.current.options.groups ?? {} },
    });
    const live = await openLiveAreas(data.current.live, terminal);
    let tally = EMPTY_TALLY;
    let number = 0;
    try {
      for await (const line of readJudgedPlots(args, terminal, judge)) {
        const areas = "error" in line ? {} : await live.ask(() => policy.liveNeeds(line.input));
        screener.add({ number: number++, id: line.id, line }, areas.provided);
        const { written, records: taken } = screener.take();
        for (const record of taken) records?.write(record);
        tally = addTallies(tally, written.tally);
        notes.tell(written.tally);
        await terminal.write(written.lines);
      }
    } finally {
      records?.close();
      await live.close();
    }
    notes.finish(tally);
    const mending = formatMendingLine(args, tally.errors);
    if (mending !== undefined) terminal.note(mending);
    return failOn.exitCodeOf(tally);
  },
};

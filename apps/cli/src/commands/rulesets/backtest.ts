import { availableParallelism } from "node:os";
import type { CompileOptions, Engine } from "@groundrule/engine";
import { listNamesInSets } from "@groundrule/engine/internal";
import { parseRuleset } from "@groundrule/engine/rulesets";
import { listStoredEditions, type PinnedEdition, pinEditions } from "@groundrule/node/internal";
import { csvCell } from "@groundrule/report";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode, pickWorseExitCode } from "../../command-line/exit-code.ts";
import {
  openCommandData,
  REPEATABLE_OPTIONS,
  readCompileOptions,
  readCoverageOptions,
  readEditionOptions,
  STRICT_COVERAGE_OPTION,
  WITHOUT_OPTION,
} from "../../data/command-data.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import type { Refusal } from "../../files/record-file.ts";
import { readRuleset } from "../../files/ruleset-file.ts";
import {
  POINT_AREA_DETAIL,
  POINT_AREA_OPTION,
  readJudgeOptions,
  requireKnownColumns,
} from "../../plots/judged-plots.ts";
import { noteUsedColumns } from "../../plots/plots.ts";
import { PLOT_READ_OPTIONS, parsePlotReadOptions } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { WHOLE } from "../../screening/plot-chunks.ts";
import { openPlotInput } from "../../screening/plot-input.ts";
import { PlotRunner } from "../../screening/plot-runner.ts";
import { formatMendingLine } from "../../screening/results/mending-line.ts";
import type { ResultStyle } from "../../screening/results/result-lines.ts";
import { TallyCounter } from "../../screening/results/tally.ts";
import { indentAndWrapText } from "../../terminal/indented.ts";
import { toExitCode } from "../../terminal/line-error.ts";
import { formatTableLines } from "../../terminal/table.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";
import { formatPlotName } from "../../words/plot-name.ts";
import {
  type BacktestSummary,
  BacktestTally,
  type CheckChange,
  type Flip,
  type PlotAnswer,
} from "./flips.ts";

/** The compared answers: verdicts need no evidence. */
const ANSWERS: ResultStyle = {
  format: "ndjson",
  evidence: "none",
  checks: [],
  areErrorsApart: false,
  hasColours: false,
};
/** Flips per table: they are printed as they are found, in bounded memory. */
const TABLE_ROWS = 40;

export const backtestCommand: Command = {
  summary: "Compare the verdicts of two rulesets or editions, plot by plot",
  examples: ["--old policy.json --new next.json --plots plots.geojson"],
  options: [
    defineOption("old FILE", "the current ruleset: a JSON file, or preset.NAME[@VERSION]", {
      required: true,
    }),
    defineOption("new FILE", "the changed ruleset (default: the old one)"),
    defineOption("plots FILE", "file of plots (default: standard input)"),
    defineOption(
      "old-edition SOURCE=DIGEST",
      "use this archived edition, not the current one, for the old verdicts",
      { multiple: true },
    ),
    defineOption(
      "new-edition SOURCE=DIGEST",
      "use this archived edition, not the current one, for the new verdicts",
      { multiple: true },
    ),
    defineOption("csv", "print changes as CSV, one line per check that caused one"),
    defineOption("workers N", "worker threads (default: one per core)"),
    defineOption("fail-on-flips", "exit with 1 when any plot's verdict changes"),
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
    POINT_AREA_OPTION,
    STRICT_COVERAGE_OPTION,
    WITHOUT_OPTION,
    ...REPEATABLE_OPTIONS,
  ],
  details: [
    "Evaluates every plot twice, with two rulesets, two sets of editions, or both. Prints each plot whose verdict changes, with the checks that caused the change, the values they compared and why they are open, and each plot without a verdict on one side or both, with its error. Then counts the changes between each pair of verdicts. Memory use does not depend on the number of plots.",
    "Name an edition by its digest; its first 8 digits or more are enough. snapshot inspect shows the current edition; the data folder keeps the earlier ones.",
    'In a pipe, prints one JSON line per such plot, and {"summary": …} last.',
    POINT_AREA_DETAIL,
  ],
  async run(args, terminal) {
    const workers = args.findInteger("workers", 1, 256) ?? availableParallelism();
    const rulesets = {
      old: readRuleset(args.get("old")),
      new: readRuleset(args.find("new") ?? args.get("old")),
    };
    const pinned = {
      old: findPinnedEditions(args, "old-edition"),
      new: findPinnedEditions(args, "new-edition"),
    };
    if (args.find("new") === undefined && pinned.old.length + pinned.new.length === 0) {
      throw new UsageError(
        "the old and the new side are the same; name another ruleset with --new, or an edition with --new-edition",
      );
    }
    const { data, now } = openCommandData(args, terminal);
    const views = { old: pinEditions(data, pinned.old), new: pinEditions(data, pinned.new) };
    // A ruleset's faults are reported once, not for every plot.
    const compiled = selectCompileOptions(readCompileOptions(args), rulesets, views);
    const judgeSettings = {
      old: views.old.engine.compile(rulesets.old, undefined, compiled.old).ruleset.facts ?? {},
      new: views.new.engine.compile(rulesets.new, undefined, compiled.new).ruleset.facts ?? {},
    };
    const printer = createFlipPrinter(args, terminal);
    const tally = new BacktestTally();
    const reading = parsePlotReadOptions(args);
    const judge = readJudgeOptions(args);
    const input = await openPlotInput(args.find("plots"), terminal, reading);
    const { columns } = input;
    noteUsedColumns(columns, terminal);
    const options = { now, ...readCoverageOptions(args) };
    const sides = (["old", "new"] as const).map((side) => {
      const others = judgeSettings[side === "old" ? "new" : "old"];
      const ruleset = rulesets[side];
      const judging = { ruleset, options, compiled: compiled[side], style: ANSWERS, others };
      return { settings: views[side], judging };
    });
    const isSwapped = reading.swapAxes === true;
    const runner = new PlotRunner({ judge, isSwapped, columns, shard: WHOLE }, sides, workers);
    let exit: ExitCode = EXIT.done;
    const refused = new TallyCounter();
    try {
      requireKnownColumns(columns, terminal, judgeSettings.new, judgeSettings.old);
      for await (const [old, changed] of runner.run(input.chunks(WHOLE))) {
        const before = parsePlotAnswers(old!.lines);
        for (const [i, after] of parsePlotAnswers(changed!.lines).entries()) {
          const flip = tally.add(before[i]!, after);
          if (flip !== undefined && "error" in flip) {
            const { id, error } = flip;
            exit = pickWorseExitCode(exit, toExitCode(error.code));
            refused.error(error.code);
            terminal.note(
              `${formatPlotName(toPrintable(String(id)))}: ${toPrintable(error.message)} (${error.code})`,
            );
            await printer.refused(flip);
          } else {
            if (flip !== undefined) await printer.flip(flip);
            terminal.progress(
              () => `${figures.decimal(tally.plots, 0)} plots, ${figures.decimal(tally.flipped, 0)} changed`,
            );
          }
        }
      }
    } finally {
      await input.close();
      await runner.close();
    }
    await printer.finish(tally.summary());
    const mending = formatMendingLine(args, refused.take().errors, args.find("plots"));
    if (mending !== undefined) terminal.note(mending);
    return pickWorseExitCode(exit, args.flag("fail-on-flips") && tally.flipped > 0 ? EXIT.failOn : EXIT.done);
  },
};

type Sides<Side> = Readonly<Record<"old" | "new", Side>>;

/**
 * The compile options of each side: without the left-out sources that its ruleset names. A name in neither ruleset is
 * reported for the old one.
 */
function selectCompileOptions(
  { without = [] }: ReturnType<typeof readCompileOptions>,
  rulesets: Sides<object>,
  views: Sides<{ readonly engine: Engine }>,
): Sides<Pick<CompileOptions, "without">> {
  const namesOf = (side: keyof typeof views): ReadonlySet<string> => {
    const groups = new Map(Object.entries(views[side].engine.groups()));
    const named = [...listNamesInSets(parseRuleset(rulesets[side]))];
    return new Set(named.flatMap((name) => [name, ...(groups.get(name) ?? [])]));
  };
  const [old, changed] = [namesOf("old"), namesOf("new")];
  return {
    old: { without: without.filter((name) => old.has(name) || !changed.has(name)) },
    new: { without: without.filter((name) => changed.has(name)) },
  };
}

/** Parses the answers from result lines. */
function parsePlotAnswers(lines: Uint8Array): PlotAnswer[] {
  const text = new TextDecoder().decode(lines);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const LEAST_DIGITS = 8;

/** The editions named by `SOURCE=DIGEST` options, each found in the data folder. */
function findPinnedEditions(args: Arguments, option: string): PinnedEdition[] {
  return readEditionOptions(args, option, LEAST_DIGITS).map(({ source_name, digits }) => {
    const archived = listStoredEditions(getDataFolder(args), source_name);
    const [edition, ...more] = archived.filter((name) => name.startsWith(digits));
    if (edition === undefined || more.length > 0) {
      const found = edition === undefined ? "no edition" : "several editions";
      const has = archived.length === 0 ? "none" : archived.map((name) => name.slice(0, 12)).join(", ");
      throw new UsageError(
        `--${option} ${source_name}=${digits} matches ${found}; the archived editions of "${source_name}" are: ${has}`,
      );
    }
    return { source_name, edition };
  });
}

interface FlipPrinter {
  flip(flip: Flip): Promise<void>;
  /** A plot without a verdict on either side. */
  refused(plot: Refusal): Promise<void>;
  finish(summary: BacktestSummary): Promise<void>;
}

function createFlipPrinter(args: Arguments, terminal: Terminal): FlipPrinter {
  if (args.flag("csv")) {
    if (args.flag("json")) throw new UsageError("found both --csv and --json, expected one of them");
    return createCsvPrinter(terminal);
  }
  return terminal.human && !args.flag("json") ? createTablePrinter(terminal) : createJsonPrinter(terminal);
}

function createJsonPrinter(terminal: Terminal): FlipPrinter {
  return {
    flip: (flip) => terminal.printJson(flip),
    refused: ({ id, error }) => terminal.printJson({ id, error }),
    finish: (summary) => terminal.printJson({ summary }),
  };
}

/** CSV (RFC 4180); the summary goes to standard error, so that all lines have one form. */
function createCsvPrinter(terminal: Terminal): FlipPrinter {
  const titles = [
    "id",
    "old",
    "new",
    "check",
    "check_old",
    "check_new",
    "old_comparisons",
    "new_comparisons",
    "old_open",
    "new_open",
  ];
  let begun = false;
  const begin = async () => {
    if (!begun) await terminal.print(titles.join(","));
    begun = true;
  };
  return {
    async flip(flip) {
      await begin();
      const causes: readonly (CheckChange | undefined)[] =
        flip.checks.length === 0 ? [undefined] : flip.checks;
      for (const cause of causes) {
        const cells = [
          ...[String(flip.id), flip.old, flip.new, cause?.id, cause?.old, cause?.new],
          cause?.old_comparisons?.join("; "),
          cause?.new_comparisons?.join("; "),
          cause?.old_open?.join(" "),
          cause?.new_open?.join(" "),
        ];
        await terminal.print(cells.map(csvCell).join(","));
      }
    },
    async refused({ id, error }) {
      await begin();
      const kind = `error ${error.code}`;
      await terminal.print(
        [String(id), kind, kind, ...Array(titles.length - 3).fill(undefined)].map(csvCell).join(","),
      );
    },
    async finish(summary) {
      await begin();
      for (const line of formatSummaryLines(summary)) terminal.note(line);
    },
  };
}

const FLIP_COLUMNS = [
  { title: "plot" },
  { title: "old" },
  { title: "new" },
  { title: "check" },
  { title: "was" },
  { title: "is" },
] as const;

interface FlipRow {
  readonly cells: readonly string[];
  /** Lines printed below the row. */
  readonly reasons: readonly string[];
}

/** The reasons why a check is open; if it was open before too, for both sides. */
function formatOpenReasons({ old_open = [], new_open = [] }: CheckChange): string[] {
  return [...old_open.map((text) => `was open: ${text}`), ...new_open.map((text) => `open: ${text}`)];
}

function createTablePrinter(terminal: Terminal): FlipPrinter {
  let rows: FlipRow[] = [];
  let begun = false;
  const flush = async () => {
    if (rows.length === 0) return;
    const cells = rows.map((row) => row.cells);
    const [titles, ...lines] = formatTableLines(FLIP_COLUMNS, cells, terminal.columns);
    if (!begun) await terminal.print(terminal.style("bold", titles!));
    for (const [i, line] of lines.entries()) {
      await terminal.print(line);
      for (const reason of rows[i]!.reasons) {
        for (const part of indentAndWrapText(reason, terminal.columns)) await terminal.print(part);
      }
    }
    rows = [];
    begun = true;
  };
  return {
    async flip({ id, old, new: now, checks }) {
      const head = [String(id), old, now];
      if (checks.length === 0) rows.push({ cells: [...head, "", "", ""], reasons: [] });
      for (const [i, each] of checks.entries()) {
        const cells = [...(i === 0 ? head : ["", "", ""]), each.id, each.old, each.new];
        rows.push({ cells, reasons: formatOpenReasons(each) });
      }
      if (rows.length >= TABLE_ROWS) await flush();
    },
    async refused({ id, error }) {
      const kind = `error ${error.code}`;
      rows.push({ cells: [String(id), kind, kind, "", "", ""], reasons: [] });
      if (rows.length >= TABLE_ROWS) await flush();
    },
    async finish(summary) {
      await flush();
      if (begun) await terminal.print("");
      for (const line of formatSummaryLines(summary)) await terminal.print(line);
    },
  };
}

function* formatSummaryLines({
  plots,
  flipped,
  without_verdict,
  flips,
  checks,
}: BacktestSummary): Generator<string> {
  const count = (value: number) => figures.decimal(value, 0);
  yield `The verdict changes for ${count(flipped)} of ${count(plots)} ${plots === 1 ? "plot" : "plots"}`;
  for (const flip of flips) yield `  ${count(flip.count)}  ${flip.old} → ${flip.new}`;
  if (without_verdict > 0) {
    yield `${count(without_verdict)} ${without_verdict === 1 ? "plot has" : "plots have"} no verdict on either side`;
  }
  if (checks.length > 0) yield "Checks whose outcome changed:";
  for (const check of checks) {
    const { id, changed, now_triggered, no_longer_triggered, now_open } = check;
    const open = Object.entries(now_open).map(
      ([because, plots]) => `${count(plots)} because of "${because}"`,
    );
    const opened = open.length === 0 ? "" : `; now open: ${open.join(", ")}`;
    yield `  ${count(changed)}  ${id}: now triggered for ${count(now_triggered)}, no longer for ${count(no_longer_triggered)}${opened}`;
  }
}

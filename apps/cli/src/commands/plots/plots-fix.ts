import { fixPlot, type PlotFeature } from "@groundrule/plots";
import type { Arguments } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import {
  chooseOutputFormat,
  type FormatsByEnding,
  JSON_LINES_ENDINGS,
  requireFileEnding,
} from "../../command-line/output-format.ts";
import { SafeFile } from "../../files/safe-file.ts";
import { COUNTRY_OPTION } from "../../plots/countries.ts";
import { FILL_OPTION, FilledMembers } from "../../plots/fill-option.ts";
import { CLOSE_GAP_OPTION, FIX_PROFILE_OPTION, readFixOptions } from "../../plots/fix-options.ts";
import { NO_PLOTS_NOTE, readPlotFeatures } from "../../plots/plots.ts";
import { PLOT_READ_OPTIONS, READ_DETAIL } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { toPrintable } from "../../terminal/terminal.ts";
import { ChangeTally, formatCount } from "../../words/change-tally.ts";
import { formatPlotName } from "../../words/plot-name.ts";
import { formatPlotFeature } from "./feature-text.ts";

export const plotsFixCommand: Command = {
  summary: "Cut plots to six decimals and fix them, reporting each change",
  examples: ["plots.zip --output plots-fixed.geojson"],
  operands: "[FILE]",
  options: [
    defineOption(
      "output FILE",
      "GeoJSON file to write; if its name ends in .ndjson or .jsonl, one feature per line",
      { required: true },
    ),
    defineOption("report FILE", "also write each change and finding to a file, one JSON object per line"),
    defineOption("force", "replace existing files"),
    FIX_PROFILE_OPTION,
    CLOSE_GAP_OPTION,
    FILL_OPTION,
    COUNTRY_OPTION,
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
  ],
  details: [
    "Makes polygons of lines that end where they start, closes rings, drops repeated positions, cuts coordinates (never rounds), repairs rings that then cross or fold, cuts polygons with holes into parts without, splits collections, corrects the direction of rings, swaps the axes of a plot that is in its country only after the swap, transforms coordinates to longitude and latitude, and corrects the names and types of the members that the system reads. Ids are kept; if a plot becomes several, their ids end in #1, #2 and so on. A plot that cannot be fixed is written unchanged.",
    "Exits with 0 if every plot is valid in the end, 1 if one is not, 3 if a plot or the file cannot be read. Memory holds one plot at a time.",
    READ_DETAIL,
  ],
  async run(args, terminal) {
    const options = readFixOptions(args);
    const force = args.flag("force");
    const crs = args.find("crs");
    const path = args.get("output");
    const format = chooseOutputFormat({ option: "output", path }, FORMATS_BY_ENDING);
    requireFileEnding("report", args.find("report"), JSON_LINES_ENDINGS);
    const output = new PlotWriter(path, format === "lines", force);
    const files = [output.file];
    const tally = new ChangeTally();
    const filled = new FilledMembers();
    let unread = 0;
    try {
      const report = openReportFile(args, force);
      if (report !== undefined) files.push(report);
      for await (const read of readPlotFeatures(args, terminal)) {
        terminal.progress(() => toPrintable(tally.summary));
        if ("error" in read) {
          unread++;
          report?.write(`${JSON.stringify({ plot: read.number, id: read.id, error: read.error })}\n`);
          terminal.note(toPrintable(`${formatPlotName(read.id)} cannot be read: ${read.error.message}`));
          continue;
        }
        const fixed = fixPlot(crs === undefined ? read : { ...read, crs }, options);
        tally.add(read, fixed);
        filled.add(fixed.changes);
        for (const plot of fixed.plots) output.write(plot);
        for (const change of fixed.changes) report?.write(`${JSON.stringify({ change })}\n`);
        for (const finding of fixed.findings) report?.write(`${JSON.stringify({ finding })}\n`);
      }
      output.end();
      while (files.length > 0) {
        files[0]!.finish();
        files.shift();
      }
    } finally {
      for (const file of files) file.abandon();
    }
    if (terminal.human) for (const line of tally.lines(terminal.columns)) await terminal.print(line);
    filled.print(terminal, "--report FILE");
    if (tally.plots + unread === 0) terminal.note(NO_PLOTS_NOTE);
    terminal.note(toPrintable(tally.summary));
    if (unread > 0)
      terminal.note(
        `${formatCount(unread, "plot")} could not be read and ${unread === 1 ? "was" : "were"} left out`,
      );
    if (unread > 0) return EXIT.badInput;
    return tally.unfixed > 0 ? EXIT.failOn : EXIT.done;
  },
};

function openReportFile(args: Arguments, force: boolean): SafeFile | undefined {
  const path = args.find("report");
  return path === undefined ? undefined : new SafeFile(path, { force });
}

const FORMATS_BY_ENDING: FormatsByEnding<"collection" | "lines"> = {
  geojson: ["collection"],
  json: ["collection"],
  geojsonl: ["lines"],
  geojsons: ["lines"],
  jsonl: ["lines"],
  ndjson: ["lines"],
};

/** Writes features as one collection, or one per line. */
class PlotWriter {
  readonly file: SafeFile;
  readonly #isLines: boolean;
  #count = 0;

  constructor(path: string, isLines: boolean, force: boolean) {
    this.file = new SafeFile(path, { force });
    this.#isLines = isLines;
  }

  write(plot: PlotFeature): void {
    const text = formatPlotFeature(plot);
    const before = this.#isLines
      ? ""
      : this.#count === 0
        ? '{"type":"FeatureCollection","features":[\n'
        : ",\n";
    this.file.write(this.#isLines ? `${text}\n` : before + text);
    this.#count++;
  }

  end(): void {
    if (this.#isLines) return;
    this.file.write(this.#count === 0 ? '{"type":"FeatureCollection","features":[]}\n' : "\n]}\n");
  }
}

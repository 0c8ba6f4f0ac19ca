import { crsTable } from "@groundrule/crs";
import type { UnreadPlot } from "@groundrule/plot-files";
import { untilBroken } from "@groundrule/plot-files";
import {
  FINDINGS,
  findProfile,
  overlapFinding,
  PlotChecker,
  PlotComparer,
  type PlotFinding,
  PROFILE_NAMES,
  type Profile,
  TOLERATED_OVERLAP_SQUARE_METERS,
} from "@groundrule/plots";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { type OptionSpec, option } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { COUNTRIES, COUNTRY_OPTION, countryOf } from "../../data/countries.ts";
import {
  csvWriter,
  type FindingWriter,
  geoJsonWriter,
  jsonWriter,
  openResultFile,
  type ResultFile,
  tableWriter,
} from "../../plot-findings/finding-writer.ts";
import { counted } from "../../plot-fixes/change-tally.ts";
import { readPlotFeatures } from "../../plots/plots.ts";
import { PLOT_READ_OPTIONS } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export const PROFILE_OPTION: OptionSpec = option(
  "profile NAME",
  `the system that will receive the plots: ${PROFILE_NAMES.join(", ")} (default: only the rules that hold for any purpose)`,
);

export const plotsCheckCommand: Command = {
  summary: "List every problem of every plot, with its place and how to fix it",
  operands: "[FILE]",
  options: [
    PROFILE_OPTION,
    option("compare", "also compare plots with each other: duplicates and overlaps in m²"),
    option(
      "tolerance M2",
      `ignore overlaps of at most this many square metres (default ${TOLERATED_OVERLAP_SQUARE_METERS})`,
    ),
    option("commodity NAME", "what the plots produce; a point for cattle may stand for more than 4 ha"),
    COUNTRY_OPTION,
    option("format FORMAT", "table, json, csv or geojson"),
    option("output FILE", "write to a file; the ending of its name sets the format"),
    option(
      "fail-on SEVERITY",
      "exit with 1 if a finding is at least this severe: error (default), warning or never",
    ),
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
  ],
  details: [
    "The country that a plot declares is compared with the borders. A plot that cannot be read does not stop the check of the others. Memory holds one plot at a time, and with --compare the positions of all plots.",
    "Exits with 0 if there is no error, 1 if there is one, 3 if the file cannot be read.",
  ],
  async run(args, terminal) {
    const profile = profileOf(args);
    const failOn = args.findChoice("fail-on", FAIL_ON, "error, warning or never") ?? "error";
    const tolerance = args.findNumber("tolerance");
    const file = openResultFile(args.find("output"), terminal);
    const told = new Findings(writerOf(args, terminal, file));
    const checker = new PlotChecker({
      profile,
      crsTable,
      commodity: args.find("commodity")?.toLowerCase(),
      country: countryOf(args),
      countries: COUNTRIES,
    });
    const withGeometry = formatOf(args, terminal) === "geojson";
    const comparer = args.flag("compare")
      ? new PlotComparer({
          crsTable,
          toleratedSquareMeters: tolerance,
          withGeometry,
        })
      : undefined;
    const crs = args.find("crs");
    let unread = 0;
    for await (const read of untilBroken(readPlotFeatures(args, terminal))) {
      told.plots++;
      terminal.progress(() => `${counted(told.plots, "plot")}: ${told.counts}`);
      if ("error" in read) {
        unread++;
        await told.add(unreadable(read));
        continue;
      }
      const plot = crs === undefined ? read : { ...read, crs };
      for (const finding of checker.check(plot)) await told.add(finding);
      comparer?.add(plot);
    }
    for (const finding of checker.finish(unread)) await told.add(finding);
    for (const overlap of comparer?.compare() ?? [])
      await told.add(overlapFinding(overlap), overlap.geometry);
    await told.finish();
    await file.close();
    if (terminal.human || args.find("output") !== undefined) {
      terminal.note(`${counted(told.plots, "plot")}: ${told.counts}`);
    }
    return told.exitCode(failOn);
  },
};

/** Counts findings as they are written. */
class Findings {
  plots = 0;
  readonly #errors = new Tally("error");
  readonly #warnings = new Tally("warning");
  readonly #writer: FindingWriter;

  constructor(writer: FindingWriter) {
    this.#writer = writer;
  }

  get counts(): string {
    return `${this.#errors.words}, ${this.#warnings.words}`;
  }

  async add(finding: PlotFinding, geometry?: object): Promise<void> {
    (finding.severity === "error" ? this.#errors : this.#warnings).add(finding.plot);
    await this.#writer.write({ finding, geometry });
  }

  finish(): Promise<void> {
    return this.#writer.finish();
  }

  exitCode(failOn: FailOn): ExitCode {
    const fails =
      failOn !== "never" && (this.#errors.count > 0 || (failOn === "warning" && this.#warnings.count > 0));
    return fails ? EXIT.failOn : EXIT.done;
  }
}

/** Findings of a severity, and how many plots have them. */
class Tally {
  count = 0;
  readonly #plots = new Set<number>();
  readonly #what: string;

  constructor(what: string) {
    this.#what = what;
  }

  add(plot: number): void {
    this.count++;
    if (plot > 0) this.#plots.add(plot);
  }

  get words(): string {
    const where = this.#plots.size === 0 ? "" : ` in ${counted(this.#plots.size, "plot")}`;
    return `${counted(this.count, this.#what)}${where}`;
  }
}

function unreadable({ number, id, line, error }: UnreadPlot): PlotFinding {
  return {
    plot: number,
    id,
    ...(line !== undefined && { line }),
    code: "PLOT_UNREADABLE",
    severity: "error",
    pointer: error.faults?.[0]?.pointer ?? "",
    found: `${error.message} (${error.code})`,
    expected: "a plot",
    mend: FINDINGS.PLOT_UNREADABLE.mend,
  };
}

export function profileOf(args: Arguments): Profile | undefined {
  const name = args.find("profile");
  if (name === undefined) return undefined;
  const profile = findProfile(name);
  if (profile === undefined) {
    throw new UsageError(`found --profile "${name}", expected ${PROFILE_NAMES.join(" or ")}`);
  }
  return profile;
}

const FAIL_ON = ["error", "warning", "never"] as const;
type FailOn = (typeof FAIL_ON)[number];

const FORMATS = ["table", "json", "csv", "geojson"] as const;
type Format = (typeof FORMATS)[number];

/** What ends of file names say of the format. */
const FORMAT_OF_ENDING: Readonly<Record<string, Format>> = {
  csv: "csv",
  geojson: "geojson",
  json: "json",
  jsonl: "json",
  ndjson: "json",
  txt: "table",
};

function formatOf(args: Arguments, terminal: Terminal): Format {
  const named = args.findChoice("format", FORMATS, FORMATS.join(", "));
  if (named !== undefined || args.flag("json")) return named ?? "json";
  const output = args.find("output");
  if (output === undefined) return terminal.human ? "table" : "json";
  const format = FORMAT_OF_ENDING[output.slice(output.lastIndexOf(".") + 1).toLowerCase()];
  if (format === undefined)
    throw new UsageError(
      `the name in --output ${output} does not say which format to write: name one with --format`,
    );
  return format;
}

function writerOf(args: Arguments, terminal: Terminal, file: ResultFile): FindingWriter {
  const format = formatOf(args, terminal);
  if (format === "table") return tableWriter(file, terminal);
  return { json: jsonWriter, csv: csvWriter, geojson: geoJsonWriter }[format](file);
}

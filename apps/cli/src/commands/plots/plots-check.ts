import { crsTable } from "@groundrule/crs";
import type { UnreadPlot } from "@groundrule/plot-files";
import { untilBroken } from "@groundrule/plot-files";
import {
  FINDINGS,
  findProfile,
  isMendedByFixing,
  overlapFinding,
  PlotChecker,
  PlotComparer,
  type PlotFinding,
  PROFILE_NAMES,
  type Profile,
  QUALITY,
  type QualityChecks,
  qualityChecks,
  TOLERATED_OVERLAP_SQUARE_METERS,
} from "@groundrule/plots";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption, type OptionSpec } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { chooseOutputFormat, type FormatsByEnding } from "../../command-line/output-format.ts";
import { COUNTRIES, COUNTRY_OPTION, readCountryOption } from "../../plots/countries.ts";
import { readPlotFeatures } from "../../plots/plots.ts";
import { PLOT_READ_OPTIONS } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { formatFixingLine } from "../../screening/results/mending-line.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { formatCount } from "../../words/change-tally.ts";
import {
  createCsvWriter,
  createGeoJsonWriter,
  createJsonWriter,
  createTableWriter,
  type FindingWriter,
  openResultFile,
  type ResultFile,
} from "./finding-writer.ts";

const PROFILE_OPTION: OptionSpec = defineOption(
  "profile NAMES",
  `the system that will receive the plots: ${PROFILE_NAMES.join(", ")}; ${QUALITY.name}: doubtful shapes, sizes and producers; or both, with a comma (default: only the rules that hold for any purpose)`,
);

export const plotsCheckCommand: Command = {
  summary: "List every problem of every plot, with its place and how to fix it",
  examples: ["plots.kml", "plots.csv --profile eudr --output findings.csv"],
  operands: "[FILE]",
  options: [
    PROFILE_OPTION,
    defineOption("compare", "also compare plots with each other: duplicates and overlaps in m²"),
    defineOption(
      "tolerance M2",
      `ignore overlaps of at most this many square metres (default ${TOLERATED_OVERLAP_SQUARE_METERS})`,
    ),
    defineOption(
      "commodity NAME",
      "what the plots produce; a point for cattle may stand for more than 4 ha, and sizes are compared with its usual ones",
    ),
    COUNTRY_OPTION,
    defineOption("format FORMAT", "table, json, csv or geojson"),
    defineOption("output FILE", "write to a file; the ending of its name sets the format"),
    defineOption(
      "fail-on SEVERITY",
      "exit with 1 if a finding is at least this severe: error (default), warning or never",
    ),
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
  ],
  details: [
    "The country that a plot declares is compared with the borders. A plot that cannot be read does not stop the check of the others. Memory holds one plot at a time, with --compare the positions of all plots, and with --profile quality a place and the producer of each.",
    "Exits with 0 if there is no error, 1 if there is one, 3 if the file cannot be read.",
  ],
  async run(args, terminal) {
    const { profile, quality } = readProfileOptions(args);
    const failOn = args.findChoice("fail-on", FAIL_ON, "error, warning or never") ?? "error";
    const tolerance = args.findNumber("tolerance");
    const format = readFormatOption(args, terminal);
    const file = openResultFile(args.find("output"), terminal);
    const findings = new Findings(createFindingWriter(format, terminal, file));
    const checker = new PlotChecker({
      profile,
      quality,
      crsTable,
      commodity: args.find("commodity")?.toLowerCase(),
      country: readCountryOption(args),
      countries: COUNTRIES,
    });
    const withGeometry = format === "geojson";
    const comparer = args.flag("compare")
      ? new PlotComparer({
          crsTable,
          toleratedSquareMeters: tolerance,
          iso3Of: COUNTRIES.iso3Of,
          withGeometry,
        })
      : undefined;
    const crs = args.find("crs");
    let unread = 0;
    for await (const read of untilBroken(readPlotFeatures(args, terminal))) {
      findings.plots++;
      terminal.progress(() => `${formatCount(findings.plots, "plot")}: ${findings.counts}`);
      if ("error" in read) {
        unread++;
        await findings.add(toUnreadableFinding(read));
        continue;
      }
      const plot = crs === undefined ? read : { ...read, crs };
      for (const finding of checker.check(plot)) await findings.add(finding);
      comparer?.add(plot);
    }
    for (const finding of checker.finish(unread)) await findings.add(finding);
    for (const overlap of comparer?.compare() ?? [])
      await findings.add(overlapFinding(overlap), overlap.geometry);
    await findings.finish();
    await file.close();
    if (terminal.human || args.find("output") !== undefined) {
      terminal.note(`${formatCount(findings.plots, "plot")}: ${findings.counts}`);
      const fixing = formatFixingLine(args, findings.errors, findings.mended);
      if (fixing !== undefined) terminal.note(fixing);
    }
    return findings.exitCode(failOn);
  },
};

/** Counts findings as they are written. */
class Findings {
  plots = 0;
  /** Number of errors that `plots fix` mends. */
  mended = 0;
  readonly #errors = new Tally("error");
  readonly #warnings = new Tally("warning");
  readonly #writer: FindingWriter;

  constructor(writer: FindingWriter) {
    this.#writer = writer;
  }

  /** Number of findings that are errors. */
  get errors(): number {
    return this.#errors.count;
  }

  get counts(): string {
    return `${this.#errors.words}, ${this.#warnings.words}`;
  }

  async add(finding: PlotFinding, geometry?: object): Promise<void> {
    (finding.severity === "error" ? this.#errors : this.#warnings).add(finding.plot);
    if (finding.severity === "error" && isMendedByFixing(finding)) this.mended++;
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

/** Number of findings of a severity, and of plots that have them. */
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
    const where = this.#plots.size === 0 ? "" : ` in ${formatCount(this.#plots.size, "plot")}`;
    return `${formatCount(this.count, this.#what)}${where}`;
  }
}

function toUnreadableFinding({ number, id, line, error }: UnreadPlot): PlotFinding {
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

/** The profiles named by options: at most one system, and the quality profile. */
function readProfileOptions(args: Arguments): {
  readonly profile?: Profile;
  readonly quality?: QualityChecks;
} {
  const names =
    args
      .find("profile")
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  const systems = names.filter((name) => name !== QUALITY.name);
  const [name] = systems;
  const profile = name === undefined ? undefined : findProfile(name);
  if (systems.length > 1 || (name !== undefined && profile === undefined)) {
    const expected = `${PROFILE_NAMES.join(" or ")}, ${QUALITY.name}, or both with a comma`;
    throw new UsageError(`found --profile "${names.join(",")}", expected ${expected}`);
  }
  return {
    ...(profile !== undefined && { profile }),
    ...(systems.length < names.length && { quality: qualityChecks }),
  };
}

const FAIL_ON = ["error", "warning", "never"] as const;
type FailOn = (typeof FAIL_ON)[number];

const FORMATS = ["table", "json", "csv", "geojson"] as const;
type Format = (typeof FORMATS)[number];

const FORMATS_BY_ENDING: FormatsByEnding<Format> = {
  csv: ["csv"],
  geojson: ["geojson"],
  json: ["json"],
  jsonl: ["json"],
  ndjson: ["json"],
  txt: ["table"],
};

function readFormatOption(args: Arguments, terminal: Terminal): Format {
  const named =
    args.findChoice("format", FORMATS, FORMATS.join(", ")) ?? (args.flag("json") ? "json" : undefined);
  const path = args.find("output");
  if (path === undefined) return named ?? (terminal.human ? "table" : "json");
  return chooseOutputFormat({ option: "output", path, named }, FORMATS_BY_ENDING) ?? "json";
}

function createFindingWriter(format: Format, terminal: Terminal, file: ResultFile): FindingWriter {
  if (format === "table") return createTableWriter(file, terminal);
  return { json: createJsonWriter, csv: createCsvWriter, geojson: createGeoJsonWriter }[format](file);
}

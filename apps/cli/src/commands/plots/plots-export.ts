import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crsTable } from "@groundrule/crs";
import {
  type ExportFile,
  type ExportType,
  exportPlots,
  FINDINGS,
  fixPlot,
  PlotChecker,
  type PlotFeature,
  type PlotFinding,
} from "@groundrule/plots";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { readJsonFile } from "../../files/input-file.ts";
import { refuseExistingFile, SafeFile } from "../../files/safe-file.ts";
import { COUNTRIES, COUNTRY_OPTION } from "../../plots/countries.ts";
import { FILL_OPTION, FilledMembers } from "../../plots/fill-option.ts";
import { CLOSE_GAP_OPTION, FIX_PROFILE_OPTION, readFixOptions } from "../../plots/fix-options.ts";
import { readPlotFeatures } from "../../plots/plots.ts";
import { PLOT_READ_OPTIONS, READ_DETAIL } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { PlotVerdicts, VERDICT_DETAIL, VERDICT_OPTIONS } from "../../report/plot-verdicts.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { VERSION } from "../../version.ts";
import { ChangeTally, formatCount } from "../../words/change-tally.ts";
import { figures } from "../../words/figures.ts";
import { formatPlotName } from "../../words/plot-name.ts";
import { formatPlotFeature } from "./feature-text.ts";

/** Maximum errors listed; further ones are only counted. */
const LISTED = 50;

export const plotsExportCommand: Command = {
  summary: "Write plots as the files that the EU information system accepts",
  operands: "[FILE]",
  options: [
    FIX_PROFILE_OPTION,
    CLOSE_GAP_OPTION,
    FILL_OPTION,
    defineOption("type TYPE", "I: one producer per file (default); II: several per file"),
    defineOption("out DIR", "folder to write to (default eudr-plots)"),
    defineOption("fix", "fix plots first, as plots fix does; without it, a plot with an error is refused"),
    defineOption(
      "leave-out-errors",
      "write the plots without errors, and write the others to left-out.geojson with the reasons",
    ),
    defineOption("commodity NAME", "what the plots produce; a point for cattle may stand for more than 4 ha"),
    defineOption("force", "replace existing files"),
    ...VERDICT_OPTIONS,
    COUNTRY_OPTION,
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
  ],
  details: [
    "Writes GeoJSON with the members ProducerName, ProducerCountry, ProductionPlace and Area, coordinates cut to six decimals, at most 25 MB per file in base64, and manifest.json, which names the file of each plot. If a plot has an error, nothing is written, unless --leave-out-errors is used; the exit code is 1 either way. The command does not send the files: submitting them is the operator's task.",
    VERDICT_DETAIL,
    READ_DETAIL,
  ],
  async run(args, terminal) {
    const type = readExportType(args);
    const folder = args.find("out") ?? "eudr-plots";
    const force = args.flag("force");
    const { profile } = readFixOptions(args);
    const verdicts = await PlotVerdicts.read(args, terminal, profile.assumedPointHectares);
    const gathered = await gatherExportPlots(args, terminal, verdicts);
    const { plots, read, leftOut, errors, tally, filled } = gathered;
    if (type === "I") leaveOutUnnamedPlots(gathered, terminal);
    const { files, tooLarge, respelt } = exportPlots(plots, profile, type);
    for (const { number, id } of tooLarge) {
      const reason = errors.tell({ number, id }, "FILE_TOO_LARGE", "it is larger than a file may be");
      addLeftOutPlot(leftOut, gathered.asRead.get(number)!, [reason]);
    }
    const others = read - leftOut.size;
    for (const line of verdicts?.lines ?? []) terminal.note(line);
    if ((errors.count > 0 && !args.flag("leave-out-errors")) || (leftOut.size > 0 && others === 0)) {
      const advice = [
        ...(args.flag("fix") || errors.count === 0 ? [] : ["--fix fixes the errors that can be fixed"]),
        ...(others === 0 ? [] : [`--leave-out-errors writes the other ${figures.decimal(others, 0)}`]),
      ];
      const why = errors.count === 0 ? "no plot is left to export" : errors.found(read);
      terminal.note([`${why}, so nothing was written`, ...advice].join("; "));
      return EXIT.failOn;
    }
    const kept = plots.filter(({ number }) => !leftOut.has(number));
    // A plot of several parts is written completely or not at all.
    const written = kept.length === plots.length ? files : exportPlots(kept, profile, type).files;
    const about = { type, force, profile: profile.name, filled, verdicts: verdicts?.described };
    writeExportFiles(folder, written, [...leftOut.values()], about);
    if (terminal.human) for (const line of tally.lines(terminal.columns)) await terminal.print(line);
    for (const file of written) {
      await terminal.print(
        `${join(folder, file.name)}  ${formatCount(file.plots.length, "plot")}, ${formatCount(file.bytes, "byte")}`,
      );
    }
    if (gathered.assumed > 0) {
      const hectares = profile.assumedPointHectares;
      terminal.note(
        `${formatCount(gathered.assumed, "point")} without Area: the system assumes ${hectares} ha of each`,
      );
    }
    filled.print(terminal, join(folder, MANIFEST));
    for (const { written, others } of respelt) {
      const names = others.map((name) => JSON.stringify(name)).join(", ");
      terminal.note(
        toPrintable(
          `the producer ${JSON.stringify(written)} is also written ${names}: one producer of one name`,
        ),
      );
    }
    noteMissingProducerData(kept, args, terminal);
    const parts = kept.length === others ? "" : `, as ${formatCount(kept.length, "plot")},`;
    terminal.note(
      toPrintable(
        `${figures.decimal(others, 0)} of ${formatCount(read, "plot")} written${parts} in ${formatCount(written.length, "file")} and ${join(folder, MANIFEST)}; ${tally.moved}`,
      ),
    );
    if (leftOut.size === 0) return EXIT.done;
    const why = errors.count === 0 ? formatCount(leftOut.size, "plot") : `${errors.found(read)}, and`;
    terminal.note(`${why} ${leftOut.size === 1 ? "was" : "were"} left out: see ${join(folder, LEFT_OUT)}`);
    return errors.count > 0 || verdicts?.isWanting === true ? EXIT.failOn : EXIT.done;
  },
};

const MANIFEST = "manifest.json";
const LEFT_OUT = "left-out.geojson";

/** A plot that was not exported, as it was read, with the reasons. */
interface LeftOut {
  readonly plot: PlotFeature;
  readonly reasons: readonly string[];
}

function addLeftOutPlot(leftOut: Map<number, LeftOut>, plot: PlotFeature, reasons: readonly string[]): void {
  leftOut.set(plot.number, { plot, reasons: [...(leftOut.get(plot.number)?.reasons ?? []), ...reasons] });
}

interface Gathered {
  /** Plots that may be exported, in order. */
  readonly plots: readonly PlotFeature[];
  /** Number of plots in the file. */
  readonly read: number;
  /** Plots that were left out, by number. */
  readonly leftOut: Map<number, LeftOut>;
  /** Plots that may be exported exactly as they were read, by number. */
  readonly asRead: ReadonlyMap<number, PlotFeature>;
  /** Number of points that are assumed to have the profile's size. */
  readonly assumed: number;
  readonly errors: Errors;
  readonly tally: ChangeTally;
  readonly filled: FilledMembers;
}

/** Reads, fixes and checks every plot. */
async function gatherExportPlots(
  args: Arguments,
  terminal: Terminal,
  verdicts: PlotVerdicts | undefined,
): Promise<Gathered> {
  const options = readFixOptions(args);
  const check = {
    profile: options.profile,
    crsTable,
    commodity: args.find("commodity")?.toLowerCase(),
    country: options.country,
    countries: COUNTRIES,
  };
  const [sent, made] = [new PlotChecker(check), new PlotChecker(check)];
  const crs = args.find("crs");
  const errors = new Errors(terminal);
  const tally = new ChangeTally();
  const filled = new FilledMembers();
  const leftOut = new Map<number, LeftOut>();
  const asRead = new Map<number, PlotFeature>();
  const plots: PlotFeature[] = [];
  let [read, assumed] = [0, 0];
  for await (const one of readPlotFeatures(args, terminal)) {
    read++;
    terminal.progress(() => toPrintable(tally.summary));
    if ("error" in one) {
      const { number, id, line, error } = one;
      const reason = errors.tell({ number, id }, "PLOT_UNREADABLE", error.message);
      addLeftOutPlot(leftOut, { number, id, line, geometry: null, properties: {} }, [reason]);
      continue;
    }
    const plot = crs === undefined ? one : { ...one, crs };
    const refused = args.flag("fix") ? [] : errors.add(sent.check(plot));
    if (refused.length > 0) {
      addLeftOutPlot(leftOut, plot, refused);
      continue;
    }
    const fixed = fixPlot(plot, options);
    const found = fixed.plots.map((each) => made.check(each));
    const reasons = found.flatMap((findings) => errors.add(findings));
    if (reasons.length > 0) {
      addLeftOutPlot(leftOut, plot, reasons);
      continue;
    }
    const refusal = verdicts?.refuse(one, fixed);
    if (refusal !== undefined) {
      addLeftOutPlot(leftOut, plot, [`${refusal.code}: ${refusal.message}`]);
      continue;
    }
    tally.add(plot, fixed);
    filled.add(fixed.changes);
    assumed += found.flat().filter(({ code }) => code === "POINT_WITHOUT_AREA").length;
    asRead.set(plot.number, plot);
    for (const each of fixed.plots) plots.push(each);
  }
  return { plots, read, leftOut, asRead, assumed, errors, tally, filled };
}

/** Leaves out plots without a producer where there are several, which may be of one or of many. */
function leaveOutUnnamedPlots({ plots, leftOut, asRead, errors }: Gathered, terminal: Terminal): void {
  const unnamed = new Set(plots.flatMap((plot) => (isNamed(plot) ? [] : plot.number)));
  if (unnamed.size < 2) return;
  const [first] = unnamed;
  const columns = Object.keys(asRead.get(first!)!.properties).slice(0, 8).join(", ") || "none";
  terminal.note(
    toPrintable(
      `${formatCount(unnamed.size, "plot")} without ProducerName, for which --type I has no file of one producer; name its column with --column ProducerName=COLUMN (columns: ${columns}), or use --type II`,
    ),
  );
  const message = "found no ProducerName, expected the producer, as --type I writes one per file";
  for (const number of unnamed) {
    const plot = asRead.get(number)!;
    errors.record(number);
    addLeftOutPlot(leftOut, plot, [`PRODUCER_MISSING: ${message}`]);
  }
}

function isNamed({ properties: { ProducerName: name } }: PlotFeature): boolean {
  return typeof name === "string" && name.trim() !== "";
}

/** Counts exported plots that lack what the system reads of a producer. */
function noteMissingProducerData(plots: readonly PlotFeature[], args: Arguments, terminal: Terminal): void {
  const unnamed = plots.filter((plot) => !isNamed(plot)).length;
  if (unnamed > 0) {
    terminal.note(
      `${formatCount(unnamed, "plot")} without ProducerName: --column ProducerName=COLUMN names it`,
    );
  }
  const stateless = plots.filter(({ properties }) => !properties.ProducerCountry).length;
  if (stateless === 0) return;
  const ways = args.flag("fill")
    ? "where two countries may meet, and in the sea, none is filled; --country ISO declares it"
    : "--fill takes it from the place of the plot, --country ISO declares it";
  terminal.note(`${formatCount(stateless, "plot")} without ProducerCountry: ${ways}`);
}

function readExportType(args: Arguments): ExportType {
  const type = (args.find("type") ?? "I").toUpperCase();
  if (type !== "I" && type !== "II") throw new UsageError(`found --type "${type}", expected I or II`);
  return type;
}

/** Members of a manifest besides its files. */
interface ExportDescription {
  readonly profile: string;
  readonly type: ExportType;
  readonly filled: FilledMembers;
  readonly verdicts: PlotVerdicts["described"] | undefined;
}

/** Each file is written completely or not at all, and the manifest last: if it is there, all are. */
function writeExportFiles(
  folder: string,
  files: readonly ExportFile[],
  leftOut: readonly LeftOut[],
  { force, filled, verdicts, ...about }: ExportDescription & { readonly force: boolean },
): void {
  const names = [...files.map((file) => file.name), LEFT_OUT, MANIFEST];
  for (const name of names) refuseExistingFile(join(folder, name), force);
  mkdirSync(folder, { recursive: true });
  for (const name of [MANIFEST, LEFT_OUT, ...listEarlierExportFiles(folder)])
    rmSync(join(folder, name), { force: true });
  const manifest = {
    ...about,
    engine_version: VERSION,
    ...(verdicts !== undefined && { verdicts }),
    ...(filled.entries.length > 0 && { filled: filled.entries }),
    files: files.map(({ name, bytes, plots }) => ({ name, bytes, plots })),
    ...(leftOut.length > 0 && {
      left_out: {
        name: LEFT_OUT,
        plots: leftOut.map(({ plot: { number, id, line } }) => ({ number, id, line })),
      },
    }),
  };
  const all = [
    ...files,
    ...(leftOut.length > 0 ? [{ name: LEFT_OUT, text: formatLeftOut(leftOut) }] : []),
    { name: MANIFEST, text: `${JSON.stringify(manifest, null, 1)}\n` },
  ];
  for (const { name, text } of all) {
    const file = new SafeFile(join(folder, name), { force });
    file.write(text);
    file.finish();
  }
}

/** Files of plots that an earlier export wrote: a plot that is left out now must not stay in one of them. */
function listEarlierExportFiles(folder: string): string[] {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) return [];
  const { files } = Object(readJsonFile(path)) as { readonly files?: unknown };
  const names = (Array.isArray(files) ? files : []).map((file) => String(Object(file).name));
  return names.filter((name) => /^(?:plots-\d{4,}|\d{4,}-[A-Za-z0-9-]+)\.geojson$/.test(name));
}

/** The plots as they were read, with the reasons as a property: fixed in this file, they can be exported from it. */
function formatLeftOut(leftOut: readonly LeftOut[]): string {
  const features = leftOut.map(({ plot, reasons }) => {
    return formatPlotFeature({
      ...plot,
      properties: { ...plot.properties, left_out_because: reasons.join("\n") },
    });
  });
  return `{"type":"FeatureCollection","features":[\n${features.join(",\n")}\n]}\n`;
}

/** Errors of plots, printed one per line as they are found. */
class Errors {
  #count = 0;
  readonly #plots = new Set<number>();
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Number of errors. */
  get count(): number {
    return this.#count;
  }

  /** Counts an error that is printed elsewhere. */
  record(plot: number): void {
    this.#plots.add(plot);
    this.#count++;
  }

  /** @param read how many plots were read */
  found(read: number): string {
    return `${figures.decimal(this.#plots.size, 0)} of ${formatCount(read, "plot")} ${this.#plots.size === 1 ? "has" : "have"} ${formatCount(this.#count, "error")}`;
  }

  /** Prints the errors among findings, and returns them in words. */
  add(findings: readonly PlotFinding[]): string[] {
    const errors = findings.filter(({ severity }) => severity === "error");
    return errors.map(({ plot, id, code, pointer, found, expected }) => {
      const message = `${FINDINGS[code].meaning} ${pointer}: found ${found}, expected ${expected}`;
      return this.tell({ number: plot, id }, code, message);
    });
  }

  tell(plot: Pick<PlotFeature, "number" | "id">, code: string, message: string): string {
    this.#plots.add(plot.number);
    if (this.#count++ < LISTED)
      this.#terminal.note(toPrintable(`${formatPlotName(plot.id)}: ${code}: ${message}`));
    return `${code}: ${message}`;
  }
}

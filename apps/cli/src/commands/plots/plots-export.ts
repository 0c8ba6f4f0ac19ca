import { mkdirSync, rmSync } from "node:fs";
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
import { option } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { refuseExisting, SafeFile } from "../../files/safe-file.ts";
import { COUNTRIES, COUNTRY_OPTION } from "../../plots/countries.ts";
import { CLOSE_GAP_OPTION, FIX_PROFILE_OPTION, fixOptions } from "../../plots/fix-options.ts";
import { readPlotFeatures } from "../../plots/plots.ts";
import { PLOT_READ_OPTIONS, READ_DETAIL } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { printable, type Terminal } from "../../terminal/terminal.ts";
import { VERSION } from "../../version.ts";
import { ChangeTally, counted } from "../../words/change-tally.ts";
import { figures } from "../../words/figures.ts";
import { featureText } from "./feature-text.ts";

/** Maximum errors listed; further ones are only counted. */
const LISTED = 50;

export const plotsExportCommand: Command = {
  summary: "Write plots as the files that the EU information system accepts",
  operands: "[FILE]",
  options: [
    FIX_PROFILE_OPTION,
    CLOSE_GAP_OPTION,
    option("type TYPE", "I: one producer per file (default); II: several per file"),
    option("out DIR", "folder to write to (default eudr-plots)"),
    option("fix", "fix plots first, as plots fix does; without it, a plot with an error is refused"),
    option(
      "leave-out-errors",
      "write the plots without errors, and write the others to left-out.geojson with the reasons",
    ),
    option("commodity NAME", "what the plots produce; a point for cattle may stand for more than 4 ha"),
    option("force", "replace existing files"),
    COUNTRY_OPTION,
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
  ],
  details: [
    "Writes GeoJSON with the members ProducerName, ProducerCountry, ProductionPlace and Area, coordinates cut to six decimals, at most 25 MB per file in base64, and manifest.json, which names the file of each plot. If a plot has an error, nothing is written, unless --leave-out-errors is used; the exit code is 1 either way. The command does not send the files: submitting them is the operator's task.",
    READ_DETAIL,
  ],
  async run(args, terminal) {
    const type = typeOf(args);
    const folder = args.find("out") ?? "eudr-plots";
    const force = args.flag("force");
    const { profile } = fixOptions(args);
    const gathered = await gather(args, terminal);
    const { plots, read, leftOut, errors, tally } = gathered;
    const { files, tooLarge } = exportPlots(plots, profile, type);
    for (const { number, id } of tooLarge) {
      const reason = errors.tell({ number, id }, "FILE_TOO_LARGE", "it is larger than a file may be");
      leaveOut(leftOut, gathered.asRead.get(number)!, [reason]);
    }
    const others = read - leftOut.size;
    if (leftOut.size > 0 && (!args.flag("leave-out-errors") || others === 0)) {
      const advice = [
        ...(args.flag("fix") ? [] : ["--fix fixes the errors that can be fixed"]),
        ...(others === 0 ? [] : [`--leave-out-errors writes the other ${figures.decimal(others, 0)}`]),
      ];
      terminal.note([`${errors.found(read)}, so nothing was written`, ...advice].join("; "));
      return EXIT.failOn;
    }
    const kept = plots.filter(({ number }) => !leftOut.has(number));
    // A plot of several parts is written completely or not at all.
    const written = tooLarge.length === 0 ? files : exportPlots(kept, profile, type).files;
    writeAll(folder, written, [...leftOut.values()], { type, force, profile: profile.name });
    if (terminal.human) for (const line of tally.lines(terminal.columns)) await terminal.print(line);
    for (const file of written) {
      await terminal.print(
        `${join(folder, file.name)}  ${counted(file.plots.length, "plot")}, ${counted(file.bytes, "byte")}`,
      );
    }
    if (gathered.assumed > 0) {
      const hectares = profile.assumedPointHectares;
      terminal.note(
        `${counted(gathered.assumed, "point")} without Area: the system assumes ${hectares} ha of each`,
      );
    }
    const parts = kept.length === others ? "" : `, as ${counted(kept.length, "plot")},`;
    terminal.note(
      printable(
        `${figures.decimal(others, 0)} of ${counted(read, "plot")} written${parts} in ${counted(written.length, "file")} and ${join(folder, MANIFEST)}; ${tally.moved}`,
      ),
    );
    if (leftOut.size === 0) return EXIT.done;
    terminal.note(
      `${errors.found(read)}, and ${leftOut.size === 1 ? "was" : "were"} left out: see ${join(folder, LEFT_OUT)}`,
    );
    return EXIT.failOn;
  },
};

const MANIFEST = "manifest.json";
const LEFT_OUT = "left-out.geojson";

/** A plot that was not exported, as it was read, with the reasons. */
interface LeftOut {
  readonly plot: PlotFeature;
  readonly reasons: readonly string[];
}

function leaveOut(leftOut: Map<number, LeftOut>, plot: PlotFeature, reasons: readonly string[]): void {
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
}

/** Reads, fixes and checks every plot. */
async function gather(args: Arguments, terminal: Terminal): Promise<Gathered> {
  const options = fixOptions(args);
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
  const leftOut = new Map<number, LeftOut>();
  const asRead = new Map<number, PlotFeature>();
  const plots: PlotFeature[] = [];
  let [read, assumed] = [0, 0];
  for await (const one of readPlotFeatures(args, terminal)) {
    read++;
    terminal.progress(() => printable(tally.summary));
    if ("error" in one) {
      const { number, id, line, error } = one;
      const reason = errors.tell({ number, id }, "PLOT_UNREADABLE", error.message);
      leaveOut(leftOut, { number, id, line, geometry: null, properties: {} }, [reason]);
      continue;
    }
    const plot = crs === undefined ? one : { ...one, crs };
    const refused = args.flag("fix") ? [] : errors.add(sent.check(plot));
    if (refused.length > 0) {
      leaveOut(leftOut, plot, refused);
      continue;
    }
    const fixed = fixPlot(plot, options);
    const found = fixed.plots.map((each) => made.check(each));
    const reasons = found.flatMap((findings) => errors.add(findings));
    if (reasons.length > 0) {
      leaveOut(leftOut, plot, reasons);
      continue;
    }
    tally.add(plot, fixed);
    assumed += found.flat().filter(({ code }) => code === "POINT_WITHOUT_AREA").length;
    asRead.set(plot.number, plot);
    for (const each of fixed.plots) plots.push(each);
  }
  return { plots, read, leftOut, asRead, assumed, errors, tally };
}

function typeOf(args: Arguments): ExportType {
  const type = (args.find("type") ?? "I").toUpperCase();
  if (type !== "I" && type !== "II") throw new UsageError(`found --type "${type}", expected I or II`);
  return type;
}

/** Each file is written completely or not at all, and the manifest last: if it is there, all are. */
function writeAll(
  folder: string,
  files: readonly ExportFile[],
  leftOut: readonly LeftOut[],
  { type, force, profile }: { readonly type: ExportType; readonly force: boolean; readonly profile: string },
): void {
  const names = [...files.map((file) => file.name), LEFT_OUT, MANIFEST];
  for (const name of names) refuseExisting(join(folder, name), force);
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, LEFT_OUT), { force: true });
  const manifest = {
    profile,
    type,
    engine_version: VERSION,
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
    ...(leftOut.length > 0 ? [{ name: LEFT_OUT, text: leftOutText(leftOut) }] : []),
    { name: MANIFEST, text: `${JSON.stringify(manifest, null, 1)}\n` },
  ];
  for (const { name, text } of all) {
    const file = new SafeFile(join(folder, name), { force });
    file.write(text);
    file.finish();
  }
}

/** The plots as they were read, with the reasons as a property: fixed in this file, they can be exported from it. */
function leftOutText(leftOut: readonly LeftOut[]): string {
  const features = leftOut.map(({ plot, reasons }) => {
    return featureText({ ...plot, properties: { ...plot.properties, left_out_because: reasons.join("\n") } });
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

  /** @param read how many plots were read */
  found(read: number): string {
    return `${figures.decimal(this.#plots.size, 0)} of ${counted(read, "plot")} ${this.#plots.size === 1 ? "has" : "have"} ${counted(this.#count, "error")}`;
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
    if (this.#count++ < LISTED) this.#terminal.note(printable(`plot ${plot.id}: ${code}: ${message}`));
    return `${code}: ${message}`;
  }
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { iso2Of, iso3Of, territoryOf } from "@groundrule/borders";
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
import { type Arguments, UsageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { readPlotFeatures } from "../plot-features.ts";
import { ChangeTally, counted } from "../plot-fixes/change-tally.ts";
import { FIX_PROFILE_OPTION, fixOptions } from "../plot-fixes/fix-options.ts";
import { refuseExisting, SafeFile } from "../plot-fixes/safe-file.ts";
import { PLOT_READ_OPTIONS, READ_DETAIL } from "../read-options.ts";
import { CRS_OPTION } from "../spatial-options.ts";
import { printable, type Terminal } from "../terminal.ts";
import { VERSION } from "../version.ts";

/** Errors that are listed; the others are counted. */
const LISTED = 50;

export const plotsExportCommand: Command = {
  path: "plots export",
  summary: "Write plots as the files that the EU information system takes",
  operands: "[FILE]",
  operandCount: [0, 1],
  options: [
    FIX_PROFILE_OPTION,
    { name: "type", value: "TYPE", help: "I: one producer a file (default); II: several a file" },
    { name: "out", value: "DIR", help: "folder to write to (default eudr-plots)" },
    { name: "fix", help: "mend plots first, as plots fix does; else a plot with an error is refused" },
    { name: "commodity", value: "NAME", help: "what the plots produce: a point of cattle may be above 4 ha" },
    { name: "force", help: "replace files that are there" },
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
  ],
  details: [
    "Writes GeoJSON with the members ProducerName, ProducerCountry, ProductionPlace and Area, coordinates cut to six decimals, at most 25 MB a file in base64, and manifest.json, which tells the file of each plot. Where a plot has an error, none is written, and the exit code is 1. The files are not sent: that is the operator's.",
    READ_DETAIL,
  ],
  async run(args, terminal) {
    const options = fixOptions(args);
    const type = typeOf(args);
    const folder = args.find("out") ?? "eudr-plots";
    const crs = args.find("crs");
    const check = {
      profile: options.profile,
      crsTable,
      commodity: args.find("commodity")?.toLowerCase(),
      countries: { iso2Of, iso3Of, territoryOf },
    };
    const [sent, made] = [new PlotChecker(check), new PlotChecker(check)];
    const errors = new Errors(terminal);
    const tally = new ChangeTally();
    const plots: PlotFeature[] = [];
    let assumed = 0;
    for await (const read of readPlotFeatures(args, terminal)) {
      terminal.progress(() => tally.summary);
      if ("error" in read) {
        errors.tell(read.id, "PLOT_UNREADABLE", read.error.message);
        continue;
      }
      const plot = crs === undefined ? read : { ...read, crs };
      if (!args.flag("fix") && errors.add(sent.check(plot))) continue;
      const fixed = fixPlot(plot, options);
      tally.add(fixed);
      for (const one of fixed.plots) {
        const findings = made.check(one);
        errors.add(findings);
        if (findings.some(({ code }) => code === "POINT_WITHOUT_AREA")) assumed++;
        plots.push(one);
      }
    }
    const { files, tooLarge } = exportPlots(plots, options.profile, type);
    for (const { id } of tooLarge) errors.tell(id, "FILE_TOO_LARGE", "it is more than a file may hold");
    if (errors.count > 0) {
      const advice = args.flag("fix") ? "" : "; --fix mends what can be mended";
      terminal.note(`${counted(errors.count, "error")}, so nothing was written${advice}`);
      return EXIT.failOn;
    }
    writeAll(folder, files, { type, force: args.flag("force"), profile: options.profile.name });
    if (terminal.human) for (const line of tally.lines(terminal.columns)) await terminal.print(line);
    for (const file of files) {
      await terminal.print(
        `${join(folder, file.name)}  ${counted(file.plots.length, "plot")}, ${counted(file.bytes, "byte")}`,
      );
    }
    if (assumed > 0) {
      const hectares = options.profile.assumedPointHectares;
      terminal.note(`${counted(assumed, "point")} without Area: the system assumes ${hectares} ha of each`);
    }
    terminal.note(`${tally.summary}, in ${counted(files.length, "file")} and ${join(folder, MANIFEST)}`);
    return EXIT.done;
  },
};

const MANIFEST = "manifest.json";

function typeOf(args: Arguments): ExportType {
  const type = (args.find("type") ?? "I").toUpperCase();
  if (type !== "I" && type !== "II") throw new UsageError(`found --type "${type}", expected I or II`);
  return type;
}

/** Each file whole or not at all, and the manifest last: where it is, all are. */
function writeAll(
  folder: string,
  files: readonly ExportFile[],
  { type, force, profile }: { readonly type: ExportType; readonly force: boolean; readonly profile: string },
): void {
  for (const name of [...files.map((file) => file.name), MANIFEST]) refuseExisting(join(folder, name), force);
  mkdirSync(folder, { recursive: true });
  const manifest = {
    profile,
    type,
    engine_version: VERSION,
    files: files.map(({ name, bytes, plots }) => ({ name, bytes, plots })),
  };
  const all = [...files, { name: MANIFEST, text: `${JSON.stringify(manifest, null, 1)}\n` }];
  for (const { name, text } of all) {
    const file = new SafeFile(join(folder, name), { force });
    file.write(text);
    file.finish();
  }
}

/** Errors of plots, told one a line as they are found. */
class Errors {
  count = 0;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Tells the errors among findings, and whether there are any. */
  add(findings: readonly PlotFinding[]): boolean {
    const errors = findings.filter(({ severity }) => severity === "error");
    for (const { id, code, pointer, found, expected } of errors) {
      this.tell(id, code, `${FINDINGS[code].meaning} ${pointer}: found ${found}, expected ${expected}`);
    }
    return errors.length > 0;
  }

  tell(id: string | number, code: string, message: string): void {
    if (this.count++ < LISTED) this.#terminal.note(printable(`plot ${id}: ${code}: ${message}`));
  }
}

import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { PRESET_PREFIX } from "@groundrule/data/rulesets";
import { WRITTEN_FILES } from "@groundrule/data/sources";
import {
  chooseSources,
  type GranulesPlanned,
  type SourceFile,
  type SyncOptions,
  type SyncOutcome,
  type SyncProgress,
  syncSources,
  watchSources,
} from "@groundrule/sync";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { parseDurationMs } from "../../command-line/durations.ts";
import { EXIT, type ExitCode, pickWorseExitCode } from "../../command-line/exit-code.ts";
import {
  ALLOW_OPTION,
  BUILD_DETAILS,
  GUARD_DETAILS,
  readAllowedGuards,
  readBuildAllowances,
} from "../../data/allow-option.ts";
import { formatNeededByCommand } from "../../data/command-words.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { getManifestFolder, readKnownManifests, readManifestFiles } from "../../data/manifest-files.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { noteSourceChanges } from "../../words/change-lines.ts";
import { figures } from "../../words/figures.ts";
import { KEEP_OPTIONS, readKeepOptions } from "../snapshots/raster-options.ts";

export const sourcesSyncCommand: Command = {
  summary: "Update sources as their manifests say: download, check, build, make current",
  examples: ["eu:country_benchmark", "br:funai br:cnuc --from downloads"],
  operands: "[NAME]…",
  operandCount: [0, 1024],
  options: [
    defineOption(
      "manifests PATH",
      "manifest, or folder of manifests (default: the folder manifests of the data folder, and for a NAME that it lacks, the manifest that comes with the command)",
      { multiple: true },
    ),
    defineOption(
      "from DIR",
      'folder from which the path in "file" starts (default: the folder of the manifest)',
    ),
    ...KEEP_OPTIONS,
    ALLOW_OPTION,
    defineOption(
      "watch",
      "keep running, and update each source by its refresh_interval_days, until interrupted",
    ),
    defineOption(
      "at-most DURATION",
      "with --watch: the least time between two looks at one source (default 1h)",
    ),
  ],
  details: [
    "Checks each publisher for new data, downloads it, and continues a download that was interrupted. If a file fails its checks, or cannot be built, the current edition stays in place, and the other sources are still updated.",
    "Of a raster that is published in many files, --countries and --bounds choose which are fetched; how many, and how many bytes, is said before. The coverage is then what was kept.",
    BUILD_DETAILS,
    GUARD_DETAILS,
    "Prints a line for each source. The exit code is 0 if every source is up to date, 1 if guards refused an edition or a source failed, 3 if a manifest cannot be read, and 4 if no publisher could be reached.",
  ],
  async run(args, terminal) {
    const dir = getDataFolder(args);
    const allow = readAllowedGuards(args);
    if (args.find("at-most") !== undefined && !args.flag("watch")) {
      throw new UsageError("--at-most is for --watch");
    }
    const ruleset = args.operands.find((name) => name.startsWith(PRESET_PREFIX) || name.endsWith(".json"));
    if (ruleset !== undefined) {
      throw new UsageError(
        `found the ruleset ${ruleset}, expected the names of sources; the command that lists those it needs: ${formatNeededByCommand(ruleset, args)}`,
      );
    }
    const readFiles = createManifestReader(args, dir);
    const read = () => chooseSources(readFiles(), args.operands);
    const options: SyncOptions = {
      dir,
      from: args.find("from"),
      writtenFiles: WRITTEN_FILES,
      keep: readKeepOptions(args),
      allow,
      allowances: readBuildAllowances(args),
      signal: terminal.signal,
      proxies: process.env,
      async checkLive(provider, manifest) {
        const { checkPostgis } = await import("@groundrule/postgis");
        await checkPostgis(provider, manifest, { environment: process.env });
      },
      onGranules: (name, planned) => terminal.note(`${name}: ${describePlannedGranules(planned)}`),
      onProgress: (name, progress) => terminal.progress(() => `${name}: ${describeSyncProgress(progress)}`),
      onDone: (outcome) => printSyncOutcome(outcome, args, terminal),
    };
    if (args.flag("watch")) return watchSourceFiles(args, terminal, read, options);
    return computeExitCode(await syncSources(read(), options));
  },
};

async function watchSourceFiles(
  args: Arguments,
  terminal: Terminal,
  read: () => readonly SourceFile[],
  options: SyncOptions,
): Promise<ExitCode> {
  const atMost = args.find("at-most");
  await watchSources({
    signal: terminal.signal,
    read,
    sync: (files) => syncSources(files, options),
    leastMs: atMost === undefined ? undefined : parseDurationMs("at-most", atMost),
    now: () => performance.now(),
    sleep: (ms, signal) => pause(ms, undefined, { signal }),
    onFault: (error) => terminal.note(`groundrule: ${toPrintable(String(error))}; trying again`),
  });
  return EXIT.done;
}

/** Returns a function that reads the selected manifests, anew with each call. */
function createManifestReader(args: Arguments, dir: string): () => readonly SourceFile[] {
  const paths = args.all("manifests");
  if (paths.length > 0) return () => readManifestFiles(paths);
  if (args.operands.length > 0) return () => readKnownManifests(dir);
  const own = getManifestFolder(dir);
  if (existsSync(own)) return () => readManifestFiles([own]);
  throw new UsageError(
    `--manifests is missing, and there is no folder ${own}; name the sources whose manifests come with the command`,
  );
}

async function printSyncOutcome(outcome: SyncOutcome, args: Arguments, terminal: Terminal): Promise<void> {
  noteSourceChanges(outcome.source_name, outcome.changes, terminal);
  if (args.flag("json") || !terminal.human) return terminal.printJson(outcome);
  const { source_name, outcome: kind, edition, areas, bytes, seconds, left_out, reasons = [] } = outcome;
  const facts = [
    edition?.slice(0, 12),
    areas === undefined ? undefined : `${figures.decimal(areas, 0)} stored`,
    left_out === undefined || left_out === 0 ? undefined : `${figures.decimal(left_out, 0)} left out`,
    bytes === undefined || bytes === 0 ? undefined : formatMegabytes(bytes),
    `${figures.decimal(seconds, 1)} s`,
  ].filter((fact) => fact !== undefined);
  const said = terminal.style(STYLES[kind], kind.padEnd(9));
  await terminal.print(`${said}  ${toPrintable(source_name)}  ${facts.join("  ")}`);
  for (const { code, message } of reasons) {
    await terminal.print(`           ${toPrintable(message)} (${toPrintable(code)})`);
    if (code === "FILE_MISSING" && !args.has("from"))
      await terminal.print("           name the folder that has the file with --from DIR");
  }
}

const STYLES = {
  installed: "green",
  unchanged: "dim",
  connected: "green",
  skipped: "dim",
  pinned: "yellow",
  refused: "yellow",
  failed: "red",
} as const;

function formatMegabytes(bytes: number): string {
  return `${figures.decimal(bytes / 1e6, 1)} MB`;
}

function describeSyncProgress(progress: SyncProgress): string {
  if ("downloadedBytes" in progress) return `${formatMegabytes(progress.downloadedBytes)} downloaded`;
  if ("featuresDone" in progress) return `${figures.decimal(progress.featuresDone, 0)} features`;
  const { cellsDone, cellsInAll } = progress;
  return `${figures.decimal(cellsDone, 0)} cells, ${figures.share(cellsDone / cellsInAll)}`;
}

function describePlannedGranules({ granules, absent, bytes, unsized, here }: GranulesPlanned): string {
  const files = (count: number) => `${figures.decimal(count, 0)} ${count === 1 ? "file" : "files"}`;
  const facts = [
    granules === 0 ? "nothing to fetch" : `will fetch ${files(granules)}, ${formatMegabytes(bytes)}`,
    ...(unsized === 0 ? [] : [`${files(unsized)} of unknown size`]),
    ...(here === 0 ? [] : [`${files(here)} here already`]),
    ...(absent === 0 ? [] : [`${files(absent)} not published: not examined there`]),
  ];
  return facts.join("; ");
}

/** An unreadable manifest takes precedence; if nothing could be reached, nothing else is known. */
function computeExitCode(outcomes: readonly SyncOutcome[]): ExitCode {
  const failures = outcomes.filter(({ outcome }) => outcome === "failed");
  const codes = failures.map(({ reasons }) => reasons?.[0]?.code);
  if (codes.includes("MANIFEST_INVALID")) return EXIT.badInput;
  const isCutOff = failures.length > 0 && failures.length === outcomes.length;
  if (isCutOff && codes.every((code) => code === "FETCH_UNAVAILABLE")) return EXIT.unavailable;
  const notCurrent = outcomes.some(({ outcome }) => outcome === "refused");
  return pickWorseExitCode(
    failures.length > 0 ? EXIT.failOn : EXIT.done,
    notCurrent ? EXIT.failOn : EXIT.done,
  );
}

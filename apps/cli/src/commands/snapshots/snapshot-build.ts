import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import type { SourceManifest, StoredManifest } from "@groundrule/engine";
import type { SnapshotFile } from "@groundrule/engine/build";
import {
  type BuildCounts,
  buildCounts,
  buildSnapshot,
  type IngestReport,
  KEPT_POLYGONS,
  type KeptManifest,
  keptManifest,
  type ManifestOptions,
  type RasterReport,
  renderRasterReport,
  renderReport,
  sourceFromOptions,
} from "@groundrule/ingest";
import { installEdition } from "@groundrule/node";
import {
  assertSourceInstallable,
  openSpillFile,
  readCatalogOrEmpty,
  readCoveragePolygons,
} from "@groundrule/node/internal";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import {
  ALLOW_OPTION,
  BUILD_DETAILS,
  GUARD_DETAILS,
  noteNotCurrent,
  readAllowedGuards,
  readBuildAllowances,
} from "../../data/allow-option.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { InputFileError, readInputBytes, readJsonFile } from "../../files/input-file.ts";
import { isFile, openInputFile } from "../../files/open-input.ts";
import { buildReadOptions, FORMAT_OPTION, READ_DETAIL, READ_OPTIONS } from "../../plots/read-options.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { noteSourceChanges } from "../../words/change-lines.ts";
import { describeFutureDates } from "../../words/edition-text.ts";
import { figures } from "../../words/figures.ts";
import {
  addCellOptions,
  buildFromTiffs,
  RASTER_DETAIL,
  RASTER_OPTIONS,
  refuseRasterOptions,
} from "./raster-options.ts";

export const snapshotBuildCommand: Command = {
  summary: "Build an edition of a source from its file and make it current",
  examples: ["--source my:parks --id id --coverage BRA parks.gpkg", "--manifest my-list.json list.csv"],
  operands: "[FILE…]",
  operandCount: [0, 65536],
  options: [
    defineOption("source NAME", "name of the source, e.g. demo:parks"),
    defineOption("manifest FILE", "JSON file of the source's manifest; options override its members"),
    defineOption("afresh", "take over nothing from the current edition of the source"),
    defineOption("kind KIND", "leaf (areas, default) or subject_register"),
    defineOption("id COLUMN", "column of the identifier"),
    defineOption("name COLUMN", "column of the name"),
    defineOption("country COLUMN", "column of the ISO 3166-1 alpha-3 country"),
    defineOption("country-iso3 ISO3", "one ISO 3166-1 alpha-3 country for all areas"),
    defineOption(
      "coverage WHERE",
      "the land that the source covers: global, codes such as BRA,COL, or a FILE with polygons",
    ),
    defineOption(
      "crs EPSG:N",
      "CRS of the coordinates (default: the one that the file names, else longitude and latitude)",
    ),
    FORMAT_OPTION,
    ...READ_OPTIONS,
    defineOption("dataset TEXT", "title of the data set"),
    defineOption("url URL", "origin of the data set"),
    defineOption("license SPDX", "SPDX identifier of its licence"),
    defineOption("category TEXT", "category of its areas"),
    defineOption("collected-at INSTANT", "when the data set was collected, e.g. 2026-10-01T00:00:00Z"),
    defineOption("observed-until DAY", "the last day of which the data speak, e.g. 2023-12-31"),
    defineOption("scope TEXT", "the part of its theme that the source contains, e.g. federal units"),
    defineOption("fictional", "the areas or records of the source are invented"),
    defineOption("group NAME", "group that the source becomes a member of", { multiple: true }),
    defineOption("value COLUMN", "registers: column of the subjects' identifiers"),
    defineOption("scheme TYPE", "registers: scheme of every identifier, e.g. br:cnpj"),
    defineOption("scheme-from COLUMN", "registers: column of each identifier's scheme or type name"),
    defineOption(
      "schemes NAME=SCHEME",
      'registers: scheme that a type name stands for, e.g. "Tax ID No.=ofac:tax_id_no"',
      { multiple: true },
    ),
    defineOption("date COLUMN=FORMAT", "date format of a column, e.g. signed=dd/MM/yyyy", { multiple: true }),
    defineOption("column COLUMN=TYPE", "type of a column, when the inferred type would be wrong", {
      multiple: true,
    }),
    ...RASTER_OPTIONS,
    ALLOW_OPTION,
  ],
  details: [
    READ_DETAIL,
    "Without --manifest, a source that was built before keeps the members of its current edition: groups, title, category, licence, coverage, the mapping and types of columns, all but the time of collection and the last observed day. Options change members, and every change is reported; --afresh keeps nothing.",
    "A register is built from the rows of CSV, TSV, JSON lines or any table. The build repairs invalid polygons, keeps duplicates, and reports each change.",
    RASTER_DETAIL,
    "A source is examined only within its coverage; land outside counts as not examined. A source that declares no coverage is taken to cover the countries that its areas name, and the report says so. The FILE of --coverage has a dot or a slash in its path.",
    BUILD_DETAILS,
    GUARD_DETAILS,
  ],
  async run(args, terminal) {
    const dir = getDataFolder(args);
    // A wrong name is reported before hours of work.
    readAllowedGuards(args);
    const manifestPath = args.find("manifest");
    if (manifestPath !== undefined && args.flag("afresh")) {
      throw new UsageError(
        "--afresh cannot be combined with --manifest, which already sets every member; leave out --afresh",
      );
    }
    const manifestOptions: ManifestOptions = {
      source: args.find("source"),
      kind: args.find("kind"),
      id: args.find("id"),
      name: args.find("name"),
      country: args.find("country"),
      countryIso3: args.find("country-iso3"),
      coverage: args.find("coverage"),
      crs: args.find("crs"),
      dataset: args.find("dataset"),
      url: args.find("url"),
      license: args.find("license"),
      category: args.find("category"),
      collectedAt: args.find("collected-at"),
      observedUntil: args.find("observed-until"),
      scope: args.find("scope"),
      fictional: args.flag("fictional") ? true : undefined,
      group: omitIfEmpty(args.all("group")),
      allow: omitIfEmpty(readBuildAllowances(args)),
      value: args.find("value"),
      scheme: args.find("scheme"),
      schemeFrom: args.find("scheme-from"),
      schemes: omitIfEmpty(args.all("schemes")),
      date: omitIfEmpty(args.all("date")),
      column: omitIfEmpty(args.all("column")),
    };
    if (manifestPath === undefined && manifestOptions.source === undefined) {
      const name = args.operands.find((each) => /^[a-z0-9_]+(:[a-z0-9_]+)+$/.test(each));
      const hint = name === undefined ? "" : `; did you mean --source ${name}?`;
      throw new UsageError(`found neither --source NAME nor --manifest FILE, expected one of them${hint}`);
    }
    const before =
      manifestPath !== undefined || args.flag("afresh")
        ? undefined
        : findPreviousManifest(dir, manifestOptions.source);
    const kept = before && keptManifest(before, manifestOptions);
    const base = manifestPath === undefined ? kept?.manifest : readJsonFile(manifestPath);
    const { manifest, read } = sourceFromOptions(manifestOptions, await addCellOptions(args, base));
    assertSourceInstallable(dir, manifest);
    if (kept !== undefined) noteKeptMembers(manifest, withoutReplacedCells(args, kept), terminal);
    // A path in a manifest is relative to the manifest, a path on the command line to the current folder.
    const fromManifest = manifestPath !== undefined && args.find("coverage") === undefined;
    const polygonsFolder = fromManifest ? dirname(manifestPath) : ".";

    const openPolygons = (named: string) =>
      named === KEPT_POLYGONS
        ? readKeptPolygons(dir, manifest.source_name)
        : readInputBytes(resolve(polygonsFolder, named), terminal);
    if (manifest.cells !== undefined) {
      const built = await buildFromTiffs(args, terminal, manifest, { openPolygons, folder: polygonsFolder });
      try {
        const { file, report } = built;
        const notes = { left_out: 0, read: report.stored };
        return await installBuiltEdition(args, terminal, dir, {
          file,
          report,
          text: renderRasterReport(report),
          notes,
        });
      } finally {
        built.close();
      }
    }
    await refuseRasterOptions(args);

    const options = buildReadOptions(args, read);
    const input = await openInputFile(args.operands[0], terminal, options.layer);
    const size = isFile(input) ? input.size : 0;
    const spill = manifest.kind === "subject_register" ? openSpillFile() : undefined;
    try {
      const { file, report } = await buildSnapshot(input, manifest, {
        read: options,
        sha256: () => createHash("sha256"),
        crc32,
        crs: crsTable,
        spill,
        columnsBefore: kept?.columns,
        openPolygons,
        onProgress: ({ bytesRead, featuresDone }) =>
          terminal.progress(() => {
            const share = size === 0 || bytesRead > size ? "" : `, ${figures.share(bytesRead / size)}`;
            return `${manifest.source_name}: ${figures.decimal(featuresDone, 0)} features${share}`;
          }),
      });
      return await installBuiltEdition(args, terminal, dir, {
        file,
        report,
        text: renderReport(report),
        notes: buildCounts(report),
      });
    } finally {
      spill?.close();
      if (isFile(input)) await input.close();
    }
  },
};

/** A built edition and its report. */
interface Built {
  readonly file: SnapshotFile;
  readonly report: IngestReport | RasterReport;
  /** The report for people. */
  readonly text: string;
  readonly notes: BuildCounts;
}

async function installBuiltEdition(
  args: Arguments,
  terminal: Terminal,
  dir: string,
  { file, report, text, notes }: Built,
): Promise<ExitCode> {
  const built_at = new Date().toISOString();
  const installed = await installEdition(
    dir,
    file,
    { ...notes, built_at },
    { allow: readAllowedGuards(args) },
  );
  const { edition, manifest } = installed.meta;
  warnOfFutureDates(manifest, built_at, terminal);
  if (args.flag("json")) {
    const { isCurrent, findings, pinned, changes } = installed;
    await terminal.printJson({ ...report, edition, is_current: isCurrent, findings, pinned, changes });
  } else await terminal.print(`${text}edition ${edition}`);
  noteSourceChanges(report.source_name, installed.changes, terminal);
  if (installed.isCurrent) return EXIT.done;
  noteNotCurrent(installed, terminal);
  return EXIT.failOn;
}

/** The stored manifest of a source that was built before, or that groups include. */
function findPreviousManifest(dir: string, sourceName: string | undefined): StoredManifest | undefined {
  const { sources, removed } = readCatalogOrEmpty(dir);
  return [...sources, ...removed].find(({ manifest }) => manifest.source_name === sourceName)?.manifest;
}

/** Fails: {@link InputFileError} if the source was removed with its editions. */
function readKeptPolygons(dir: string, sourceName: string): AsyncIterable<Uint8Array> {
  const isThere = readCatalogOrEmpty(dir).sources.some(({ manifest }) => manifest.source_name === sourceName);
  if (isThere) return streamTextBytes(readCoveragePolygons(dir, sourceName));
  throw new InputFileError(
    `the polygons of the coverage of ${sourceName} were deleted with its editions; name them with --coverage FILE, or take over nothing with --afresh`,
  );
}

function noteKeptMembers(
  { source_name, collected_at, observed_until }: SourceManifest,
  kept: KeptManifest,
  terminal: Terminal,
): void {
  if (kept.members.length > 0) {
    terminal.note(`${source_name} keeps ${kept.members.join(", ")} from the edition before`);
  }
  if (collected_at === undefined && observed_until === undefined) {
    terminal.note(
      `${source_name} has no collected_at, because --collected-at was not used: its age is not known`,
    );
  }
}

/** Warns of a date in the future, from which no age can be computed. */
function warnOfFutureDates(manifest: StoredManifest, now: string, terminal: Terminal): void {
  const future = describeFutureDates(manifest, now);
  if (future === undefined) return;
  terminal.note(
    `warning: ${manifest.source_name} has ${future}, which is in the future: no age counts from such a date, and sets with max_age_days take a source of unknown age for too old`,
  );
}

/** Drops the previous edition's cells if `--values` replaces them all. */
function withoutReplacedCells(args: Arguments, kept: KeptManifest): KeptManifest {
  const { values: _, background: __, nodata: ___, ...others } = kept.manifest.cells ?? {};
  if (args.find("values") === undefined || Object.keys(others).length > 0) return kept;
  return { ...kept, members: kept.members.filter((member) => member !== "cells") };
}

async function* streamTextBytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

function omitIfEmpty<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values;
}

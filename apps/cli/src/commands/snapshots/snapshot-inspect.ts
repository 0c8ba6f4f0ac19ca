import { crc32 } from "node:zlib";
import { type Coverage, isRaster, openSnapshot, type Snapshot } from "@groundrule/engine/build";
import { openLocalFile } from "@groundrule/formats";
import { inspectRaster, valuesCsv } from "@groundrule/ingest";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { listSnapshotPaths, readSnapshotBytes } from "../../data/snapshot-files.ts";
import { isTiffFile } from "../../files/tiff-file.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";
import { openSiblingFile } from "./raster-options.ts";

export const snapshotInspectCommand: Command = {
  summary: "Show what a snapshot contains, or list the values of a GeoTIFF",
  examples: ["forest.tif"],
  operands: "FILE|SOURCE…",
  operandCount: [1, 1024],
  options: [defineOption("band N", "GeoTIFF: the band that is listed, from 1 (default: 1)")],
  details: [
    "The name of a source in the data folder stands for its current edition.",
    'Of a GeoTIFF the values that occur are printed as CSV, with the number of cells and the colours of its palette. Say in column "is" what each means (area, background or nodata), add columns, and build with snapshot build --values.',
  ],
  async run(args, terminal) {
    const [tiff] = args.operands;
    if (args.operands.length === 1 && (await isTiffFile(tiff!))) return inspectTiff(tiff!, args, terminal);
    for (const { label, path } of listSnapshotPaths(args)) {
      const bytes = readSnapshotBytes(path);
      const snapshot = openSnapshot(bytes, { name: label, crc32 });
      const byteLength = "length" in bytes ? bytes.length : bytes.byteLength;
      const { manifest, ...meta } = snapshot.meta;
      const counts = getSnapshotCounts(snapshot);
      const { columns } = snapshot.attributes;
      const coverage = snapshot.kind === "leaf" ? toDescribedCoverage(snapshot.coverage) : undefined;
      if (args.flag("json") || !terminal.human) {
        await terminal.printJson({
          ...meta,
          ...counts,
          ...(coverage && { coverage }),
          byte_length: byteLength,
          columns,
          manifest,
        });
        continue;
      }
      const { columns: _columns, coverage: _coverage, coverage_known: _known, ...members } = manifest;
      const facts: [string, unknown][] = [
        ...Object.entries(members),
        ["coverage", coverage && coverageInWords(coverage)],
        ...Object.entries(meta),
        ...Object.entries({ ...counts, bytes: byteLength }),
      ];
      for (const [name, value] of facts) {
        if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
        await terminal.print(`${name.padEnd(21)}  ${toPrintable(formatInspectedValue(value))}`);
      }
      await terminal.print(terminal.style("bold", "columns"));
      for (const { name, type } of columns) await terminal.print(`  ${type.padEnd(7)}  ${toPrintable(name)}`);
    }
    return EXIT.done;
  },
};

async function inspectTiff(path: string, args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const band = Number(args.find("band") ?? 1);
  if (!Number.isInteger(band) || band < 1) {
    throw new UsageError(`found --band "${args.find("band")}", expected the number of a band, from 1`);
  }
  const file = await openLocalFile(path);
  const auxiliary = await openSiblingFile(file, ".aux.xml");
  try {
    const progress = (share: number) => terminal.progress(() => `${path}: ${figures.share(share)}`);
    const contents = await inspectRaster(file, band, progress, auxiliary);
    if (args.flag("json")) await terminal.printJson(contents);
    else await terminal.print(valuesCsv(contents));
    if (contents.values.some(({ value, is }) => value === 0 && is === undefined)) {
      terminal.note(
        'the value 0 has no "is" yet: say whether it is background (examined, nothing there) or nodata',
      );
    }
    const { alpha, scale, unlisted } = contents;
    if (alpha !== undefined) {
      terminal.note(
        `band ${alpha.join(", ")} is alpha: say in cells of the manifest by "file_mask" whether it hides cells`,
      );
    }
    if (scale !== undefined) {
      terminal.note(
        `the file states a scale of ${scale.scale} and an offset of ${scale.offset}: the values are those stored`,
      );
    }
    if (unlisted !== undefined) {
      terminal.note(`${figures.decimal(unlisted, 0)} cells hold more different values, which are not listed`);
    }
  } finally {
    await file.close();
    await auxiliary?.close();
  }
  return EXIT.done;
}

interface DescribedCoverage {
  readonly extent: Coverage["extent"];
  readonly known?: Exclude<Coverage, { readonly extent: "undeclared" }>["known"];
  readonly countries?: readonly string[];
  /** Pieces of the territory and of the other land around it. */
  readonly pieces?: number;
  readonly positions?: number;
}

function toDescribedCoverage(coverage: Coverage): DescribedCoverage {
  if (coverage.extent === "cells") {
    const { extent, known, territory } = coverage;
    return { ...(territory && toDescribedCoverage(territory)), extent, known };
  }
  if (!("pieces" in coverage)) return coverage;
  const { pieces, ...shown } = coverage;
  return { ...shown, pieces: pieces.layer.areaCount, positions: pieces.layer.positionCount };
}

function coverageInWords(coverage: DescribedCoverage): string {
  const { extent, known, countries, pieces, positions = 0 } = coverage;
  const how = known === "derived" ? "assumed from the countries of its areas" : known;
  const shown = `${countries?.join(" ") ?? extent}${how === undefined ? "" : `, ${how}`}`;
  return pieces === undefined
    ? shown
    : `${shown}; ${pieces === 1 ? "1 piece" : `${figures.decimal(pieces, 0)} pieces`} of ${figures.decimal(positions, 0)} positions`;
}

function formatInspectedValue(value: unknown): string {
  if (typeof value === "number") return figures.decimal(value, 0);
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The counts of a snapshot of its kind, or the grid of a raster. */
function getSnapshotCounts(snapshot: Snapshot): object {
  if (snapshot.kind === "subject_register") return { identifiers: snapshot.identifiers.count };
  if (isRaster(snapshot)) return { grid: snapshot.layer.grid };
  return { rings: snapshot.layer.ringCount, positions: snapshot.layer.positionCount };
}

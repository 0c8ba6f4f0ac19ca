import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import zlib from "node:zlib";
import { createRasterWriter, type SnapshotFile } from "@groundrule/engine/build";
import { buildCounts, buildSnapshot, type IngestReport } from "@groundrule/ingest";
import { installEdition, setGroup } from "@groundrule/node";
import { GUARDS } from "@groundrule/node/internal";
import type { Feature } from "geojson";
import { generateDemo } from "./generate.ts";
import type { DemoRaster } from "./rasters.ts";

export interface DemoFolder {
  /** Plots to evaluate. */
  readonly plots: readonly Feature[];
  /** The ruleset of the demo, as a caller would send it. */
  readonly ruleset: unknown;
  /** The same without its look-up of the owner, for plots of which nothing but the land is known. */
  readonly landRuleset: unknown;
}

/** Summary of each source that was built. */
export interface BuiltSource extends Pick<IngestReport, "source_name" | "kind" | "stored" | "repaired"> {
  /** Number of cells, for a raster. */
  readonly cells?: number;
}

const HOST = { sha256: () => createHash("sha256"), crc32: zlib.crc32 };

/** Generates the demo's source files, builds their snapshots through ingest, and groups them. */
export async function buildDemo(
  dataFolder: string,
  onSource: (source: BuiltSource) => void = () => {},
): Promise<DemoFolder> {
  const { sources, rasters, groups, plots } = generateDemo();
  // The demo is accepted as generated, even if it replaces the demo of another release.
  const options = { allow: GUARDS };
  for (const { manifest, text } of sources) {
    const { file, report } = await buildSnapshot(toFile(manifest.source_name, text), manifest, HOST);
    await installEdition(dataFolder, file, buildCounts(report), options);
    onSource(report);
  }
  for (const raster of rasters) {
    const { file, cells } = writeRaster(raster);
    const { source_name, kind } = raster.manifest;
    await installEdition(dataFolder, file, undefined, options);
    onSource({ source_name, kind, stored: raster.areas.length, repaired: [], cells });
  }
  for (const [name, members] of Object.entries(groups)) await setGroup(dataFolder, name, members);
  return { plots, ruleset: readDemoRuleset(), landRuleset: readRuleset("forest-areas") };
}

export function readDemoRuleset(): unknown {
  return readRuleset("forest-plots");
}

function readRuleset(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), "utf8"));
}

function writeRaster({ manifest, grid, areas, cells }: DemoRaster): { file: SnapshotFile; cells: number } {
  const writer = createRasterWriter(manifest, grid, areas, HOST);
  for (let row = 0; writer.nextRows > 0; ) {
    const rows = writer.nextRows;
    writer.add(cells(row, rows));
    row += rows;
  }
  return { file: writer.finish(), cells: grid.columns * grid.rows };
}

/** A text as a file in memory, which can be read twice without a scratch file. */
function toFile(
  name: string,
  text: string,
): Exclude<Parameters<typeof buildSnapshot>[0], AsyncIterable<Uint8Array>> {
  const bytes = new TextEncoder().encode(text);
  return {
    name,
    path: "",
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.slice(offset, offset + length)),
    async *stream(from = 0) {
      for (let at = from; at < bytes.length; at += 65_536) yield bytes.slice(at, at + 65_536);
    },
    close: () => Promise.resolve(),
  };
}

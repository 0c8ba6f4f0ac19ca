import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import zlib from "node:zlib";
import { buildSnapshot, type IngestReport } from "@groundrule/ingest";
import { installEdition, setGroup } from "@groundrule/node";
import { GUARDS } from "@groundrule/node/internal";
import type { Feature } from "geojson";
import { generateDemo } from "./generate.ts";

export interface DemoFolder {
  readonly reports: readonly IngestReport[];
  /** Plots to ask about. */
  readonly plots: readonly Feature[];
  /** The ruleset of the demo, as a caller would send it. */
  readonly ruleset: unknown;
  /** The same without its look-up of the owner, for plots of which nothing but the land is known. */
  readonly landRuleset: unknown;
}

/** Generates the demo's source files, builds their snapshots through ingest, and groups them. */
export async function buildDemo(
  dataFolder: string,
  onSource: (report: IngestReport) => void = () => {},
): Promise<DemoFolder> {
  const { sources, groups, plots } = generateDemo();
  const reports: IngestReport[] = [];
  for (const { manifest, text } of sources) {
    const { file, report } = await buildSnapshot(pieces(text), manifest, {
      sha256: () => createHash("sha256"),
      crc32: zlib.crc32,
    });
    const { read, left_out } = report;
    // What it makes is as it is meant to be, also where it replaces the demo of another release.
    await installEdition(dataFolder, file, { left_out: left_out.length, read }, { allow: GUARDS });
    onSource(report);
    reports.push(report);
  }
  for (const [name, members] of Object.entries(groups)) await setGroup(dataFolder, name, members);
  return { reports, plots, ruleset: demoRuleset(), landRuleset: readRuleset("forest-areas") };
}

export function demoRuleset(): unknown {
  return readRuleset("forest-plots");
}

function readRuleset(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), "utf8"));
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
}

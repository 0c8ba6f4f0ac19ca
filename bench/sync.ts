/**
 * What it costs to bring the real sources up to date: all of them built, then nothing new, then one manifest changed.
 *
 * Reads the folder named by GROUNDRULE_REAL_DATA, of which nothing is in this repository.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSourceFiles, type SourceFile, syncSources } from "@groundrule/sync";

const from = process.env.GROUNDRULE_REAL_DATA;
if (from === undefined || !existsSync(from)) {
  console.log("GROUNDRULE_REAL_DATA names no folder: nothing was measured.");
  process.exit(0);
}

const files = readSourceFiles([join(import.meta.dirname, "../data/sources")]);
const dir = mkdtempSync(join(tmpdir(), "groundrule-sync-bench-"));
try {
  console.log("sync                     sources  installed  unchanged  CPU s  wall s");
  await measure("everything new", files);
  await measure("nothing new", files);
  await measure("one manifest changed", files.map(renamed));
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function measure(what: string, sources: readonly SourceFile[]): Promise<void> {
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  const outcomes = await syncSources(sources, { dir, from });
  const { user, system } = process.cpuUsage(cpu);
  const count = (kind: string) => String(outcomes.filter(({ outcome }) => outcome === kind).length);
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  for (const { source_name, reasons } of failed) console.log(`${source_name}: ${reasons?.[0]?.message}`);
  if (failed.length > 0) process.exitCode = 1;
  console.log(
    [
      what.padEnd(23),
      String(sources.length).padStart(8),
      count("installed").padStart(9),
      count("unchanged").padStart(9),
      ((user + system) / 1e6).toFixed(2).padStart(5),
      ((performance.now() - started) / 1000).toFixed(2).padStart(6),
    ].join("  "),
  );
}

/** The areas of FUNAI without their names. */
function renamed(file: SourceFile): SourceFile {
  if (file.source?.manifest.source_name !== "br:funai") return file;
  const { name: _name, ...manifest } = file.source.manifest;
  return { ...file, source: { ...file.source, manifest } };
}

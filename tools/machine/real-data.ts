import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const COMMAND = join(import.meta.dirname, "../../apps/cli/src/main.ts");
const MANIFESTS = join(import.meta.dirname, "../../data/sources");

/** The folder of real layers; undefined where there is none. */
export function findRealFolder(): string | undefined {
  const folder = process.env.GROUNDRULE_REAL_DATA;
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

/** The folder of real layers. Ends the process, with a word, where there is none. */
export function getRealFolder(): string {
  const folder = findRealFolder();
  if (folder !== undefined) return folder;
  console.log("GROUNDRULE_REAL_DATA names no folder: nothing was done.");
  process.exit(0);
}

/** Builds a real source into a data folder, by its manifest. */
export function installRealSource(data: string, name: string): void {
  const manifest = join(MANIFESTS, `${name}.json`);
  const file = join(getRealFolder(), `${name}.geojson.gz`);
  const words = ["snapshot", "build", "--manifest", manifest, "--data", data, file];
  execFileSync(process.execPath, [COMMAND, ...words], { stdio: ["ignore", "ignore", "inherit"] });
}

export interface RealFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: object;
}

/** The features of a layer, as its file has them. */
export function readRealFeatures(name: string): readonly RealFeature[] {
  const bytes = gunzipSync(readFileSync(join(getRealFolder(), `${name}.geojson.gz`)));
  return (JSON.parse(bytes.toString()) as { readonly features: readonly RealFeature[] }).features;
}

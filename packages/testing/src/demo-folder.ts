import { createHash, randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { DemoFolder } from "@groundrule/data/demo";

const root = join(import.meta.dirname, "../../..");
const cache = join(root, "node_modules/.cache/demo");
/** Everything that the demo's data depends on. */
const SOURCES = [
  "data/demo/**/*.{ts,json}",
  "packages/{borders,crs,engine,formats,ingest,node}/src/**/*",
  "packages/{borders,crs,engine,formats,ingest,node}/package.json",
];

/**
 * Fills a data folder like `groundrule demo`. Building its sources takes seconds of CPU: they are built once for each
 * state of the code, and copied.
 */
export async function layOutDemo(dataFolder: string): Promise<DemoFolder> {
  const built = join(cache, computeSourcesState());
  if (!existsSync(built)) await buildDemoFolder(built);
  cpSync(join(built, "data"), dataFolder, { recursive: true });
  return JSON.parse(readFileSync(join(built, "demo.json"), "utf8"));
}

/** The first process renames its folder to the final name; concurrent copies of others are equal. */
async function buildDemoFolder(built: string): Promise<void> {
  const { buildDemo } = await import("@groundrule/data/demo");
  const making = join(cache, `making-${randomUUID()}`);
  const demo = await buildDemo(join(making, "data"));
  writeFileSync(join(making, "demo.json"), JSON.stringify(demo));
  try {
    renameSync(making, built);
  } catch (error) {
    rmSync(making, { recursive: true });
    if (!existsSync(built)) throw error;
  }
}

function computeSourcesState(): string {
  const hash = createHash("sha256").update(process.version);
  const files = globSync(SOURCES, { cwd: root, exclude: ["**/*.test.ts"], withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  for (const path of paths.sort()) hash.update(path.slice(root.length)).update(readFileSync(path));
  mkdirSync(cache, { recursive: true });
  return hash.digest("hex");
}

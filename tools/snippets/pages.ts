import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { DemoFolder } from "../../data/demo/index.ts";
import { encodeTiff } from "../../packages/formats/test/write-tiff.ts";
import { layOutDemo } from "../../packages/testing/src/demo-folder.ts";
import { createSquarePolygon } from "../../packages/testing/src/shapes.ts";
import { listRepositoryFiles, REPOSITORY } from "../machine/repository.ts";
import { type Fence, parseFences } from "./fences.ts";
import type { Program } from "./typescript.ts";

export interface Page {
  readonly page: string;
  readonly fences: readonly Fence[];
}

const TYPESCRIPT: ReadonlySet<string> = new Set(["ts", "js"]);

/** The pages that have fences. */
export function readPagesWithFences(): readonly Page[] {
  return listRepositoryFiles(["*.md", ":!CHANGELOG.md"])
    .map((page) => ({ page, fences: parseFences(page, readFileSync(join(REPOSITORY, page), "utf8")) }))
    .filter(({ fences }) => fences.length > 0);
}

/** The files that pages speak of, beside a data folder with the demo's sources. */
export async function layOutFiles(folder: string): Promise<DemoFolder> {
  const demo = await layOutDemo(join(folder, ".groundrule"));
  const { plots, ruleset } = demo;
  writeSampleFiles(folder);
  writeFileSync(join(folder, "plots.ndjson"), plots.map((plot) => `${JSON.stringify(plot)}\n`).join(""));
  writeFileSync(join(folder, "ruleset.json"), JSON.stringify(ruleset));
  return demo;
}

/** A layer of parks, a map of forest and a plot. */
export function writeSampleFiles(folder: string): void {
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  const parks = {
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        properties: { id: "1", name: "Rio Claro", iso3: "BRA", code: "RC" },
        geometry: createSquarePolygon(-60, -11),
      },
    ],
  };
  write("parks.geojson", JSON.stringify(parks));
  write("indigenous-lands.geojson.gz", gzipSync(JSON.stringify(parks)));
  write("forest.tif", createForestTiff());
  const plot = createSquarePolygon(-59.99, -10.06, 0.02);
  write("plot.geojson", JSON.stringify(plot));
}

/** A map of forest as it comes without a word on what its values mean. */
function createForestTiff(): Uint8Array {
  const [columns, rows] = [600, 400];
  const isForest = (row: number, column: number): boolean =>
    row >= 100 && row < 300 && column >= 100 && column < 500;
  const values = Array.from({ length: columns * rows }, (_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    return column >= 596 ? 255 : isForest(row, column) ? 1 : 0;
  });
  return encodeTiff({
    columns,
    rows,
    values,
    corner: [-60, -10],
    palette: ["#ffffff", "#006400"],
    nodata: "255",
  });
}

/** Writes fences that are programs or files of programs; those that continue join the one before. */
export function writePrograms(folder: string, { fences }: Page): ReadonlyMap<Fence, Program> {
  const programs = new Map<Fence, Program>();
  let before: { file: string; text: string } | undefined;
  for (const fence of fences) {
    const { page, line, language, text, notRun, typesOnly, file, continues } = fence;
    if (notRun !== undefined) continue;
    if (file !== undefined && !TYPESCRIPT.has(language)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    if (!TYPESCRIPT.has(language)) continue;
    const name = file ?? `${page.replaceAll(/[/.]/g, "-")}-${line}.${language}`;
    const whole = continues ? `${before!.text}\n${text}` : text;
    before = { file: join(folder, name), text: whole };
    mkdirSync(dirname(before.file), { recursive: true });
    writeFileSync(before.file, `${whole}\nexport {};\n`);
    programs.set(fence, { file: before.file, runs: typesOnly === undefined });
  }
  return programs;
}

import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { presetVersions } from "@groundrule/data/rulesets";
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from "vite";
import { buildThirdPartyNotices } from "../../tools/program/notices.mjs";
import { createServiceWorkerPlugin } from "./kept-files.ts";
import { createProjectionsPlugin } from "./needed-projections.ts";
import { createUnusedCodeRemover } from "./without-unused.ts";
import { createWorkerChunkPlugins } from "./workers-as-chunks.ts";

const BY_ENTRIES = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 10_000 };

const FIRST =
  /[\\/](?:engine[\\/]src[\\/]base[\\/]country-codes|words[\\/]src[\\/](?:figures|verdict-colors|tags|en[\\/]forms)|plots[\\/]src[\\/](?:profiles[\\/](?:eudr|profiles)|cut[\\/]cut-decimals)|borders[\\/]src[\\/]iso-3166)\.ts$|[\\/]node_modules[\\/](?:pbf|@mapbox[\\/](?:vector-tile|point-geometry))[\\/][^?]*$|[\\/]console[\\/]src[\\/](?:answering[\\/]tile-places|map[\\/](?:on-earth|drawing[\\/](?:coordinates|drawn-shape)))\.ts$|vite[\\/]preload-helper/;

/** Modules shared by the start and later parts of the page, and not used by workers. */
const PAGE =
  /[\\/]node_modules[\\/](?:preact|@preact)[\\/]|[\\/]words[\\/]src[\\/](?:load|loaders|tongue|translation|formats|en[\\/](?:page|verdict))\.ts$|[\\/]console[\\/]src[\\/](?:state|languages[\\/]language\.ts|map[\\/](?:map-state|ruleset-plan|map-session|page-map|clear-box|pointed-area|drawn-property|AreaTip|finding-meanings|drawing[\\/](?:draw-session|faults-of|fault-markers|keyboard-drawing|editability|mend|in-degrees)|layers[\\/](?!coverage-tiles|source-bounds)|sources[\\/](?:source-title|source-colours))|ruleset[\\/](?:ruleset-state|ruleset-needs|pointer-in-ruleset)|answering[\\/]blame|connection[\\/](?:problem-text|ProblemNotice|connect\.ts)|parts[\\/]StatusMark|plots[\\/](?:run-questions|call-names|kept[\\/]opt-in|reading[\\/]read-files))/;

/**
 * Modules shared by several entries of the graph (the page, its workers, on-demand parts) are grouped by the entries
 * that need them. Without this there would be a file for every few modules.
 */
const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  // The library of the map changes less often than the page, and is told apart in `npm run tool -- size`.
  { name: "maplibre-gl", test: /[\\/]node_modules[\\/]maplibre-gl[\\/]/ },
  // Small, and needed at the start and by workers: in a shared chunk it might include an engine.
  { name: "first", test: FIRST },
  { name: "page", test: PAGE },
  // Shared by the list and the summary of it, which load with the first plot.
  { name: "list", test: /[\\/]console[\\/]src[\\/]plots[\\/](?:Questions|list[\\/](?!Exports))/ },
  // Needed by the map and by no worker: in a chunk shared with workers, these would load it too.
  { name: "outlines", test: /[\\/]borders[\\/]src[\\/](?:outlines|outlines-text|locator)\.ts$/ },
  // Shared by the views of an answer and its report: in another shared chunk it would be loaded at the start.
  {
    name: "reason",
    test: /[\\/]words[\\/]src[\\/](?:reason|gap|open-reason|fact-text|lifted|limit-ruler|holds|shortened|measure|ruleset-tongue)\.ts$/,
  },
  // Reads declared facts, in the page and in workers: in a shared chunk it would include an engine.
  {
    name: "facts",
    test: /[\\/]engine[\\/]src[\\/](?:shape[\\/](?:shape|check-shape|describe-value)|verdict[\\/]fact-shape|ruleset[\\/](?:facts[\\/]require-facts|parse[\\/]fact-types)|base[\\/](?:errors|is-object|json-pointer|nearest-name|calendar-day|read-given)|sources[\\/](?:age|overdue)|verdict[\\/](?:instant|rounding))\.ts$|[\\/]plots[\\/]src[\\/]columns[\\/](?:fact-columns|plain-name)\.ts$/,
  },
  // Reads JSON, and the names of systems in it: in a shared chunk it would include the table of systems.
  {
    name: "json",
    test: /[\\/]engine[\\/]src[\\/](?:base[\\/](?:utf8|strict-json|fast[\\/]clean-json)|geometry[\\/]plot[\\/]crs(?:-member)?)\.ts$/,
  },
  // Reads plots from files, without the checker.
  { name: "columns", test: /[\\/]plots[\\/]src[\\/]columns[\\/](?!declared-facts|plot-input)[^\\/]*$/ },
  // Needed by a reader for every format, apart from code for a single one: a group includes all that it imports.
  {
    name: "all-formats",
    test: /[\\/]formats[\\/]src[\\/](?:[^\\/]+|json[\\/](?!read-found-object|row-geometry|esri-feature)[^\\/]+|crs[\\/]crs-in-member|open[\\/](?!open-zipped|csv-group)[^\\/]+)\.ts$/,
  },
  { name: "tables", test: /[\\/]formats[\\/]src[\\/](?:csv|table)[\\/]/ },
  { name: "zip", test: /[\\/]formats[\\/]src[\\/](?:zip[\\/]|open[\\/]open-zipped)/ },
  // Small modules join those with nearly the same entries; but none of formats, which the page does not load.
  { name: "shared", test: /^(?!.*[\\/](?:formats[\\/]src|pako)[\\/])/, ...BY_ENTRIES },
  { name: "formats", ...BY_ENTRIES },
];

/** Modules in the page and its workers. */
const modules = new Set<string>();

/** The page works under any path, so every URL in it is relative. */
const config: UserConfig = defineConfig({
  base: "./",
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [
    createWorkerChunkPlugins(),
    createProjectionsPlugin(),
    createUnusedCodeRemover(),
    createModuleListPlugin(),
    createEmitPlugin("borders.gz", readGzippedBorders),
    // Every version of every preset. Similar versions are adjacent, for compression.
    createEmitPlugin("presets.gz", () => gzipSync(JSON.stringify(presetVersions()), { level: 9 })),
    createEmitPlugin("manifests.json", readInstallManifests),
    // The licences of everything built into the page, shipped with it.
    createEmitPlugin("third-party-notices.txt", () => buildThirdPartyNotices([...modules])),
    createServiceWorkerPlugin(),
  ],
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    // Resources of the page are separate files: its policy allows no `data:` scripts and no inline styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2048,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name, facadeModuleId }) =>
          `assets/${computeChunkName(name, facadeModuleId)}-[hash].js`,
        codeSplitting: { groups: CHUNKS },
      },
    },
  },
});

/** Readers of formats are named by their folders. Shared chunks are not named after everything that shares them. */
function computeChunkName(name: string, entry: string | null): string {
  return name === "reader" && entry !== null ? basename(dirname(entry)) : name.replace(/~.*/, "");
}

/** Records the modules of the page. */
function createModuleListPlugin(): Plugin {
  return {
    name: "noted-modules",
    apply: "build",
    moduleParsed: ({ id }) => void modules.add(id),
  };
}

/** Emits an additional file next to the page. */
function createEmitPlugin(fileName: string, content: () => string | Uint8Array): Plugin {
  return {
    name: fileName,
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source: content() });
    },
  };
}

/** The borders of countries: every browser decompresses gzip, and few decompress Brotli from a file. */
function readGzippedBorders(): Uint8Array {
  const packed = readFileSync(`${import.meta.dirname}/../../packages/borders/src/borders.br`);
  return gzipSync(brotliDecompressSync(packed), { level: 9 });
}

/** The sources that the command's manifests can install, and their download sizes. */
function readInstallManifests(): string {
  const folder = `${import.meta.dirname}/../../data/sources`;
  const manifests = globSync("**/*.json", { cwd: folder })
    .sort()
    .map((path) => {
      const { source_name, groups = [], fetch } = JSON.parse(readFileSync(`${folder}/${path}`, "utf8"));
      return [basename(path, ".json"), fetch?.bytes ?? null, source_name, ...groups];
    });
  return JSON.stringify(manifests);
}

export default config;

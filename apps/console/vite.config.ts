import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { presetVersions } from "@groundrule/data/rulesets";
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from "vite";
import { thirdPartyNotices } from "../../tools/program/notices.mjs";
import { keptFiles } from "./kept-files.ts";
import { neededProjections } from "./needed-projections.ts";
import { withoutUnused } from "./without-unused.ts";
import { workersAsChunks } from "./workers-as-chunks.ts";

const BY_ENTRIES = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 10_000 };

const FIRST =
  /[\\/](?:engine[\\/]src[\\/](?:base[\\/]country-codes|verdict[\\/](?:figures|verdict-colors))|plots[\\/]src[\\/](?:profiles[\\/](?:eudr|profiles)|cut[\\/]cut-decimals)|borders[\\/]src[\\/]iso-3166)\.ts$|[\\/]node_modules[\\/](?:pbf|@mapbox[\\/](?:vector-tile|point-geometry))[\\/][^?]*$|[\\/]console[\\/]src[\\/](?:answering[\\/]tile-places|map[\\/](?:on-earth|drawing[\\/](?:coordinates|drawn-shape)))\.ts$|vite[\\/]preload-helper/;

/** What the start and what is loaded later share, and no worker loads. */
const PAGE =
  /[\\/]node_modules[\\/](?:preact|@preact)[\\/]|[\\/]console[\\/]src[\\/](?:state|languages[\\/](?:en|figures|language)\.ts|map[\\/](?:map-state|drawing[\\/]editability|layers[\\/]base-map|sources[\\/](?:source-title|source-colours))|ruleset[\\/](?:ruleset-state|pointer-in-ruleset)|connection[\\/]problem-text|parts[\\/]StatusMark|plots[\\/](?:run-questions|call-names|Questions|list[\\/](?:plot-order|list-view)))/;

/**
 * What several entries of the graph share (the page, its workers, what they load by need) is put together by who needs
 * it. Without this there is a file of every few modules.
 */
const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  // The library of the map changes less often than the page, and is told apart in `npm run tool -- size`.
  { name: "maplibre-gl", test: /[\\/]node_modules[\\/]maplibre-gl[\\/]/ },
  // Small, and needed at the start as well as by workers: put with what is shared, it may bring an engine along.
  { name: "first", test: FIRST },
  { name: "page", test: PAGE },
  // The map needs it, and no worker: put with what they share, it would come along.
  { name: "outlines", test: /[\\/]borders[\\/]src[\\/](?:outlines|outlines-text|locator)\.ts$/ },
  // What shows an answer and its report share: put with what is shared, it would come along at the start.
  {
    name: "reason",
    test: /[\\/]report[\\/]src[\\/](?:reason|open-reason|declared|limit-ruler|holds|facts[\\/]fact-(?:text|words))\.ts$|[\\/]verdict[\\/]told-text\.ts$/,
  },
  // What reads declared facts, in the page and in workers: put with what is shared, it would bring an engine along.
  {
    name: "facts",
    test: /[\\/]engine[\\/]src[\\/](?:shape[\\/](?:shape|check-shape|describe-value)|verdict[\\/]fact-shape|ruleset[\\/](?:facts[\\/]require-facts|parse[\\/]fact-types)|base[\\/](?:errors|is-object|json-pointer|nearest-name|calendar-day|read-given)|sources[\\/](?:age|overdue)|verdict[\\/](?:instant|rounding))\.ts$|[\\/]plots[\\/]src[\\/]columns[\\/](?:fact-columns|plain-name)\.ts$/,
  },
  // What reads JSON, and names of systems in it: put with what is shared, they would bring the table of systems along.
  {
    name: "json",
    test: /[\\/]engine[\\/]src[\\/](?:base[\\/](?:utf8|strict-json|fast[\\/]clean-json)|geometry[\\/]plot[\\/]crs(?:-member)?)\.ts$/,
  },
  // What reads plots of files, without what checks them.
  { name: "columns", test: /[\\/]plots[\\/]src[\\/]columns[\\/](?!declared-facts|plot-input)[^\\/]*$/ },
  // What a reader of files needs for every format, apart from what it needs for one alone: a group has all that it imports.
  {
    name: "all-formats",
    test: /[\\/]formats[\\/]src[\\/](?:[^\\/]+|json[\\/](?!read-found-object|row-geometry|esri-feature)[^\\/]+|crs[\\/]crs-in-member|open[\\/](?!open-zipped|csv-group)[^\\/]+)\.ts$/,
  },
  { name: "tables", test: /[\\/]formats[\\/]src[\\/](?:csv|table)[\\/]/ },
  { name: "zip", test: /[\\/]formats[\\/]src[\\/](?:zip[\\/]|open[\\/]open-zipped)/ },
  // What is small goes with what nearly the same entries need; but nothing of formats, which the page does not read.
  { name: "shared", test: /^(?!.*[\\/](?:formats[\\/]src|pako)[\\/])/, ...BY_ENTRIES },
  { name: "formats", ...BY_ENTRIES },
];

/** Files that the page and its workers are made of. */
const modules = new Set<string>();

/** The page works under any path, so every URL in it is relative. */
const config: UserConfig = defineConfig({
  base: "./",
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [
    workersAsChunks(),
    neededProjections(),
    withoutUnused(),
    notedModules(),
    emitted("borders.gz", gzippedBorders),
    // Every version of every preset. The versions of one stand together: they are much alike.
    emitted("presets.gz", () => gzipSync(JSON.stringify(presetVersions()), { level: 9 })),
    emitted("manifests.json", bringingManifests),
    // The licences of all that is built into the page, which travel with it.
    emitted("third-party-notices.txt", () => thirdPartyNotices([...modules])),
    keptFiles(),
  ],
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    // Files that the page loads are files of the build: its policy allows no `data:` script and no inline style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2048,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name, facadeModuleId }) => `assets/${chunkName(name, facadeModuleId)}-[hash].js`,
        codeSplitting: { groups: CHUNKS },
      },
    },
  },
});

/** Readers of formats are told apart by their folders. What is shared is not named after all who share it. */
function chunkName(name: string, entry: string | null): string {
  return name === "reader" && entry !== null ? basename(dirname(entry)) : name.replace(/~.*/, "");
}

/** Keeps in mind what the page is made of. */
function notedModules(): Plugin {
  return {
    name: "noted-modules",
    apply: "build",
    moduleParsed: ({ id }) => void modules.add(id),
  };
}

/** A file beside the page. */
function emitted(fileName: string, content: () => string | Uint8Array): Plugin {
  return {
    name: fileName,
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source: content() });
    },
  };
}

/** The borders of countries: every browser reads gzip, and few read Brotli from a file. */
function gzippedBorders(): Uint8Array {
  const packed = readFileSync(`${import.meta.dirname}/../../packages/borders/src/borders.br`);
  return gzipSync(brotliDecompressSync(packed), { level: 9 });
}

/** What manifests that come with the command bring, and in how many bytes. */
function bringingManifests(): string {
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

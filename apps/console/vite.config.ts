import { readFileSync } from "node:fs";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { thirdPartyNotices } from "../../tools/program/notices.mjs";

/** Files that the page and its workers are made of. */
const modules = new Set<string>();

/** The page works under any path, so every URL in it is relative. */
const config: UserConfig = defineConfig({
  base: "./",
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es", plugins: () => [notedModules()] },
  plugins: [notedModules(), gzippedBorders(), notices()],
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
        // The library of the map changes less often than the page, and is told apart in `npm run size`.
        codeSplitting: { groups: [{ name: "maplibre-gl", test: /[\\/]node_modules[\\/]maplibre-gl[\\/]/ }] },
      },
    },
  },
});

/** Keeps in mind what a bundle is made of. Workers are bundled before the page is. */
function notedModules(): Plugin {
  return {
    name: "noted-modules",
    apply: "build",
    moduleParsed: ({ id }) => void modules.add(id),
  };
}

/** The licences of all that is built into the page, which travel with it. */
function notices(): Plugin {
  return {
    name: "notices",
    apply: "build",
    generateBundle() {
      this.emitFile({
        type: "asset",
        fileName: "third-party-notices.txt",
        source: thirdPartyNotices([...modules]),
      });
    },
  };
}

/** The borders of countries as a file beside the page: every browser reads gzip, and few read Brotli from a file. */
function gzippedBorders(): Plugin {
  return {
    name: "gzipped-borders",
    apply: "build",
    generateBundle() {
      const packed = readFileSync(`${import.meta.dirname}/../../packages/borders/src/borders.br`);
      const source = gzipSync(brotliDecompressSync(packed), { level: 9 });
      this.emitFile({ type: "asset", fileName: "borders.gz", source });
    },
  };
}

export default config;

import { defineConfig, type UserConfig } from "vite";

/** The page works under any path, so every URL in it is relative. */
const config: UserConfig = defineConfig({
  base: "./",
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    // Files that the page loads are files of the build: its policy allows no `data:` script and no inline style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2048,
  },
});

export default config;

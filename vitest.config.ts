import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { createTestProgramsPlugin } from "./tools/test-programs.ts";
import { TestSummary } from "./tools/test-summary.ts";

/**
 * Three programmes: `quick` and `quick-alone`, which `npm test` runs after every change, and beside it in `.ci/run`
 * `long`, files named `*.long.test.ts` (docs/decisions/tests-and-tools.md), and `browser`, files named
 * `*.browser.test.ts`, which look at pages in Chromium. Files named `*.alone.test.ts` have a process of their own: they
 * signal it, or change its clock, its folder, its environment or what is global in it.
 */
const FOLDERS = ["{packages,apps}/*/{src,test}/**", "{data,examples,bench,fixtures,oracles,tools}/**"];
const LONG = FOLDERS.map((folder) => `${folder}/*.long.test.ts`);

const ALONE = FOLDERS.map((folder) => `${folder}/*.alone.test.ts`);
const BROWSER = FOLDERS.map((folder) => `${folder}/*.browser.test.ts`);
const NEVER = ["**/node_modules/**", ...LONG, ...BROWSER];

// Many tests start processes and threads, which otherwise compile the same files anew: half of what their start costs.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

const PATIENCE_MS = process.env.GROUNDRULE_FULL === undefined ? 600_000 : 7_200_000;

export default defineConfig({
  plugins: [createTestProgramsPlugin()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          // One process loads the code for many files: to load it again for each took half of the time.
          isolate: false,
          include: FOLDERS.map((folder) => `${folder}/*.test.ts`),
          exclude: [...NEVER, ...ALONE],
        },
      },
      { extends: true, test: { name: "quick-alone", include: ALONE } },
      { extends: true, test: { name: "long", include: LONG } },
      // Chromium draws with the processor: one page at a time leaves it the cores.
      { extends: true, test: { name: "browser", include: BROWSER, fileParallelism: false } },
    ],
    globalSetup: [join(import.meta.dirname, "apps/api/test/shared-postgres.ts")],
    // Many wait for processes of their own as often as they compute.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // These end what hangs. A busy machine may take thirty times as long as a quiet one.
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: PATIENCE_MS / 2, interval: 10 } },
    reporters: ["default", new TestSummary()],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"],
      exclude: ["**/*.test.ts"],
    },
  },
});

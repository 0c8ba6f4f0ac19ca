import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "{packages,apps}/*/{src,test}/**/*.test.ts",
      "{data,bench,fixtures,oracles,tools}/**/*.test.ts",
    ],
    testTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"],
      exclude: ["**/*.test.ts"],
    },
  },
});

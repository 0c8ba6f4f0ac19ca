/// <reference types="vite/client" />

/** Tests by the path of their file: they are so similar that one file compresses far better than several. */
export const PRESET_TESTS: Readonly<Record<string, string>> = import.meta.glob<string>(
  "../../../../../data/rulesets/*.test.yaml",
  { query: "?raw", import: "default", eager: true },
);

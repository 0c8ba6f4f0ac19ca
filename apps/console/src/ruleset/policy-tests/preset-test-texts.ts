/// <reference types="vite/client" />

/** By the path of their file: alike as they are, they are far smaller in one file of the page than each in its own. */
export const PRESET_TESTS: Readonly<Record<string, string>> = import.meta.glob<string>(
  "../../../../../data/rulesets/*.test.yaml",
  { query: "?raw", import: "default", eager: true },
);

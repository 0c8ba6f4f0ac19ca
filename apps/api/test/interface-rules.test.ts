import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { INTERFACE_RULES } from "./interface-rules.ts";

const SUITES = [
  "interface.test.ts",
  "interface-catalog.test.ts",
  "interface-charging.test.ts",
  "gates/gates.test.ts",
];

it("each rule of the interface is held by a test of its name", () => {
  const sources = SUITES.map((file) => readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8"))
    .join()
    .replaceAll(/\(\s+"/g, '("');
  for (const [section, rule, test] of INTERFACE_RULES) {
    expect(sources.includes(`(${JSON.stringify(test)}`), `§${section} ${rule}: ${test}`).toBe(true);
  }
});

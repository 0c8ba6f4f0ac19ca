import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { replaceFindingsTables, replaceQualityBounds } from "../test/findings-table.ts";
import { FINDING_CODES, FINDINGS } from "./finding-codes.ts";
import { eudr } from "./profiles/eudr.ts";

const readPage = (name: string): string =>
  readFileSync(new URL(`../../../docs/semantics/${name}.md`, import.meta.url), "utf8");

describe("findings", () => {
  it("are documented as the code has them: npm run tool -- write-findings", () => {
    for (const [name, written] of [
      ["plots", replaceFindingsTables],
      ["plot-quality", replaceQualityBounds],
    ] as const) {
      expect(written(readPage(name))).toBe(readPage(name));
    }
  });

  it("of a profile have a source", () => {
    for (const code of FINDING_CODES) {
      const { rule } = FINDINGS[code];
      if (rule !== undefined) expect(eudr.sources[rule], code).toMatch(/§|art\./);
    }
  });
});

// Writes the tables of findings of docs/semantics/plots.md and the bounds of plot-quality.md from the code: `npm run
// tool -- write-findings`.
import { readFileSync, writeFileSync } from "node:fs";
import { replaceFindingsTables, replaceQualityBounds } from "../../packages/plots/test/findings-table.ts";

for (const [name, written] of [
  ["plots", replaceFindingsTables],
  ["plot-quality", replaceQualityBounds],
] as const) {
  const page = new URL(`../../docs/semantics/${name}.md`, import.meta.url);
  writeFileSync(page, written(readFileSync(page, "utf8")));
}

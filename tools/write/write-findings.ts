// Writes the tables of findings of docs/semantics/plots.md and the bounds of plot-quality.md from the code: `npm run
// tool -- write-findings`.
import { readFileSync, writeFileSync } from "node:fs";
import { withBounds, withFindings } from "../../packages/plots/test/findings-table.ts";

for (const [name, written] of [
  ["plots", withFindings],
  ["plot-quality", withBounds],
] as const) {
  const page = new URL(`../../docs/semantics/${name}.md`, import.meta.url);
  writeFileSync(page, written(readFileSync(page, "utf8")));
}

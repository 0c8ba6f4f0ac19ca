// Writes the tables of findings of docs/semantics/plots.md from the code: `npm run docs:findings`.
import { readFileSync, writeFileSync } from "node:fs";
import { withFindings } from "../../packages/plots/test/findings-table.ts";

const page = new URL("../../docs/semantics/plots.md", import.meta.url);
writeFileSync(page, withFindings(readFileSync(page, "utf8")));

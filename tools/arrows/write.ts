// Writes the tables of ARCHITECTURE.md from arrows.ts: `npm run docs:arrows`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replacePageTables } from "./page.ts";

const path = join(import.meta.dirname, "../../ARCHITECTURE.md");
writeFileSync(path, replacePageTables(readFileSync(path, "utf8")));

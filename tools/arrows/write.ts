// Writes the tables of ARCHITECTURE.md from arrows.ts: `npm run docs:arrows`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeTables } from "./page.ts";

const path = join(import.meta.dirname, "../../ARCHITECTURE.md");
writeFileSync(path, writeTables(readFileSync(path, "utf8")));

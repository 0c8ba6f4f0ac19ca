// Writes packages/engine/schema/ruleset.schema.json, the published JSON Schema of rulesets: `npm run schema`.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rulesetJsonSchema } from "../packages/engine/src/ruleset/parse/json-schema.ts";

const path = fileURLToPath(new URL("../packages/engine/schema/ruleset.schema.json", import.meta.url));
mkdirSync(new URL(".", `file://${path}`), { recursive: true });
writeFileSync(path, JSON.stringify(rulesetJsonSchema(), null, 2));
execFileSync("biome", ["format", "--write", path], { stdio: "inherit" });

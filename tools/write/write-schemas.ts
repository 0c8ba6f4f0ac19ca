// Writes the published JSON Schemas, of rulesets, their tests, manifests, settings and screening runs, and the names of the
// columns of plots for the Python package: `npm run tool -- write-schemas`.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { runDescriptionJsonSchema } from "../../apps/cli/src/runs/run-description.ts";
import { PLOT_COLUMN_NAMES } from "../../apps/cli/src/screening/stdio/plot-columns.ts";
import { createConfigJsonSchema } from "../../apps/cli/src/settings/config-shape.ts";
import { rulesetJsonSchema } from "../../packages/engine/src/ruleset/parse/json-schema.ts";
import { manifestJsonSchema } from "../../packages/ingest/src/manifest/source.ts";
import { buildPolicyTestsJsonSchema } from "../../packages/policy-tests/src/index.ts";

const SCHEMAS = [
  ["../../packages/engine/schema/ruleset.schema.json", rulesetJsonSchema()],
  ["../../packages/ingest/schema/manifest.schema.json", manifestJsonSchema()],
  ["../../apps/cli/schema/config.json", createConfigJsonSchema()],
  ["../../apps/cli/schema/policy-test.schema.json", buildPolicyTestsJsonSchema()],
  ["../../apps/cli/schema/run.schema.json", runDescriptionJsonSchema()],
  ["../../apps/python/src/groundrule/plot-columns.json", PLOT_COLUMN_NAMES],
] as const;
for (const [name, schema] of SCHEMAS) {
  const path = fileURLToPath(new URL(name, import.meta.url));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(schema, null, 2));
  execFileSync("biome", ["format", "--write", path], { stdio: "inherit" });
}

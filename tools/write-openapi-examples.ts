// Writes apps/api/src/http/openapi/response-examples.json, what the demo answers to the examples of the
// description: `npm run openapi:examples`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { askExamples } from "../apps/api/test/ask-examples.ts";
import { withDemoService } from "../apps/api/test/demo-service.ts";

const path = fileURLToPath(new URL("../apps/api/src/http/openapi/response-examples.json", import.meta.url));
const answers = await withDemoService(askExamples);
const examples = Object.fromEntries(answers.map(({ id, body }) => [id, body]).reverse());
// Ids are of a service that is no more.
const text = JSON.stringify(examples, null, 2).replaceAll(/\b(org|key)_[0-9a-f]{24}\b/g, "$1_example");
writeFileSync(path, text);
execFileSync("biome", ["format", "--write", path], { stdio: "inherit" });

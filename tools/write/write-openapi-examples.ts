// Writes the examples of the description, as the service answers them: `npm run tool -- write-openapi-examples`. In
// apps/api/src/http/openapi, response-examples.json has what the demo answers to the examples of requests, and
// problem-examples.json what each operation refuses with.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RESPONSE_EXAMPLES } from "../../apps/api/src/http/openapi/response-examples.ts";
import { withDemoService } from "../../apps/api/test/demo-service.ts";
import { provokeAllProblems } from "../../apps/api/test/provoke-problems.ts";
import { runAllExamples } from "../../apps/api/test/run-examples.ts";

const answers = await withDemoService(runAllExamples);
const examples = Object.fromEntries(answers.map(({ operation, body }) => [operation.id, body]).reverse());
// Examples that the file has already keep their place.
const placed = { ...RESPONSE_EXAMPLES, ...examples };
// Ids are of a service that is no more.
const text = JSON.stringify(placed, null, 2).replaceAll(/\b(org|key)_[0-9a-f]{24}\b/g, "$1_example");
writeExample("response-examples.json", text);
writeExample("problem-examples.json", JSON.stringify(await provokeAllProblems(), null, 2));

function writeExample(name: string, content: string): void {
  const path = fileURLToPath(new URL(`../../apps/api/src/http/openapi/${name}`, import.meta.url));
  writeFileSync(path, content);
  execFileSync("biome", ["format", "--write", path], { stdio: "inherit" });
}

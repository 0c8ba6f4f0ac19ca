/**
 * Asks a server on demo data everything that schemathesis makes of its description, with all checks on:
 *
 *     npm run tool -- schemathesis [EXAMPLES [SEED]]
 *
 * EXAMPLES bounds the requests of an operation in each phase. Needs Python and schemathesis 4, found as
 * `schemathesis` or under the name in SCHEMATHESIS.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createRuleset } from "../../src/http/operations/rulesets.ts";
import { type DemoService, withDemoService } from "../demo-service.ts";

const HOOKS = fileURLToPath(new URL("hooks.py", import.meta.url));
const SCHEMATHESIS = process.env.SCHEMATHESIS ?? "schemathesis";

const [examples = "50", seed] = process.argv.slice(2);
const { stdout, error } = spawnSync(SCHEMATHESIS, ["--version"], { encoding: "utf8" });
if (error === undefined && /version 4\./.test(stdout)) {
  process.exitCode = await withDemoService(runSchemathesis);
} else {
  const found = error === undefined ? `says ${stdout.trim()}` : "does not run";
  console.error(`NOT RUN: needs Python 3.10 or newer and schemathesis 4; "${SCHEMATHESIS} --version" ${found}.
Install it with \`python3 -m pip install schemathesis\`, or name it in SCHEMATHESIS.`);
  process.exitCode = 1;
}

/** @returns the exit code of schemathesis: 0 where it found nothing */
async function runSchemathesis({ url, key, dir, ask }: DemoService): Promise<number> {
  // The other examples name what these publish.
  for (const { value } of Object.values(createRuleset.request!.examples)) {
    const { status } = await ask(createRuleset.path, value);
    if (status !== 201) throw new Error(`an example was answered ${status}`);
  }
  const child = spawn(
    SCHEMATHESIS,
    [
      ["run", `${url}/openapi.json`, "--header", `Authorization: Bearer ${key}`],
      ["--checks", "all", "--mode", "all", "--phases", "examples,coverage,fuzzing,stateful"],
      // Texts with U+0000 are refused everywhere, which a schema could only say with a pattern on each.
      ["--generation-allow-x00", "false"],
      ["--max-examples", examples, "--continue-on-failure", "--no-color"],
      seed === undefined ? ["--generation-deterministic"] : ["--seed", seed],
    ].flat(),
    { cwd: dir, stdio: "inherit", env: { ...process.env, SCHEMATHESIS_HOOKS: HOOKS } },
  );
  const [code] = await once(child, "exit");
  return code ?? 1;
}

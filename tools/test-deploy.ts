/**
 * Validates what `deploy` has: every manifest of Kubernetes against the published schema (by kubernetes-validate,
 * which needs Python) and against this release, and the alert rules by promtool where it is.
 * `npm run tool -- test-deploy`
 */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import cli from "../apps/cli/package.json" with { type: "json" };
import { checkManifests } from "./deploy/check-manifests.ts";
import { listManifestFiles, REPOSITORY, readManifests } from "./deploy/manifests.ts";
import { installPython, PythonMissing } from "./machine/python.ts";

const VALIDATOR = "kubernetes-validate==1.37.0";
const KUBERNETES = ["1.34", "1.37"];

const manifests = readManifests();
const faults = await checkManifests(manifests, { version: cli.version });
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${manifests.length} resources name what there is in release ${cli.version}`);

try {
  const validate = installPython([VALIDATOR], 10)("kubernetes-validate");
  for (const version of KUBERNETES) {
    const { status, stdout, stderr } = spawnSync(
      validate,
      ["--strict", "--quiet", "--no-warn", "-k", version, ...listManifestFiles()],
      { cwd: REPOSITORY, encoding: "utf8" },
    );
    if (status === 0) console.log(`${manifests.length} resources are valid for Kubernetes ${version}`);
    else {
      process.exitCode = 1;
      console.log(`${stdout}${stderr}`.trim());
    }
  }
} catch (error) {
  if (!(error instanceof PythonMissing)) throw error;
  console.log(`NOT VALIDATED against the schema of Kubernetes, because this machine lacks ${error.message}`);
}

const rules = globSync("deploy/prometheus/*.{yaml,yml}", { cwd: REPOSITORY }).sort();
if (rules.length > 0) {
  try {
    execFileSync("promtool", ["check", "rules", ...rules], { cwd: REPOSITORY, stdio: "inherit" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") process.exitCode = 1;
    else console.log(`NOT CHECKED, because there is no promtool: ${rules.join(", ")}`);
  }
}

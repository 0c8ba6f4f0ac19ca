// Checks the imports of all packages against arrows.ts; `npm run lint` runs it.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findFaults } from "./check.ts";

const root = join(import.meta.dirname, "../..");
const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !file.startsWith("fixtures/0.2.0/"));
const faults = await findFaults(root, files);
for (const fault of faults) console.error(fault);
console.log(
  `Imports of ${files.length} files checked against tools/arrows/arrows.ts: ${faults.length} faults.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

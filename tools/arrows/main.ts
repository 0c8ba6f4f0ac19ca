// Checks the imports of all packages against arrows.ts; `npm run lint` runs it.
import { listRepositoryFiles, REPOSITORY } from "../machine/repository.ts";
import { findImportFaults } from "./check.ts";

const files = listRepositoryFiles(["*.ts", "*.tsx", ":!fixtures/0.2.0"]);
const faults = await findImportFaults(REPOSITORY, files);
for (const fault of faults) console.error(fault);
console.log(
  `Imports of ${files.length} files checked against tools/arrows/arrows.ts: ${faults.length} faults.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

// Builds the package in whose folder it is run, as `prepack` does: `dist` anew, so that nothing is packed
// whose source is gone, and beside the code the JSON files that it reads.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = process.cwd();
const { compilerOptions, include } = JSON.parse(readFileSync(join(folder, "tsconfig.json"), "utf8"));
const { rootDir, outDir } = compilerOptions;

rmSync(join(folder, outDir), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b"], { stdio: "inherit" });
for (const part of include) {
  for (const name of readdirSync(join(folder, part), { recursive: true })) {
    if (!name.endsWith(".json")) continue;
    const file = join(folder, part, name);
    cpSync(file, join(folder, outDir, file.slice(join(folder, rootDir).length)));
  }
}

// Builds the page into dist, if its inputs have changed since the last build.
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "../..");
const dist = join(import.meta.dirname, "dist");
const stamp = join(dist, ".built-from");

// Tests build the page too, in another mode; that build must not be taken for the current one.
process.env.NODE_ENV = "production";

const digest = computeInputsDigest();
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== digest) {
  await build({ configFile: join(import.meta.dirname, "vite.config.ts"), logLevel: "warn" });
  writeFileSync(stamp, digest);
}

/** SHA-256 of every file that the page may depend on: the console's own, those of the packages, and the lockfile. */
function computeInputsDigest(): string {
  const patterns = [
    "tools/program/notices.mjs",
    "apps/console/{src/**/*,*.ts,index.html,package.json}",
    "packages/*/src/**/*",
    "data/rulesets/**/*",
    "data/sources/**/*.json",
    "pnpm-lock.yaml",
  ];
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash("sha256").update(process.version);
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`\n${relative(root, file)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

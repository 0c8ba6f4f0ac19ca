// npm run size: what a browser loads of each entry point of the packages that run in one, and of the console, in kB.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleEntry } from "./bundle-entry.ts";
import { CONSOLE_BUILD, consoleParts } from "./console-parts.ts";

const root = join(import.meta.dirname, "../..");
const PACKAGES = ["engine", "crs", "reference", "contract", "client", "report"];

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(9);
console.log(`${"entry point".padEnd(32)}${"minified".padStart(9)}${"gzip".padStart(9)}   kB`);
for (const name of PACKAGES) {
  for (const path of globSync(`packages/${name}/package.json`, { cwd: root })) {
    const { exports } = JSON.parse(readFileSync(join(root, path), "utf8")) as {
      readonly exports: Readonly<Record<string, string>>;
    };
    for (const [entry, file] of Object.entries(exports)) {
      if (!file.endsWith(".ts")) continue;
      const { minified, gzipped } = await bundleEntry(join(dirname(path), file));
      console.log(
        `${join("@groundrule", name, entry).padEnd(32)}${kilobytes(minified)}${kilobytes(gzipped)}`,
      );
    }
  }
}

console.log(`\n${"part of the console".padEnd(32)}${"files".padStart(9)}${"gzip".padStart(9)}   kB`);
for (const { name, files, gzipped } of consoleParts(CONSOLE_BUILD)) {
  console.log(`${name.padEnd(32)}${String(files.length).padStart(9)}${kilobytes(gzipped)}`);
}

// npm run tool -- size: what a browser loads of each entry point of the packages that run in one, and of the console, in kB.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleEntry } from "./bundle-entry.ts";
import { CONSOLE_BUILD, measureConsoleParts, sumOwnBytes } from "./console-parts.ts";

const root = join(import.meta.dirname, "../..");
const PACKAGES = ["engine", "crs", "reference", "contract", "client", "words", "report"];

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

const column = (text: string): string => text.padStart(9);
console.log(
  `\n${"part of the console".padEnd(36)}${column("files")}${column("gzip")}${column("in all")}   kB; in all: with shared files`,
);
const parts = measureConsoleParts(CONSOLE_BUILD);
for (const { name, files, gzipped, inAll } of parts) {
  console.log(`${name.padEnd(36)}${column(String(files.length))}${kilobytes(gzipped)}${kilobytes(inAll)}`);
}
console.log(`${"all but map, SQLite and data".padEnd(36)}${column("")}${kilobytes(sumOwnBytes(parts))}`);

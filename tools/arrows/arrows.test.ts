import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listRepositoryFiles, REPOSITORY as root } from "../machine/repository.ts";
import { PACKAGES } from "./arrows.ts";
import {
  entriesOf,
  findFolderEntry,
  findImportFaults,
  listEntryPaths,
  listReachableFolders,
  sourcesOf,
} from "./check.ts";
import { replacePageTables } from "./page.ts";

const folder = mkdtempSync(join(tmpdir(), "groundrule-arrows-"));
const planted: string[] = [];
let faults = "";

function plantFile(path: string, code: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${code}\n`);
  planted.push(path);
  return path;
}

const importOf = (from: string, to: string) => {
  const path = relative(dirname(from), to);
  return `import ${JSON.stringify(path.startsWith(".") ? path : `./${path}`)};`;
};

/** Folders of a package that a file can be planted in. */
const foldersOf = (path: string) =>
  Object.keys(entriesOf(PACKAGES[path]!)).filter((name) => !name.endsWith(".ts"));
const fileIn = (path: string, folder: string, file: string) =>
  join(sourcesOf(path), listEntryPaths(folder)[0]!, file);
const target = (path: string, folder: string) => fileIn(path, folder, "planted.ts");

/** The one file of each folder from which all its imports go: thousands of files cost most of the time of the check. */
const IMPORTING = "planted-imports.ts";

/** One import from each folder of a package to each other one: `allowed` as the table says. */
const BETWEEN_FOLDERS = Object.entries(PACKAGES).flatMap(([path, owner]) =>
  foldersOf(path).flatMap((from) =>
    foldersOf(path).flatMap((to) => {
      if (from === to) return [];
      return {
        file: fileIn(path, from, IMPORTING),
        to: target(path, to),
        allowed: listReachableFolders(owner, from).includes(to),
      };
    }),
  ),
);

/** One import from each folder of a package to each other package, which is allowed in whole or not. */
const BETWEEN_PACKAGES = Object.entries(PACKAGES).flatMap(([path, owner]) =>
  foldersOf(path).flatMap((folder) =>
    Object.keys(PACKAGES).flatMap((other) => {
      if (other === path) return [];
      const name = other.split("/").at(-1)!;
      const imports = entriesOf(owner)[folder]!.packages ?? owner.imports;
      const file = fileIn(path, folder, IMPORTING);
      return { file, to: target(other, foldersOf(other).at(-1)!), allowed: imports.includes(name) };
    }),
  ),
);

/** In each package two files that import each other, of which one imports only a type. */
const CIRCLES = Object.keys(PACKAGES).map((path) => {
  const folder = foldersOf(path)[0]!;
  return ["round", "back"].map((name) => fileIn(path, folder, `planted-${name}.ts`)) as [string, string];
});

/** A file that dependency-cruiser does not read, as it reads no TypeScript without a compiler that it knows. */
const UNREAD = "packages/engine/src/base/unread.ts";

const REFUSED_MODULES = [
  ["packages/engine/src/base", "node:fs"],
  ["packages/ingest/src", "node:fs/promises"],
  ["packages/formats/src/json", "iconv-lite"],
  ["packages/service/src/body", "hono/cors"],
  ["apps/cli/src", "@hono/node-server"],
  ["apps/api/src/ledger", "pg"],
  ["apps/console/src/state", "node:path"],
].map(([path, module], i) => ({ file: join(path!, `planted-module-${i}.ts`), module: module! }));

beforeAll(async () => {
  // Only what addresses lead through: the entries of packages, and the files that are planted.
  for (const path of Object.keys(PACKAGES)) {
    mkdirSync(join(folder, path), { recursive: true });
    cpSync(join(root, path, "package.json"), join(folder, path, "package.json"));
    for (const folder of foldersOf(path)) plantFile(target(path, folder), "export const planted = 1;");
  }
  for (const [file, imports] of Map.groupBy([...BETWEEN_FOLDERS, ...BETWEEN_PACKAGES], ({ file }) => file))
    plantFile(file, imports.map(({ to }) => importOf(file, to)).join("\n"));
  for (const { file, module } of REFUSED_MODULES) plantFile(file, `import ${JSON.stringify(module)};`);
  for (const [round, back] of CIRCLES) {
    plantFile(
      round,
      'import type { Back } from "./planted-back.ts";\nexport const round = (back: Back): Back => back;',
    );
    plantFile(back, 'import { round } from "./planted-round.ts";\nexport type Back = string;\nround("");');
  }
  faults = (await findImportFaults(folder, [...planted, UNREAD], planted)).join("\n");
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe("the arrows", () => {
  it("go in no circle", () => {
    for (const owner of Object.values(PACKAGES)) {
      for (const folder of Object.keys(entriesOf(owner)))
        expect(listReachableFolders(owner, folder)).not.toContain(folder);
    }
  });

  it("are what ARCHITECTURE.md prints; npm run docs:arrows writes it", () => {
    const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
    expect(page).toBe(replacePageTables(page));
  });
});

describe("the check", () => {
  it("finds a circle of files in each package, though part of it are types", () => {
    for (const [round, back] of CIRCLES) {
      const either = [`${round} imports ${back}: `, `${back} imports ${round}: `];
      expect(either.filter((circle) => faults.includes(circle))).toHaveLength(1);
    }
  });

  it("finds each import against the arrows between folders, and lets the others pass", () => {
    const wrong = BETWEEN_FOLDERS.filter(
      ({ file, to, allowed }) => faults.includes(`${file} imports ${to}\n`) === allowed,
    );
    expect(wrong).toEqual([]);
    expect(BETWEEN_FOLDERS.filter(({ allowed }) => !allowed).length).toBeGreaterThan(500);
  });

  it("finds each import against the arrows between packages, and lets the others pass", () => {
    const wrong = BETWEEN_PACKAGES.filter(
      ({ file, to, allowed }) => faults.includes(`${file} imports ${to}\n`) === allowed,
    );
    expect(wrong).toEqual([]);
  });

  it.each(REFUSED_MODULES)("finds $module in $file", ({ file }) => {
    expect(faults).toContain(`${file} imports `);
  });

  it("names a file that was not seen", () => {
    expect(faults).toContain(`${UNREAD} was not seen`);
  });

  it("finds the folder of every source file", () => {
    const sources = listRepositoryFiles(Object.keys(PACKAGES).map(sourcesOf)).filter((file) =>
      /\.tsx?$/.test(file),
    );
    expect(sources.filter((file) => findFolderEntry(file) === undefined)).toEqual([]);
  });
});

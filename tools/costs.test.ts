import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLOT_COLUMN_NAMES } from "../apps/cli/src/screening/stdio/plot-columns.ts";
import { writeLanguageModules } from "../packages/words/test/language-modules.ts";
import { listRepositoryFiles, REPOSITORY as root } from "./machine/repository.ts";

const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

/** Paths of files in the list below a paragraph that begins with these words. */
function listPaths(words: string): string[] {
  const from = page.indexOf(words);
  expect(from, words).toBeGreaterThan(-1);
  const [list = ""] = /(?<=\n\n)- [\s\S]*?(?=\n\n|$)/.exec(page.slice(from)) ?? [];
  return [...list.matchAll(/`([\w./-]+\.(?:ts|tsx|py))`/g)].map(([, path]) => path!).sort();
}

/** Sources that have a text, tests excluded. */
function listFilesContaining(pattern: RegExp, ...within: readonly string[]): string[] {
  return listRepositoryFiles(within)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => pattern.test(file) || pattern.test(readFileSync(join(root, file), "utf8")))
    .sort();
}

const SOURCES = ["packages/*/src/**", "apps/*/src/**"];

describe("the costs of an addition", () => {
  it("are those of an endpoint", () => {
    const inThree = listFilesContaining(
      /meResponseShape|"\/v1\/me"/,
      "packages/contract",
      "packages/client",
      "apps/api/src",
    );
    expect(inThree).toEqual([
      "apps/api/src/http/operations/me.ts",
      "packages/client/src/client.ts",
      "packages/contract/src/me.ts",
    ]);
    expect(listPaths("An **endpoint**")).toEqual(inThree);
  });

  it("are those of a measure", () => {
    const files = listFilesContaining(/\bavg\b|Avg\b/, ...SOURCES, "packages/engine/test/*.ts");
    expect(listPaths("A **measure**")).toEqual(files);
  });

  it("are those of a format", () => {
    // The outlines of countries are one long text, in which any letters occur.
    const files = listFilesContaining(
      /\bgpx\b|GPX/,
      ...SOURCES,
      "tools/arrows/arrows.ts",
      ":!packages/borders",
    );
    expect(listPaths("A **format**")).toEqual(files);
  });

  it("are those of a language: a folder, besides what is written from the folders", () => {
    const files = listFilesContaining(/(?:^|\s)pt\??:|"pt"|\/pt\//, ...SOURCES);
    const written = Object.keys(writeLanguageModules()).map((name) => `packages/words/src/${name}.ts`);
    // Questions of rulesets, which are no texts of ours.
    const questions = [
      "apps/api/src/http/openapi/member-descriptions.ts",
      "packages/engine/src/ruleset/parse/json-schema.ts",
      "packages/engine/src/ruleset/parse/schema.ts",
    ];
    expect(files.filter((file) => !written.includes(file) && !questions.includes(file))).toEqual(
      listPaths("A **language**"),
    );
  });

  it("are at least those of a member of the input", () => {
    const files = listPaths("A member of the **input**");
    const table = "packages/engine/src/ruleset/compile/evaluation-input.ts";
    expect(files).toContain(table);
    expect(files.length).toBeLessThanOrEqual(4);
    const columns = JSON.parse(
      readFileSync(join(root, "apps/python/src/groundrule/plot-columns.json"), "utf8"),
    );
    expect(columns, "npm run tool -- write-schemas writes them").toEqual(PLOT_COLUMN_NAMES);
    for (const file of files) expect(readFileSync(join(root, file), "utf8"), file).toContain("area_ha");
    // Readers of the table do not list its members.
    const readers = ["packages/engine/src/records", "packages/client/src", "apps/api/src/http/openapi"];
    expect(listFilesContaining(/\barea_ha\b/, ...readers)).toEqual([]);
  });
});

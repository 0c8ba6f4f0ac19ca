import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRuleset } from "../../packages/engine/src/rulesets.ts";
import { REPOSITORY } from "../machine/repository.ts";
import { type PageService, serveDataFolder } from "./demo-service.ts";
import type { Fence } from "./fences.ts";
import { layOutFiles, readPagesWithFences, writePrograms } from "./pages.ts";
import { checkProgramTypes, linkPackages, type Outcome, type Program, runPrograms } from "./typescript.ts";

const folder = mkdtempSync(join(tmpdir(), "groundrule-snippets-"));

// Commands run in `commands.long.test.ts`.

/** Languages that are no programs, and need no reason for not running. */
const NOT_PROGRAMS = new Set(["text", "ini", "diff", "csv", "html", "sql"]);
const TYPESCRIPT = new Set(["ts", "js"]);
/** Libraries that programs on the pages may import besides the product. */
const LIBRARIES = { "@types/node": ".", hono: "apps/api", zod: "packages/contract" };

const pages = readPagesWithFences();
const programs = new Map<Fence, Program>();
let service: PageService | undefined;
let types = "";
let outcomes = new Map<string, Outcome>();

beforeAll(async () => {
  linkPackages(folder, LIBRARIES);
  const { ruleset, landRuleset } = await layOutFiles(folder);
  service = await serveDataFolder(join(folder, ".groundrule"), [ruleset, landRuleset]);
  for (const page of pages)
    for (const [fence, program] of writePrograms(folder, page)) programs.set(fence, program);
  const all = [...programs.values()];
  [types, outcomes] = await Promise.all([
    checkProgramTypes(folder, all),
    runPrograms(folder, all, service?.env),
  ]);
});
afterAll(async () => {
  await service?.stop();
  process.chdir(REPOSITORY);
  rmSync(folder, { recursive: true, force: true });
});

it("compiles every program, and nothing else", () => {
  const names = [...programs.values()].map(({ file }) => file.slice(folder.length + 1));
  const others = types
    .split("\n")
    .filter((said) => /^\S/.test(said) && !names.some((name) => said.startsWith(name)));
  expect(others).toEqual([]);
});

it("skips a fence only where the page states why", () => {
  const left = pages.flatMap(({ page, fences }) =>
    fences.flatMap(({ line, notRun }) =>
      notRun === undefined ? [] : [{ place: `${page}:${line}`, notRun }],
    ),
  );
  expect(left.length).toBeGreaterThan(0);
  for (const { place, notRun } of left) expect(notRun, place).toMatch(/\w \w/);
});

describe.each(pages)("$page", ({ page, fences }) => {
  const runnable = fences.filter(
    ({ notRun, language }) => notRun === undefined && !NOT_PROGRAMS.has(language),
  );

  it("names the language of every fence", () => {
    for (const { language, line } of fences) expect(language, `${page}:${line}`).not.toBe("");
  });

  for (const fence of runnable.filter(({ language }) => TYPESCRIPT.has(language))) {
    const only = fence.typesOnly === undefined ? "runs" : "has the types it says";
    it(`${only}: the ${fence.language} at line ${fence.line}`, () => {
      const { file, runs } = programs.get(fence)!;
      const name = file.slice(folder.length + 1);
      expect(types.split("\n").filter((said) => said.startsWith(name))).toEqual([]);
      if (!runs) return;
      const { printed, thrown } = outcomes.get(file)!;
      expect(thrown).toBeUndefined();
      const promised = [...fence.text.matchAll(/\/\/ → (.*)$/gm)].map(([, said]) => said);
      if (promised.length > 0) expect(printed.slice(-promised.length)).toEqual(promised);
    });
  }

  for (const { line, text } of runnable.filter(({ language }) => language === "json")) {
    it(`holds JSON at line ${line}, and a ruleset where it looks like one`, () => {
      const value = JSON.parse(text);
      if ("sets" in value && "checks" in value) parseRuleset(value);
    });
  }

  it("holds no language that nothing here can run", () => {
    const known = new Set([...TYPESCRIPT, ...NOT_PROGRAMS, "sh", "json", "yaml", ""]);
    for (const { language, line } of runnable) expect(known, `${page}:${line}`).toContain(language);
  });
});

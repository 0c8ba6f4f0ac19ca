import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDemo } from "../../data/demo/index.ts";
import { parseRuleset } from "../../packages/engine/src/rulesets.ts";
import { type PageService, servePages } from "./demo-service.ts";
import { type Fence, fencesOf } from "./fences.ts";
import { PageShell } from "./shell.ts";
import { checkTypes, linkPackages, type Outcome, type Program, runPrograms } from "./typescript.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "groundrule-snippets-"));

/** What is no program, and needs no word why it does not run. */
const NOT_PROGRAMS = new Set(["text", "ini", "diff", "csv", "html", "sql"]);
const TYPESCRIPT = new Set(["ts", "js"]);
/** What programs on the pages may import besides the product. */
const LIBRARIES = { "@types/node": ".", hono: "apps/api", zod: "packages/contract" };

const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: repository,
  encoding: "utf8",
})
  .trimEnd()
  .split("\n")
  .filter((page) => page !== "CHANGELOG.md")
  .map((page) => ({ page, fences: fencesOf(page, readFileSync(join(repository, page), "utf8")) }))
  .filter(({ fences }) => fences.length > 0);

const programs = new Map<Fence, Program>();
let service: PageService | undefined;
let types = "";
let outcomes = new Map<string, Outcome>();

beforeAll(async () => {
  linkPackages(folder, repository, LIBRARIES);
  await layOutDemo();
  for (const { fences } of pages) writePrograms(fences);
  const all = [...programs.values()];
  [types, outcomes] = await Promise.all([
    checkTypes(folder, repository, all),
    runPrograms(folder, all, service?.env),
  ]);
});
afterAll(async () => {
  await service?.stop();
  process.chdir(repository);
  rmSync(folder, { recursive: true, force: true });
});

it("asks the compiler of every program, and of nothing else", () => {
  const names = [...programs.values()].map(({ file }) => file.slice(folder.length + 1));
  const others = types
    .split("\n")
    .filter((said) => /^\S/.test(said) && !names.some((name) => said.startsWith(name)));
  expect(others).toEqual([]);
});

it("leaves a fence alone only where the page says why", () => {
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

  const scripts = runnable.filter(({ language }) => language === "sh");
  if (scripts.length > 0) {
    it(`runs its commands: ${scripts.map(({ line }) => `line ${line}`).join(", ")}`, async () => {
      const shell = new PageShell(folder, repository);
      try {
        for (const { text, exit } of scripts) await shell.run(text, exit);
      } finally {
        await shell.close();
      }
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

/** The files that pages speak of, beside a data folder with the demo's sources. */
async function layOutDemo(): Promise<void> {
  const { plots, ruleset, landRuleset } = await buildDemo(join(folder, ".groundrule"));
  service = await servePages(join(folder, ".groundrule"), [ruleset, landRuleset]);
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  write("plots.ndjson", plots.map((plot) => `${JSON.stringify(plot)}\n`).join(""));
  write("ruleset.json", JSON.stringify(ruleset));
  const ring = [
    [-60, -11],
    [-59, -11],
    [-59, -10],
    [-60, -10],
    [-60, -11],
  ];
  const parks = {
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        properties: { id: "1", name: "Rio Claro", iso3: "BRA", code: "RC" },
        geometry: { type: "Polygon", coordinates: [ring] },
      },
    ],
  };
  write("parks.geojson", JSON.stringify(parks));
  write("indigenous-lands.geojson.gz", gzipSync(JSON.stringify(parks)));
}

/** Writes fences that are programs or files of programs; those that continue join the one before. */
function writePrograms(fences: readonly Fence[]): void {
  let before: { file: string; text: string } | undefined;
  for (const fence of fences) {
    const { page, line, language, text, notRun, typesOnly, file, continues } = fence;
    if (notRun !== undefined) continue;
    if (file !== undefined && !TYPESCRIPT.has(language)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    if (!TYPESCRIPT.has(language)) continue;
    const name = file ?? `${page.replaceAll(/[/.]/g, "-")}-${line}.${language}`;
    const whole = continues ? `${before!.text}\n${text}` : text;
    before = { file: join(folder, name), text: whole };
    mkdirSync(dirname(before.file), { recursive: true });
    writeFileSync(before.file, `${whole}\nexport {};\n`);
    programs.set(fence, { file: before.file, runs: typesOnly === undefined });
  }
}

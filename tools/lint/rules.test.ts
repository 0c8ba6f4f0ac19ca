import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "groundrule-lint-"));
const probes = new Map<string, string>();
let findings: readonly { readonly location: { readonly path: string }; readonly message: string }[];

/** Plans a file for the one run of the linter; gives its path. */
function planProbe(folderOrPackage: string, code: string): string {
  const isFolder = folderOrPackage.includes("/src/") || !folderOrPackage.includes("/");
  const sources = isFolder ? folderOrPackage : `${folderOrPackage}/src`;
  const path = `${sources}/probe${probes.size}.ts`;
  probes.set(path, `${code}\n`);
  return path;
}

const expression = (text: string) =>
  [
    text,
    planProbe("packages/engine", `export const f = (a: number, b: number): number => ${text};`),
  ] as const;
const said = (path: string) =>
  findings.flatMap(({ location, message }) => (location.path.endsWith(path) ? message : [])).join("\n");

const REFUSED = ["a ** b", "Math.sin(a)", "Math.pow(a, b)", "Math.hypot(a, b)", "Math.random()"].map(
  expression,
);
const ALLOWED = ["a * b", "Math.sqrt(a)", "Math.floor(a / b)", "Math.PI * a"].map(expression);
const many = (text: string) =>
  [
    text,
    planProbe(
      "packages/node",
      `import { once } from "node:events";
export async function f(all: number[], more: number[], from: AbortSignal): Promise<unknown> { ${text} }`,
    ),
  ] as const;
const UNBOUNDED = [
  "return all.push(...more);",
  "all.push(1, ...more); return all;",
  "return all.unshift(...more);",
  "return all.splice(0, 1, ...more);",
  "return Math.max(...all);",
  "return Math.min(0, ...all);",
  "return Math.max(...all.map((a) => -a), 0);",
  "return String.fromCharCode(...all);",
  'const ended = once(from, "abort"); all.push(1); return ended;',
  'const ended = once(from, "abort").then(() => 1); all.push(1); return ended;',
  'let ended: unknown; ended = once(from, "abort"); return ended;',
].map(many);
const BOUNDED = [
  "for (const each of more) all.push(each); return all;",
  "return all.push(1, 2);",
  "return [...all, ...more];",
  "return all.reduce((a, b) => Math.max(a, b), 0);",
  'const [ended] = await once(from, "abort"); return ended;',
  'return Promise.all([once(from, "abort")]);',
].map(many);
const stored = (text: string) =>
  [text, planProbe("apps/api/src/store/sqlite", `${text}\nexport type { A };\nexport const a = A;`)] as const;
const LOADED = [
  stored('import { A } from "@groundrule/contract";'),
  stored('import { A } from "@groundrule/engine";'),
  stored('import { A } from "@groundrule/engine/internal";'),
];
const LIGHT = [
  stored('import { A } from "@groundrule/contract/stored";'),
  stored('import { A } from "@groundrule/engine/internal/json";'),
  stored('import type { A } from "@groundrule/contract";'),
];
const LOCALE = expression('"a".localeCompare("b") + a + b');
const HOST = ["Date", "performance", "process", "crypto", "Intl", "Buffer"].map(
  (name) => [name, planProbe("packages/engine", `export const f = (): unknown => ${name};`)] as const,
);
beforeAll(() => {
  cpSync(join(root, "biome.json"), join(folder, "biome.json"));
  cpSync(join(root, "tools/lint"), join(folder, "tools/lint"), { recursive: true });
  for (const [path, code] of probes) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
  const args = [
    "lint",
    "--vcs-enabled=false",
    "--max-diagnostics=none",
    "--reporter=json",
    "packages",
    "apps",
    "data",
  ];
  const { stdout } = spawnSync(join(root, "node_modules/.bin/biome"), args, {
    cwd: folder,
    encoding: "utf8",
  });
  findings = JSON.parse(stdout).diagnostics;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the arithmetic rule", () => {
  it.each(REFUSED)("refuses %s in the engine", (_, path) => {
    expect(said(path)).toMatch(/differs between hosts|fixes to the bit/);
  });

  it.each(ALLOWED)("lets %s pass", (_, path) => {
    expect(said(path)).not.toMatch(/differs between hosts|fixes to the bit/);
  });

  it("refuses order by locale", () => {
    expect(said(LOCALE[1])).toContain("UTF-16 code units");
  });

  it.each(HOST)("refuses the host's %s", (name, path) => {
    expect(said(path)).toContain(`global variable ${name}`);
  });
});

describe("the rule on what grows without bound", () => {
  it.each(UNBOUNDED)("refuses %s", (_, path) => {
    expect(said(path)).toMatch(/so many arguments only|ends the process/);
  });

  it.each(BOUNDED)("lets %s pass", (_, path) => {
    expect(said(path)).not.toMatch(/so many arguments only|ends the process/);
  });
});

describe("the rule on what threads of a store load", () => {
  it.each(LOADED)("refuses %s", (_, path) => expect(said(path)).toContain("neither schemas nor the engine"));

  it.each(LIGHT)("lets %s pass", (_, path) => expect(said(path)).not.toContain("neither schemas"));
});

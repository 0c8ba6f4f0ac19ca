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
function probe(folderOrPackage: string, code: string): string {
  const isFolder = folderOrPackage.includes("/src/") || !folderOrPackage.includes("/");
  const sources = isFolder ? folderOrPackage : `${folderOrPackage}/src`;
  const path = `${sources}/probe${probes.size}.ts`;
  probes.set(path, `${code}\n`);
  return path;
}

const expression = (text: string) =>
  [text, probe("packages/engine", `export const f = (a: number, b: number): number => ${text};`)] as const;
const imported = (from: string, module: string) =>
  [from, module, probe(from, `export * from ${JSON.stringify(module)};`)] as const;
const said = (path: string) =>
  findings.flatMap(({ location, message }) => (location.path.endsWith(path) ? message : [])).join("\n");

const REFUSED = ["a ** b", "Math.sin(a)", "Math.pow(a, b)", "Math.hypot(a, b)", "Math.random()"].map(
  expression,
);
const ALLOWED = ["a * b", "Math.sqrt(a)", "Math.floor(a / b)", "Math.PI * a"].map(expression);
const many = (text: string) =>
  [
    text,
    probe(
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
  [text, probe("apps/api/src/store/sqlite", `${text}\nexport type { A };\nexport const a = A;`)] as const;
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
  (name) => [name, probe("packages/engine", `export const f = (): unknown => ${name};`)] as const,
);
/** From a folder below one to each module that it imports. */
const imports = (below: string, table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([from, modules]) =>
    modules.map((module) => imported(`${below}${from}`, module)),
  );
const FORBIDDEN = [
  ...imports("packages/", {
    engine: ["node:fs", "@groundrule/node"],
    node: ["@groundrule/ingest"],
    ingest: ["node:fs"],
    formats: ["@groundrule/ingest"],
    client: ["node:http", "@groundrule/contract"],
    plots: ["node:fs"],
    postgis: ["@groundrule/ingest"],
    report: ["node:fs"],
    sync: ["@groundrule/service"],
    service: ["@groundrule/report", "hono"],
    testing: ["@groundrule/node"],
  }),
  ...["crs", "borders", "reference", "contract", "formats", "ingest", "plots", "report"].flatMap((name) =>
    ["@groundrule/node", "@groundrule/testing", "hono"].map((module) => imported(`packages/${name}`, module)),
  ),
  ...["contract", "crs", "engine", "plots", "tiles"].map((name) =>
    imported(`packages/${name}`, "@groundrule/borders"),
  ),
  ...imports("", {
    "apps/api": ["cli", "data", "ingest", "reference", "testing"].map((name) => `@groundrule/${name}`),
    "apps/cli": ["hono", "@groundrule/reference", "@groundrule/testing"],
    data: ["@groundrule/crs"],
    "apps/api/src/ledger": ["pg"],
    "apps/api/src/store/sqlite": ["../../charging/charging.ts"],
  }),
  ...Object.entries({
    ledger: ["keys", "store", "charging", "catalog", "jobs", "admin", "http"],
    keys: ["store", "charging", "catalog", "jobs", "admin", "http"],
    store: ["keys", "charging", "catalog", "jobs", "admin", "http"],
    charging: ["keys", "catalog", "jobs", "admin", "http"],
    catalog: ["keys", "charging", "jobs", "admin", "http"],
    jobs: ["keys", "catalog", "admin", "http"],
    admin: ["catalog", "jobs", "http"],
    http: [],
  }).flatMap(([folder, above]) => [
    ...above.map((other) => imported(`apps/api/src/${folder}`, `../${other}/any.ts`)),
    ...(folder === "http" ? [] : [imported(`apps/api/src/${folder}`, "hono")]),
  ]),
  ...Object.entries({
    exchange: ["gates", "operations", "routes", "openapi", "server"],
    gates: ["operations", "routes", "openapi", "server"],
    operations: ["gates", "routes", "openapi", "server"],
    routes: ["operations", "openapi", "server"],
    openapi: ["operations", "server"],
    server: ["gates", "operations", "routes", "openapi"],
  }).flatMap(([folder, above]) => [
    ...above.map((other) => imported(`apps/api/src/http/${folder}`, `../${other}/any.ts`)),
    imported(`apps/api/src/http/${folder}`, "../../admin/any.ts"),
    imported(`apps/api/src/http/${folder}`, "../app.ts"),
  ]),
  ...imports("packages/engine/src/", {
    base: ["../snapshot/manifest.ts"],
    shape: ["../snapshot/manifest.ts", "../snapshot/format.ts"],
    "geometry/earth": ["../noding/noding.ts"],
    "geometry/noding": ["../plot/plot.ts"],
    "geometry/plot": ["../trees/layer.ts"],
    "geometry/trees": ["../overlap/relation.ts"],
    "geometry/overlap": ["../distance/distance.ts", "../kernel/kernel.ts"],
    "geometry/distance": ["../overlap/relation.ts"],
    "geometry/kernel": ["../../snapshot/snapshot.ts", "../../engine.ts"],
    snapshot: ["./read/reader.ts", "../geometry/kernel/kernel.ts", "../verdict/verdict.ts"],
    "snapshot/read": ["../write/writer.ts", "../../subjects/schemes.ts"],
    "snapshot/write": ["../read/reader.ts"],
    verdict: ["../sources/source-table.ts", "../ruleset/parse/schema.ts"],
    sources: ["../subjects/look-up.ts"],
    subjects: ["../ruleset/parse/schema.ts"],
    "ruleset/measures": ["../select.ts", "../parse/schema.ts"],
    "ruleset/parse": ["../compile.ts", "../lint/lint.ts"],
    ruleset: ["./certain/certain-findings.ts", "./lint/lint.ts", "../records/record.ts"],
    "ruleset/certain": ["../lint/lint.ts"],
    records: ["../engine.ts"],
    areas: ["../engine-parts.ts"],
  }),
];
const FOLDERS = "base shape geometry snapshot verdict sources subjects ruleset records questions areas".split(
  " ",
);
const UPWARD = FOLDERS.flatMap((folder, i) =>
  FOLDERS.slice(i + 1).map((above) => imported(`packages/engine/src/${folder}`, `../${above}/any.ts`)),
);
const PERMITTED = [
  ...imports("packages/engine/src/", {
    "geometry/kernel": ["../overlap/relation.ts"],
    "geometry/overlap": ["../../base/errors.ts"],
    "snapshot/read": ["../../geometry/trees/layer.ts"],
    "snapshot/write": ["../format.ts"],
    ruleset: ["../geometry/kernel/kernel.ts"],
    records: ["../ruleset/parse/schema.ts"],
  }),
  ...imports("", {
    "packages/ingest": ["engine", "formats", "borders"].map((name) => `@groundrule/${name}`),
    "packages/sync": ["@groundrule/ingest"],
    "packages/node": ["@groundrule/borders"],
    "apps/api": ["@groundrule/borders", "@groundrule/service"],
    "apps/cli": ["@groundrule/api"],
    data: ["@groundrule/ingest"],
  }),
  ...imports("apps/api/src/", {
    "store/sqlite": ["../../ledger/scope.ts"],
    charging: ["../store/port/port.ts"],
    jobs: ["../charging/charging.ts"],
    http: ["../charging/charging.ts"],
    "http/openapi": ["../routes/usage.ts"],
    "http/routes": ["../gates/authenticate.ts"],
    admin: ["../charging/reconcile.ts"],
  }),
];
/** Two files that import each other, of which one imports only a type. */
const [ROUND, BACK] = ["probe-round", "probe-back"].map((name) => `packages/node/src/${name}.ts`) as [
  string,
  string,
];
probes.set(
  ROUND,
  'import type { Back } from "./probe-back.ts";\nexport const round = (back: Back): Back => back;\n',
);
probes.set(BACK, 'import { round } from "./probe-round.ts";\nexport type Back = string;\nround("");\n');

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

describe("the import arrows", () => {
  it.each([...FORBIDDEN, ...UPWARD])("refuse %s importing %s", (_from, _module, path) => {
    expect(said(path)).toContain("ARCHITECTURE.md, arrows");
  });

  it.each(PERMITTED)("let %s import %s", (_from, _module, path) => {
    expect(said(path)).not.toContain("arrows");
  });

  it("refuse a circle of imports, though part of it are types", () => {
    for (const path of [ROUND, BACK]) expect(said(path)).toContain("part of a cycle");
  });
});

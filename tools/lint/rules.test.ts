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
const FORBIDDEN = [
  imported("packages/engine", "node:fs"),
  imported("packages/engine", "@groundrule/node"),
  imported("packages/node", "@groundrule/ingest"),
  imported("packages/ingest", "@groundrule/node"),
  imported("packages/ingest", "node:fs"),
  imported("packages/formats", "@groundrule/ingest"),
  imported("packages/client", "node:http"),
  imported("packages/client", "@groundrule/contract"),
  imported("packages/plots", "node:fs"),
  imported("packages/postgis", "@groundrule/ingest"),
  imported("packages/report", "node:fs"),
  imported("packages/sync", "@groundrule/service"),
  imported("packages/service", "@groundrule/report"),
  imported("packages/service", "hono"),
  ...["crs", "borders", "reference", "contract", "formats", "ingest", "plots", "report"].flatMap((name) =>
    ["@groundrule/node", "@groundrule/testing", "hono"].map((module) => imported(`packages/${name}`, module)),
  ),
  imported("packages/testing", "@groundrule/node"),
  ...["cli", "data", "ingest", "reference", "testing"].map((name) =>
    imported("apps/api", `@groundrule/${name}`),
  ),
  imported("apps/cli", "hono"),
  imported("apps/cli", "@groundrule/reference"),
  imported("apps/cli", "@groundrule/testing"),
  imported("data", "@groundrule/crs"),
  ...["contract", "crs", "engine", "plots", "tiles"].map((name) =>
    imported(`packages/${name}`, "@groundrule/borders"),
  ),
  imported("apps/api/src/ledger", "pg"),
  imported("apps/api/src/store/sqlite", "../../charging/charging.ts"),
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
  imported("packages/engine/src/base", "../snapshot/manifest.ts"),
  imported("packages/engine/src/shape", "../snapshot/manifest.ts"),
  imported("packages/engine/src/shape", "../snapshot/format.ts"),
  imported("packages/engine/src/geometry/earth", "../noding/noding.ts"),
  imported("packages/engine/src/geometry/noding", "../plot/plot.ts"),
  imported("packages/engine/src/geometry/plot", "../trees/layer.ts"),
  imported("packages/engine/src/geometry/trees", "../overlap/relation.ts"),
  imported("packages/engine/src/geometry/overlap", "../distance/distance.ts"),
  imported("packages/engine/src/geometry/overlap", "../kernel/kernel.ts"),
  imported("packages/engine/src/geometry/distance", "../overlap/relation.ts"),
  imported("packages/engine/src/geometry/kernel", "../../snapshot/snapshot.ts"),
  imported("packages/engine/src/snapshot", "./read/reader.ts"),
  imported("packages/engine/src/snapshot", "../geometry/kernel/kernel.ts"),
  imported("packages/engine/src/snapshot", "../verdict/verdict.ts"),
  imported("packages/engine/src/snapshot/read", "../write/writer.ts"),
  imported("packages/engine/src/snapshot/read", "../../subjects/schemes.ts"),
  imported("packages/engine/src/snapshot/write", "../read/reader.ts"),
  imported("packages/engine/src/verdict", "../sources/source-table.ts"),
  imported("packages/engine/src/verdict", "../ruleset/parse/schema.ts"),
  imported("packages/engine/src/sources", "../subjects/look-up.ts"),
  imported("packages/engine/src/subjects", "../ruleset/parse/schema.ts"),
  imported("packages/engine/src/ruleset/measures", "../select.ts"),
  imported("packages/engine/src/ruleset/measures", "../parse/schema.ts"),
  imported("packages/engine/src/ruleset/parse", "../compile.ts"),
  imported("packages/engine/src/ruleset/parse", "../lint/lint.ts"),
  imported("packages/engine/src/ruleset", "./lint/lint.ts"),
  imported("packages/engine/src/ruleset", "../records/record.ts"),
  imported("packages/engine/src/records", "../engine.ts"),
  imported("packages/engine/src/geometry/kernel", "../../questions.ts"),
];
const FOLDERS = [
  "base",
  "shape",
  "geometry",
  "snapshot",
  "verdict",
  "sources",
  "subjects",
  "ruleset",
  "records",
];
const UPWARD = FOLDERS.flatMap((folder, i) =>
  FOLDERS.slice(i + 1).map((above) => imported(`packages/engine/src/${folder}`, `../${above}/any.ts`)),
);
const PERMITTED = [
  imported("packages/engine/src/geometry/kernel", "../overlap/relation.ts"),
  imported("packages/engine/src/geometry/overlap", "../../base/errors.ts"),
  imported("packages/engine/src/snapshot/read", "../../geometry/trees/layer.ts"),
  imported("packages/engine/src/snapshot/write", "../format.ts"),
  imported("packages/engine/src/ruleset", "../geometry/kernel/kernel.ts"),
  imported("packages/engine/src/records", "../ruleset/parse/schema.ts"),
  imported("packages/ingest", "@groundrule/engine"),
  imported("packages/ingest", "@groundrule/formats"),
  imported("packages/sync", "@groundrule/ingest"),
  ...["packages/ingest", "packages/node", "apps/api"].map((from) => imported(from, "@groundrule/borders")),
  imported("apps/cli", "@groundrule/api"),
  imported("apps/api", "@groundrule/service"),
  imported("data", "@groundrule/ingest"),
  imported("apps/api/src/store/sqlite", "../../ledger/scope.ts"),
  imported("apps/api/src/charging", "../store/port/port.ts"),
  imported("apps/api/src/jobs", "../charging/charging.ts"),
  imported("apps/api/src/http", "../charging/charging.ts"),
  imported("apps/api/src/http/openapi", "../routes/usage.ts"),
  imported("apps/api/src/http/routes", "../gates/authenticate.ts"),
  imported("apps/api/src/admin", "../charging/reconcile.ts"),
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

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cruise, type ICruiseResult, type IForbiddenRuleType } from "dependency-cruiser";
import { EXCEPTIONS, type Folder, PACKAGES, type Package } from "./arrows.ts";

const TESTS = "\\.test\\.tsx?$|/test/";
const OURS = "^(?:(?:packages|apps)/[^/]+|data)/";
/** Packages that have only types, which TypeScript finds as `@types/…`, and what the builder of the page provides. */
const WITHOUT_CODE = "^(?:geojson|topojson-specification|vite/client)$|\\?url$";

/**
 * Every import that breaks the arrows, in words; and every file that was listed and not seen.
 *
 * @param files paths below `root`
 * @param read those of them that dependency-cruiser reads; fewer than all only in a test
 */
export async function findImportFaults(
  root: string,
  files: readonly string[],
  read: readonly string[] = files,
): Promise<string[]> {
  const rules = buildImportRules(root);
  const { modules, summary } = await readImports(root, read, rules);
  const reasons = new Map(rules.map(({ name, comment }) => [name, comment]));
  const seen = new Set(modules.map(({ source }) => source));
  const unseen = files.filter((file) => !seen.has(file));
  const used = new Set<string>();
  const broken = summary.violations.flatMap(({ rule, from, to, cycle }) => {
    const exception = EXCEPTIONS.find((each) => each.from === from && each.to === to);
    if (exception !== undefined && rule.name !== CIRCLE) {
      used.add(`${from} ${to}`);
      return [];
    }
    const circle = cycle === undefined ? "" : `: ${cycle.map(({ name }) => name).join(" → ")}`;
    return `${from} imports ${to}${circle}\n  ${reasons.get(rule.name)}`;
  });
  const homeless = files.filter(
    (file) => findSourcePackage(file) !== undefined && findFolderEntry(file) === undefined,
  );
  const stale = EXCEPTIONS.filter(({ from, to }) => seen.has(from) && !used.has(`${from} ${to}`));
  return [
    ...unseen.map((file) => `${file} was not seen by dependency-cruiser, so nothing is known of its imports`),
    ...homeless.map((file) => `${file} is in a folder of which tools/arrows/arrows.ts says nothing`),
    ...broken,
    ...listUnusedArrows(root, modules),
    ...stale.map(({ from, to }) => `${from} does not import ${to} any more: the exception can go`),
  ].sort();
}

/** Arrows between packages along which nothing is imported: to keep them would permit what nobody needs. */
function listUnusedArrows(root: string, modules: ICruiseResult["modules"]): string[] {
  return Object.entries(PACKAGES).flatMap(([path, owner]) =>
    Object.entries(entriesOf(owner)).flatMap(([name, { packages }]) => {
      const from = new RegExp(
        packages === undefined ? `^${escaped(sourcesOf(path))}/` : buildFolderPattern(path, name),
      );
      const targets = modules
        .filter(({ source }) => from.test(source) && !new RegExp(TESTS).test(source))
        .flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved));
      const whose = packages === undefined ? path : `${path}: ${name}`;
      return (packages ?? (name === "." ? owner.imports : []))
        .filter((entry) => !targets.some((target) => new RegExp(buildEntryPattern(root, entry)).test(target)))
        .map((entry) => `${whose} may import ${entry} and does not: the arrow can go`);
    }),
  );
}

async function readImports(
  root: string,
  files: readonly string[],
  forbidden: IForbiddenRuleType[],
): Promise<ICruiseResult> {
  const options = {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden },
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
  };
  const resolution = {
    conditionNames: ["import", "default"],
    exportsFields: ["exports"],
    extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
  };
  const { output } = await cruise([...files], options, resolution);
  return output as ICruiseResult;
}

const CIRCLE = "no circle of files";

function buildImportRules(root: string): IForbiddenRuleType[] {
  return [
    {
      name: CIRCLE,
      comment: "files import each other in a circle; types count",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "tests stay tests",
      comment: "what is shipped imports no test",
      severity: "error",
      from: { path: OURS, pathNot: `${TESTS}|^packages/testing/|\\.config\\.ts$` },
      to: { path: `${OURS}.*(?:${TESTS})` },
    },
    {
      name: "resolved",
      comment: "no file is found at this address",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, path: "^(?:\\.|#|@groundrule/)", pathNot: WITHOUT_CODE },
    },
    ...Object.entries(PACKAGES).flatMap(([path, owner]) => buildPackageRules(root, path, owner)),
  ];
}

function buildPackageRules(root: string, path: string, owner: Package): IForbiddenRuleType[] {
  const folders = Object.entries(entriesOf(owner));
  return folders.flatMap(([name, folder]) => {
    const title = name === "." ? path : `${path}: ${name}`;
    const from = { path: buildFolderPattern(path, name), pathNot: TESTS };
    const allowed = listReachableFolders(owner, name);
    const packages = folder.packages ?? owner.imports;
    const refuses = folder.refuses ?? owner.refuses ?? [];
    const rules: IForbiddenRuleType[] = [
      {
        name: `folders of ${title}`,
        comment: `${title} imports only ${listed(allowed)} of its package (tools/arrows/arrows.ts)`,
        severity: "error",
        from,
        to: {
          path: `^${escaped(sourcesOf(path))}/`,
          pathNot: [name, ...allowed].map((each) => buildFolderPattern(path, each)),
        },
      },
      {
        name: `packages of ${title}`,
        comment: `${title} imports only ${listed(packages)} of our packages (tools/arrows/arrows.ts)`,
        severity: "error",
        from,
        to: {
          path: OURS,
          pathNot: [`^${escaped(path)}/`, ...packages.map((entry) => buildEntryPattern(root, entry))],
        },
      },
      ...refuses.map(
        (module): IForbiddenRuleType => ({
          name: `${title} without ${module}`,
          comment: `${title} imports no ${module} (tools/arrows/arrows.ts)`,
          severity: "error",
          from,
          to: module === "node:*" ? { dependencyTypes: ["core"] } : { path: buildModulePattern(module) },
        }),
      ),
    ];
    return rules;
  });
}

/** Folders of a package that one of them may import: its own list, and with each the list of that. */
export function listReachableFolders(owner: Package, name: string): string[] {
  const folders = entriesOf(owner);
  const found = new Set<string>();
  const visit = (each: string, path: readonly string[]): void => {
    if (path.includes(each)) throw new Error(`the arrows go in a circle: ${[...path, each].join(" → ")}`);
    for (const below of folders[each]?.imports ?? []) {
      if (folders[below] === undefined)
        throw new Error(`${each} imports ${below}, of which nothing is known`);
      found.add(below);
      visit(below, [...path, each]);
    }
  };
  visit(name, []);
  return Object.keys(folders).filter((each) => found.has(each));
}

function findSourcePackage(file: string): string | undefined {
  return Object.keys(PACKAGES).find((path) => file.startsWith(`${sourcesOf(path)}/`));
}

/** The entry of a file in the folders of its package. */
export function findFolderEntry(file: string): string | undefined {
  const path = findSourcePackage(file);
  if (path === undefined) return undefined;
  return Object.keys(entriesOf(PACKAGES[path]!)).find((name) =>
    new RegExp(buildFolderPattern(path, name)).test(file),
  );
}

/** A package without folders of its own is one. */
export const entriesOf = (owner: Package): Readonly<Record<string, Folder>> =>
  owner.folders ?? { ".": { imports: [] } };

/** Files of a folder, without those that have an entry of their own, or are in a folder that has one. */
function buildFolderPattern(path: string, name: string): string {
  const names = listEntryPaths(name);
  const inside = Object.keys(entriesOf(PACKAGES[path]!))
    .filter((other) => other !== name && other !== ".")
    .flatMap(listEntryPaths)
    .filter((other) => name === "." || names.some((each) => other.startsWith(`${each}/`)));
  const without = inside.length === 0 ? "" : `(?!${inside.map(pathPattern).join("|")})`;
  const within = name === "." ? "" : `(?:${names.map(pathPattern).join("|")})`;
  return `^${escaped(sourcesOf(path))}/${without}${within}`;
}

/** Folders or files of an entry: `{one,other}.ts` are two. */
export function listEntryPaths(name: string): string[] {
  const [before, names, after] = name.split(/[{}]/);
  return names === undefined ? [name] : names.split(",").map((each) => `${before}${each}${after}`);
}

const pathPattern = (path: string): string => escaped(path) + (path.endsWith(".ts") ? "$" : "/");

export const sourcesOf = (path: string): string => (path.includes("/") ? `${path}/src` : path);

/** Where an entry of `imports` leads: any file of the package, or the one file of an entry point. */
function buildEntryPattern(root: string, entry: string): string {
  const [name, ...rest] = entry.split("/");
  const path = Object.keys(PACKAGES).find((each) => each.split("/").at(-1) === name);
  if (path === undefined) throw new Error(`no package is called "${name}"`);
  if (rest.length === 0) return `^${escaped(path)}/`;
  const { exports } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
  const target = exports[`./${rest.join("/")}`];
  if (typeof target !== "string") throw new Error(`${path} has no entry point "./${rest.join("/")}"`);
  return `^${escaped(join(path, target))}$`;
}

function buildModulePattern(module: string): string {
  return module.startsWith("node:")
    ? `^(?:node:)?${escaped(module.slice(5))}(?:/|$)`
    : `(?:^|node_modules/)@?${escaped(module)}(?:/|$)`;
}

const escaped = (text: string): string => text.replaceAll(/[.$]/g, "\\$&");
const listed = (names: readonly string[]): string => (names.length === 0 ? "nothing" : names.join(", "));

/**
 * Packs every published package and uses it as a newcomer does: checks what was packed, installs it into empty
 * folders as `npm run packages` says (on other hosts by name), runs the program of each README on every supported
 * host, resolves the types in every way there is, and installs the command. Without GROUNDRULE_FULL=1 it does so on the
 * oldest Node and this one, on one other host, and resolves the types in half of the ways.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { layOutDemo } from "../packages/testing/src/demo-folder.ts";
import {
  findHostProgram,
  installNode,
  OTHER_HOSTS,
  OTHER_NODES,
  type OtherHost,
  TOO_OLD_NODES,
} from "./machine/hosts.ts";
import { checkPromise, reportChecks } from "./machine/promises.ts";
import { REPOSITORY as root } from "./machine/repository.ts";
import { listNeededTarballs } from "./packages/needed-tarballs.ts";
import { type PackedPackage, packPublishedPackages } from "./packages/pack.ts";
import { serveRegistry } from "./packages/registry.ts";
import { tryInstalledCommand } from "./packages/try-command.ts";
import { EMBEDDING_TOOLS, tryEmbedding } from "./packages/try-embedding.ts";
import { type Entry, isOlder, listEntryPoints, loadEntryPoints, tryTooOld } from "./packages/try-entries.ts";
import { type PageService, serveDataFolder } from "./snippets/demo-service.ts";

const TYPES_OF_NODE = "@types/node@26.6.6";
const isFull = process.env.GROUNDRULE_FULL !== undefined;
const workshop = mkdtempSync(join(tmpdir(), "groundrule-packages-"));
const call = promisify(execFile);

const packages = await packPublishedPackages(workshop);
const registry = await serveRegistry(packages);
let service: PageService | undefined;
try {
  const data = join(workshop, "data");
  await layOutDemo(data);
  service = await serveDataFolder(data, [
    JSON.parse(readFileSync(join(root, "data/demo/forest-areas.json"), "utf8")),
  ]);
  await Promise.all(packages.map(lintPackedFiles));
  const libraries = packages.filter(({ manifest }) => manifest.exports !== undefined);
  const nodes = [...(isFull ? OTHER_NODES : OTHER_NODES.slice(0, 1)), process.versions.node].map(
    (version) => [version, findNodeProgram(version)] as const,
  );
  const tooOld = TOO_OLD_NODES.map((version) => [version, findNodeProgram(version)] as const);
  const everything = await installIntoEmptyProject("everything", libraries, [
    TYPES_OF_NODE,
    ...EMBEDDING_TOOLS,
  ]);
  const entries = await loadEntryPoints(libraries, everything);
  for (const [version, node] of [...tooOld, ...nodes.slice(0, 1)]) {
    await tryOldNode(version, node, entries, everything);
  }
  const everywhere = libraries.filter(supportsEveryHost);
  for (const [version, node] of nodes) {
    const older = version.startsWith("22.");
    const promised = older ? everywhere : libraries;
    const project = older ? await installIntoEmptyProject(`node-${version}`, promised) : everything;
    await tryNodeRelease(version, node, project, promised, entries, data);
  }
  for (const host of isFull ? OTHER_HOSTS : OTHER_HOSTS.slice(0, 1))
    await tryOtherHost(host, everywhere, data);
  await checkEntryTypes(everything, libraries);
  for (const each of isFull ? nodes : nodes.slice(0, 1)) await tryEmbedding(everything, data, each);
  const newer = nodes.filter(([version]) => !version.startsWith("22."));
  const cli = packages.find(({ name }) => name === "@groundrule/cli")!;
  await tryInstalledCommand(cli, {
    place: join(workshop, "command, with spaces"),
    answering: new Map(newer),
    // On the Node that runs this, the steps of the Containerfiles serve what is packed (test-container.ts).
    serving: new Map(nodes.filter(([version]) => version.startsWith("24."))),
    tooOld: new Map(tooOld),
    data,
  });
} finally {
  registry.close();
  await service?.stop();
  rmSync(workshop, { recursive: true, force: true });
}
reportChecks();

/**
 * Checks the packed files with publint and arethetypeswrong; packages are ESM, so `require` does not matter for types.
 */
async function lintPackedFiles({ name, tarball, manifest, readme }: PackedPackage): Promise<void> {
  const bin = (program: string) => join(root, "node_modules/.bin", program);
  await checkPromise(`the README and the files of ${name} are what its package.json says`, async () => {
    if (!readme.startsWith(`# ${name}\n`)) throw new Error("its README does not open with its name");
    await call(bin("publint"), [tarball, "--strict"]);
  });
  // Every run resolves these types by the compiler, in two ways (`checkEntryTypes`).
  if (manifest.exports === undefined || !isFull) return;
  await checkPromise(`${name} has types for each entry point`, async () => {
    await call(bin("attw"), [tarball, "--profile", "esm-only", "--format", "ascii"]);
  });
}

/**
 * An empty folder with packages in it, installed by the line that `npm run packages` prints.
 *
 * @param others packages that are not ours
 */
async function installIntoEmptyProject(
  folder: string,
  which: readonly PackedPackage[],
  others: readonly string[] = [],
): Promise<string> {
  const project = createEmptyProject(folder);
  const names = which.map(({ name }) => name);
  const wanted = [...listNeededTarballs(packages, names), ...others];
  await call("npm", ["install", "--no-audit", "--no-fund", "--silent", ...wanted], { cwd: project });
  return project;
}

function createEmptyProject(folder: string): string {
  const project = join(workshop, folder);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`);
  return project;
}

/** Imports and requires every entry point, and runs the programs of the READMEs. */
async function tryNodeRelease(
  version: string,
  node: string,
  project: string,
  promised: readonly PackedPackage[],
  every: readonly Entry[],
  data: string,
): Promise<void> {
  const loading = every.filter(
    ({ owner, oldestNode = "0" }) => promised.includes(owner) && !isOlder(version, oldestNode),
  );
  const entries = loading.map(({ name }) => name);
  await checkPromise(`${entries.length} entry points load with import on Node ${version}`, async () => {
    const program = entries.map((entry) => `await import(${JSON.stringify(entry)});`).join("\n");
    await call(node, ["--input-type=module", "--eval", program], { cwd: project });
  });
  const required = loading.filter(({ owner }) => supportsEveryHost(owner)).map(({ name }) => name);
  await checkPromise(`${required.length} entry points load with require on Node ${version}`, async () => {
    const program = required.map((entry) => `require(${JSON.stringify(entry)});`).join("\n");
    await call(node, ["--input-type=commonjs", "--eval", program], { cwd: project });
  });
  await tryReadmePrograms(`Node ${version}`, node, [], project, promised, data);
}

/** Every entry point on a release of Node that is too old for some: these say so, and the others load. */
async function tryOldNode(version: string, node: string, entries: readonly Entry[], project: string) {
  const needing = entries.filter(({ oldestNode }) => oldestNode && isOlder(version, oldestNode));
  const others = entries.length - needing.length;
  await checkPromise(
    `${needing.length} entry points say on Node ${version} in one line what they need, and ${others} load`,
    () => tryTooOld(entries, version, node, project),
  );
}

/** Installs the packages that support every host on another host, and runs their programs there. */
async function tryOtherHost(
  host: OtherHost,
  promised: readonly PackedPackage[],
  data: string,
): Promise<void> {
  const program = findHostProgram(host);
  if (program === undefined) return;
  const project = createEmptyProject(host.name);
  const dependencies = Object.fromEntries(promised.map(({ name, manifest }) => [name, manifest.version]));
  const manifest = { private: true, type: "module", dependencies };
  writeFileSync(join(project, "package.json"), `${JSON.stringify(manifest)}\n`);
  const label = `${host.name} ${host.version}`;
  writeFileSync(join(project, ".npmrc"), registry.npmrc);
  const installed = await checkPromise(`${label} installs ${promised.length} packages`, async () => {
    await call(program, ["install"], { cwd: project });
  });
  if (installed) await tryReadmePrograms(label, program, host.run, project, promised, data);
}

/** Runs the first program of each README, which a newcomer copies. Its comments say what it prints. */
async function tryReadmePrograms(
  host: string,
  program: string,
  running: readonly string[],
  project: string,
  from: readonly PackedPackage[],
  data: string,
): Promise<void> {
  const readmes = [
    ...from.map(({ name, readme }) => ({ name, readme })),
    { name: "groundrule", readme: readRootReadme() },
  ];
  for (const { name, readme } of readmes) {
    const text = /```(?:ts|js)\n([\s\S]*?)```/.exec(readme)?.[1];
    if (text === undefined) continue;
    await checkPromise(`the README of ${name} runs on ${host}`, async () => {
      const file = join(project, `${name.replace(/\W/g, "-")}.mjs`);
      writeFileSync(file, text);
      const env = { ...process.env, ...service?.env, GROUNDRULE_DATA: data };
      const { stdout } = await call(program, [...running, file], { cwd: project, env, timeout: 60_000 });
      const promised = [...text.matchAll(/\/\/ → (.*)$/gm)].map(([, said]) => said);
      const printed = stdout
        .trimEnd()
        .split("\n")
        .slice(-promised.length || undefined);
      if (promised.length > 0 && printed.join("\n") !== promised.join("\n")) {
        throw new Error(`it printed ${JSON.stringify(printed)}, but promises ${JSON.stringify(promised)}`);
      }
    });
  }
}

function readRootReadme(): string {
  return readFileSync(join(root, "README.md"), "utf8");
}

/**
 * Checks the types of every entry point, libraries included, under each way to resolve modules, by this compiler and by
 * the oldest one; and that this one lets CommonJS require them.
 */
async function checkEntryTypes(project: string, libraries: readonly PackedPackage[]): Promise<void> {
  const entries = libraries.flatMap(listEntryPoints).filter((entry) => !entry.endsWith(".json"));
  const imports = entries.map((entry, i) => `import * as p${i} from "${entry}";`);
  const uses = entries.map((_, i) => `p${i}`).join(", ");
  const text = `${imports.join("\n")}\nexport const all: object[] = [${uses}];\n`;
  for (const name of ["types.ts", "types.cts"]) writeFileSync(join(project, name), text);
  const oldest = "node_modules/typescript/bin/tsc";
  const newest = relative(project, join(root, "node_modules/typescript/bin/tsc"));
  const ways = [
    [newest, "nodenext", "nodenext", "types.cts"],
    [newest, "bundler", "esnext", "types.ts"],
    [oldest, "node16", "node16", "types.ts"],
    [newest, "nodenext", "nodenext", "types.ts"],
    [oldest, "nodenext", "nodenext", "types.ts"],
    [oldest, "bundler", "esnext", "types.ts"],
  ] as const;
  for (const [compiler, resolution, module, file] of isFull ? ways : ways.slice(0, 3)) {
    const config = {
      compilerOptions: {
        module,
        moduleResolution: resolution,
        target: "es2022",
        lib: ["es2022", "dom"],
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        types: ["node"],
      },
      files: [file],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    const words = `${compiler === oldest ? "the oldest TypeScript" : "TypeScript"}, ${resolution}, ${file}`;
    await checkPromise(`the types of ${entries.length} entry points resolve: ${words}`, async () => {
      await call(process.execPath, [compiler], { cwd: project });
    });
  }
}

function findNodeProgram(version: string): string {
  return version === process.versions.node ? process.execPath : installNode(version);
}

/** True if a package supports every host; the service, and the packages made for it, need a newer Node. */
function supportsEveryHost({ manifest }: PackedPackage): boolean {
  return manifest.engines.node.startsWith(">=22");
}

import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { NEWER_NODE } from "../../apps/cli/src/node-version.ts";
import type { PackedPackage } from "./pack.ts";

const call = promisify(execFile);

/** An entry point, such as `@groundrule/engine/records`, by its name. */
export interface Entry {
  readonly name: string;
  readonly owner: PackedPackage;
  /** The oldest Node of those packages of ours that it loads, if a module of theirs imports one of Node's. */
  readonly oldestNode: string | undefined;
}

/** The entry points of packages that hold code. */
export function listEntryPoints({ name, manifest }: PackedPackage): string[] {
  return Object.keys(manifest.exports ?? {})
    .filter((entry) => !entry.endsWith(".json"))
    .map((entry) => `${name}${entry.slice(1)}`);
}

/** Loads every entry point in a project where the packages are installed, and tells which Node each needs. */
export async function loadEntryPoints(packages: readonly PackedPackage[], project: string): Promise<Entry[]> {
  const names = packages.flatMap(listEntryPoints);
  const program = `
    import { registerHooks } from "node:module";
    const imports = [];
    registerHooks({
      resolve(name, context, next) {
        const found = next(name, context);
        imports.push([context.parentURL, name, found.url]);
        return found;
      },
    });
    for (const name of ${JSON.stringify(names)}) await import(name);
    console.log(JSON.stringify(imports));`;
  const file = join(project, "imports.mjs");
  writeFileSync(file, program);
  const { stdout } = await call(process.execPath, [file], { cwd: project, maxBuffer: 1 << 28 });
  const imports: [importer: string, name: string, url: string][] = JSON.parse(stdout);
  const byImporter = Map.groupBy(imports, ([importer]) => importer);
  const ownerOf = (url: string) =>
    packages.find(({ name }) => url.includes(`/node_modules/${name}/`) && !url.includes("/needs-node-"));
  return names.map((name) => {
    const entry = imports.find((found) => found[1] === name && found[0] === pathToFileURL(file).href)![2];
    const reached = new Set([entry]);
    let isOnNode = false;
    // A set is walked to the end of what is added to it meanwhile.
    for (const url of reached) {
      for (const [, , next] of byImporter.get(url) ?? []) {
        if (next.startsWith("node:")) isOnNode = true;
        else if (ownerOf(next) !== undefined) reached.add(next);
      }
    }
    const oldest = [...reached].map((url) => ownerOf(url)!.manifest.engines.node.replace(">=", ""));
    const newestFirst = oldest.sort((a, b) => (isOlder(a, b) ? 1 : -1));
    return { name, owner: ownerOf(entry)!, oldestNode: isOnNode ? newestFirst[0] : undefined };
  });
}

/** True if a release of Node is older than another. */
export function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = than.split(".").map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/**
 * Imports every entry point on a Node: one that needs a newer Node says in one line what it needs, and every other loads.
 *
 * Fails: an `Error` that names those that do something else.
 */
export async function tryTooOld(entries: readonly Entry[], version: string, node: string, project: string) {
  const source = `const said = {};
    for (const name of ${JSON.stringify(entries.map(({ name }) => name))}) {
      said[name] = await import(name).then(() => "loads", (error) => error.message);
    }
    console.log(JSON.stringify({ said, program: process.execPath }));`;
  const { stdout } = await call(node, ["--input-type=module", "--eval", source], { cwd: project });
  const { said, program }: { said: Record<string, string>; program: string } = JSON.parse(stdout);
  const wrong = entries.flatMap(({ name, owner, oldestNode }) => {
    const isTooOld = oldestNode !== undefined && isOlder(version, oldestNode);
    const expected = isTooOld
      ? `${owner.name}: found Node ${version} at ${program}, expected Node ${oldestNode} or newer: ${NEWER_NODE}`
      : "loads";
    return said[name] === expected ? [] : [`${name}: ${said[name]}\n  expected: ${expected}`];
  });
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  const [refused] = entries.filter(
    ({ oldestNode }) => oldestNode !== undefined && isOlder(version, oldestNode),
  );
  if (refused === undefined) throw new Error("no entry point needs a newer Node");
  // Output for a program that does not catch it: the line, and no stack of the modules under way.
  const { stderr } = spawnSync(node, ["--input-type=module", "--eval", `import "${refused.name}";`], {
    cwd: project,
    encoding: "utf8",
  });
  if (!stderr.includes(`\n[${said[refused.name]}]\n`) || /^ +at /m.test(stderr)) {
    throw new Error(`a program that imports ${refused.name} ends with ${stderr}`);
  }
}

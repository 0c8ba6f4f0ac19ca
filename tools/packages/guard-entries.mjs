import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { NEWER_NODE } from "../../apps/cli/src/node-version.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Puts a module in front of each entry of a built package that imports Node's own modules, itself or through other
 * packages of ours: it throws one line where Node is too old for any of these. Modules are linked before one of them
 * runs, so nothing else may fail at that: what an old Node lacks is taken from the default export of a `node:` module,
 * and a module that it lacks by `process.getBuiltinModule`. Entries that import none stay as they are: they run in
 * browsers, too. Bundlers leave the guard out, because it is no module with side effects.
 *
 * @param folder of the package, whose dependencies are built, too
 */
export function guardPackageEntries(folder) {
  const { name, publishConfig } = readPackageManifest(folder);
  for (const { default: entry } of Object.values(publishConfig.exports ?? {})) {
    if (!entry?.endsWith(".js")) continue;
    const file = join(folder, entry);
    const needing = listPackagesOnNode(file, folder);
    if (needing.size === 0) continue;
    const oldest = [...needing].map(readOldestNode).sort(compareVersions).at(-1);
    const guard = join(dirname(file), `needs-node-${oldest.join(".")}.js`);
    writeFileSync(guard, formatGuardCode(name, oldest));
    // On the entry's first line, so that the lines of its source map stay true.
    writeFileSync(file, `import "./${relative(dirname(file), guard)}"; ${readFileSync(file, "utf8")}`);
  }
}

/** The folders of the packages of ours that a module loads, if any of their modules imports one of Node's. */
function listPackagesOnNode(entry, entryFolder) {
  const folders = new Map([[entry, entryFolder]]);
  let isOnNode = false;
  // A map is walked to the end of what is added to it meanwhile.
  for (const [file, folder] of folders) {
    for (const [, name] of readFileSync(file, "utf8").matchAll(/\b(?:from|import) ?"([^"]+)"/g)) {
      if (name.startsWith("node:")) isOnNode = true;
      else if (name.startsWith(".")) folders.set(join(dirname(file), name), folder);
      else if (name.startsWith("#")) folders.set(join(folder, resolveImport(folder, name)), folder);
      else if (name.startsWith("@groundrule/")) {
        const [scope, owner, ...rest] = name.split("/");
        const other = join(folder, "node_modules", scope, owner);
        const { exports } = readPackageManifest(other).publishConfig;
        folders.set(join(other, exports[["."].concat(rest).join("/")].default), other);
      }
    }
  }
  return new Set(isOnNode ? folders.values() : []);
}

/** Where a name that begins with # leads in Node. */
function resolveImport(folder, name) {
  for (const [pattern, { default: target }] of Object.entries(
    readPackageManifest(folder).publishConfig.imports,
  )) {
    if (name === pattern) return target;
    const [before, after] = pattern.split("*");
    if (after !== undefined && name.startsWith(before) && name.endsWith(after)) {
      return target.replace("*", name.slice(before.length, name.length - after.length));
    }
  }
  throw new Error(`${name} leads nowhere in ${relative(root, folder)}`);
}

function readOldestNode(folder) {
  return readPackageManifest(folder).engines.node.replace(">=", "").split(".").map(Number);
}

function compareVersions([major, minor], [otherMajor, otherMinor]) {
  return major - otherMajor || minor - otherMinor;
}

function readPackageManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Code in syntax that every Node with modules understands. Other hosts only report which Node they are like. */
function formatGuardCode(name, [major, minor]) {
  return `const { node, bun, deno } = (typeof process === "object" && process.versions) || {};
const [major, minor] = node && !bun && !deno ? node.split(".").map(Number) : [Infinity, 0];
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  const error = new Error(
    \`${name}: found Node \${node} at \${process.execPath}, expected Node ${major}.${minor} or newer: ${NEWER_NODE}\`,
  );
  error.stack = error.message; // which module loads which helps nobody here
  throw error;
}
`;
}

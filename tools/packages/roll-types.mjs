import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";
import { readTypesWithDocstrings } from "./add-docstrings.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const OURS = /^@groundrule\/([^/]+)(\/.+)?$/;

/**
 * Rewrites a built file of types that passes on types of other packages of ours, so that it holds these itself, with
 * all that they are made of and nothing else: who installs the package needs no other.
 *
 * @param file a `.d.ts`; the packages that it names are built
 *
 * Fails: an `Error` where a type is made of one that is not ours.
 */
export function rollUpTypes(file) {
  const names = listExports(getModule(file));
  const wanted = [...names].map(([name, found]) => [name, findDeclaration(file, found)]);
  const own = new Map(wanted.map(([name, declaration]) => [declaration, name]));
  const parts = [];
  // A map is walked to the end of what is added to it meanwhile.
  for (const [declaration] of own) parts.push(formatDeclaration(declaration, own));
  writeFileSync(file, `${parts.join("\n")}\nexport type { ${[...names.keys()].join(", ")} };\n`);
  rmSync(`${file}.map`, { force: true });
}

/** How the compiler writes that types of others are used or passed on. */
const PASSED = /^(import|export) type \{([^}]*)\} from "(@groundrule\/[^"]+)";$/gm;

/**
 * Makes one file of the types of other packages of ours that the built files of types in a folder name, and lets them
 * name that file instead; {@link rollUpTypes} then fills it.
 *
 * @param file the `.d.ts` to write, somewhere in the folder
 *
 * Fails: an `Error` where a file imports another package otherwise, or two types have one name.
 */
export function gatherTypes(folder, file) {
  const passed = new Map();
  for (const path of readdirSync(folder, { recursive: true })) {
    if (!path.endsWith(".d.ts")) continue;
    const place = join(folder, path);
    const from = relative(dirname(place), file)
      .replace(/^(?!\.)/, "./")
      .replace(/\.d\.ts$/, ".ts");
    const text = readFileSync(place, "utf8").replaceAll(PASSED, (_, verb, names, source) => {
      const named = names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      const own = named.map((each) => {
        const [name, alias = name] = each.split(" as ");
        const known = verb === "export" ? alias : name;
        const line = `export type { ${name} as ${known} } from "${source}";`;
        if ((passed.get(known) ?? line) !== line) throw new Error(`${place} has another type named ${known}`);
        passed.set(known, line);
        return verb === "export" ? alias : each;
      });
      return `${verb} type { ${own.join(", ")} } from "${from}";`;
    });
    const [other] = /"@groundrule\/[^"]+"/.exec(text) ?? [];
    if (other !== undefined) throw new Error(`${place} imports ${other} other than by name as a type`);
    writeFileSync(place, text);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, [...passed.values()].sort().join("\n"));
}

/** The text of a declaration, without `export`, and with the names that others have in the file. */
function formatDeclaration({ module, node, from, to }, own) {
  const edits = [];
  visitReferences(node, (reference) => {
    const name = reference.qualifier ?? reference;
    const found =
      reference.type === "TSImportType"
        ? { from: reference.source.value, name: name.name }
        : module.names.get(name.name);
    if (found === undefined) return;
    const declaration = findDeclaration(module.file, found);
    if (!own.has(declaration)) own.set(declaration, createFreeName(declaration.name, own));
    const start = reference.type === "TSImportType" ? reference.start : name.start;
    edits.push({ start, end: name.end, text: own.get(declaration) });
  });
  // The name of a constant ends before its type does.
  const { start, name } = node.id;
  edits.push({ start, end: start + name.length, text: own.get(module.declarations.get(name)) });
  let text = module.text.slice(from, to);
  for (const { start, end, text: name } of edits.toSorted((a, b) => b.start - a.start)) {
    text = text.slice(0, start - from) + name + text.slice(end - from);
  }
  return text.replace(/^export /m, "");
}

function createFreeName(name, own) {
  const taken = new Set(own.values());
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}${count}`;
  return free;
}

/** Every name in a tree that stands for a type or a value of the module, rather than for a member. */
function visitReferences(node, tell) {
  if (Array.isArray(node)) for (const each of node) visitReferences(each, tell);
  else if (typeof node === "object" && node !== null && typeof node.type === "string") {
    if (node.type === "TSImportType") {
      tell(node);
      visitReferences(node.typeArguments, tell);
      return;
    }
    if (node.computed && node.key?.type === "Identifier") tell(node.key);
    const name = node.typeName ?? node.exprName ?? (node.type === "TSInterfaceHeritage" && node.expression);
    if (name?.type === "Identifier") tell(name);
    for (const [key, value] of Object.entries(node)) if (key !== "parent") visitReferences(value, tell);
  }
}

/** Where a name leads, through whatever passes it on. */
function findDeclaration(file, { from, name }) {
  if (from === undefined) {
    const declaration = getModule(file).declarations.get(name);
    if (declaration === undefined) throw new Error(`${file} has no ${name}`);
    return declaration;
  }
  const next = resolveModule(from, file);
  const found = listExports(getModule(next)).get(name);
  if (found === undefined) throw new Error(`${next} exports no ${name}`);
  return findDeclaration(next, found);
}

/** Exports of a module, by name; all of another module if it passes on all of that. */
function listExports(module) {
  const found = new Map(module.exported);
  for (const from of module.passed) {
    for (const name of listExports(getModule(resolveModule(from, module.file))).keys())
      found.set(name, { from, name });
  }
  return found;
}

const modules = new Map();

function getModule(file) {
  if (!modules.has(file)) modules.set(file, readModule(file));
  return modules.get(file);
}

function readModule(file) {
  const text = readTypesWithDocstrings(file);
  const module = { file, text, declarations: new Map(), names: new Map(), exported: new Map(), passed: [] };
  let from = 0;
  for (const node of parseAst(text, { lang: "dts" }).body) {
    const source = node.source?.value;
    if (node.type === "ExportAllDeclaration") module.passed.push(source);
    for (const { type, imported, local, exported } of node.specifiers ?? []) {
      if (type === "ImportSpecifier") module.names.set(local.name, { from: source, name: imported.name });
      else if (exported !== undefined) {
        const own = module.names.get(local.name) ?? { name: local.name };
        module.exported.set(exported.name, source === undefined ? own : { from: source, name: local.name });
      }
    }
    const declared = node.declaration ?? node;
    for (const each of declared.declarations ?? (declared.id == null ? [] : [declared])) {
      const { name } = each.id;
      // A comment stands before what it is about.
      module.declarations.set(name, { module, name, node: each, from, to: node.end });
      module.names.set(name, { name });
      if (node.declaration) module.exported.set(name, { name });
    }
    from = node.end;
  }
  return module;
}

function resolveModule(from, file) {
  if (from.startsWith(".")) return join(dirname(file), from.replace(/(?:\.d)?\.[tj]s$/, ".d.ts"));
  const [, name, entry = ""] = OURS.exec(from) ?? [];
  if (name === undefined)
    throw new Error(`${file} is made of ${from}, which whoever installs it would need too`);
  const folder = join(root, "packages", name);
  const { publishConfig } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, publishConfig.exports[`.${entry}`].types);
}

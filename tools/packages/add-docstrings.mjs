import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The text of a built file of types, in which every member whose type is made from its shape has the words that it is
 * described with there: `edition: describedAs(text(), "Digest")` becomes `/** Digest. *\/ edition: Shape<string>`.
 *
 * @param file a `.d.ts` under a package's `dist`
 */
export function readTypesWithDocstrings(file) {
  const text = readFileSync(file, "utf8");
  const source = file.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".ts");
  if (!existsSync(source) || !isDescribing(source)) return text;
  const notes = [];
  visitConstants(parseAst(text, { lang: "dts" }), [], (node, path) => {
    if (node.type !== "TSPropertySignature" || node.key.type !== "Identifier") return;
    const [owner, ...members] = [...path, node.key.name];
    const words = findMemberDescription(source, owner, members.join("/"));
    const isExplained = text.slice(0, node.start).trimEnd().endsWith("*/");
    if (words !== undefined && !isExplained)
      notes.push({ at: node.start, note: `/** ${words.replace(/\.?$/, ".")} */ ` });
  });
  return notes.reduceRight((written, { at, note }) => written.slice(0, at) + note + written.slice(at), text);
}

/** Words for a member in a constant's source, or in that of a constant whose members it takes over. */
function findMemberDescription(source, owner, member, seen = new Set()) {
  const described = readDescriptions(source).get(owner);
  if (described === undefined || seen.has(described)) return undefined;
  seen.add(described);
  const own = described.words.get(member);
  if (own !== undefined) return own;
  for (const name of described.taken) {
    const place = readDescriptions(source).has(name) ? source : findConstantFiles().get(name);
    const words = place && findMemberDescription(place, name, member, seen);
    if (words !== undefined) return words;
  }
  return undefined;
}

const descriptions = new Map();

/** The constants of a source, each with its words by the path of a member, and the constants that it spreads. */
function readDescriptions(source) {
  if (!descriptions.has(source)) {
    const found = new Map();
    visitConstants(parseAst(readFileSync(source, "utf8"), { lang: "ts" }), [], (node, path) => {
      const [owner, ...members] = path;
      if (owner === undefined) return;
      if (!found.has(owner)) found.set(owner, { words: new Map(), taken: [] });
      if (node.type === "SpreadElement" && node.argument.type === "Identifier") {
        found.get(owner).taken.push(node.argument.name);
      }
      // A member of another constant has the words that it has there: `crs: inputMembers.crs`.
      if (node.type === "Property" && node.value.type === "MemberExpression" && members.length === 0) {
        found.get(owner).taken.push(node.value.object.name);
      }
      const said =
        node.type === "Property" && node.value.type === "CallExpression" && node.value.arguments[1];
      if (!said || !/^(?:describedAs|optional)$/.test(node.value.callee.name)) return;
      if (said.type === "Literal")
        found.get(owner).words.set([...members, node.key.name].join("/"), said.value);
    });
    descriptions.set(source, found);
  }
  return descriptions.get(source);
}

/** @param path the constant that a node belongs to, and the members that lead to it */
function visitConstants(node, path, tell) {
  if (Array.isArray(node)) for (const each of node) visitConstants(each, path, tell);
  else if (typeof node === "object" && node !== null && typeof node.type === "string") {
    tell(node, path);
    const isOwner = node.type === "VariableDeclarator" && path.length === 0;
    const isMember = /^(?:Property|TSPropertySignature)$/.test(node.type);
    const name = isOwner ? node.id.name : isMember ? node.key.name : undefined;
    for (const value of Object.values(node))
      visitConstants(value, name === undefined ? path : [...path, name], tell);
  }
}

let known;

/** Where each constant is that others take members over from. */
function findConstantFiles() {
  known ??= new Map(
    ["engine", "contract"].flatMap((name) => {
      const folder = join(root, "packages", name, "src");
      const sources = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
      return sources
        .filter((path) => path.endsWith(".ts") && isDescribing(path))
        .flatMap((path) => [...readDescriptions(path).keys()].map((constant) => [constant, path]));
    }),
  );
  return known;
}

function isDescribing(source) {
  return !source.endsWith(".test.ts") && /\b(?:describedAs|optional)\(/.test(readFileSync(source, "utf8"));
}

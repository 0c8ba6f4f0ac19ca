import { escapePointerToken, parseJsonPointer } from "@groundrule/engine/internal/json";
import type { SyntaxNode, Tree } from "@lezer/common";
import { parser } from "@lezer/json";

/** A range of a text, in UTF-16 units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The syntax tree of a JSON text; for invalid JSON, of as much as can be parsed. */
export function parseSyntaxTree(text: string): Tree {
  return parser.parse(text);
}

/**
 * The range of a JSON text that a pointer refers to: the value there, otherwise the nearest value around it. A fault
 * within a filter's text, with a message like `at character 13`, is located within that text.
 *
 * @param message of the fault
 */
export function findPointerRange(text: string, tree: Tree, pointer: string, message = ""): TextRange {
  let node = tree.topNode.firstChild;
  if (node === null) return { from: 0, to: text.length };
  for (const name of parseJsonPointer(pointer)) {
    const next = findMemberNode(text, node, name);
    if (next === undefined) break;
    node = next;
  }
  const place = /^at character (\d+)(?: \("(.*?)"\))?/.exec(message);
  if (place !== null && node.name === "String")
    return findRangeInString(text, node, Number(place[1]), place[2]);
  return { from: node.from, to: node.to };
}

function findMemberNode(text: string, node: SyntaxNode, name: string): SyntaxNode | undefined {
  if (node.name === "Array") return listArrayValues(node)[Number(name)];
  for (let property = node.firstChild; property !== null; property = property.nextSibling) {
    if (property.name === "Property" && readPropertyName(text, property) === name) {
      return property.lastChild ?? undefined;
    }
  }
  return undefined;
}

/** The JSON pointer of the value at a place or, in the name of a member, of its object. */
export function computePointerAtPlace(text: string, tree: Tree, place: number): string {
  const names: string[] = [];
  let node: SyntaxNode | null = tree.resolveInner(place, -1);
  if (node.name === "PropertyName") node = node.parent?.parent ?? null;
  for (; node !== null; node = node.parent) {
    const { parent, from } = node;
    if (parent?.name === "Property") names.unshift(readPropertyName(text, parent) ?? "");
    if (parent?.name === "Array")
      names.unshift(String(listArrayValues(parent).findIndex((each) => each.from === from)));
  }
  return names.map((name) => `/${escapePointerToken(name)}`).join("");
}

/** The names of the members of the object around a place. */
export function listMemberNames(text: string, tree: Tree, place: number): string[] {
  let node: SyntaxNode | null = tree.resolveInner(place, -1);
  while (node !== null && node.name !== "Object") node = node.parent;
  return node?.getChildren("Property").flatMap((property) => readPropertyName(text, property) ?? []) ?? [];
}

const VALUES: ReadonlySet<string> = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

function listArrayValues(array: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let node = array.firstChild; node !== null; node = node.nextSibling) {
    if (VALUES.has(node.name)) values.push(node);
  }
  return values;
}

function readPropertyName(text: string, property: SyntaxNode): string | undefined {
  const name = property.getChild("PropertyName");
  return name === null ? undefined : parseJsonString(text, name);
}

/** Decodes a JSON string; undefined if it is invalid. */
export function parseJsonString(text: string, { from, to }: TextRange): string | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(from, to));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param place a character (code point) of the string, from 1 */
function findRangeInString(text: string, node: SyntaxNode, place: number, found = ""): TextRange {
  const value = parseJsonString(text, node);
  if (value === undefined) return { from: node.from, to: node.to };
  const before = [...value].slice(0, place - 1).join("");
  // The length as written, with escapes, between the quotes.
  const from = node.from + JSON.stringify(before).length - 1;
  const length = Math.max(1, JSON.stringify(found).length - 2);
  return { from: Math.min(from, node.to - 1), to: Math.min(from + length, node.to) };
}

/** The position where JSON.parse stops, and the reason; undefined for valid JSON. */
export function findSyntaxFault(text: string): (TextRange & { readonly message: string }) | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const from = Math.min(findFaultPosition(text, parseSyntaxTree(text)), Math.max(0, text.length - 1));
    return {
      from,
      to: Math.min(from + 1, text.length),
      message: message.replace(/ in JSON at position.*/s, ""),
    };
  }
}

function findFaultPosition(text: string, tree: Tree): number {
  let place = text.length;
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) place = Math.min(place, from);
    },
  });
  return place;
}

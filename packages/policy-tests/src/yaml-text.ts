import { checkShape, type Shape } from "@groundrule/engine/internal";
import { escapePointerToken, parseJsonPointer } from "@groundrule/engine/internal/json";
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
} from "yaml";

/** Where something stands in a file, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Fault of a YAML file. */
export interface YamlFault extends Place {
  /** JSON pointer of the member; empty where it concerns the text. */
  readonly pointer: string;
  readonly message: string;
}

/** A YAML file that cannot be read as what it should be: exit code 3. */
export class YamlFileError extends Error {
  override readonly name = "YamlFileError";
  readonly path: string;
  readonly faults: readonly YamlFault[];

  constructor(path: string, faults: readonly YamlFault[]) {
    super(faults.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`).join("\n"));
    this.path = path;
    this.faults = faults;
  }
}

/** A YAML document as a value, with the place of each of its members. */
export interface YamlFile {
  readonly path: string;
  readonly value: unknown;
  /** The place of what a JSON pointer leads to, or of the nearest thing around it that is there. */
  placeOf(pointer: string, of?: "value" | "name"): Place;
}

/**
 * The value of a YAML file, checked against its shape.
 *
 * Fails: {@link YamlFileError} with every fault and its place.
 */
export function checkYamlFile<Value>(shape: Shape<Value>, yaml: YamlFile): Value {
  const checked = checkShape(shape, yaml.value);
  if (checked.faults === undefined) return checked.value;
  const faults = checked.faults.map(({ pointer, code, message }) => ({
    ...yaml.placeOf(pointer, code === "MEMBER_UNKNOWN" ? "name" : "value"),
    pointer,
    message: `${pointer === "" ? "" : `${pointer.slice(1)}: `}${message}`,
  }));
  throw new YamlFileError(
    yaml.path,
    faults.sort((a, b) => a.line - b.line || a.column - b.column),
  );
}

/** Enough for hundreds of cases with fixtures of their own, and little enough to read at once. */
export const YAML_BYTE_LIMIT: number = 1024 * 1024;
const DEPTH_LIMIT = 64;
/** Values of a file, each use of an alias counted. */
const VALUE_LIMIT = 200_000;
const FAULTS_SHOWN = 20;

/**
 * Reads the text of a YAML file (YAML 1.2, core schema). What a reader of the file would not expect is refused: a name
 * that is given twice, a number that YAML would write in another way (`007`), a tag.
 *
 * @param path what faults call the file
 * @param text of at most {@link YAML_BYTE_LIMIT} bytes
 *
 * Fails: {@link YamlFileError} with places.
 */
export function parseYaml(path: string, text: string): YamlFile {
  const places = new LineCounter();
  const document = parseYamlDocument(path, text, places);
  const reader = new ValueReader(path, places);
  const value = document.contents === null ? null : reader.read(document.contents as Node);
  if (reader.faults.length > 0) throw new YamlFileError(path, reader.faults);
  return {
    path,
    value,
    placeOf: (pointer, of = "value") => toLinePlace(places, findPointerOffset(document, reader, pointer, of)),
  };
}

function parseYamlDocument(path: string, text: string, places: LineCounter): Document {
  const tokens = [...new Parser(places.addNewLine).parse(text)];
  // Before anything goes down the tree by recursion: its end would be the end of the process.
  const deep = findTooDeep(tokens);
  if (deep !== undefined) {
    const message = `found more than ${DEPTH_LIMIT} levels within each other, expected fewer`;
    throw new YamlFileError(path, [{ ...toLinePlace(places, deep), pointer: "", message }]);
  }
  const composer = new Composer({ schema: "core", uniqueKeys: false, strict: true, prettyErrors: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) throw new Error("the composer makes a document of an empty text");
  const faults = [...document.errors, ...document.warnings]
    .slice(0, FAULTS_SHOWN)
    .map(({ pos, message }) => ({
      ...toLinePlace(places, pos[0]),
      pointer: "",
      message: `${message.replace(/\.$/, "")}; expected YAML 1.2`,
    }));
  if (faults.length > 0) throw new YamlFileError(path, faults);
  if (second !== undefined) {
    const message = "found a second document, expected one; give each its own file";
    throw new YamlFileError(path, [{ ...toLinePlace(places, second.range[0]), pointer: "", message }]);
  }
  return document as Document;
}

/** The place in the text of the first token nested too deeply. */
function findTooDeep(tokens: readonly CST.Token[]): number | undefined {
  const stack: { readonly token: CST.Token; readonly depth: number }[] = [];
  const push = (token: CST.Token | null | undefined, depth: number) => {
    if (token) stack.push({ token, depth });
  };
  for (const token of tokens) push(token, 0);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, depth } = next;
    if (depth > DEPTH_LIMIT + 1) return token.offset;
    if (token.type === "document") push(token.value, depth);
    if (!("items" in token)) continue;
    for (const { key, value } of token.items) {
      push(key, depth + 1);
      push(value, depth + 1);
    }
  }
  return undefined;
}

/** How a number stands in YAML and JSON alike: as anything else, it may well be meant as a text. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

class ValueReader {
  readonly faults: YamlFault[] = [];
  /** Target of each alias. */
  readonly meant = new Map<Node, Node>();
  readonly #path: string;
  readonly #places: LineCounter;
  readonly #anchors = new Map<string, Node>();
  #values = 0;

  constructor(path: string, places: LineCounter) {
    this.#path = path;
    this.#places = places;
  }

  /** @param repeated whether the node is read once more, by an alias */
  read(node: Node, pointer = "", depth = 1, repeated = false): unknown {
    if (++this.#values > VALUE_LIMIT || depth > DEPTH_LIMIT) {
      const limit = depth > DEPTH_LIMIT ? `${DEPTH_LIMIT} levels` : `${VALUE_LIMIT} values`;
      throw new YamlFileError(this.#path, [
        this.#fault(node, pointer, `found more than ${limit}, expected fewer`),
      ]);
    }
    if (isAlias(node)) {
      if (!repeated) {
        const anchored = this.#anchors.get(node.source);
        if (anchored !== undefined) this.meant.set(node, anchored);
      }
      const meant = this.meant.get(node);
      if (meant !== undefined) return this.read(meant, pointer, depth + 1, true);
      this.#refuse(node, pointer, `found *${node.source}, expected an anchor &${node.source} before it`);
      return undefined;
    }
    if (node.tag !== undefined) this.#refuse(node, pointer, `found the tag ${node.tag}, expected none`);
    if ("anchor" in node && node.anchor !== undefined && !repeated) this.#anchors.set(node.anchor, node);
    if (isSeq(node)) {
      return node.items.map((item, i) => this.read(item as Node, `${pointer}/${i}`, depth + 1, repeated));
    }
    if (isMap(node)) return this.#readMap(node.items, pointer, depth, repeated);
    if (isScalar(node)) return this.#scalar(node, pointer);
    throw new Error("YAML has no other nodes");
  }

  #readMap(
    items: readonly { readonly key: unknown; readonly value: unknown }[],
    pointer: string,
    depth: number,
    repeated: boolean,
  ): unknown {
    const members = new Map<string, unknown>();
    for (const { key, value } of items) {
      const name = readMemberName(key);
      if (name === undefined) {
        this.#refuse(key as Node, pointer, "found a name that is no text, expected one");
        continue;
      }
      const at = `${pointer}/${escapePointerToken(name)}`;
      if (members.has(name))
        this.#refuse(key as Node, at, `found the name ${JSON.stringify(name)} twice, expected it once`);
      members.set(name, value === null ? null : this.read(value as Node, at, depth + 1, repeated));
    }
    return Object.fromEntries(members);
  }

  #scalar(node: Node & { readonly value: unknown }, pointer: string): unknown {
    const { value } = node;
    const { source } = node as { readonly source?: string };
    if (typeof value !== "number" || source === undefined) return value;
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    const isAsWritten = isExact && PLAIN_NUMBER.test(source);
    if (!isAsWritten) {
      this.#refuse(
        node,
        pointer,
        `found ${source.slice(0, 80)}, which YAML takes for the number ${value}; write a text in quotes, a number as in JSON`,
      );
    }
    return value;
  }

  #refuse(node: Node | null, pointer: string, message: string): void {
    if (this.faults.length < FAULTS_SHOWN) this.faults.push(this.#fault(node, pointer, message));
  }

  #fault(node: Node | null, pointer: string, message: string): YamlFault {
    return { ...toLinePlace(this.#places, node?.range?.[0] ?? 0), pointer, message };
  }
}

/** The name of a member: a text, or a number or word as it is written. */
function readMemberName(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === "string") return key.value;
  return key.value === null ? undefined : (key.source ?? String(key.value));
}

function findPointerOffset(
  document: Document,
  { meant }: ValueReader,
  pointer: string,
  of: "value" | "name",
): number {
  let node = document.contents as Node | null;
  let offset = node?.range?.[0] ?? 0;
  const names = parseJsonPointer(pointer);
  for (const [i, name] of names.entries()) {
    while (isAlias(node)) node = meant.get(node) ?? null;
    let nameOffset: number | undefined;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => readMemberName(key) === name);
      if (pair === undefined) break;
      nameOffset = (pair.key as Node).range?.[0];
      node = pair.value as Node | null;
    } else if (isSeq(node) && node.items[Number(name)] !== undefined) {
      node = node.items[Number(name)] as Node;
    } else break;
    const isLast = i === names.length - 1;
    offset =
      (isLast && of === "name" ? nameOffset : undefined) ?? findNodeStart(node) ?? nameOffset ?? offset;
  }
  return offset;
}

/** Where a value begins; undefined of one that is left out. */
function findNodeStart(node: Node | null): number | undefined {
  const range = node?.range;
  return range === null || range === undefined || range[0] === range[1] ? undefined : range[0];
}

function toLinePlace(places: LineCounter, offset: number): Place {
  const { line, col } = places.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

import type { ListedSource } from "@groundrule/contract";
import { parseJsonPointer } from "@groundrule/engine/internal/json";
import { computePointerAtPlace, listMemberNames, parseJsonString, parseSyntaxTree } from "./ruleset-text.ts";

/** A schema of a value: the parts of JSON Schema that the ruleset's schema uses. */
export interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly (string | number)[];
  readonly const?: unknown;
  readonly type?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** A text that may be inserted at a place. */
export interface Proposal {
  readonly label: string;
  readonly kind: "member" | "value" | "source" | "set" | "column" | "word";
  readonly detail?: string;
  /** The text that replaces the typed one. */
  readonly insert: string;
}

export interface Proposals {
  /** Start and end of the typed part of it. */
  readonly from: number;
  readonly to: number;
  readonly proposals: readonly Proposal[];
}

/**
 * Proposals for a place in a ruleset's text: members and values in the schema, names of sources, registers and sets,
 * and within a text filter its columns and keywords.
 */
export function findCompletionProposals(
  text: string,
  place: number,
  schema: Schema,
  sources: readonly ListedSource[],
): Proposals | undefined {
  const tree = parseSyntaxTree(text);
  const node = tree.resolveInner(place, -1);
  const path = parseJsonPointer(computePointerAtPlace(text, tree, place));
  const isInString = node.name === "String" || node.name === "PropertyName";
  if (node.name === "String" && path.at(-1) === "where")
    return findSourceFilterProposals(text, node.from, place, sources, path);
  const wholeString = { from: node.from, to: node.to };
  const range = isInString ? wholeString : { from: findWordStart(text, place), to: place };
  const isName = node.name === "PropertyName" || (!isInString && isNameExpected(text, range.from));
  const value = parseRulesetValue(text);
  if (isName) {
    const at = node.name === "PropertyName" ? path : findJsonPath(text, range.from);
    const members = listApplicableSchemas(schema, at).flatMap((each) =>
      Object.entries(each.properties ?? {}),
    );
    const own = parseJsonString(text, wholeString);
    const taken = new Set(listMemberNames(text, tree, place).filter((name) => name !== own));
    const colon = /^\s*:/.test(text.slice(range.to)) ? "" : ": ";
    const unique = new Map(members.filter(([name]) => !taken.has(name)));
    const proposals = [...unique].map(([label, { description }]): Proposal => {
      return { label, kind: "member", insert: `${JSON.stringify(label)}${colon}`, ...toDetail(description) };
    });
    return proposals.length === 0 ? undefined : { ...range, proposals };
  }
  const at = isInString ? path : findJsonPath(text, range.from);
  const proposals = listValueProposals(schema, at, sources, value);
  return proposals.length === 0 ? undefined : { ...range, proposals };
}

function toDetail(description: string | undefined): { readonly detail?: string } {
  return description === undefined ? {} : { detail: description };
}

/** True if a member's name is expected at a place: after `{`, or after a comma within an object. */
function isNameExpected(text: string, place: number): boolean {
  const before = text.slice(0, place).trimEnd().at(-1);
  if (before === "{") return true;
  return before === "," && findInnermostContainer(text, place)?.kind === "{";
}

function findWordStart(text: string, place: number): number {
  let from = place;
  while (from > 0 && /[\w"]/.test(text[from - 1]!)) from--;
  return from;
}

interface Opened {
  readonly kind: "{" | "[";
  /** For an object: the member whose value is being written. */
  name: string | undefined;
  /** For an array: number of elements before. */
  index: number;
}

/**
 * The objects and arrays that are open at a place, the outermost first. They are read from the text, which may not be
 * valid JSON yet.
 */
function listOpenContainers(text: string, place: number): Opened[] {
  const open: Opened[] = [];
  let last: string | undefined;
  for (const [token] of text.slice(0, place).matchAll(/"(?:[^"\\\n]|\\.)*"?|[[\]{}:,]/g)) {
    const top = open.at(-1);
    if (token === "{" || token === "[") open.push({ kind: token, name: undefined, index: 0 });
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":" && top !== undefined) top.name = last;
    else if (token === "," && top !== undefined) {
      top.index++;
      top.name = undefined;
    } else last = parseStringToken(token);
  }
  return open;
}

function findInnermostContainer(text: string, place: number): Opened | undefined {
  return listOpenContainers(text, place).at(-1);
}

function parseStringToken(token: string): string | undefined {
  return parseJsonString(token, { from: 0, to: token.length });
}

/** The path of the value at a place; for a member's name, that of its object. */
function findJsonPath(text: string, place: number): string[] {
  return listOpenContainers(text, place).flatMap(({ kind, name, index }, i, all) => {
    const isLast = i === all.length - 1;
    if (kind === "[") return [String(index)];
    return name === undefined ? (isLast ? [] : [""]) : [name];
  });
}

/** Every schema that applies to a value at a path. */
function listApplicableSchemas(root: Schema, path: readonly string[]): Schema[] {
  let schemas = listSchemaAlternatives(root, root);
  for (const name of path) {
    schemas = schemas.flatMap((schema) => {
      const { properties, additionalProperties, items } = schema;
      const next =
        properties !== undefined && Object.hasOwn(properties, name)
          ? properties[name]
          : items !== undefined && /^\d+$/.test(name)
            ? items
            : additionalProperties || undefined;
      return next === undefined ? [] : listSchemaAlternatives(next, root);
    });
  }
  return schemas;
}

function listSchemaAlternatives(schema: Schema, root: Schema, depth = 0): Schema[] {
  if (depth > 8) return [];
  if (schema.$ref !== undefined) {
    const found = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
    return found === undefined ? [] : listSchemaAlternatives(found, root, depth + 1);
  }
  return [schema, ...(schema.anyOf ?? []).flatMap((each) => listSchemaAlternatives(each, root, depth + 1))];
}

function findValueAt(value: unknown, path: readonly string[]): object | undefined {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return typeof at === "object" && at !== null ? at : undefined;
}

function listValueProposals(
  schema: Schema,
  path: readonly string[],
  sources: readonly ListedSource[],
  value: unknown,
): Proposal[] {
  const quoted = (label: string, kind: Proposal["kind"], detail?: string): Proposal => ({
    label,
    kind,
    insert: JSON.stringify(label),
    ...toDetail(detail),
  });
  const [section, , member, ...inner] = path;
  if (section === "sets" && member === "sources")
    return sources.filter(({ kind }) => kind !== "subject_register").map(toSourceProposal);
  if (section === "sets" && member === "registers") {
    return sources.filter(({ kind }) => kind !== "leaf").map(toSourceProposal);
  }
  const setsHere = Object.keys(findValueAt(value, ["sets"]) ?? {});
  const last = [...path].reverse().find((name) => !/^\d+$/.test(name));
  const isDerived = section === "sets" && ["union", "intersection", "difference"].includes(member ?? "");
  if (isDerived || (section === "checks" && (last === "set" || last === "of"))) {
    const own = isDerived ? path[1] : undefined;
    return setsHere.filter((name) => name !== own).map((name) => quoted(name, "set"));
  }
  if (last === "fact") return listFactNames(value).map((name) => quoted(name, "value"));
  const isColumn =
    (section === "sets" && member === "show") ||
    (section === "checks" && path.at(-2) === "measure") ||
    (section === "sets" && inner.at(-1) === "property");
  if (isColumn)
    return listCommonColumns(path, sources, value).map(([label, type]) => quoted(label, "column", type));
  const schemas = listApplicableSchemas(schema, path);
  const values = schemas.flatMap((each) => each.enum ?? []);
  const proposals = values.map(
    (value): Proposal =>
      typeof value === "string"
        ? quoted(value, "value")
        : { label: String(value), kind: "value", insert: String(value) },
  );
  return [...new Map(proposals.map((proposal) => [proposal.label, proposal])).values()];
}

/** The names by which a ruleset can refer to its declared facts. */
function listFactNames(value: unknown): string[] {
  const declared = Object.entries(findValueAt(value, ["facts"]) ?? {}) as [
    string,
    { readonly type?: unknown } | null,
  ][];
  const names = declared.flatMap(([name, declaration]) =>
    declaration?.type === "document"
      ? [name, ...["area_m2", "issued_on", "valid_until"].map((member) => `${name}.${member}`)]
      : [name],
  );
  return [...names, "evaluated_on"];
}

function toSourceProposal({ source_name, source_dataset }: ListedSource): Proposal {
  return {
    label: source_name,
    kind: "source",
    insert: JSON.stringify(source_name),
    ...(source_dataset !== source_name && { detail: source_dataset }),
  };
}

/** Columns that every area has, in any source. */
const COMMON: Readonly<Record<string, string>> = {
  source_name: "string",
  source_id: "string",
  name: "string",
  country_iso3: "string",
  category: "string",
};

/** Columns that all sources of the current set have, with their types. */
function listCommonColumns(
  path: readonly string[],
  sources: readonly ListedSource[],
  value: unknown,
): [string, string][] {
  const check =
    path[0] === "checks" ? (findValueAt(value, path.slice(0, 2)) as { set?: unknown }) : undefined;
  const set = check === undefined ? path[1] : check.set;
  const found = typeof set === "string" ? findValueAt(value, ["sets", set]) : undefined;
  const named = (found ?? {}) as { sources?: unknown; registers?: unknown };
  const setNames = [named.sources, named.registers]
    .flat()
    .filter((name): name is string => typeof name === "string");
  const [first = {}, ...others] = setNames.map(
    (name) => sources.find(({ source_name }) => source_name === name)?.columns ?? {},
  );
  const shared = Object.entries(first).filter(([name]) => others.every((each) => Object.hasOwn(each, name)));
  return [...shared, ...Object.entries(COMMON).filter(([name]) => !Object.hasOwn(first, name))];
}

let last: { readonly text: string; readonly value: unknown } | undefined;

/** Parses a text; while it is invalid JSON, returns the last valid value, which the text being typed belongs to. */
function parseRulesetValue(text: string): unknown {
  if (last?.text === text) return last.value;
  try {
    const value: unknown = JSON.parse(text);
    last = { text, value };
    return value;
  } catch {
    return last?.value;
  }
}

/** Keywords of CQL2 text that filters may use. */
const WORDS = [
  "AND",
  "OR",
  "NOT",
  "IN",
  "BETWEEN",
  "LIKE",
  "IS NULL",
  "IS NOT NULL",
  "CASEI(",
  "DATE('2021-01-01')",
  "TRUE",
  "FALSE",
];

function findSourceFilterProposals(
  text: string,
  stringFrom: number,
  place: number,
  sources: readonly ListedSource[],
  path: readonly string[],
): Proposals | undefined {
  const before = text.slice(stringFrom + 1, place);
  // Within a literal there are no proposals.
  if ((before.match(/'/g)?.length ?? 0) % 2 === 1) return undefined;
  // Goes back one character at a time: a regular expression for the last word would try every position before it.
  let from = place;
  while (from > stringFrom + 1 && /\w/.test(text[from - 1]!)) from--;
  const columns = listCommonColumns(path, sources, parseRulesetValue(text)).map(([label, type]): Proposal => {
    const isPlain = /^[A-Za-z_]\w*$/.test(label);
    const insert = isPlain ? label : JSON.stringify(JSON.stringify(label)).slice(1, -1);
    return { label, kind: "column", insert, detail: type };
  });
  const facts = listFactNames(parseRulesetValue(text)).map((name) => `FACT('${name}')`);
  const words = [...WORDS, ...facts].map((label): Proposal => ({ label, kind: "word", insert: label }));
  return { from, to: place, proposals: [...columns, ...words] };
}

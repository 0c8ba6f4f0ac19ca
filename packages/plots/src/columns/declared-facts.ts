import {
  EngineError,
  type EvaluationInput,
  type FactDeclaration,
  type FactType,
  type Fault,
} from "@groundrule/engine";
import {
  checkShape,
  describeFactValues,
  describeValue,
  escapePointerToken,
  factsShape,
  formatSuggestion,
  requireFacts,
} from "@groundrule/engine/internal";
import { FACT_PREFIX, type FactColumns } from "./fact-columns.ts";
import { isCutOf } from "./plain-name.ts";
import type { PlotInputError } from "./plot-input.ts";
import { normalizeProducerName } from "./producer-key.ts";

/** The facts that a ruleset declares, by name. */
export type FactDeclarations = Readonly<Record<string, FactDeclaration>>;

type InputFacts = NonNullable<EvaluationInput["facts"]>;

/** The members of a document that have columns of their own, and what each is. */
const DOCUMENT_MEMBERS: Readonly<Record<string, FactType>> = {
  id: "text",
  issuer: "text",
  issued_on: "date",
  valid_until: "date",
  area_m2: "number",
};

/**
 * An input with the facts that the columns of its plot declare.
 *
 * @param raw what they hold
 * @param declarations what the ruleset asks for
 */
export function withFactColumns(
  input: EvaluationInput,
  raw: FactColumns,
  declarations: FactDeclarations,
): { readonly input: EvaluationInput } | { readonly error: PlotInputError } {
  const { facts, faults } = parseFactColumns(raw, declarations);
  const own = input.facts ?? {};
  const [first] = faults;
  if (first !== undefined) return { error: { code: "VALIDATION_FAILED", message: first.message, faults } };
  const declared = Object.entries(facts).filter(
    ([name, value]) => value !== null || !Object.hasOwn(own, name),
  );
  const twice = declared.find(([name]) => Object.hasOwn(own, name) && own[name] !== null);
  if (twice !== undefined) {
    const message = `found ${twice[0]} in properties.facts and in a column, expected it in one of them`;
    const fault = { pointer: `/properties/facts/${twice[0]}`, code: "VALIDATION_FAILED", message };
    return { error: { code: fault.code, message, faults: [fault] } };
  }
  return { input: { ...input, facts: { ...own, ...Object.fromEntries(declared) } } };
}

/**
 * The fact for a column, or the member of a document: the one that it names, else the only one of whose column a
 * Shapefile keeps this name.
 *
 * @param reference as the column is called, without `fact:`
 *
 * @returns undefined where a ruleset asks for none such, or could mean several
 */
export function meantFact(reference: string, declarations: FactDeclarations): string | undefined {
  if (findFactType(reference, declarations) !== undefined) return reference;
  const [only, ...more] = listUncutReferences(reference, declarations);
  return more.length === 0 ? only : undefined;
}

/**
 * Checks the facts of plots against a ruleset's declarations.
 *
 * @param references facts, or members of documents, as columns are called
 *
 * Fails: `VALIDATION_FAILED` with a fault `FACT_UNKNOWN` for each that it does not ask for.
 */
export function requireKnownFacts(references: Iterable<string>, declarations: FactDeclarations): void {
  const faults = [...references]
    .filter((reference) => meantFact(reference, declarations) === undefined)
    .map((reference) => createUnknownFactFault(reference, declarations));
  const [first] = faults;
  if (first !== undefined) throw new EngineError("VALIDATION_FAILED", first.message, { faults });
}

/**
 * The values that columns declare, each as its fact has it; null of an empty one. A document is put together of its
 * members, or read from JSON.
 *
 * @returns what is wrong where anything is, at its column
 */
function parseFactColumns(
  raw: FactColumns,
  declarations: FactDeclarations,
): { readonly facts: InputFacts; readonly faults: readonly Fault[] } {
  const values = new Map<string, unknown>();
  const documents = new Map<string, Map<string, unknown>>();
  /** Names of columns, by what they are read as. */
  const columns = new Map<string, string>();
  const faults: Fault[] = [];
  const refuse = (column: string, code: string, message: string, below = ""): void => {
    faults.push({
      pointer: `/properties/${escapePointerToken(column)}${below}`,
      code,
      message: `${column}: ${message}`,
    });
  };
  for (const [written, found] of Object.entries(raw)) {
    const reference = meantFact(written, declarations);
    if (reference === undefined) {
      faults.push(createUnknownFactFault(written, declarations));
      continue;
    }
    const column = `${FACT_PREFIX}${written}`;
    const other = columns.get(reference);
    columns.set(reference, column);
    if (other !== undefined) {
      refuse(column, "FACT_UNSUITED", `found it beside ${other}, expected one column of the fact`);
      continue;
    }
    const [name, member] = reference.split(".") as [string, string?];
    const type = findFactType(reference, declarations)!;
    const value = parseFactValue(found, type);
    if (value === undefined) {
      const declared = member === undefined ? declarations[name]! : { type };
      const expected =
        type === "text" ? "a text" : `${describeFactValues(declared)}${type === "boolean" ? ALSO : ""}`;
      refuse(column, "FACT_UNSUITED", `found ${describeValue(found)}, expected ${expected}`);
    } else if (member === undefined) {
      values.set(name, value);
    } else if (value !== null) {
      documents.set(name, (documents.get(name) ?? new Map()).set(member, value));
    }
  }
  for (const [name, members] of documents) {
    const [whole, first] = [columns.get(name), columns.get(`${name}.${[...members.keys()][0]}`)!];
    if ((values.get(name) ?? null) !== null) {
      refuse(first, "FACT_UNSUITED", `found it beside ${whole}, expected the document in one of them`);
    }
    values.set(name, Object.fromEntries(members));
    columns.set(name, first);
  }
  const facts = Object.fromEntries(values) as InputFacts;
  if (faults.length > 0) return { facts, faults };
  // A value with the right shape may still be no value of its fact.
  for (const { pointer, code, message } of listFactFaults(facts, declarations)) {
    const [, name, member] = pointer.split("/") as [string, string, string?];
    const isOfMembers = member !== undefined && documents.has(name);
    const column = columns.get(isOfMembers ? `${name}.${member}` : name) ?? `${FACT_PREFIX}${name}.${member}`;
    refuse(column, code, message, isOfMembers ? "" : pointer.slice(name.length + 1));
  }
  return { facts, faults };
}

/** Faults for which an engine would refuse facts, with pointers into them. */
function listFactFaults(facts: InputFacts, declarations: FactDeclarations): readonly Fault[] {
  const { faults } = checkShape(factsShape, facts);
  if (faults !== undefined) return faults;
  const raw = Object.entries(facts).filter(([, value]) => value !== null);
  try {
    requireFacts(declarations, Object.fromEntries(raw) as Parameters<typeof requireFacts>[1]);
    return [];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return (error.details.faults ?? []).map((fault) => ({
      ...fault,
      pointer: fault.pointer.slice("/facts".length),
    }));
  }
}

function createUnknownFactFault(reference: string, declarations: FactDeclarations): Fault {
  const column = `${FACT_PREFIX}${reference}`;
  const pointer = `/properties/${escapePointerToken(column)}`;
  const code = "FACT_UNKNOWN";
  const found = `found ${describeValue(column)}`;
  const cut = listUncutReferences(reference, declarations);
  if (cut.length > 1) {
    const expected = `the whole name of one of ${formatFactColumnNames(cut)}: tell which it is with --column fact:NAME=COLUMN`;
    return { pointer, code, message: `${found}, whose name was cut, expected ${expected}` };
  }
  const name = reference.split(".")[0]!;
  if (findFactType(name, declarations) === "document") {
    const members = Object.keys(DOCUMENT_MEMBERS).map((member) => `${name}.${member}`);
    return {
      pointer,
      code,
      message: `${found}, expected one of ${formatFactColumnNames([name, ...members])}`,
    };
  }
  const known = Object.keys(declarations);
  const expected =
    known.length === 0
      ? "none, since the ruleset asks for no facts"
      : `a fact that the ruleset asks for${formatSuggestion(reference, known) || `: ${known.join(", ")}`}`;
  return { pointer, code, message: `${found}, expected ${expected}` };
}

function formatFactColumnNames(references: readonly string[]): string {
  return references.map((reference) => `${FACT_PREFIX}${reference}`).join(", ");
}

/** References that a column with a truncated name may mean. */
function listUncutReferences(reference: string, declarations: FactDeclarations): string[] {
  return Object.entries(declarations)
    .flatMap(([name, { type }]) =>
      type === "document"
        ? [name, ...Object.keys(DOCUMENT_MEMBERS).map((member) => `${name}.${member}`)]
        : [name],
    )
    .filter((one) => isCutOf(`${FACT_PREFIX}${reference}`, `${FACT_PREFIX}${one}`));
}

/** Type of a column's values among a ruleset's facts; undefined if the ruleset has no such fact. */
function findFactType(reference: string, declarations: FactDeclarations): FactType | undefined {
  const [name, member, ...more] = reference.split(".") as [string, string?, ...string[]];
  const declared = Object.hasOwn(declarations, name) ? declarations[name]!.type : undefined;
  if (member === undefined) return declared;
  if (declared !== "document" || more.length > 0) return undefined;
  return Object.hasOwn(DOCUMENT_MEMBERS, member) ? DOCUMENT_MEMBERS[member] : undefined;
}

const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;
/** A day, also as formats write it that have instants only. */
const DAY = /^(\d{4}-\d{2}-\d{2})(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?$/;
/** Words for true and false in English, Portuguese and Spanish; a single letter may stand for several. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "sim", "si", "verdadeiro", "verdadero", "1"].map((word) => [word, true] as const),
  ...["false", "no", "nao", "falso", "0"].map((word) => [word, false] as const),
]);
/** Other words for these values, as a message has them. */
const ALSO = ", also as yes or no, sim or não, sí or no, 1 or 0";

/** A cell as a value of a fact; null of an empty one, undefined of what is none. */
function parseFactValue(found: unknown, type: FactType): unknown {
  const cell = typeof found === "string" ? found.trim() : found;
  if (cell === undefined || cell === null || cell === "") return null;
  const text = String(cell);
  switch (type) {
    case "boolean":
      return BOOLEANS.get(normalizeProducerName(text));
    case "number":
      return typeof cell === "number" || NUMBER.test(text) ? toNumber(Number(cell)) : undefined;
    case "date":
      return DAY.exec(text)?.[1];
    case "text":
      return typeof cell === "object" ? undefined : text;
    case "document":
      return parseFactDocument(cell);
  }
}

/** A number of which no digit was lost. */
function toNumber(value: number): number | undefined {
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))
    ? value
    : undefined;
}

/** A struct has null for a member that is not there. */
function parseFactDocument(cell: unknown): unknown {
  const document = typeof cell === "string" ? parseJsonOrUndefined(cell) : cell;
  if (typeof document !== "object" || document === null) return undefined;
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

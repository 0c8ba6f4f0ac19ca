import { EngineError, type FactDeclaration, type FactType, type Fault } from "@groundrule/engine";
import { describeValue, factWords, requireFacts } from "@groundrule/engine/internal";

/** The facts that a ruleset asks for, by name. */
export type FactDeclarations = Readonly<Record<string, FactDeclaration>>;

/** What columns declare, as found, by the fact or the member of a document: `modules`, `permit.issued_on`. */
export type ToldFacts = Readonly<Record<string, unknown>>;

/** Begins the name of a column that holds a fact. */
const PREFIX = "fact:";

/** The members of a document that have columns of their own, and what each is. */
const DOCUMENT_MEMBERS: Readonly<Record<string, FactType>> = {
  id: "text",
  issuer: "text",
  issued_on: "date",
  valid_until: "date",
  area_m2: "number",
};

/**
 * Whether a column holds a fact by its name.
 *
 * @param column `fact:modules`, `fact:permit.id`
 */
export function isFactColumn(column: string): boolean {
  return column.startsWith(PREFIX) && column.length > PREFIX.length;
}

/** What the columns of facts hold; undefined where there are none. */
export function toldFacts(properties: Readonly<Record<string, unknown>>): ToldFacts | undefined {
  let told: Record<string, unknown> | undefined;
  for (const column of Object.keys(properties)) {
    if (!isFactColumn(column)) continue;
    told ??= {};
    told[column.slice(PREFIX.length)] = properties[column];
  }
  return told;
}

/**
 * Whether a ruleset asks for what a column holds.
 *
 * @param reference a fact, or the member of a document
 */
export function isAsked(reference: string, declarations: FactDeclarations): boolean {
  return typeOf(reference, declarations) !== undefined;
}

/**
 * Holds what plots tell to what a ruleset asks for.
 *
 * @param references facts, or members of documents
 *
 * Fails: `VALIDATION_FAILED` with a fault `FACT_UNKNOWN` for each that it does not ask for.
 */
export function requireAsked(references: Iterable<string>, declarations: FactDeclarations): void {
  const unasked = [...references].filter((reference) => !isAsked(reference, declarations));
  requireFacts(declarations, Object.fromEntries(unasked.map((reference) => [reference, true])));
}

/**
 * The values that columns declare, each as its fact has it; null of an empty one. A document is put together of its
 * members, or read from JSON.
 *
 * @returns what is wrong where anything is
 */
export function readToldFacts(
  told: ToldFacts,
  declarations: FactDeclarations,
): { readonly facts: Readonly<Record<string, unknown>>; readonly faults: readonly Fault[] } {
  const facts: Record<string, unknown> = {};
  const faults: Fault[] = [];
  try {
    requireAsked(Object.keys(told), declarations);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { facts, faults: error.details.faults ?? [] };
  }
  for (const [reference, found] of Object.entries(told)) {
    const [name, member] = reference.split(".") as [string, string?];
    const type = typeOf(reference, declarations)!;
    const value = valueIn(found, type);
    if (value === undefined) {
      const declared = member === undefined ? declarations[name]! : { type };
      const expected = type === "text" ? "a text" : factWords(declared);
      const message = `found ${describeValue(found)} as ${PREFIX}${reference}, expected ${expected}`;
      faults.push({ pointer: `/properties/${PREFIX}${reference}`, code: "FACT_UNSUITED", message });
    } else if (member === undefined) {
      facts[name] ??= value;
    } else if (value !== null) {
      facts[name] = { ...(facts[name] as object | null | undefined), [member]: value };
    }
  }
  return { facts, faults };
}

/** What a column holds of a ruleset's facts; undefined where that asks for none such. */
function typeOf(reference: string, declarations: FactDeclarations): FactType | undefined {
  const [name, member, ...more] = reference.split(".") as [string, string?, ...string[]];
  const declared = Object.hasOwn(declarations, name) ? declarations[name]!.type : undefined;
  if (member === undefined) return declared;
  if (declared !== "document" || more.length > 0) return undefined;
  return Object.hasOwn(DOCUMENT_MEMBERS, member) ? DOCUMENT_MEMBERS[member] : undefined;
}

const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;
/** A day, also as formats write it that have instants only. */
const DAY = /^(\d{4}-\d{2}-\d{2})(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
  ["1", true],
  ["0", false],
]);

/** A cell as a value of a fact; null of an empty one, undefined of what is none. */
function valueIn(found: unknown, type: FactType): unknown {
  const cell = typeof found === "string" ? found.trim() : found;
  if (cell === undefined || cell === null || cell === "") return null;
  const text = String(cell);
  switch (type) {
    case "boolean":
      return BOOLEANS.get(text.toLowerCase());
    case "number":
      return typeof cell === "number" || NUMBER.test(text) ? Number(cell) : undefined;
    case "date":
      return DAY.exec(text)?.[1];
    case "text":
      return typeof cell === "object" ? undefined : text;
    case "document":
      return documentIn(cell);
  }
}

/** A struct has null for a member that is not there. */
function documentIn(cell: unknown): unknown {
  const document = typeof cell === "string" ? parsed(cell) : cell;
  if (typeof document !== "object" || document === null) return undefined;
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

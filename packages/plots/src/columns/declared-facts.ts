import {
  EngineError,
  type EvaluationInput,
  type FactDeclaration,
  type FactType,
  type Fault,
} from "@groundrule/engine";
import { describeValue, factWords, requireFacts } from "@groundrule/engine/internal";
import type { PlotInputError } from "../plot-input.ts";
import { FACT_PREFIX, type ToldFacts } from "./fact-columns.ts";

/** The facts that a ruleset asks for, by name. */
export type FactDeclarations = Readonly<Record<string, FactDeclaration>>;

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
 * @param told what they hold
 * @param declarations what the ruleset asks for
 */
export function withFactColumns(
  input: EvaluationInput,
  told: ToldFacts,
  declarations: FactDeclarations,
): { readonly input: EvaluationInput } | { readonly error: PlotInputError } {
  const { facts, faults } = readToldFacts(told, declarations);
  const twice = Object.keys(facts).find((name) => Object.hasOwn(input.facts ?? {}, name));
  if (twice !== undefined) {
    const message = `found ${twice} in properties.facts and in a column, expected it in one of them`;
    const fault = { pointer: `/properties/facts/${twice}`, code: "VALIDATION_FAILED", message };
    return { error: { code: fault.code, message, faults: [fault] } };
  }
  const [first] = faults;
  if (first !== undefined) return { error: { code: "VALIDATION_FAILED", message: first.message, faults } };
  return {
    input: { ...input, facts: { ...input.facts, ...facts } as NonNullable<EvaluationInput["facts"]> },
  };
}

/**
 * Holds what plots tell to what a ruleset asks for.
 *
 * @param references facts, or members of documents
 *
 * Fails: `VALIDATION_FAILED` with a fault `FACT_UNKNOWN` for each that it does not ask for.
 */
export function requireAsked(references: Iterable<string>, declarations: FactDeclarations): void {
  const unasked = [...references].filter((reference) => typeOf(reference, declarations) === undefined);
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
      const message = `found ${describeValue(found)} as ${FACT_PREFIX}${reference}, expected ${expected}`;
      faults.push({ pointer: `/properties/${FACT_PREFIX}${reference}`, code: "FACT_UNSUITED", message });
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

import { EngineError, FAULT_LIMIT, type Fault } from "../../base/errors.ts";
import { escapePointerToken } from "../../base/json-pointer.ts";
import { formatSuggestion } from "../../base/nearest-name.ts";
import { describeValue } from "../../shape/describe-value.ts";
import type { FactValue } from "../../verdict/verdict.ts";
import { describeFactValues, type FactDeclarations, toFactNumber } from "../parse/fact-types.ts";
import type { FactDeclaration } from "../parse/schema.ts";

/** The facts that an input declares, by name. */
export type DeclaredFacts = Readonly<Record<string, FactValue>>;

/**
 * Holds the facts of an input to what a ruleset declares.
 *
 * Fails: `VALIDATION_FAILED` with a fault for each fact that is not declared, or is not of its type.
 */
export function requireFacts(declarations: FactDeclarations, facts: DeclaredFacts): void {
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(facts)) {
    const pointer = `/facts/${escapePointerToken(name)}`;
    const declared = Object.hasOwn(declarations, name) ? declarations[name] : undefined;
    if (declared === undefined) {
      const known = Object.keys(declarations);
      const expected =
        known.length === 0
          ? "none, since the ruleset asks for no facts"
          : `a fact that the ruleset asks for${formatSuggestion(name, known) || `: ${known.join(", ")}`}`;
      const message = `found the fact ${describeValue(name)}, expected ${expected}`;
      faults.push({ pointer, code: "FACT_UNKNOWN", message });
    } else if (!isFactValue(declared, value)) {
      const message = `found ${describeValue(value)}, expected ${describeFactValues(declared)}`;
      faults.push({ pointer, code: "FACT_UNSUITED", message });
    } else if (typeof value === "object" && (value.valid_until ?? value.issued_on) < value.issued_on) {
      const message = `found ${value.valid_until}, expected a day from ${value.issued_on} on, when it was issued`;
      faults.push({ pointer: `${pointer}/valid_until`, code: "VALUE_INVALID", message });
    }
  }
  const [first] = faults;
  if (first !== undefined)
    throw new EngineError("VALIDATION_FAILED", first.message, { faults: faults.slice(0, FAULT_LIMIT) });
}

/**
 * True if the ruleset accepts a value for a fact. The content of a document is a matter of its shape, which is checked
 * before.
 */
export function isFactValue(
  { type, values, min = -Infinity, max = Infinity }: FactDeclaration,
  value: FactValue,
): boolean {
  if (type === "document") return typeof value === "object";
  const number = toFactNumber(type, value, values);
  return number !== undefined && (type !== "number" || (number >= min && number <= max));
}

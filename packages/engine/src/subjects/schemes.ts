import { EngineError, FAULT_LIMIT, type Fault, formatFaultsMessage } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { escapePointerToken } from "../base/json-pointer.ts";
import { readUntrusted } from "../base/read-untrusted.ts";
import type { Warning } from "../geometry/plot/plot.ts";
import { unknownMemberMessage } from "../shape/check-shape.ts";
import { describeValue } from "../shape/describe-value.ts";
import { type Described, describedAs, named, objectOf, optional, type Shape, text } from "../shape/shape.ts";
import { canonicalizeValue } from "../snapshot/canonical-value.ts";
import {
  formatSchemeSuggestion,
  SCHEME_MAX_LENGTH,
  SCHEME_PATTERN,
  schemeTypeShape,
} from "../snapshot/scheme-type.ts";
import { findSchemeFault } from "./scheme-fault.ts";

/** Pattern of the roles of an identifier's bearer, which sets can require. */
export const ROLE_PATTERN: RegExp = /^[a-z][a-z0-9_]{0,63}$/;
/** Most characters of an identifier. */
export const VALUE_MAX_LENGTH = 256;
/** Most identifiers of an input. */
export const SCHEMES_MAX_COUNT = 32;

export const schemeMembers = {
  type: describedAs(schemeTypeShape, "Type of the identifier, `<authority>:<name>` such as `br:cnpj`"),
  value: describedAs(
    text({ max: VALUE_MAX_LENGTH }),
    "The identifier, in any spelling that its type allows: spaces, dashes, dots, slashes, parentheses and case are ignored in comparisons",
  ),
};

/** A typed identifier. */
export interface Scheme extends Described<typeof schemeMembers> {}

const roleSchemeMembers = {
  ...schemeMembers,
  role: optional(
    text({ pattern: ROLE_PATTERN, words: "a lowercase word of at most 64 characters" }),
    "Role of its bearer towards the plot, such as `owner`; rulesets select roles with `asks`",
  ),
};

/** A typed identifier of an evaluation's input, with the role its bearer plays. */
export interface RoleScheme extends Described<typeof roleSchemeMembers> {}

export const schemeShape: Shape<Scheme> = named("Scheme", () => objectOf(schemeMembers));

export const roleSchemeShape: Shape<RoleScheme> = named("RoleScheme", () => objectOf(roleSchemeMembers));

/** The identifiers of an input, checked, and what looks doubtful about them. */
export interface ParsedSchemes {
  /** Values are canonical. Empty where the input names nobody. */
  readonly schemes: readonly RoleScheme[];
  /** Pointer of each scheme in the input. */
  readonly pointers: readonly string[];
  /** Values that their scheme excludes; the look-up runs all the same. */
  readonly warnings: readonly Warning[];
}

/**
 * Checks the `scheme` of an evaluation's input: absent, one `{type, value, role?}`, or an array.
 *
 * @param pointer JSON pointer of the value, e.g. `/scheme`
 * Fails: `VALIDATION_FAILED` with every fault.
 */
export function parseSchemes(sent: unknown, pointer: string): ParsedSchemes {
  if (sent === undefined || sent === null) return { schemes: [], pointers: [], warnings: [] };
  return readUntrusted(sent, pointer, () => parseSchemeList(sent, pointer));
}

function parseSchemeList(sent: unknown, pointer: string): ParsedSchemes {
  if (!Array.isArray(sent)) return parseSchemeItems([sent], [pointer], []);
  const items = sent.slice(0, SCHEMES_MAX_COUNT);
  const faults: Fault[] = [];
  if (sent.length > items.length) {
    const message = `found ${sent.length} identifiers, expected at most ${SCHEMES_MAX_COUNT}`;
    faults.push({ pointer, code: "LIMIT_EXCEEDED", message });
  }
  return parseSchemeItems(
    items,
    items.map((_, i) => `${pointer}/${i}`),
    faults,
  );
}

/** Checks one `{type, value, role?}`. Fails as {@link parseSchemes} does. */
export function parseScheme(
  sent: unknown,
  pointer: string,
): { readonly scheme: RoleScheme; readonly warnings: readonly Warning[] } {
  const { schemes, warnings } = parseSchemeItems([sent], [pointer], []);
  return { scheme: schemes[0]!, warnings };
}

function parseSchemeItems(
  items: readonly unknown[],
  pointers: readonly string[],
  faults: Fault[],
): ParsedSchemes {
  const schemes = Array.from(items, (item, i) =>
    readUntrusted(item, pointers[i]!, () => readScheme(item, pointers[i]!, faults)),
  );
  if (faults.length > 0) {
    const shown = faults.slice(0, FAULT_LIMIT);
    throw new EngineError("VALIDATION_FAILED", formatFaultsMessage(shown, faults.length), { faults: shown });
  }
  const warnings = schemes.flatMap((scheme, i) => findSchemeWarning(scheme, `${pointers[i]!}/value`) ?? []);
  return { schemes, pointers, warnings };
}

/** Where there are faults, what it returns is never used. */
function readScheme(item: unknown, pointer: string, faults: Fault[]): RoleScheme {
  const refuse = (where: string, code: string, found: string, expected: string): void => {
    faults.push({ pointer: `${pointer}${where}`, code, message: `found ${found}, expected ${expected}` });
  };
  if (!isObject(item)) {
    refuse("", "TYPE_MISMATCH", describeValue(item), "an identifier {type, value}");
    return { type: "", value: "" };
  }
  const { type, value, role, ...others } = item as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(others)) {
    const message = unknownMemberMessage(name, ["type", "value", "role"]);
    faults.push({ pointer: `${pointer}/${escapePointerToken(name)}`, code: "MEMBER_UNKNOWN", message });
  }
  if (typeof type !== "string" || type.length > SCHEME_MAX_LENGTH || !SCHEME_PATTERN.test(type)) {
    const expected = `<authority>:<name>, lowercase, at most ${SCHEME_MAX_LENGTH} characters${formatSchemeSuggestion(type)}`;
    refuse("/type", "VALUE_INVALID", describeValue(type), expected);
  }
  const canonical = readSchemeValue(value, refuse);
  if (role === undefined || role === null) return { type: type as string, value: canonical };
  if (typeof role !== "string" || !ROLE_PATTERN.test(role)) {
    refuse(
      "/role",
      "VALUE_INVALID",
      describeValue(role),
      "a role of a-z, 0-9 and _, beginning with a letter",
    );
  }
  return { type: type as string, value: canonical, role: role as string };
}

function readSchemeValue(
  value: unknown,
  refuse: (where: string, code: string, found: string, expected: string) => void,
): string {
  if (typeof value !== "string") {
    refuse("/value", "TYPE_MISMATCH", describeValue(value), "a string");
    return "";
  }
  if (value.length > VALUE_MAX_LENGTH || !value.isWellFormed()) {
    const found = value.isWellFormed() ? `${value.length} characters` : "a lone surrogate";
    refuse("/value", "VALUE_INVALID", found, `well-formed text of at most ${VALUE_MAX_LENGTH} characters`);
    return "";
  }
  const canonical = canonicalizeValue(value);
  if (canonical === "") {
    refuse(
      "/value",
      "VALUE_INVALID",
      describeValue(value),
      "a value with characters other than spaces, dashes, dots, slashes and parentheses",
    );
  }
  return canonical;
}

/** {@link findSchemeFault} as a warning, at the pointer of the value in the request. */
function findSchemeWarning(scheme: Scheme, pointer: string): Warning | undefined {
  const fault = findSchemeFault(scheme);
  return fault && { pointer, code: fault.code, message: fault.message };
}

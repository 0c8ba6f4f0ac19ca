import type { RoleScheme } from "@groundrule/engine";
import {
  canonicalizeValue,
  findSchemeFault,
  hasKnownForm,
  readIdentifierCell,
} from "@groundrule/engine/internal";
import type { IdentifierColumn } from "./identifier-kind.ts";

/** The identifiers of a plot as its properties have them, each with its pointer into the Feature. */
export function listIdentifiers(
  scheme: unknown,
): readonly { readonly item: unknown; readonly pointer: string }[] {
  if (scheme === undefined || scheme === null) return [];
  if (!Array.isArray(scheme)) return [{ item: scheme, pointer: SCHEME_POINTER }];
  return scheme.map((item: unknown, i) => ({ item, pointer: `${SCHEME_POINTER}/${i}` }));
}

/** JSON pointer of a plot's identifiers in its Feature. */
export const SCHEME_POINTER = "/properties/scheme";

/**
 * The value that fits the scheme of an identifier whose own value does not, or is a number; undefined where it fits, or
 * nothing is known that would.
 */
export function proposeIdentifierValue(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { type, value } = item as Readonly<Record<string, unknown>>;
  if (typeof type !== "string" || !hasKnownForm(type)) return undefined;
  const isNumber = typeof value === "number" && Number.isSafeInteger(value) && value > 0;
  if (!isNumber && typeof value !== "string") return undefined;
  const text = canonicalizeValue(String(value));
  const fault = findSchemeFault({ type, value: text });
  return fault === undefined && isNumber ? text : fault?.proposed;
}

/**
 * The `scheme` of a plot with the identifiers that its columns hold, each once; undefined where there are none.
 *
 * Cells are read as those of registers: several identifiers and words around them are separated, where the form of their
 * scheme is known. What is no identifier of its scheme stays as it is. Of a column with several schemes in one role, such
 * as that of companies or people, an identifier counts under those that it fits, else under one of them.
 *
 * @param scheme its own, as found; one that cannot be read stays alone
 * @param properties as found, under the names of the file
 */
export function withIdentifiers(
  scheme: unknown,
  properties: Readonly<Record<string, unknown>>,
  columns: readonly IdentifierColumn[],
): unknown {
  if (scheme !== undefined && typeof scheme !== "object") return scheme;
  const own = listIdentifiers(scheme).map(({ item }) => item);
  const seen = new Set(own.map(toKey));
  const added: RoleScheme[] = [];
  for (const each of readColumnIdentifiers(properties, columns)) {
    const key = toKey(each);
    if (!seen.has(key)) added.push(each);
    seen.add(key);
  }
  return added.length === 0 ? (scheme ?? undefined) : [...own, ...added];
}

function readColumnIdentifiers(
  properties: Readonly<Record<string, unknown>>,
  columns: readonly IdentifierColumn[],
): RoleScheme[] {
  return columns.flatMap(({ column, type, role }) => {
    // A scheme without a known form fits everything, so it takes nothing from the others.
    const others = columns.filter(
      (each) => each.column === column && each.role === role && hasKnownForm(each.type),
    );
    const types = hasKnownForm(type) ? others.map((each) => each.type) : [type];
    return listCellTexts(properties[column])
      .flatMap((cell) => readCellValues(cell, type, types))
      .map((value) => ({ type, value, ...(role !== undefined && { role }) }));
  });
}

/** The texts of a cell; one of spaces, dashes and other separators alone is empty. */
function listCellTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listCellTexts);
  if (value === undefined || value === null || Number.isNaN(value)) return [];
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return canonicalizeValue(text) === "" ? [] : [text];
}

/**
 * The identifiers of a cell under one of the schemes that it may have. What is no identifier of any stays with the scheme
 * that has the most others or, where none has any, a value to propose.
 */
function readCellValues(cell: string, type: string, types: readonly string[]): string[] {
  const { identifiers } = readIdentifierCell(type, cell);
  if (types.length === 1) return identifiers.map(({ value }) => value);
  const isMostFitting = type === selectBestScheme(cell, types);
  const isReadByAnother = (part: string): boolean =>
    types.some((other) => {
      const read = new Set(listFittingValues(other, cell));
      const values = listFittingValues(other, part);
      const { length } = readIdentifierCell(other, part).identifiers;
      return values.length === length && values.every((value) => read.has(value));
    });
  return identifiers.flatMap(({ value, fault }) =>
    fault === undefined || (isMostFitting && !isReadByAnother(value)) ? [value] : [],
  );
}

/** The canonical values in a cell that a scheme does not exclude. */
function listFittingValues(type: string, cell: string): string[] {
  const { identifiers } = readIdentifierCell(type, cell);
  return identifiers.flatMap(({ value, fault }) => (fault === undefined ? [canonicalizeValue(value)] : []));
}

function selectBestScheme(cell: string, types: readonly string[]): string {
  const rankFit = (type: string): number => {
    const isProposed = readIdentifierCell(type, cell).identifiers.some(
      ({ fault }) => fault?.proposed !== undefined,
    );
    return 2 * listFittingValues(type, cell).length + (isProposed ? 1 : 0);
  };
  return types.reduce((best, type) => (rankFit(type) > rankFit(best) ? type : best));
}

/** The same for every spelling of an identifier in one role. */
function toKey(item: unknown): string {
  const { type, value, role } = (item ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify([type, typeof value === "string" ? canonicalizeValue(value) : value, role ?? null]);
}

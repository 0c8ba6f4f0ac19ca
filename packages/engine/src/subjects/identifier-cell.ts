import { canonicalizeValue } from "../snapshot/canonical-value.ts";
import { findIdentifierWithin, findSchemeFault, isSurrounding, type SchemeFault } from "./scheme-fault.ts";

/** The identifiers of a cell of a list. */
export interface IdentifierCell {
  /** In the order of the cell; those of an unknown form, and those that their scheme excludes, as they are. */
  readonly identifiers: readonly CellIdentifier[];
  /** True if any was separated from words or signs around it. */
  readonly isUnwrapped: boolean;
}

/** One identifier of a cell. */
export interface CellIdentifier {
  /** As the cell spells it, where that has the same canonical form. */
  readonly value: string;
  /** Why its scheme excludes it; absent: it does not. */
  readonly fault?: SchemeFault;
}

/**
 * Reads the identifiers of a scheme from a cell, which may contain several with separators between them, and words
 * around them that the scheme allows. A part that is no identifier of its scheme stays, with the reason; where no part
 * is one, the cell stays whole. A scheme without a known form has one identifier a cell, unless it is `br:car`, whose
 * codes are recognized though others are not excluded.
 *
 * @param cell text with a canonical form that is not empty
 */
export function readIdentifierCell(type: string, cell: string): IdentifierCell {
  const whole = findSchemeFault({ type, value: canonicalizeValue(cell) });
  if (whole === undefined) {
    return (
      (type === "br:car" ? readCarCodes(cell) : undefined) ?? {
        identifiers: [{ value: cell }],
        isUnwrapped: false,
      }
    );
  }
  const parts = cell
    .split(LIST_SEPARATORS)
    .map((part) => part.trim())
    .filter((part) => canonicalizeValue(part) !== "" && !isSurrounding(type, canonicalizeValue(part)));
  let isUnwrapped = false;
  let isKnown = false;
  const identifiers = parts.flatMap((part): readonly CellIdentifier[] => {
    const found = splitConsecutiveIdentifiers(type, part);
    if (found !== undefined) {
      isKnown = true;
      isUnwrapped ||= found.length === 1 && found[0]!.value !== part;
      return found;
    }
    const fault = findSchemeFault({ type, value: canonicalizeValue(part) });
    isKnown ||= fault?.proposed !== undefined;
    return [{ value: part, ...(fault && { fault }) }];
  });
  if (isKnown) return { identifiers, isUnwrapped };
  return { identifiers: [{ value: cell, fault: whole }], isUnwrapped: false };
}

/** A code of the national system: state, municipality, and 32 hexadecimal digits, with or without points. */
const CAR_CODE =
  /(?<![\p{L}\p{N}])[A-Z]{2}-?[0-9]{7}-?(?:[0-9A-F]{32}|(?:[0-9A-F]{4}\.){7}[0-9A-F]{4})(?![\p{L}\p{N}])/giu;
const CAR_WORDS = /^(?:CAR|SICAR|COD|CODIGO|IMOVEL|RURAL|N|NO|NR|NUM|NUMERO)*$/;

/**
 * The codes of a cell of `br:car`, and the parts between them that are more than words. Systems of states had codes of
 * their own, so a cell without a national code is one identifier: undefined.
 */
function readCarCodes(cell: string): IdentifierCell | undefined {
  const codes = [...cell.matchAll(CAR_CODE)];
  if (codes.length === 0) return undefined;
  const identifiers: CellIdentifier[] = [];
  let from = 0;
  let isUnwrapped = false;
  const addBetween = (text: string): void => {
    for (const part of text.split(LIST_SEPARATORS)) {
      const value = /[^\s/:](?:.*[^\s/:])?/s.exec(part)?.[0] ?? "";
      const canonical = canonicalizeValue(value);
      if (canonical === "") continue;
      if (CAR_WORDS.test(canonical.normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, ""))) isUnwrapped = true;
      else identifiers.push({ value });
    }
  };
  for (const { 0: value, index } of codes) {
    addBetween(cell.slice(from, index));
    identifiers.push({ value });
    from = index + value.length;
  }
  addBetween(cell.slice(from));
  return { identifiers, isUnwrapped };
}

/**
 * Divides a part at spaces, slashes and colons into identifiers one after another, each of one or several pieces; pieces
 * of words alone are dropped. Undefined where something else remains.
 */
function splitConsecutiveIdentifiers(type: string, part: string): readonly CellIdentifier[] | undefined {
  const starts = [...part.matchAll(/[^\s/:]+/g)].map(({ index, 0: piece }) => [index, index + piece.length]);
  if (starts.length > PIECES_MAX_COUNT) return undefined;
  // The division of the first i pieces, the fewest pieces an identifier.
  const divisions: (readonly CellIdentifier[] | undefined)[] = [[]];
  for (let end = 1; end <= starts.length; end++) {
    for (let from = end - 1; from >= 0 && divisions[end] === undefined; from--) {
      const before = divisions[from];
      if (before === undefined) continue;
      const text = part.slice(starts[from]![0], starts[end - 1]![1]);
      const canonical = canonicalizeValue(text);
      const value = findIdentifierWithin(type, canonical);
      if (value !== undefined)
        divisions[end] = [...before, { value: chooseIdentifierSpelling(text, canonical, value) }];
      else if (canonical === "" || isSurrounding(type, canonical)) divisions[end] = before;
    }
  }
  const division = divisions[starts.length];
  return division === undefined || division.length === 0 ? undefined : division;
}

/** The identifier as a text spells it; its canonical form where words are joined to it. */
function chooseIdentifierSpelling(text: string, canonical: string, value: string): string {
  if (canonical === value) return text;
  const spelt = text.match(/[0-9].*[0-9]/su)?.[0];
  return spelt !== undefined && canonicalizeValue(spelt) === value ? spelt : value;
}

/** Pieces of a part that are tried together. */
const PIECES_MAX_COUNT = 64;

/** Separators of lists that no identifier contains: signs, ends of lines, and words between spaces. */
const LIST_SEPARATORS =
  /[;,|\n\r\t\v\f\u2028\u2029&+\u2022\u3001\uff0c\uff1b\uff5c]|\s(?:e|and|y|et|und|ou|or)\s/giu;

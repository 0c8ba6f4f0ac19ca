/** The first place where a text departs from JSON (RFC 8259). */
export interface JsonFault {
  /** Index into the text, in UTF-16 code units; its length where the text ends too early. */
  readonly index: number;
  readonly found: string;
  readonly expected: string;
}

/**
 * Finds out why `JSON.parse` refused a text; hosts word that differently, or not at all. Undefined
 * where the text is JSON. Nested to any depth the stack allows: the caller bounds it.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  try {
    const end = findSpaceEnd(text, findValueEnd(text, findSpaceEnd(text, 0)));
    if (end < text.length) throwJsonFault(text, end, "the end of the text");
    return undefined;
  } catch (fault) {
    if (fault instanceof Stop) return fault.fault;
    throw fault;
  }
}

/** Carries a fault out of the descent; never leaves this file. */
class Stop extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super(fault.expected);
    this.fault = fault;
  }
}

function throwJsonFault(text: string, index: number, expected: string): never {
  throw new Stop({ index, found: describeCharacterAt(text, index), expected });
}

function describeCharacterAt(text: string, index: number): string {
  if (index >= text.length) return "the end of the text";
  const code = text.charCodeAt(index);
  if (code < 0x20) return `the control character 0x${code.toString(16).padStart(2, "0").toUpperCase()}`;
  return JSON.stringify(text.slice(index, index + 12));
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERAL = /true|false|null/y;

function findValueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === "{") return findMembersEnd(text, at + 1);
  if (first === "[") return findElementsEnd(text, at + 1);
  if (first === '"') return findStringEnd(text, at + 1);
  const end = findMatchEnd(LITERAL, text, at) ?? findMatchEnd(NUMBER, text, at);
  return end ?? throwJsonFault(text, at, "a JSON value");
}

function findMembersEnd(text: string, from: number): number {
  let at = findSpaceEnd(text, from);
  if (text[at] === "}") return at + 1;
  for (;;) {
    if (text[at] !== '"') throwJsonFault(text, at, "a member name in double quotes");
    at = findSpaceEnd(text, findStringEnd(text, at + 1));
    if (text[at] !== ":") throwJsonFault(text, at, '":" after the member name');
    at = findSpaceEnd(text, findValueEnd(text, findSpaceEnd(text, at + 1)));
    if (text[at] === "}") return at + 1;
    if (text[at] !== ",") throwJsonFault(text, at, '"," or "}"');
    at = findSpaceEnd(text, at + 1);
  }
}

function findElementsEnd(text: string, from: number): number {
  let at = findSpaceEnd(text, from);
  if (text[at] === "]") return at + 1;
  for (;;) {
    at = findSpaceEnd(text, findValueEnd(text, at));
    if (text[at] === "]") return at + 1;
    if (text[at] !== ",") throwJsonFault(text, at, '"," or "]"');
    at = findSpaceEnd(text, at + 1);
  }
}

function findStringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20)
      throwJsonFault(text, at, "an escape, because a string cannot contain control characters");
    if (code !== 0x5c) continue;
    at++;
    if (text[at] === "u") {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5)))
        throwJsonFault(text, at, "four hex digits after \\u");
      at += 4;
    } else if (!'"\\/bfnrt'.includes(text[at] ?? " ")) {
      throwJsonFault(text, at, 'one of " \\ / b f n r t u after a backslash');
    }
  }
  return throwJsonFault(text, text.length, "a closing double quote");
}

function findSpaceEnd(text: string, at: number): number {
  return findMatchEnd(SPACE, text, at) ?? at;
}

function findMatchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

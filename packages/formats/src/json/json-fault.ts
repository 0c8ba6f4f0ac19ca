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
    const end = skipSpace(text, parseValue(text, skipSpace(text, 0)));
    if (end < text.length) stop(text, end, "the end of the text");
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

function stop(text: string, index: number, expected: string): never {
  throw new Stop({ index, found: describeAt(text, index), expected });
}

function describeAt(text: string, index: number): string {
  if (index >= text.length) return "the end of the text";
  const code = text.charCodeAt(index);
  if (code < 0x20) return `the control character 0x${code.toString(16).padStart(2, "0").toUpperCase()}`;
  return JSON.stringify(text.slice(index, index + 12));
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERAL = /true|false|null/y;

function parseValue(text: string, at: number): number {
  const first = text[at];
  if (first === "{") return parseMembers(text, at + 1);
  if (first === "[") return parseElements(text, at + 1);
  if (first === '"') return parseString(text, at + 1);
  const end = match(LITERAL, text, at) ?? match(NUMBER, text, at);
  return end ?? stop(text, at, "a JSON value");
}

function parseMembers(text: string, from: number): number {
  let at = skipSpace(text, from);
  if (text[at] === "}") return at + 1;
  for (;;) {
    if (text[at] !== '"') stop(text, at, "a member name in double quotes");
    at = skipSpace(text, parseString(text, at + 1));
    if (text[at] !== ":") stop(text, at, '":" after the member name');
    at = skipSpace(text, parseValue(text, skipSpace(text, at + 1)));
    if (text[at] === "}") return at + 1;
    if (text[at] !== ",") stop(text, at, '"," or "}"');
    at = skipSpace(text, at + 1);
  }
}

function parseElements(text: string, from: number): number {
  let at = skipSpace(text, from);
  if (text[at] === "]") return at + 1;
  for (;;) {
    at = skipSpace(text, parseValue(text, at));
    if (text[at] === "]") return at + 1;
    if (text[at] !== ",") stop(text, at, '"," or "]"');
    at = skipSpace(text, at + 1);
  }
}

function parseString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) stop(text, at, "an escape, because a string cannot contain control characters");
    if (code !== 0x5c) continue;
    at++;
    if (text[at] === "u") {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) stop(text, at, "four hex digits after \\u");
      at += 4;
    } else if (!'"\\/bfnrt'.includes(text[at] ?? " ")) {
      stop(text, at, 'one of " \\ / b f n r t u after a backslash');
    }
  }
  return stop(text, text.length, "a closing double quote");
}

function skipSpace(text: string, at: number): number {
  return match(SPACE, text, at) ?? at;
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

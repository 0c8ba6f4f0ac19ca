import { createSeededRandom, drawText } from "@groundrule/testing/random";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkStrictJson, type JsonFaultCode, MalformedJson, parseStrictJson } from "./strict-json.ts";

const DEPTH = 64;
const MEMBERS_MAX = 100_000;
const LIMITS = { maxDepth: DEPTH, maxMembers: MEMBERS_MAX };
const SEED = 20_261_120;

const parse = (text: string | Uint8Array): unknown =>
  parseStrictJson(typeof text === "string" ? new TextEncoder().encode(text) : text, LIMITS);

function findFault(text: string | Uint8Array): MalformedJson {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof MalformedJson) return error;
    throw error;
  }
  throw new Error("was accepted");
}

const nested = (levels: number, open = "[", close = "]"): string =>
  open.repeat(levels) + close.repeat(levels);

describe("parseStrictJson", () => {
  it("gives what JSON.parse gives for every value that has one meaning", () => {
    for (const text of [
      "0",
      "-0",
      " \t\r\n[ ] ",
      '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
      "[1.5,-2e-3,0.1E+2,9007199254740991,-9007199254740991,1e-400,123456789012345.678]",
      '"\\u00e9\\ud83c\\udf33\\"\\\\\\/\\b\\f\\n\\r\\t"',
      '"é漢🌳"',
      '{"":0,"\\u0000":1," ":2}',
      "true",
      "null",
      `"${"x".repeat(100_000)}"`,
    ]) {
      expect(parse(text)).toEqual(JSON.parse(text));
    }
  });

  it("keeps a member named __proto__ as an ordinary member", () => {
    const parsed = parse('{"__proto__":{"polluted":true}}');
    expect(Object.hasOwn(parsed as object, "__proto__")).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each<[string, JsonFaultCode, string]>([
    ['{"a":1,"a":2}', "DUPLICATE_MEMBER", "/a"],
    ['{"x":[{"a":1,"\\u0061":2}]}', "DUPLICATE_MEMBER", "/x/0/a"],
    ['{"__proto__":1,"__proto__":2}', "DUPLICATE_MEMBER", "/__proto__"],
    ['{"é":1,"\\u00e9":2}', "DUPLICATE_MEMBER", "/é"],
    ["[0,1e400]", "NUMBER_UNSAFE", "/1"],
    ['{"a/b":9007199254740992}', "NUMBER_UNSAFE", "/a~1b"],
    ["-9007199254740993", "NUMBER_UNSAFE", ""],
    ["1e16", "NUMBER_UNSAFE", ""],
    ["9007199254740991.9", "NUMBER_UNSAFE", ""],
    [`[${"9".repeat(100_000)}]`, "NUMBER_UNSAFE", "/0"],
    ['"\\ud800"', "LONE_SURROGATE", ""],
    ['"\\udc00\\ud800"', "LONE_SURROGATE", ""],
    ['"\\ud800\\n"', "LONE_SURROGATE", ""],
    ['"\\ud800\\ud800"', "LONE_SURROGATE", ""],
    ["", "SYNTAX_INVALID", ""],
    ["[1,]", "SYNTAX_INVALID", "/1"],
    ['{"a":1,}', "SYNTAX_INVALID", ""],
    ['{"b":{"a":1,2}}', "SYNTAX_INVALID", "/b"],
    ['{"a":1,"\\x":2}', "SYNTAX_INVALID", ""],
    ["[1}", "SYNTAX_INVALID", "/0"],
    ['{"a" 1}', "SYNTAX_INVALID", "/a"],
    ["{1:2}", "SYNTAX_INVALID", ""],
    ['{"":1e999}', "NUMBER_UNSAFE", "/"],
    ["1 2", "SYNTAX_INVALID", ""],
    ["01", "SYNTAX_INVALID", ""],
    ["1.", "SYNTAX_INVALID", ""],
    [".5", "SYNTAX_INVALID", ""],
    ["+1", "SYNTAX_INVALID", ""],
    ["1e", "SYNTAX_INVALID", ""],
    ["-", "SYNTAX_INVALID", ""],
    ["NaN", "SYNTAX_INVALID", ""],
    ["Infinity", "SYNTAX_INVALID", ""],
    ["nul", "SYNTAX_INVALID", ""],
    ["'a'", "SYNTAX_INVALID", ""],
    ['"a', "SYNTAX_INVALID", ""],
    ['"\n"', "SYNTAX_INVALID", ""],
    ['"\\x"', "SYNTAX_INVALID", ""],
    ['"\\u12g4"', "SYNTAX_INVALID", ""],
    ["[1] // done", "SYNTAX_INVALID", ""],
    ["\ufeff1", "SYNTAX_INVALID", ""],
    ["\u00a01", "SYNTAX_INVALID", ""],
  ])("refuses %j as %s at %j", (text, code, pointer) => {
    const fault = findFault(text);
    expect({ code: fault.code, pointer: fault.pointer }).toEqual({ code, pointer });
  });

  it.each([
    ["a continuation byte alone", [0x22, 0x80, 0x22]],
    ["an overlong slash", [0x22, 0xc0, 0xaf, 0x22]],
    ["an overlong three-byte sequence", [0x22, 0xe0, 0x9f, 0xbf, 0x22]],
    ["an encoded surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["a code point past U+10FFFF", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ["a sequence cut by the closing quote", [0x22, 0xe6, 0xbc, 0x22]],
    ["a sequence cut by the end", [0x22, 0xf0, 0x9f]],
  ])("refuses %s", (_, bytes) => {
    expect(findFault(Uint8Array.from(bytes)).code).toBe("ENCODING_INVALID");
  });

  it("accepts exactly as many levels as allowed, in arrays, objects and members nobody reads", () => {
    const inMember = (levels: number): string => `{"ignored":${nested(levels - 1)}}`;
    const objects = (levels: number): string => nested(levels - 1, '{"a":', "}").replace(":}", ":{}}");
    for (const make of [(levels: number) => nested(levels), inMember, objects]) {
      expect(() => parse(make(DEPTH))).not.toThrow();
      expect(findFault(make(DEPTH + 1)).code).toBe("NESTING_TOO_DEEP");
    }
    expect(findFault("[".repeat(5_000_000)).offset).toBe(DEPTH);
  });

  it("accepts so many members in all, wherever they are, and not one more", () => {
    const members = (count: number): string =>
      `[{},${Array.from({ length: count }, (_, i) => `{"m${i % 7}":${i}}`).join(",")}]`;
    expect(parse(members(MEMBERS_MAX))).toHaveLength(MEMBERS_MAX + 1);
    expect(findFault(members(MEMBERS_MAX + 1))).toMatchObject({
      code: "MEMBERS_TOO_MANY",
      pointer: `/${MEMBERS_MAX + 1}/m${MEMBERS_MAX % 7}`,
    });
  });

  it("accepts only what JSON.parse accepts, and then gives the same value, for any text", () => {
    const fragment = fc.constantFrom(
      ...'[]{}:,"\\ \t0123456789-+.eEtrufalsn',
      "true",
      "null",
      '"a"',
      '"\\u0061"',
      "\\u",
      "\\ud83c\\udf33",
      "1e400",
      "9007199254740993",
      "é",
      "\ufeff",
    );
    const text = fc.array(fragment, { maxLength: 24 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (input) => void agreesWithJsonParse(input)),
      { seed: SEED, numRuns: 4_000 },
    );
  });

  it("accepts only what JSON.parse accepts when any byte of a valid body is changed", () => {
    const mutated = fc
      .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.integer({ min: 0, max: 255 }))
      .map(([json, place, byte]) => {
        const bytes = new TextEncoder().encode(json);
        bytes[place % bytes.length] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(mutated, (input) => void agreesWithJsonParse(input)),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it("refuses what the scanner alone refuses, at the same place, when members of a body are renamed or moved", () => {
    const random = createSeededRandom(SEED);
    const pieces = [
      '{"a":',
      '{"b":[',
      "1.5",
      "-0",
      '"x"',
      ',"a":',
      ',"b":',
      ',"\\u0061":',
      ',"é":',
      "]",
      "}",
      ",",
      "[",
      "12345678901234567",
      "2e3",
    ];
    let accepted = 0;
    for (let turn = 0; turn < 20_000; turn++) {
      const text = drawText(random, pieces, 2 + random.integer(9));
      // Closes what was opened, so that many of the texts are complete.
      const open = [...text.replaceAll(/"[^"]*"/g, "")].reduce<string[]>((levels, character) => {
        if (character === "{" || character === "[") levels.push(character);
        if (character === "}" || character === "]") levels.pop();
        return levels;
      }, []);
      const closed =
        text +
        open
          .reverse()
          .map((character) => (character === "{" ? "}" : "]"))
          .join("");
      accepted += agreesWithJsonParse(closed) ? 1 : 0;
    }
    expect(accepted).toBeGreaterThan(250);
  });

  it("accepts every value that JSON.stringify writes within the limits", () => {
    const value = fc.jsonValue({ maxDepth: 6 }).map((json) => JSON.stringify(json));
    fc.assert(
      fc.property(value, (text) => {
        try {
          expect(parse(text)).toEqual(JSON.parse(text));
        } catch (error) {
          expect((error as MalformedJson).code).toMatch(/NUMBER_UNSAFE|LONE_SURROGATE/);
        }
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it("takes time in proportion to the bytes, whatever they are", () => {
    const size = 2_000_000;
    const members = Array.from({ length: size / 10 }, (_, i) => `"${i}":0`).join(",");
    for (const text of [
      `[${"1,".repeat(size / 2)}1]`,
      `{${members}}`,
      `"${"\\u0061".repeat(size / 6)}"`,
      `[${"[],".repeat(size / 3)}0]`,
      " ".repeat(size),
      "1".repeat(size),
    ]) {
      const before = process.cpuUsage();
      try {
        parse(text);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedJson);
      }
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(2_000);
    }
  });
});

/** @returns whether it was accepted */
function agreesWithJsonParse(input: string | Uint8Array): boolean {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const [parsed, scanned] = [() => parseStrictJson(bytes, LIMITS), () => checkStrictJson(bytes, LIMITS)].map(
    tryAction,
  );
  // The scanner keeps every place; whatever is parsed without it must have been accepted by it.
  expect(parsed!.fault).toEqual(scanned!.fault);
  if (parsed!.fault !== undefined) return false;
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  expect(parsed!.value).toEqual(JSON.parse(text));
  return true;
}

function tryAction(action: () => unknown): { value?: unknown; fault?: object } {
  try {
    return { value: action() };
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedJson);
    const { code, message, offset, pointer } = error as MalformedJson;
    return { fault: { code, message, offset, pointer } };
  }
}

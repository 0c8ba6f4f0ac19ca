import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, MemberOrders } from "./canonical-json.ts";

/** RFC 8785 appendix B: IEEE 754 bits and the text they must print as. */
const NUMBER_VECTORS: readonly [bits: bigint, text: string][] = [
  [0x0000000000000000n, "0"],
  [0x8000000000000000n, "0"],
  [0x0000000000000001n, "5e-324"],
  [0x8000000000000001n, "-5e-324"],
  [0x7fefffffffffffffn, "1.7976931348623157e+308"],
  [0xffefffffffffffffn, "-1.7976931348623157e+308"],
  [0x4340000000000000n, "9007199254740992"],
  [0xc340000000000000n, "-9007199254740992"],
  [0x4430000000000000n, "295147905179352830000"],
  [0x44b52d02c7e14af5n, "9.999999999999997e+22"],
  [0x44b52d02c7e14af6n, "1e+23"],
  [0x44b52d02c7e14af7n, "1.0000000000000001e+23"],
  [0x444b1ae4d6e2ef4en, "999999999999999700000"],
  [0x444b1ae4d6e2ef4fn, "999999999999999900000"],
  [0x444b1ae4d6e2ef50n, "1e+21"],
  [0x3eb0c6f7a0b5ed8cn, "9.999999999999997e-7"],
  [0x3eb0c6f7a0b5ed8dn, "0.000001"],
  [0x41b3de4355555553n, "333333333.3333332"],
  [0x41b3de4355555554n, "333333333.33333325"],
  [0x41b3de4355555555n, "333333333.3333333"],
  [0x41b3de4355555556n, "333333333.3333334"],
  [0x41b3de4355555557n, "333333333.33333343"],
  [0xbecbf647612f3696n, "-0.0000033333333333333333"],
  [0x43143ff3c1cb0959n, "1424953923781206.2"],
];

function fromBits(bits: bigint): number {
  return new Float64Array(new BigUint64Array([bits]).buffer)[0]!;
}

describe("canonicalJson", () => {
  it.each(NUMBER_VECTORS)("prints the number of RFC 8785 appendix B with bits %s as %s", (bits, text) => {
    expect(canonicalJson(fromBits(bits))).toBe(text);
  });

  it("prints the example of RFC 8785 §3.2.2 to the letter", () => {
    const value: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("orders members by UTF-16 code units as in RFC 8785 §3.2.3", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\u{1f600}": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    const names = [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map((match) => match[1]);
    expect(names).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  it("gives one text for one value, whatever the order of members, and JSON.parse returns the value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reverseMembers(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { seed: 20263, numRuns: 200 },
    );
  });

  it("writes each entry of a list by its own members, whatever the entries before it had", () => {
    const entries = Array.from({ length: 40 }, (_, i) => ({
      [`b${i % 12}`]: i,
      a: i,
      ...(i % 3 === 0 && { c: i }),
    }));
    const each = entries.map((entry) => canonicalJson(entry));
    expect(canonicalJson([...entries, ...entries])).toBe(`[${[...each, ...each].join(",")}]`);
    expect(
      canonicalJson([
        { b: 1, a: 2 },
        { a: 3, b: 4 },
        { b: 5, a: undefined },
      ]),
    ).toBe('[{"a":2,"b":1},{"a":3,"b":4},{"b":5}]');
  });

  it("writes each value by its own members, whatever values with the same kept orders were written before", () => {
    const member = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e"), fc.jsonValue({ maxDepth: 1 }));
    fc.assert(
      fc.property(fc.array(member, { maxLength: 40 }), (values) => {
        const orders = new MemberOrders();
        for (const value of values) {
          expect(canonicalJson(value, undefined, orders)).toBe(canonicalJson(value));
          expect(canonicalJson(reverseMembers(value), undefined, orders)).toBe(canonicalJson(value));
        }
      }),
      { seed: 20263, numRuns: 100 },
    );
  });

  it("leaves out members that are undefined", () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([
    ["a non-finite number", { a: [Number.NaN] }, "/a/0"],
    ["a lone surrogate", { a: "\ud800" }, "/a"],
    ["a lone surrogate in a name", { "\udc00": 1 }, "/\ufffd"],
    ["undefined in an array", [undefined], "/0"],
    ["a bigint", { "a/b": 1n }, "/a~1b"],
  ])("refuses %s, and states where", (_, value, pointer) => {
    expect(() => canonicalJson(value)).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        details: { faults: [expect.objectContaining({ pointer })] },
      }),
    );
  });

  it("refuses a cycle instead of exhausting the stack", () => {
    const value: unknown[] = [];
    value.push(value);
    expect(() => canonicalJson(value)).toThrow(/at most 512 levels/);
  });

  it("looks at numbers a few times, however deep they lie beside others", () => {
    let looks = 0;
    const numbers = new Proxy(Array(1_000).fill(7), {
      get: (items, name) => {
        looks++;
        return Reflect.get(items, name);
      },
    });
    let value: unknown[] = numbers;
    let text = JSON.stringify(Array(1_000).fill(7));
    for (let level = 0; level < 60; level++) {
      value = [value, "beside"];
      text = `[${text},"beside"]`;
    }
    expect(canonicalJson(value)).toBe(text);
    // At each element the length too.
    expect(looks).toBeLessThan(5 * 2 * 1_000 + 100);
  });
});

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}

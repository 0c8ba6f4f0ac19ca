import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkShape } from "./check-shape.ts";
import { toJsonSchema } from "./json-schema.ts";
import {
  array,
  boolean,
  choice,
  named,
  nullable,
  number,
  object,
  objectOf,
  optional,
  record,
  type Shape,
  text,
  union,
} from "./shape.ts";

interface Tree {
  readonly label: string;
  readonly size?: number;
  readonly kind: "leaf" | "branch";
  readonly marks?: Readonly<Record<string, boolean>>;
  readonly note: string | null;
  readonly of?: number | readonly Tree[];
}

const tree: Shape<Tree> = named("tree", () => form);
const form = object<Tree>({
  label: text({ min: 1, max: 3, pattern: /^\p{L}*$/u, words: "letters" }),
  size: optional(number({ whole: true, min: 0, max: 9 })),
  kind: choice("leaf", "branch"),
  marks: optional(record(text({ pattern: /^[a-z]*$/, words: "lowercase letters" }), boolean())),
  note: nullable(text()),
  of: optional(union([number({ above: 0 }), array(tree, { min: 1, max: 2 })])),
});

const good: Tree = { label: "ash", kind: "leaf", note: null };

function findFaults(value: unknown): [pointer: string, code: string, message: string][] {
  return (checkShape(tree, value).faults ?? []).map(({ pointer, code, message }) => [pointer, code, message]);
}

describe("checkShape", () => {
  it("gives a copy with the members in the shape's order, and takes undefined for absent", () => {
    const sent = { size: undefined, note: "x", kind: "branch", of: [good], label: "oak" };
    const checked = checkShape(tree, sent);
    if (checked.faults !== undefined) throw new Error("was refused");
    expect(JSON.stringify(checked.value)).toBe(
      '{"label":"oak","kind":"branch","note":"x","of":[{"label":"ash","kind":"leaf","note":null}]}',
    );
    expect((checked.value.of as readonly Tree[])[0]).not.toBe(good);
  });

  it("refuses what strict JSON refuses where it is to be exact, and names it also among alternatives", () => {
    const anyOf = union([number(), text(), array(number())], () => "a value");
    const kept = objectOf({ of: record(text(), anyOf) });
    const values = {
      a: 1e20,
      "\ud800": 1,
      b: "\udc00x",
      c: [1, -Number.MAX_VALUE],
      d: 2 ** 53 - 1,
      e: 5e-324,
    };
    expect(checkShape(kept, { of: values }).faults).toBeUndefined();
    const found = checkShape(kept, { of: values }, { exact: true }).faults;
    expect(found?.map(({ pointer, message }) => [pointer, message])).toEqual([
      ["/of/a", "found 100000000000000000000, expected a number within ±9007199254740991"],
      ["/of/\ufffd", 'found "\\ud800", expected a string without lone surrogates'],
      ["/of/b", 'found "\\udc00x", expected a string without lone surrogates'],
      ["/of/c/1", "found -1.7976931348623157e+308, expected a number within ±9007199254740991"],
    ]);
  });

  it.each<[string, unknown, [string, string, string][]]>([
    ["no object", 5, [["", "TYPE_MISMATCH", "found 5, expected an object"]]],
    ["nothing", undefined, [["", "MEMBER_MISSING", "found nothing, expected an object"]]],
    ["an array", [], [["", "TYPE_MISMATCH", "found an empty array, expected an object"]]],
    [
      "members missing, mistyped and unknown, all at once",
      { lable: "ash", kind: "leafs", note: 1, zzzzzz: 1 },
      [
        ["/label", "MEMBER_MISSING", "found nothing, expected letters"],
        ["/kind", "VALUE_INVALID", 'found "leafs", expected one of leaf, branch; did you mean "leaf"?'],
        ["/note", "VALUE_INVALID", "found 1, expected a string or null"],
        ["/lable", "MEMBER_UNKNOWN", 'unknown member "lable"; did you mean "label"?'],
        [
          "/zzzzzz",
          "MEMBER_UNKNOWN",
          'unknown member "zzzzzz"; expected one of "label", "size", "kind", "marks", "note", "of"',
        ],
      ],
    ],
    [
      "a name that is none, and one that pointers escape",
      { ...good, marks: { "a/b~": true, b: 1 } },
      [
        ["/marks/a~1b~0", "VALUE_INVALID", 'found "a/b~", expected lowercase letters'],
        ["/marks/b", "TYPE_MISMATCH", "found 1, expected true or false"],
      ],
    ],
  ])("reports %s", (_what, value, expected) => {
    expect(findFaults(value)).toEqual(expected);
  });

  it.each<[keyof Tree, unknown, string]>([
    ["label", "", 'found "", expected at least 1 character'],
    ["label", "🌳🌳🌳🌳", 'found "🌳🌳🌳🌳", expected at most 3 characters'],
    ["label", "a1", 'found "a1", expected letters'],
    ["size", -1, "found -1, expected at least 0"],
    ["size", 10, "found 10, expected at most 9"],
    ["of", 0, "found 0, expected more than 0"],
    ["of", [], "found an empty array, expected at least 1 entry"],
    ["of", [good, good, good], "found an array of length 3, expected at most 2 entries"],
    ["note", () => 1, "found a function, expected a string or null"],
  ])("reports a member %s that is %o", (name, value, message) => {
    expect(findFaults({ ...good, [name]: value })).toEqual([[`/${name}`, "VALUE_INVALID", message]]);
  });

  it.each<[string, object, string]>([
    ["/size", { size: 1.5 }, "found 1.5, expected a whole number"],
    ["/size", { size: Infinity }, "found Infinity, expected a whole number"],
    // In the alternative that was meant.
    ["/of/0/label", { of: [{ ...good, label: 1 }] }, "found 1, expected letters"],
  ])("reports another type at %s", (pointer, members, message) => {
    expect(findFaults({ ...good, ...members })).toEqual([[pointer, "TYPE_MISMATCH", message]]);
  });

  it("reports 100 faults of many", () => {
    const marks = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`M${i}`, true]));
    expect(findFaults({ ...good, marks })).toHaveLength(100);
  });

  it("lets unknown members through by option, at every level", () => {
    const sent = { ...good, later: 1, of: [{ ...good, later: 2 }] };
    expect(checkShape(tree, sent, { unknownMembers: "kept" })).toEqual({ value: sent });
  });

  it("keeps a member named __proto__ a member", () => {
    const sent: unknown = JSON.parse('{"__proto__":true}');
    const checked = checkShape(record(text(), boolean()), sent);
    expect(JSON.stringify(checked)).toBe('{"value":{"__proto__":true}}');
    expect(findFaults(JSON.parse('{"label":"a","kind":"leaf","note":null,"__proto__":{"size":1}}'))).toEqual([
      ["/__proto__", "MEMBER_UNKNOWN", expect.stringContaining("__proto__")],
    ]);
  });

  it("ends and never throws on cycles, tangles, getters, proxies and holes", () => {
    const cycle: Record<string, unknown> = { ...good };
    cycle.of = [cycle];
    let tangle: unknown = { ...good, label: 1 };
    for (let i = 0; i < 200; i++) tangle = { ...good, of: [tangle, tangle] };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const throws = (): never => {
      throw new Error("mine");
    };
    const hostile: unknown[] = [
      cycle,
      tangle,
      {
        ...good,
        get size() {
          return throws();
        },
      },
      new Proxy({}, { ownKeys: throws }),
      new Proxy([], { get: throws }),
      revoked.proxy,
      { ...good, of: new Array(2 ** 32 - 1) },
      { ...good, of: new Array(2) },
      { ...good, note: Symbol("x") },
      { ...good, size: 1n },
      Object.create(null),
    ];
    for (const value of hostile) expect(findFaults(value).length).toBeGreaterThan(0);
  });
});

describe("jsonSchema", () => {
  it("accepts what the check accepts and refuses what it refuses, on 3,000 values near the shape", () => {
    const { schema, definitions } = toJsonSchema(tree);
    const accepts = new Ajv2020({ strict: false }).compile({ ...schema, $defs: definitions });
    const near = fc.letrec((tie) => ({
      tree: fc.record(
        {
          label: fc.oneof(fc.constantFrom("a", "ash", "🌳", "", "é"), fc.anything()),
          size: fc.oneof(fc.integer({ min: -1, max: 10 }), fc.constantFrom(1.5, "1", null)),
          kind: fc.constantFrom("leaf", "branch", "Leaf", 1),
          marks: fc.oneof(fc.constantFrom({}, { a: true }, { A: true }, { a: 1 }, []), fc.anything()),
          note: fc.constantFrom(null, "", 1),
          of: fc.oneof(
            { depthSize: "small" },
            fc.constantFrom(0, 1, []),
            fc.array(tie("tree"), { maxLength: 3 }),
          ),
          more: fc.constant(1),
        },
        { requiredKeys: ["label"] },
      ),
    })).tree;
    const counts = { accepted: 0, refused: 0 };
    const plain = near.map((value): unknown => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(fc.oneof(plain, fc.constant(good)), (value) => {
        const isGood = findFaults(value).length === 0;
        counts[isGood ? "accepted" : "refused"]++;
        expect(accepts(value)).toBe(isGood);
      }),
      { seed: 57, numRuns: 1_000 },
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(300);
  });
});

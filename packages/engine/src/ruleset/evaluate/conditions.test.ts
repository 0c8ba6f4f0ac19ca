import { createSquarePolygon } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { answerFilterConditions } from "../../answer-conditions.ts";
import { snapshotOf } from "../../areas/snapshot-of.ts";
import { openEngine } from "../../engine.ts";
import { parseRuleset } from "../parse/parse.ts";
import type { FilterExpression, Ruleset } from "../parse/schema.ts";
import { listFilterConditions } from "./conditions.ts";

const is = (op: string, ...args: FilterExpression["args"]): FilterExpression => ({ op, args });
const size = { property: "size" };
const kind = { property: "kind" };

const RULESET: Ruleset = {
  sets: {
    large: {
      sources: ["demo:parks"],
      where: is("and", is(">", size, 10), is("not", is("or", is("isNull", kind), is("=", kind, "zoo")))),
    },
    near: { sources: ["demo:parks"], within_m: 50_000, where: is("isNull", size), country_iso3: "bra" },
    as_text: { sources: ["demo:parks"], where: "size > 10 AND NOT (kind IS NULL)" },
    unreached: { sources: ["demo:parks"], where: is("isNull", size) },
  },
  checks: [
    { id: "large", set: "large", outcome: "WARNING" },
    { id: "near", set: "near", outcome: "WARNING" },
    { id: "as_text", set: "as_text", outcome: "WARNING" },
  ],
};

const park = (id: string, west: number, properties: object) => ({
  type: "Feature",
  geometry: createSquarePolygon(west, 0),
  properties: { id, size: null, kind: null, iso: "BRA", ...properties },
});
const bytes = snapshotOf(
  "demo:parks",
  [
    park("a", 0, { size: 20, kind: "park" }),
    park("b", 0.1, { size: 5 }),
    park("c", 0.2, { kind: "zoo" }),
    park("near", 1.3, { size: 7 }),
    park("foreign", 1.3, { iso: "PER" }),
    park("far", 40, { size: 100 }),
  ],
  { id: "id", country: "iso" },
);
const engine = openEngine([bytes]);
const plot = { geometry: createSquarePolygon(0, 0) };
const answers = (input: object) =>
  answerFilterConditions(engine, RULESET, input).map((each) => [
    each.pointer,
    each.true,
    each.false,
    each.unknown,
  ]);

describe("the conditions of filters", () => {
  it("are each part that is true or false, those without an unknown distinguished", () => {
    const found = listFilterConditions(parseRuleset(RULESET));
    expect(
      found.map(({ set, pointer, condition, canBeUnknown }) => [set, pointer, condition.op, canBeUnknown]),
    ).toEqual([
      ["large", "/sets/large/where", "and", true],
      ["large", "/sets/large/where/args/0", ">", true],
      ["large", "/sets/large/where/args/1", "not", true],
      ["large", "/sets/large/where/args/1/args/0", "or", true],
      ["large", "/sets/large/where/args/1/args/0/args/0", "isNull", false],
      ["large", "/sets/large/where/args/1/args/0/args/1", "=", true],
      ["near", "/sets/near/where", "isNull", false],
      ["as_text", "/sets/as_text/where", "and", true],
      ["as_text", "/sets/as_text/where/args/0", ">", true],
      ["as_text", "/sets/as_text/where/args/1", "not", false],
      ["as_text", "/sets/as_text/where/args/1/args/0", "isNull", false],
      ["unreached", "/sets/unreached/where", "isNull", false],
    ]);
  });

  it("stand as text, each in its own", () => {
    const texts = listFilterConditions(parseRuleset(RULESET)).map(({ text }) => text);
    expect(texts.slice(0, 4)).toEqual([
      "size > 10 AND NOT (kind IS NULL OR kind = 'zoo')",
      "size > 10",
      "NOT (kind IS NULL OR kind = 'zoo')",
      "kind IS NULL OR kind = 'zoo'",
    ]);
  });

  it("are answered of every area that their set considers for a plot, and of no other", () => {
    expect(answers(plot)).toEqual([
      ["/sets/large/where", 1, 2, 0], // area a; the kind of area b is null, and the "or" is true for it
      ["/sets/large/where/args/0", 1, 1, 1],
      ["/sets/large/where/args/1", 1, 2, 0],
      ["/sets/large/where/args/1/args/0", 2, 1, 0],
      ["/sets/large/where/args/1/args/0/args/0", 1, 2, 0],
      ["/sets/large/where/args/1/args/0/args/1", 1, 1, 1],
      ["/sets/near/where", 1, 3, 0], // c, and not the foreign one
      ["/sets/as_text/where", 1, 1, 1], // c: a size is missing
      ["/sets/as_text/where/args/0", 1, 1, 1],
      ["/sets/as_text/where/args/1", 2, 1, 0],
      ["/sets/as_text/where/args/1/args/0", 1, 2, 0],
      ["/sets/unreached/where", 0, 0, 0],
    ]);
  });

  it("are answered of nothing where the input has no geometry, and agree with the evaluation", () => {
    for (const [, ...counts] of answers({})) expect(counts).toEqual([0, 0, 0]);
    const { checks } = engine.compile(RULESET).evaluate(plot, { now: "2026-06-30T00:00:00Z" });
    const [large, near] = checks;
    expect([large!.comparisons[0]!.value, near!.comparisons[0]!.value]).toEqual([1, 1]);
    expect(large!.undetermined).toBe(0);
  });

  it("refuse what the engine refuses", () => {
    expect(() => answerFilterConditions(engine, { sets: {}, checks: [] }, plot)).toThrow(
      expect.objectContaining({ code: "RULESET_INVALID" }),
    );
    expect(() => answerFilterConditions(engine, RULESET, { geometry: { type: "Polygon" } })).toThrow(
      expect.objectContaining({ code: "VALIDATION_FAILED" }),
    );
  });
});

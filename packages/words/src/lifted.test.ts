import { openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { createSeededRandom } from "@groundrule/testing/random";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { getTongue } from "./languages.ts";
import { type Liftable, liftedText } from "./lifted.ts";

const NOW = { now: "2026-11-27T12:00:00Z" };
const question = { en: "Permit?" };
const { bytes } = snapshotOf(
  "demo:parks",
  [{ type: "Feature", properties: { id: "p" }, geometry: createSquarePolygon(0, 0) }],
  { id: "id" },
);
const engine = openEngine([{ bytes }]);
const overlap = { set: "parks", measure: "overlap_area_m2" };
const notValid = (fact: string) => ({ fact, op: "not_valid" });
const permit = (id: string) => ({ id, issuer: "State", issued_on: "2024-01-01" });
const expired = { ...permit("OLD"), valid_until: "2025-01-01" };
const check = (id: string, outcome: string, comparison: object) => ({ id, outcome, ...comparison });
const compilePolicy = (...checks: object[]) => {
  const ruleset = {
    facts: {
      a: { type: "document", question },
      b: { type: "document", question },
      size: { type: "number", question },
    },
    sets: { parks: { sources: ["demo:parks"] } },
    checks,
  };
  return { ruleset, policy: engine.compile(ruleset) };
};
const describeLifted = (checks: readonly object[], facts: object, place = 0.5) => {
  const { ruleset, policy } = compilePolicy(...checks);
  const geometry = createSquarePolygon(place, place, 0.01);
  return liftedText(policy.evaluate({ geometry, facts: facts as never }, NOW), ruleset, getTongue("en"));
};

describe("the verdict without documents", () => {
  const block = check("block", "NON_COMPLIANT", { all: [overlap, notValid("a")] });

  it("is named with the document that lifts a block", () => {
    expect(describeLifted([block], { a: permit("DOC-1") })).toBe("not compliant without DOC-1 (declared)");
    const warning = check("warning", "WARNING", { all: [overlap, notValid("b")] });
    expect(describeLifted([warning], { b: permit("X") })).toBe("a warning without X (declared)");
    expect(describeLifted([block, warning], { a: permit("DOC-1"), b: permit("X") })).toBe(
      "not compliant without DOC-1 (declared)",
    );
    const both = check("both", "NON_COMPLIANT", { all: [overlap, notValid("a"), notValid("b")] });
    expect(describeLifted([both], { a: permit("DOC-1"), b: permit("X") })).toBe(
      "not compliant without DOC-1, X (declared)",
    );
  });

  it.each<[string, readonly object[], object, number?]>([
    ["nothing lies on the plot", [block], { a: permit("DOC-1") }, 5],
    ["the document is none", [block], {}],
    ["the document has ended", [block], { a: expired }],
    [
      "the verdict is as bad for another reason",
      [block, check("x", "NON_COMPLIANT", overlap)],
      { a: permit("D") },
    ],
    [
      "an answer decides too",
      [check("c", "WARNING", { all: [notValid("a"), { fact: "size", op: ">", value: 4 }] })],
      { a: permit("D"), size: 1 },
    ],
    ["it would be a notice", [check("c", "NOTICE", { all: [overlap, notValid("a")] })], { a: permit("D") }],
  ])("is not named where %s", (_, checks, facts, place) => {
    expect(describeLifted(checks, facts, place)).toBeUndefined();
  });

  it("is cut where numbers are long or many, and has no text for what is no ruleset", () => {
    const text = describeLifted([block], { a: permit("9".repeat(200)) })!;
    expect(text.length).toBeLessThan(110);
    const { ruleset, policy } = compilePolicy(block);
    const verdict = policy.evaluate(
      { geometry: createSquarePolygon(0.5, 0.5, 0.01), facts: { a: permit("DOC-1") } },
      NOW,
    );
    expect(liftedText(verdict, ruleset, getTongue("pt"))).toBe("não conforme sem DOC-1 (declarado)");
    expect(liftedText(verdict, ruleset, getTongue("es"))).toBe("no conforme sin DOC-1 (declarado)");
    for (const none of [undefined, null, 7, "x", { checks: 3 }, { checks: [null, 1] }])
      expect(liftedText(verdict, none, getTongue("en"))).toBeUndefined();
  });

  it("is what the engine answers without them, on 500 random rulesets (seed 9)", () => {
    const random = createSeededRandom(9);
    const pick = <Item>(items: readonly Item[]): Item => items[random.integer(items.length)]!;
    const parts = [
      overlap,
      { ...overlap, op: "=" },
      notValid("a"),
      notValid("b"),
      { fact: "size", op: ">", value: 4 },
    ];
    let named = 0;
    for (let i = 0; i < 500; i++) {
      const checks = Array.from({ length: 1 + random.integer(3) }, (_, k) => {
        const several = Array.from({ length: 1 + random.integer(3) }, () => pick(parts));
        return check(`c${k}`, pick(["NON_COMPLIANT", "WARNING", "NOTICE"]), {
          [pick(["all", "any"])]: several,
        });
      });
      const facts = {
        ...(random.next() < 0.8 && { a: pick([permit("A"), expired]) }),
        ...(random.next() < 0.8 && { b: pick([permit("B"), expired]) }),
        size: pick([1, 9]),
      };
      const { ruleset, policy } = compilePolicy(...checks);
      const geometry = createSquarePolygon(pick([0.5, 5]), 0.5, 0.01);
      const verdict = policy.evaluate({ geometry, facts }, NOW);
      const { size } = facts;
      const without = policy.evaluate({ geometry, facts: { size } }, NOW);
      const rank = { COMPLIANT: 0, WARNING: 1, NON_COMPLIANT: 2 };
      const isWorse = rank[without.at_least] > rank[verdict.at_least];
      const text = liftedText(verdict satisfies Liftable, ruleset, getTongue("en"));
      expect(text !== undefined, JSON.stringify([checks, facts])).toBe(isWorse);
      if (text === undefined) continue;
      named++;
      expect(text.startsWith("not compliant")).toBe(without.at_least === "NON_COMPLIANT");
    }
    expect(named).toBeGreaterThan(40);
  });
});

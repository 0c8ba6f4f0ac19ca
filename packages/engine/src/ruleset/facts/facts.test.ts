import { catchRefusal } from "@groundrule/testing/refusal";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { makeBoxSnapshot } from "../../../test/box-snapshot.ts";
import { snapshotOf } from "../../areas/snapshot-of.ts";
import { openEngine } from "../../engine.ts";
import { explainQuestion } from "../../explain-question.ts";
import type { Evaluation } from "../../verdict/verdict.ts";
import type { EvaluationInput } from "../compile/evaluation-input.ts";

const NOW = { now: "2026-11-27T12:00:00Z" };
const QUESTION = { question: { en: "?" } };
const FACTS = {
  modules: { type: "number", min: 0, unit: "fiscal modules", ...QUESTION },
  community: { type: "boolean", ...QUESTION },
  tenure: { type: "text", values: ["owner", "tenant"], ...QUESTION },
  planted: { type: "date", ...QUESTION },
  permit: { type: "document", ...QUESTION },
  plan: { type: "document", ...QUESTION },
};
const PERMIT = { id: "P-1", issuer: "State", issued_on: "2024-01-01", valid_until: "2027-01-01" };

const box = (...edges: Parameters<typeof createBoxPositions>) => ({
  type: "Polygon",
  coordinates: [createBoxPositions(...edges)],
});
const scar = (id: string, geometry: object, seen_on: string, hectares: number) => ({
  type: "Feature",
  geometry,
  properties: { id, seen_on, hectares },
});
const scars = snapshotOf(
  "demo:scars",
  [
    scar("early", box(0.001, 0.001, 0.002, 0.002), "2019-07-31", 5),
    scar("late", box(0.004, 0.004, 0.005, 0.005), "2022-03-01", 50),
  ],
  { id: "id", columns: { seen_on: "date" } },
);
const crossed = snapshotOf(
  "demo:crossed",
  [
    scar("early", box(0.001, 0.001, 0.002, 0.002), "2019-07-31", 50),
    scar("late", box(0.004, 0.004, 0.005, 0.005), "2022-03-01", 5),
  ],
  { id: "id", columns: { seen_on: "date" } },
);
const many = snapshotOf(
  "demo:many",
  Array.from({ length: 100 }, (_, i) => scar(`${i}`, box(0, 0, 0.001, 0.001), "2022-03-01", i + 1)),
  { id: "id", columns: { seen_on: "date" } },
);
const engine = openEngine([makeBoxSnapshot("demo:parks", [0, 0, 1, 1]), scars, crossed, many]);
const PLOT = { geometry: box(0, 0, 0.01, 0.01) };
const ELSEWHERE = { geometry: box(2, 2, 2.01, 2.01) };

function evaluate(
  check: object,
  input: EvaluationInput = PLOT,
  { sets = {}, now = NOW.now }: { readonly sets?: object; readonly now?: string } = {},
): Evaluation {
  const ruleset = {
    facts: FACTS,
    sets: { parks: { sources: ["demo:parks"] }, ...sets },
    checks: [{ id: "one", outcome: "NON_COMPLIANT", ...check }],
  };
  return engine.compile(ruleset).evaluate(input, { now });
}
const only = (check: object, facts?: EvaluationInput["facts"], more?: Parameters<typeof evaluate>[2]) =>
  evaluate(check, { ...PLOT, facts }, more).checks[0]!;
const state = (check: object, facts?: EvaluationInput["facts"], more?: Parameters<typeof evaluate>[2]) => {
  const { triggered, status } = only(check, facts, more);
  return status === "ok" ? triggered : status;
};

describe("a declared fact", () => {
  it.each([
    ["a number", { fact: "modules", op: ">", value: 4 }, { modules: 4.1 }, { modules: 4 }],
    ["a boolean", { fact: "community" }, { community: true }, { community: false }],
    ["a text", { fact: "tenure", op: "<>", value: "owner" }, { tenure: "tenant" }, { tenure: "owner" }],
    [
      "a day",
      { fact: "planted", op: "<", value: "2020-01-01" },
      { planted: "2019-12-31" },
      { planted: "2020-01-01" },
    ],
  ])("%s decides a check, and leaves it open where it is absent", (_, check, holding, failing) => {
    expect(state(check, holding)).toBe(true);
    expect(state(check, failing)).toBe(false);
    expect(state(check)).toBe("not_declared");
    expect(only(check).outcome).toBe("WARNING");
    expect(only({ ...check, uncovered: "NOTICE" }).outcome).toBe("NOTICE");
    expect(state(check, Object.fromEntries(Object.keys(holding).map((name) => [name, null])))).toBe(
      "not_declared",
    );
  });

  it("is what a check waits for where its sources cannot change it", () => {
    const sets = { old: { sources: ["demo:parks"], max_age_days: 1 } };
    const found = { set: "old" };
    const more = { set: "old", op: ">", value: 1 };
    expect(state({ all: [found, { fact: "community" }] }, {}, { sets })).toBe("not_declared");
    expect(state({ all: [more, { fact: "community" }] }, {}, { sets })).toBe("not_covered");
    expect(state({ all: [more, { fact: "community" }] }, { community: false }, { sets })).toBe(false);
  });

  it("is distinguished from what was measured, with its value", () => {
    const check = { all: [{ set: "parks" }, { fact: "modules", op: ">", value: 4 }] };
    const result = only(check, { modules: 6 });
    expect(result.comparisons).toHaveLength(1);
    expect(result.declared).toEqual([{ fact: "modules", op: ">", value: 6, threshold: 4 }]);
    const { facts } = evaluate(check, { ...PLOT, facts: { modules: 6, permit: PERMIT } });
    expect(facts!.map(({ fact, value }) => [fact, value])).toEqual([
      ["community", null],
      ["modules", 6],
      ["permit", PERMIT],
      ["plan", null],
      ["planted", null],
      ["tenure", null],
    ]);
    expect(facts!.flatMap(({ digest }) => digest ?? [])).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it("is decided by the bounds of its declaration where they suffice", () => {
    expect(state({ fact: "modules", op: ">=", value: 0 })).toBe(true);
    expect(state({ fact: "modules", op: "<", value: 0 })).toBe(false);
  });

  it("may be compared with another, and with a measure times a constant", () => {
    const more = { fact: "planted", op: "<=", value: { fact: "permit.issued_on" } };
    expect(state(more, { planted: "2023-12-31", permit: PERMIT })).toBe(true);
    expect(state(more, { planted: "2024-01-02", permit: PERMIT })).toBe(false);
    expect(state(more, { permit: PERMIT })).toBe("not_declared");
    const share = {
      set: "parks",
      measure: "overlap_area_m2",
      op: ">",
      value: { fact: "permit.area_m2", times: 2 },
    };
    const within = only(share, { permit: { ...PERMIT, area_m2: 100_000 } });
    expect(within.triggered).toBe(true);
    expect(within.comparisons[0]).toMatchObject({
      threshold: 200_000,
      threshold_of: { fact: "permit.area_m2", times: 2 },
    });
    expect(state(share, { permit: { ...PERMIT, area_m2: 10_000_000 } })).toBe(false);
    expect(state(share, { permit: PERMIT })).toBe("not_declared");
    expect(only(share).comparisons[0]).toMatchObject({ threshold: null });
    const late = {
      set: "parks",
      measure: "overlap_area_m2",
      op: "<",
      value: { set: "parks", measure: "overlap_area_m2", times: 1.5 },
    };
    expect(state(late)).toBe(true);
  });

  it("is no threshold until it is declared, though its declaration allows but one", () => {
    const one = { type: "number", min: 1, max: 1, ...QUESTION };
    const check = { id: "one", outcome: "WARNING", set: "parks", op: ">=", value: { fact: "one" } };
    const ruleset = { facts: { one }, sets: { parks: { sources: ["demo:parks"] } }, checks: [check] };
    const declared = (facts: object) =>
      engine.compile(ruleset).evaluate({ ...PLOT, facts } as never, NOW).checks[0]!;
    expect(declared({})).toMatchObject({ triggered: true, comparisons: [{ threshold: null }] });
    expect(declared({ one: 1 }).comparisons[0]!.threshold).toBe(1);
  });

  it("has the measure as its threshold where that decides, though it could be another", () => {
    const sets = { scars: { sources: ["demo:scars"], where: "seen_on > FACT('planted')" } };
    const check = { fact: "modules", op: "<=", value: { set: "scars" } };
    expect(only(check, { modules: 0 }, { sets })).toMatchObject({
      triggered: true,
      declared: [{ value: 0, threshold: 0 }],
    });
    expect(only(check, { modules: 1 }, { sets })).toMatchObject({
      status: "not_declared",
      declared: [{ value: 1, threshold: null }],
    });
  });

  it("has the day of the evaluation without a fact", () => {
    const check = { fact: "evaluated_on", op: ">=", value: "2027-01-04" };
    expect(state(check, {}, { now: "2027-01-03T23:59:59Z" })).toBe(false);
    expect(state(check, {}, { now: "2027-01-04T00:00:00Z" })).toBe(true);
  });

  it("is in the digests of input and verdict, and changes none without it", () => {
    const check = { set: "parks" };
    const plain = {
      sets: { parks: { sources: ["demo:parks"] } },
      checks: [{ id: "one", outcome: "WARNING", ...check }],
    };
    const policy = engine.compile(plain);
    expect(policy.evaluate({ ...PLOT, facts: {} }, NOW).digest).toBe(policy.evaluate(PLOT, NOW).digest);
    expect(engine.compile({ ...plain, facts: FACTS }).digest).not.toBe(policy.digest);
    const [one, other] = [{ modules: 1 }, { modules: 2 }].map((facts) => evaluate(check, { ...PLOT, facts }));
    expect(one!.input.digest).not.toBe(other!.input.digest);
    expect(one!.digest).not.toBe(other!.digest);
  });

  it.each([
    [{ modulos: 4 }, "FACT_UNKNOWN", "/facts/modulos", 'did you mean "modules"'],
    [{ modules: "4" }, "FACT_UNSUITED", "/facts/modules", "a number of at least 0"],
    [{ modules: -1 }, "FACT_UNSUITED", "/facts/modules", "at least 0"],
    [{ planted: "2024-02-30" }, "FACT_UNSUITED", "/facts/planted", "calendar day"],
    [{ tenure: "squatter" }, "FACT_UNSUITED", "/facts/tenure", '"owner", "tenant"'],
    [{ modules: PERMIT }, "FACT_UNSUITED", "/facts/modules", "a number"],
    [{ permit: 7 }, "FACT_UNSUITED", "/facts/permit", "a document"],
    // It ends before it begins.
    [
      { permit: { ...PERMIT, valid_until: "2023-01-01" } },
      "VALUE_INVALID",
      "/facts/permit/valid_until",
      "2024",
    ],
  ])("is refused as %j", (facts, code, pointer, words) => {
    const { details, code: refused } = catchRefusal(() =>
      only({ fact: "modules", value: 1 }, facts as never),
    );
    expect(refused).toBe("VALIDATION_FAILED");
    expect(details.faults).toEqual([{ code, pointer, message: expect.stringContaining(words) }]);
  });

  it.each([
    [{ fact: "module", value: 1 }, "FACT_UNKNOWN", "/fact"],
    [{ fact: "tenure", op: "<", value: "owner" }, "FACT_UNSUITED", "/op"],
    [{ fact: "planted", value: 3 }, "FACT_UNSUITED", "/value"],
    [{ fact: "modules", op: ">" }, "MEMBER_MISSING", ""],
    [{ fact: "modules", op: "valid" }, "FACT_UNSUITED", "/op"],
    [{ fact: "permit", op: ">", value: 3 }, "FACT_UNSUITED", "/op"],
    [{ fact: "permit", value: true }, "FACT_UNSUITED", "/value"],
    [{ fact: "planted", value: { fact: "permit.issued_on", times: 2 } }, "FACT_UNSUITED", "/value"],
    [{ set: "parks", value: { fact: "planted" } }, "FACT_UNSUITED", "/value/fact"],
    [{ set: "parks", value: { fact: "permit" } }, "FACT_UNSUITED", "/value/fact"],
    [{ set: "parks", value: { set: "park" } }, "SET_UNKNOWN", "/value/set"],
  ])("of a ruleset is refused in the check %j", (check, code, below) => {
    const { details, code: refused } = catchRefusal(() => evaluate(check));
    expect(refused).toBe("RULESET_INVALID");
    expect(details.faults).toEqual([
      { code, pointer: `/checks/0${below}`, message: expect.stringMatching(/^found .*, expected /) },
    ]);
  });
});

describe("a document", () => {
  const lifted = {
    all: [{ set: "parks" }, { fact: "permit", op: "not_valid" }, { fact: "plan", op: "not_valid" }],
  };

  it("lifts a block from the day of its issue to its last, and only then", () => {
    expect(state(lifted)).toBe(true);
    const on = (day: string) => state(lifted, { permit: PERMIT }, { now: `${day}T08:00:00Z` });
    expect([on("2023-12-31"), on("2024-01-01"), on("2027-01-01"), on("2027-01-02")]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    const { valid_until: _, ...endless } = PERMIT;
    expect(state(lifted, { permit: endless }, { now: "2199-01-01T00:00:00Z" })).toBe(false);
  });

  it("that is not brought is printed so, and named as what would lift the block", () => {
    const result = only(lifted);
    expect(result.outcome).toBe("NON_COMPLIANT");
    expect(result.declared).toEqual([
      { fact: "permit", op: "not_valid", value: null },
      { fact: "plan", op: "not_valid", value: null },
    ]);
    expect(result.resolve_by).toEqual([
      { facts: [{ fact: "permit", valid: true }] },
      { facts: [{ fact: "plan", valid: true }] },
    ]);
    expect(only(lifted, { permit: PERMIT })).not.toHaveProperty("resolve_by");
  });

  it("leaves a check of its validity open where it is not provided", () => {
    expect(state({ fact: "permit" })).toBe("not_declared");
    expect(state({ fact: "permit", op: "valid" }, { permit: PERMIT })).toBe(true);
  });
});

describe("what would change a check", () => {
  it.each([
    [{ fact: "modules", op: ">", value: 4 }, [{ at_least: 0, at_most: 4 }]],
    [{ fact: "modules", op: "<=", value: 4 }, [{ above: 4 }]],
    [{ fact: "modules", op: "=", value: 4 }, [{ at_least: 0, below: 4 }, { above: 4 }]],
    [{ fact: "modules", op: "<>", value: 4 }, [{ at_least: 4, at_most: 4 }]],
    [{ fact: "planted", op: ">=", value: "2020-01-01" }, [{ at_most: "2019-12-31" }]],
    [{ fact: "community", value: false }, [{ one_of: [true] }]],
    [{ fact: "tenure", value: "owner" }, [{ one_of: ["tenant"] }]],
  ])("is found of %j", (check, needed) => {
    const { fact } = check;
    expect(only(check).resolve_by).toEqual(needed.map((need) => ({ facts: [{ fact, ...need }] })));
  });

  it("is a threshold that was measured", () => {
    const check = { set: "parks", measure: "overlap_area_m2", value: { fact: "permit.area_m2", times: 2 } };
    const result = only(check);
    const measured = result.comparisons[0]!.value!;
    expect(result.resolve_by).toEqual([{ facts: [{ fact: "permit.area_m2", at_least: measured / 2 }] }]);
  });

  it("takes facts together where none suffices alone", () => {
    const check = {
      any: [
        { fact: "modules", op: ">", value: 4 },
        { fact: "permit", op: "not_valid" },
      ],
    };
    expect(only(check).resolve_by).toEqual([
      {
        facts: [
          { fact: "modules", at_least: 0, at_most: 4 },
          { fact: "permit", valid: true },
        ],
      },
    ]);
    expect(only(check, { modules: 5 }).resolve_by).toHaveLength(1);
    expect(only(check, { modules: 2 }).resolve_by).toEqual([{ facts: [{ fact: "permit", valid: true }] }]);
  });

  it("is not reported for facts that one comparison reads, but for each apart", () => {
    const check = {
      any: [
        { fact: "planted", op: ">", value: { fact: "permit.issued_on" } },
        { fact: "plan", op: "not_valid" },
      ],
    };
    expect(only(check)).not.toHaveProperty("resolve_by");
    expect(only(check, { planted: "2020-05-05" }).resolve_by).toEqual([
      {
        facts: [
          { fact: "permit.issued_on", at_least: "2020-05-05" },
          { fact: "plan", valid: true },
        ],
      },
    ]);
  });

  it("requires a document to be valid on those days too", () => {
    const issued = {
      any: [
        { fact: "permit", op: "not_valid" },
        { fact: "permit.issued_on", op: "<", value: "2025-01-01" },
      ],
    };
    expect(only(issued, { permit: PERMIT }).resolve_by).toEqual([
      {
        facts: [
          { fact: "permit", valid: true },
          { fact: "permit.issued_on", at_least: "2025-01-01", at_most: "2026-11-27" },
        ],
      },
    ]);
    const never = {
      any: [
        { fact: "permit", op: "not_valid" },
        { fact: "permit.issued_on", op: "<", value: "2026-11-28" },
      ],
    };
    expect(only(never)).not.toHaveProperty("resolve_by");
    const ended = {
      any: [
        { fact: "permit", op: "not_valid" },
        { fact: "permit.valid_until", op: ">", value: "2026-12-31" },
      ],
    };
    expect(only(ended, { permit: { ...PERMIT, valid_until: "2025-01-01" } }).resolve_by).toEqual([
      {
        facts: [
          { fact: "permit", valid: true },
          { fact: "permit.valid_until", at_least: "2026-11-27", at_most: "2026-12-31" },
        ],
      },
    ]);
  });

  it("is nothing where no fact suffices", () => {
    const check = { any: [{ set: "parks" }, { fact: "modules", op: ">", value: 4 }] };
    expect(only(check)).not.toHaveProperty("resolve_by");
  });
});

describe("the search for what would change a check", () => {
  it("takes a bounded part of an answer's work, whatever the ruleset, and refuses nothing", () => {
    const names = Array.from({ length: 60 }, (_, i) => `f${i}`);
    const ruleset = {
      facts: Object.fromEntries(names.map((name) => [name, { type: "number", ...QUESTION }])),
      sets: { parks: { sources: ["demo:parks"] } },
      checks: Array.from({ length: 128 }, (_, c) => ({
        id: `c${c}`,
        outcome: "WARNING",
        any: names.slice(0, 32).map((fact, i) => ({ fact, op: ">", value: c + i })),
      })),
    };
    let spent = (): number => 0;
    const metered = openEngine([makeBoxSnapshot("demo:parks", [0, 0, 1, 1])], {
      onMeter: (meter) => {
        spent = () => meter.counted;
      },
    });
    expect(metered.compile(ruleset).evaluate(PLOT, NOW).verdict).toBe("WARNING");
    expect(spent()).toBeLessThan(6_000_000);
  });

  it("ends in any of its steps where its work runs out", () => {
    const sets = {
      since: { sources: ["demo:scars"], where: "seen_on > FACT('planted')" },
      large: { sources: ["demo:scars"], where: "hectares > FACT('modules')" },
    };
    const never = { set: "large", measure: "overlap_ratio", of: "large", op: ">", value: 1 };
    for (const spent of [0, 1, 2, 3, 5, 8, 13, 21]) {
      const checks = Array.from({ length: 128 }, (_, c) => ({
        id: `c${c}`,
        outcome: "WARNING",
        any: [
          { set: "since", op: ">", value: 0 },
          { fact: "tenure", value: "owner" },
          ...Array.from({ length: c < spent ? 9 : 1 }, () => never),
        ],
      }));
      const { verdict } = engine.compile({ facts: FACTS, sets, checks }).evaluate(PLOT, NOW);
      expect(verdict).toBe("WARNING");
    }
  });
});

describe("a filter that reads a fact", () => {
  const since = { sets: { scars: { sources: ["demo:scars"], where: "seen_on > FACT('planted')" } } };
  const count = { set: "scars", op: ">", value: 0 };

  it("selects by it, and is open where it is absent and some area waits for it", () => {
    expect(only(count, { planted: "2019-07-30" }, since).comparisons[0]!.value).toBe(2);
    expect(only(count, { planted: "2019-07-31" }, since).comparisons[0]!.value).toBe(1);
    expect(state(count, { planted: "2022-03-01" }, since)).toBe(false);
    expect(state(count, {}, since)).toBe("not_declared");
    const elsewhere = evaluate(count, ELSEWHERE, since).checks[0]!;
    expect([elsewhere.status, elsewhere.triggered]).toEqual(["ok", false]);
  });

  it("bounds what is measured by the areas that wait", () => {
    const large = { set: "scars", measure: "overlap_area_m2", op: ">", value: 1_000_000 };
    expect(state(large, {}, since)).toBe(false);
    expect(state({ ...large, value: 20_000 }, {}, since)).toBe("not_declared");
    const withRest = { sets: { ...since.sets, rest: { difference: ["parks", "scars"] } } };
    expect(state({ set: "rest", measure: "overlap_ratio", op: ">", value: 0.5 }, {}, withRest)).toBe(true);
  });

  it("reports at which day the check would end", () => {
    expect(only(count, {}, since).resolve_by).toEqual([
      { facts: [{ fact: "planted", at_least: "2022-03-01" }] },
    ]);
    expect(only(count, { planted: "2020-01-01" }, since).resolve_by).toEqual([
      { facts: [{ fact: "planted", at_least: "2022-03-01" }] },
    ]);
  });

  it("reports the bounds that it names itself, and those of areas that the fact leaves out", () => {
    const sets = { scars: { sources: ["demo:scars"], where: "FACT('planted') < DATE('2021-01-01')" } };
    expect(only(count, {}, { sets }).resolve_by).toEqual([
      { facts: [{ fact: "planted", at_least: "2021-01-01" }] },
    ]);
    expect(only({ ...count, op: "<", value: 2 }, { planted: "2020-01-01" }, since).resolve_by).toEqual([
      { facts: [{ fact: "planted", at_most: "2019-07-30" }] },
    ]);
  });

  it("claims no bound between thresholds that are too many to be tried", () => {
    const sets = { many: { sources: ["demo:many"], where: "hectares > FACT('modules')" } };
    expect(only({ set: "many" }, {}, { sets }).resolve_by).toEqual([
      { facts: [{ fact: "modules", at_least: 100 }] },
    ]);
  });

  it("claims no bounds of two facts that end the check beside some values of the other only", () => {
    const where = "seen_on < FACT('planted') OR hectares < FACT('modules')";
    const sets = { crossed: { sources: ["demo:crossed"], where } };
    const check = { set: "crossed", op: ">", value: 1 };
    expect(only(check, {}, { sets })).not.toHaveProperty("resolve_by");
    expect(only(check, { modules: 50 }, { sets }).resolve_by).toEqual([
      { facts: [{ fact: "planted", at_most: "2019-07-31" }] },
    ]);
  });

  it("decides what does not depend on the fact", () => {
    const where = "seen_on > FACT('planted') OR hectares > 40";
    expect(state(count, {}, { sets: { scars: { sources: ["demo:scars"], where } } })).toBe(true);
  });

  it("compares an absent day of a declared document with its other day", () => {
    const where = "FACT('permit.valid_until') >= FACT('permit.issued_on')";
    const sets = { scars: { sources: ["demo:scars"], where } };
    const either = { any: [count, { ...count, op: "<=" }] };
    const { valid_until: _, ...endless } = PERMIT;
    expect(state(count, { permit: endless }, { sets })).toBe("not_declared");
    expect(state(either, { permit: endless }, { sets })).toBe(true);
    // Two days of an absent document are not completed together.
    expect(state(either, {}, { sets })).toBe("not_declared");
  });

  it("needs no value where another fact ends the check with every completion", () => {
    const ratio = { set: "scars", measure: "overlap_ratio", of: "scars", op: ">", value: 1 };
    const check = { any: [{ fact: "modules", op: ">", value: 4 }, ratio] };
    expect(only(check, {}, since).resolve_by).toEqual([
      { facts: [{ fact: "modules", at_least: 0, at_most: 4 }] },
    ]);
    const parts = { any: [{ fact: "tenure", op: "<>", value: "owner" }, ratio] };
    expect(only(parts, { tenure: "tenant" }, since).resolve_by).toEqual([
      { facts: [{ fact: "tenure", one_of: ["owner"] }] },
    ]);
  });

  it("is refused with a whole document and with a fact of another type", () => {
    const refused = (where: string) =>
      catchRefusal(() => evaluate(count, PLOT, { sets: { scars: { sources: ["demo:scars"], where } } }))
        .details.faults;
    expect(refused("seen_on > FACT('permit')")).toMatchObject([{ code: "FACT_UNSUITED" }]);
    expect(refused("seen_on > FACT('modules')")).toMatchObject([{ code: "TYPE_MISMATCH" }]);
    expect(refused("seen_on > FACT('plante')")).toMatchObject([{ code: "FACT_UNKNOWN" }]);
  });
});

describe("a property", () => {
  const property = box(-0.01, 0, 0.01, 0.01);
  const share = { set: "parks", on: "property", measure: "overlap_ratio", op: ">", value: 0.6 };

  it("is measured in place of the plot, and its evidence states that", () => {
    const { checks, input, sources } = evaluate(share, { ...PLOT, property });
    expect(checks[0]!.comparisons[0]).toMatchObject({ value: 0.5, on: "property" });
    expect(checks[0]!.evidence).toMatchObject([
      { source_name: "demo:parks", on: "property", overlap_ratio: 0.5 },
    ]);
    expect(input.property_area_m2).toBeCloseTo(2 * input.area_m2!, 0);
    expect(sources.find(({ source_name }) => source_name === "demo:parks")!.matched).toBe(1);
    const both = evaluate(
      { all: [share, { set: "parks", measure: "overlap_ratio", op: ">=", value: 1 }] },
      { ...PLOT, property },
    );
    expect(both.checks[0]!.comparisons.map(({ value }) => value)).toEqual([0.5, 1]);
    expect(both.checks[0]!.evidence.map((one) => ("on" in one ? one.on : "plot"))).toEqual([
      "plot",
      "property",
    ]);
  });

  it("has evidence, and counts of areas without a country, of its own", () => {
    const sets = {
      plain: { sources: ["demo:scars"] },
      shown: { sources: ["demo:scars"], show: ["hectares"] },
      abroad: { sources: ["demo:parks"], country_iso3: "BRA" },
    };
    const any = [
      { set: "plain", measure: "overlap_ratio", of: "shown" },
      { set: "shown", on: "property" },
      { set: "abroad", on: "property" },
    ];
    const { checks, sources } = evaluate({ any }, { ...PLOT, property }, { sets });
    expect(checks[0]!.evidence.map((one) => ["on" in one, "properties" in one])).toEqual([
      [false, false],
      [false, false],
      [true, false],
      [true, true],
      [true, true],
    ]);
    expect(sources.find(({ source_name }) => source_name === "demo:parks")).toMatchObject({
      matched: 0,
      without_country: 1,
    });
  });

  it("leaves what is measured on it open where it is absent", () => {
    expect(evaluate(share).checks[0]).toMatchObject({
      status: "not_declared",
      outcome: "WARNING",
      evidence: [],
    });
    expect(evaluate(share).checks[0]!.comparisons[0]).toMatchObject({ value: null, on: "property" });
    const decided = evaluate({ all: [{ set: "parks", op: "=", value: 0 }, share] });
    expect(decided.checks[0]!.status).toBe("ok");
  });

  it("has to cover the plot", () => {
    const outside = catchRefusal(() => evaluate(share, { ...PLOT, property: box(-0.01, 0, 0.009, 0.01) }));
    expect(outside.code).toBe("VALIDATION_FAILED");
    expect(outside.details).toMatchObject({
      outside_at: [0.01, 0],
      faults: [{ pointer: "/property", code: "PROPERTY_NOT_AROUND_PLOT" }],
    });
    const apart = catchRefusal(() => evaluate(share, { ...PLOT, property: box(5, 5, 5.5, 5.5) }));
    expect(apart.details.faults![0]!.code).toBe("PROPERTY_NOT_AROUND_PLOT");
    const alone = catchRefusal(() => evaluate({ fact: "community" }, { property }));
    expect(alone.details.faults![0]!.code).toBe("PROPERTY_WITHOUT_PLOT");
    const line = catchRefusal(() =>
      evaluate(share, {
        ...PLOT,
        property: {
          type: "LineString",
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
      }),
    );
    expect([line.code, line.details.faults![0]!.pointer]).toEqual(["VALIDATION_FAILED", "/property/type"]);
  });

  it("covers a plot that it touches, one that differs by less than 1 m², and one across ±180", () => {
    expect(evaluate(share, { ...PLOT, property: PLOT.geometry }).checks[0]!.comparisons[0]!.value).toBe(1);
    expect(evaluate(share, { ...PLOT, property: box(0, 0, 0.0099999999, 0.01) }).checks[0]!.status).toBe(
      "ok",
    );
    const across = { geometry: box(179.99, 0, 180.01, 0.01), property: box(179.9, 0, 180.1, 0.02) };
    expect(evaluate(share, across).checks[0]!.comparisons[0]!.value).toBe(0);
    const split = {
      ...across,
      property: {
        type: "MultiPolygon",
        coordinates: [box(179.9, 0, 180, 0.02).coordinates, box(-180, 0, -179.9, 0.02).coordinates],
      },
    };
    expect(evaluate(share, split).checks[0]!.comparisons[0]!.value).toBe(0);
    const written = { ...across, property: box(-180.1, 0, -179.9, 0.02) };
    expect(evaluate(share, written).checks[0]!.comparisons[0]!.value).toBe(0);
  });

  it("is in the digest of the input, and in the plan of the question", () => {
    const plain = evaluate({ set: "parks" });
    expect(evaluate({ set: "parks" }, { ...PLOT, property }).input.digest).not.toBe(plain.input.digest);
    const ruleset = {
      sets: { parks: { sources: ["demo:parks"] } },
      checks: [{ id: "one", outcome: "WARNING", ...share }],
    };
    const { plan } = explainQuestion(engine, { ask: "evaluate", ruleset, input: PLOT });
    expect(plan.checks[0]!.needs).toEqual(["geometry", "property"]);
    expect(plan.refusals).toEqual([]);
  });
});

import { openEngine } from "@groundrule/engine";
import { type SnapshotOfOptions, snapshotOf } from "@groundrule/engine/build";
import { lintRuleset } from "@groundrule/engine/rulesets";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createBoxPositions, createSquarePolygon } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";

const NOW = "2026-11-28T00:00:00Z";
const PLOT = { geometry: createSquarePolygon(0.2, 0.2, 0.1) };
const CASES = process.env.GROUNDRULE_FULL === undefined ? 200 : 6_000;
const WORDS = ["a", "b", "Ab", null] as const;

const area = (properties: object) => ({
  type: "Feature",
  geometry: { type: "Polygon", coordinates: [createBoxPositions(0, 0, 1, 1)] },
  properties: { code: "1", ...properties },
});

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)]!;
}

function randomFilter(random: Random, property: string, depth = 0): object {
  const kind = random.integer(depth > 2 ? 4 : 7);
  const own = { property };
  const word = () => pick(random, ["a", "b", "Ab", "%b", "_"]);
  const inner = () => randomFilter(random, property, depth + 1);
  switch (kind) {
    case 0:
      return { op: pick(random, ["=", "<>", "<", ">="]), args: [own, word()] };
    case 1:
      return { op: "isNull", args: [own] };
    case 2:
      return { op: "in", args: [own, [word(), word()]] };
    case 3:
      return { op: "like", args: [random.next() < 0.5 ? own : { op: "casei", args: [own] }, word()] };
    case 4:
      return { op: "not", args: [inner()] };
    default:
      return { op: kind === 5 ? "and" : "or", args: [inner(), inner()] };
  }
}

describe("a column that has the name of a property of every area", () => {
  it("is either what a filter reads too, or leaves it without an answer", () => {
    const random = createSeededRandom(4106);
    const counts = { decided: 0, undetermined: 0 };
    const ways: Record<
      "name" | "category",
      (own: string | null, column: string | null) => [object, Partial<SnapshotOfOptions>]
    > = {
      name: (own, column) => [{ title: own, name: column }, { name: "title" }],
      category: (own, column) => [{ category: column }, own === null ? {} : { category: own }],
    };
    for (let i = 0; i < CASES; i++) {
      const property = pick(random, ["name", "category"] as const);
      const [own, column] = [pick(random, WORDS), pick(random, WORDS)];
      const where = randomFilter(random, property);
      const ruleset = {
        sets: { s: { sources: ["my:areas"], where, unknown: pick(random, ["include", "exclude"]) } },
        checks: [{ id: "c", set: "s", outcome: "NON_COMPLIANT" }],
      };
      const answer = ([properties, options]: [object, Partial<SnapshotOfOptions>]) => {
        const built = snapshotOf("my:areas", [area(properties)], {
          id: "code",
          coverage: "global",
          ...options,
        });
        return openEngine([built]).compile(ruleset).evaluate(PLOT, { now: NOW }).checks[0]!;
      };
      const both = answer(ways[property](own, column));
      const readings = [own, column].map((value) => answer(ways[property](value, value)));
      if ((both.undetermined ?? 0) > 0) {
        counts.undetermined++;
        continue;
      }
      counts.decided++;
      for (const reading of readings) {
        expect([both.triggered, reading.undetermined ?? 0]).toEqual([reading.triggered, 0]);
      }
    }
    expect(counts.decided).toBeGreaterThan(CASES / 8);
    expect(counts.undetermined).toBeGreaterThan(CASES / 4);
  });

  it("is a finding where a filter or the countries of a set read it, and nowhere else", () => {
    const properties = { title: "x", name: "Rio Claro", iso: "PER", country_iso3: "bra", note: "" };
    const engine = openEngine([
      snapshotOf("my:areas", [area(properties)], {
        id: "code",
        name: "title",
        country: "iso",
        coverage: "global",
      }),
    ]);
    const found = (set: object) =>
      lintRuleset(engine, {
        sets: { s: { sources: ["my:areas"], ...set } },
        checks: [{ id: "c", set: "s", outcome: "NON_COMPLIANT" }],
      }).flatMap(({ code, pointer }) => (code === "COLUMN_HIDDEN" ? [pointer] : []));
    expect(found({ where: "note = 'a' AND CASEI(name) = CASEI('rio claro')" })).toEqual(["/sets/s/where"]);
    expect(found({ where: { op: "=", args: [{ property: "name" }, "Rio Claro"] } })).toEqual([
      "/sets/s/where",
    ]);
    expect(found({ country_iso3: "PER" })).toEqual(["/sets/s/country_iso3"]);
    expect(found({ where: "note = 'a' OR source_id = '1'" })).toEqual([]);
  });

  it("is the areas' name, or their country, where no other is", () => {
    const properties = { name: "Rio Claro", country_iso3: "bra", category: "x" };
    const built = snapshotOf("my:areas", [area(properties)], { id: "code", coverage: "global" });
    expect(built.report.hidden).toEqual([{ name: "category", areas: 1, first: "/0" }]);
    const engine = openEngine([built]);
    expect(engine.intersections(PLOT.geometry).matches).toMatchObject([
      { name: "Rio Claro", country_iso3: "BRA" },
    ]);
    const evaluateWhere = (where: string) =>
      engine
        .compile({
          sets: { s: { sources: ["my:areas"], where } },
          checks: [{ id: "c", set: "s", outcome: "NON_COMPLIANT" }],
        })
        .evaluate(PLOT, { now: NOW }).verdict;
    expect(evaluateWhere("name = 'Rio Claro' AND country_iso3 = 'BRA'")).toBe("NON_COMPLIANT");
  });

  it("is no country where a value is none, and hides nothing that it agrees with", () => {
    const features = [area({ country_iso3: "BRA" }), area({ code: "2", country_iso3: "Brazil" })];
    const { report } = snapshotOf("my:areas", features, { id: "code" });
    expect(report.hidden).toEqual([{ name: "country_iso3", areas: 1, first: "/1" }]);
    const same = [area({ source_name: "my:areas", source_id: 1, category: "park" })];
    expect(snapshotOf("my:areas", same, { id: "code", category: "park" }).report.hidden).toBeUndefined();
  });
});

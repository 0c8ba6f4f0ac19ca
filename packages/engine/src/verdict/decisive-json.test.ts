import { seededRandom } from "@groundrule/testing/random";
import { expect, it } from "vitest";
import { decisiveJson } from "./decisive-json.ts";
import { verdictDigest } from "./digest.ts";
import type { CheckResult, Evidence, SourceOutcome, Verdict } from "./verdict.ts";

const SEED = 20_261_122;

it("writes what is digested of a verdict to the letter, whatever of it is absent", () => {
  const random = seededRandom(SEED);
  const one = <Item>(...items: readonly Item[]): Item => items[random.integer(items.length)]!;
  const perhaps = <Name extends string, Value>(name: Name, value: Value) =>
    one(true, false) ? ({ [name]: value } as { [Key in Name]: Value }) : {};
  const text = () =>
    one("", "demo:parks", 'a "quoted" \\ text', "São Félix do Xingu 🌳", "\u0000\n", "x".repeat(40));
  const number = () => one(0, -0, 0.1, 1e-9, 12_345.67, 1e21, 5e-324, random.next());
  const evidence = (): Evidence =>
    one<Evidence>(
      {
        source_name: text(),
        source_id: text(),
        name: one(null, text()),
        country_iso3: one(null, "BRA"),
        edition: text(),
        overlap_area_m2: number(),
        overlap_ratio: number(),
        area_overlap_ratio: one(null, number()),
        ...perhaps("distance_m", number()),
        ...perhaps("undetermined", true as const),
        ...perhaps("properties", { b: number(), a: one<string | boolean | null>(null, text(), true) }),
      },
      {
        source_name: text(),
        source_id: text(),
        name: one(null, text()),
        value: text(),
        scheme: "br:cnpj",
        ...perhaps("role", text()),
        ...perhaps("properties", { z: text(), "": number() }),
      },
    );
  const check = (): CheckResult => {
    const items = Array.from({ length: random.integer(4) }, evidence);
    return {
      id: text(),
      ...perhaps("title", text()),
      outcome: one(null, "NON_COMPLIANT", "WARNING", "NOTICE"),
      triggered: one(true, false),
      status: one("ok", "failed", "not_covered"),
      ...perhaps("covered_ratio", number()),
      comparisons: Array.from({ length: random.integer(3) }, () => ({
        set: text(),
        measure: one<string | Record<string, string>>("count", { sum: text() }),
        op: one(">", ">=", "<>"),
        value: one(null, number()),
        threshold: number(),
        ...perhaps("of", text()),
      })),
      undetermined: random.integer(3),
      // One area is evidence of several checks, and of one twice where nobody looks.
      evidence: [...items, ...items],
      evidence_total: random.integer(50),
    };
  };
  const source = (): SourceOutcome => ({
    source_name: text(),
    status: one("ok", "failed"),
    ...perhaps("edition", text()),
    ...perhaps("collected_at", text()),
    matched: 3,
    ...perhaps("coverage", one("full", "partial", "none", "undeclared")),
    ...perhaps("overage", one(true, false)),
    ...perhaps("reason", text()),
  });
  for (let turn = 0; turn < 1_000; turn++) {
    const verdict: Omit<Verdict, "digest"> = {
      verdict: one("COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"),
      status: one("ok", "degraded"),
      at_least: one("COMPLIANT", "WARNING", "NON_COMPLIANT"),
      ruleset: { name: text(), version: 1, digest: "0".repeat(64), ...perhaps("not_examined", [text()]) },
      input: { digest: "1".repeat(64), ...perhaps("area_m2", number()) },
      checks: Array.from({ length: random.integer(4) }, check),
      sources: Array.from({ length: random.integer(4) }, source),
      semantics: 4,
      evaluated_at: "2026-11-22T00:00:00Z",
    };
    expect(decisiveJson(verdict, 20)).toBe(verdictDigest(verdict, (written) => written));
  }
});

it("writes no more evidence of a check than the digest covers", () => {
  const item = (id: number): Evidence => ({
    source_name: "a",
    source_id: `${id}`,
    name: null,
    value: "v",
    scheme: "s:s",
  });
  const check: CheckResult = {
    id: "many",
    outcome: null,
    triggered: false,
    status: "ok",
    comparisons: [],
    undetermined: 0,
    evidence: Array.from({ length: 25 }, (_, id) => item(id)),
    evidence_total: 25,
  };
  const verdict: Omit<Verdict, "digest"> = {
    verdict: "COMPLIANT",
    status: "ok",
    at_least: "COMPLIANT",
    ruleset: { name: null, version: null, digest: "" },
    input: { digest: "" },
    checks: [check],
    sources: [],
    semantics: 4,
    evaluated_at: "",
  };
  expect(decisiveJson(verdict, 20)).toBe(verdictDigest(verdict, (written) => written));
  expect(JSON.parse(decisiveJson(verdict, 20)).checks[0].evidence).toHaveLength(20);
});

import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { makeBoxSnapshot } from "../../test/box-snapshot.ts";
import { openEngine } from "../engine.ts";
import { parseRecord, type VerdictRecord, verdictRecord } from "./record.ts";
import { replayRecord } from "./replay.ts";

const RULESET = {
  sets: { parks: { sources: ["all:parks"] } },
  checks: [{ id: "parks", set: "parks", outcome: "WARNING" }],
};
const geometry = {
  type: "Polygon",
  coordinates: [createBoxPositions(0, 0, 1, 1)],
};
const groups = { "all:parks": ["demo:parks"], "all:others": ["demo:parks"] };
const engine = openEngine([{ bytes: makeBoxSnapshot("demo:parks", [0.5, 0, 2, 1]) }], { groups });

function record(): VerdictRecord {
  const policy = engine.compile(RULESET);
  const evaluation = policy.evaluate({ geometry }, { now: "2026-11-20T00:00:00Z" });
  const recorded = { id: "p", input: { geometry }, ruleset: RULESET, policy, groups, engineVersion: "1.2.3" };
  return verdictRecord(recorded, evaluation);
}
/** A record with one member changed, or without it. */
function changeRecord(pointer: string, value?: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(record()));
  const path = pointer.split("/").slice(1);
  const last = path.pop()!;
  const parent = path.reduce((at, step) => (at as Record<string, unknown>)[step], copy);
  if (value === undefined) delete (parent as Record<string, unknown>)[last];
  else (parent as Record<string, unknown>)[last] = value;
  return copy;
}

describe("a record", () => {
  it("holds the groups that its ruleset names, and no other", () => {
    expect(record().groups).toEqual({ "all:parks": ["demo:parks"] });
    const warnings = [expect.objectContaining({ code: "COVERAGE_UNDECLARED" })];
    expect(record().response.meta).toEqual({ engine_version: "1.2.3", warnings });
  });

  it("comes back from JSON as it was written, member by member", () => {
    const text = JSON.stringify(record());
    expect(JSON.stringify(parseRecord(JSON.parse(text)))).toBe(text);
    expect(replayRecord(engine, parseRecord(JSON.parse(text)))).toMatchObject({
      result: "identical",
      differs: [],
    });
  });

  it("of an older release names the release that agrees", () => {
    const old = parseRecord(changeRecord("/response/data/semantics", 2));
    const evidence = [...old.response.data.checks[0]!.evidence];
    const altered = { ...old.response.data, digest: "0".repeat(64) };
    const replay = replayRecord(engine, { ...old, response: { ...old.response, data: altered } });
    expect(evidence).not.toEqual([]);
    expect(replay.differs).toEqual(["semantics"]);
    expect(replay.semantics).toEqual({ recorded: 2, replayed: 6, agreeing_release: "1.2.3" });
    expect(replay.changes.map(({ pointer }) => pointer)).toEqual(["/digest", "/semantics"]);
  });

  it("keeps that strict coverage was requested, and is replayed so", () => {
    const strictly = { now: "2026-11-20T00:00:00Z", strictCoverage: true };
    const policy = engine.compile(RULESET);
    const away = { ...geometry, coordinates: [geometry.coordinates[0]!.map(([x, y]) => [x! + 20, y])] };
    const evaluation = policy.evaluate({ geometry: away }, strictly);
    expect(evaluation.checks[0]).toMatchObject({
      status: "not_covered",
      outcome: "WARNING",
      open: [{ because: "coverage", covered_ratio: 0 }],
    });
    const recorded = { input: { geometry: away }, ruleset: RULESET, policy, groups, engineVersion: "1.2.3" };
    const strict = verdictRecord({ ...recorded, strictCoverage: true }, evaluation);
    expect(strict.request.options).toEqual({ strict_coverage: true });
    expect(replayRecord(engine, parseRecord(strict)).result).toBe("identical");
    expect(replayRecord(engine, verdictRecord(recorded, evaluation)).result).toBe("differs");
  });

  it("may have members that this release does not know", () => {
    const more = { ...record(), signature: "later" };
    expect(parseRecord(more)).toBe(more);
  });

  it.each([
    ["no ruleset", "/request/ruleset", undefined],
    ["an edition that is a path", "/response/data/sources/0/edition", "../../secret"],
    ["a source name that is a path", "/response/data/sources/0/source_name", "../x"],
    ["a source that answered from no edition", "/response/data/sources/0/edition", undefined],
    ["a verdict nobody gives", "/response/data/verdict", "FINE"],
  ])("is refused with %s, and the place of the fault", (_what, pointer, value) => {
    expect(() => parseRecord(changeRecord(pointer, value))).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        details: { faults: expect.arrayContaining([expect.objectContaining({ pointer })]) },
      }),
    );
  });

  it("is refused with the place of the fault where names hold what pointers are made of", () => {
    const value = structuredClone(changeRecord("/request/ruleset", {})) as {
      request: Record<string, unknown>;
    };
    value.request.ruleset = { sets: {}, checks: [] };
    (value as unknown as { groups: unknown }).groups = { "a/b~c": ["../x"] };
    expect(() => parseRecord(value)).toThrow(
      expect.objectContaining({
        details: {
          faults: ["/groups/a~1b~0c", "/groups/a~1b~0c/0"].map((pointer) =>
            expect.objectContaining({ pointer }),
          ),
        },
      }),
    );
  });

  it("is refused with an instant that is none", () => {
    const value = changeRecord("/response/data/evaluated_at", "yesterday");
    expect(() => parseRecord(value)).toThrow(/ISO 8601/);
    expect(() => parseRecord(null)).toThrow(/not a record of a verdict/);
  });
});

import { evaluateFeaturesShape, evaluateResponseShape, type Limits } from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { palette, parseRuleset } from "@groundrule/engine/rulesets";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { describe, expect, it } from "vitest";
import { makeLiteralApp } from "../../../../apps/api/test/literal-app.ts";

const RULESET = {
  sets: {
    all: { sources: ["demo:all"] },
    near: { sources: ["demo:parks"], within_m: 100_000 },
  },
  checks: [
    { id: "all", set: "all", outcome: "WARNING" },
    { id: "near", set: "near", outcome: "NOTICE", color: "#123456" },
  ],
};

/** Both answers to one question. */
async function fetchAnswers(geometry: object, limits: Partial<Limits> = {}, query = "") {
  const app = makeLiteralApp(createSmallWorld(), { limits });
  const ask = async (Accept: string) => {
    const response = await app.post(
      `/v1/evaluate${query}`,
      { input: { geometry }, ruleset: RULESET },
      { Accept },
    );
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return { text, sent: JSON.parse(text) };
  };
  const features = await ask("application/geo+json");
  return {
    json: readShape(evaluateResponseShape, (await ask("application/json")).sent),
    features: readShape(evaluateFeaturesShape, features.sent),
    bytes: Buffer.byteLength(features.text),
  };
}

describe("the features of a verdict", () => {
  it("carry the numbers of its evidence and the colours of its palette", async () => {
    const { json, features } = await fetchAnswers(createSquarePlot(0.1, 0.05));
    expect(features.data).toEqual(json.data);
    const { checks: colors } = palette(parseRuleset(RULESET));
    expect(features.features.map(({ properties }) => properties)).toEqual(
      json.data.checks.flatMap(({ id, outcome, evidence }) =>
        evidence.map((item) => ({ ...item, check_id: id, outcome, color: colors[id] })),
      ),
    );
  });

  it("are there where more areas match than an answer of areas may hold", async () => {
    const { features } = await fetchAnswers(createSquarePlot(0.1, 0.05), { resultAreas: 1 });
    expect(features.features).toHaveLength(5);
    for (const { geometry } of features.features) expect(geometry).not.toBeNull();
  });

  it("are as many as the requested evidence", async () => {
    const { features } = await fetchAnswers(createSquarePlot(0.1, 0.05), {}, "?evidence_limit=1");
    expect(features.features.map(({ properties }) => properties.source_id)).toEqual(["t1", "p1"]);
  });

  it("have no geometry where an area only touches the plot or lies near it", async () => {
    const { features } = await fetchAnswers(createSquarePlot(0.21, 0.05));
    expect(
      features.features.map(({ geometry, properties }) => [
        properties.check_id,
        properties.source_id,
        geometry,
        properties.geometry_status,
      ]),
    ).toEqual([
      ["all", "p2", null, undefined],
      ["near", "p2", null, undefined],
      ["near", "p1", null, undefined],
    ]);
  });

  it("go without their geometries where the answer has no room for them, and state that", async () => {
    // A comb with its teeth in the parks: its overlaps have far more positions than the verdict has numbers.
    const teeth = Array.from({ length: 300 }, (_, i) => [
      [0.01 + i * 6e-4, 0.01],
      [0.01 + i * 6e-4, 0.09],
      [0.01 + (i + 0.5) * 6e-4, 0.09],
      [0.01 + (i + 0.5) * 6e-4, 0.01],
    ]).flat();
    const ring = [...teeth, [0.19, 0.005], [0.01, 0.005], teeth[0]!];
    const comb = { type: "Polygon", coordinates: [ring] };
    const whole = await fetchAnswers(comb);
    expect(whole.features.features.map(({ geometry }) => geometry)).not.toContain(null);
    const resultBytes = Math.floor(whole.bytes * 0.8);
    const { features, bytes, json } = await fetchAnswers(comb, { resultBytes });
    expect(bytes).toBeLessThanOrEqual(resultBytes);
    const statuses = features.features.map(({ properties }) => properties.geometry_status);
    expect(new Set(statuses)).toEqual(new Set([undefined, "too_complex"]));
    expect(features.data).toEqual(json.data);
    features.features.forEach(({ geometry, properties }) => {
      expect(geometry === null).toBe(properties.geometry_status === "too_complex");
    });
  });
});

import { describe, expect, it } from "vitest";
import { candidateAreas } from "./candidate-areas.ts";
import { openEngine } from "./engine.ts";
import type { StoredManifest } from "./snapshot/manifest.ts";
import { snapshotOf } from "./snapshot-of.ts";
import type { CandidateArea } from "./sources/live-source.ts";

const square = (west: number, south: number, side = 1): object => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
});

const manifest: StoredManifest = {
  source_name: "live:parks",
  kind: "leaf",
  category: "park",
  coverage: "global",
  coverage_known: "declared",
  columns: { kind: "string", since: "date", rank: "number" },
};

const candidates: readonly CandidateArea[] = [
  { id: "b", name: "B", country_iso3: "BRA", geometry: square(1, 1), properties: { kind: "x", rank: 2 } },
  { id: "a", geometry: square(0, 0), properties: { since: "2020-01-31" } },
];

const ruleset = {
  sets: { parks: { sources: ["live:parks"] } },
  checks: [{ id: "in-park", set: "parks", outcome: "NON_COMPLIANT" }],
} as const;

const now = "2026-01-01T00:00:00Z";
const input = { geometry: square(0.5, 0.5) };

describe("a live source", () => {
  const engine = openEngine([{ manifest, live: true }], { candidates: candidateAreas });

  it("fails without an answer, and is no failure of the engine", () => {
    const policy = engine.compile(ruleset);
    const verdict = policy.evaluate(input, { now });
    expect(verdict).toMatchObject({ verdict: "DEGRADED", at_least: "COMPLIANT" });
    expect(verdict.sources).toEqual([
      { source_name: "live:parks", status: "failed", matched: 0, reason: "the live source was not asked" },
    ]);
    expect(engine.failures()).toEqual([]);
  });

  it("answers with the edition of the snapshot of its candidates", () => {
    const policy = engine.compile(ruleset);
    const verdict = policy.evaluate(input, { now, provided: { "live:parks": { candidates } } });
    expect(verdict.verdict).toBe("NON_COMPLIANT");
    const features = [...candidates].reverse().map(({ id, name, country_iso3, geometry, properties }) => ({
      type: "Feature",
      geometry,
      properties: { kind: null, since: null, rank: null, ...properties, id, name, iso: country_iso3 },
    }));
    const built = snapshotOf("live:parks", features, {
      id: "id",
      name: "name",
      country: "iso",
      category: "park",
      coverage: "global",
      columns: manifest.columns,
      properties: ["kind", "since", "rank"],
    });
    expect(verdict.sources[0]).toEqual({
      source_name: "live:parks",
      status: "ok",
      edition: built.edition,
      collected_at: now,
      age_days: 0,
      matched: 2,
      left_out: 0,
      coverage: "full",
    });
  });
});

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { computeInputDigest, verdictDigest } from "./digest.ts";
import type { AreaEvidence, Verdict } from "./verdict.ts";

const evidence: AreaEvidence = {
  source_name: "demo:parks",
  source_id: "7",
  name: "Serra Azul",
  country_iso3: "BRA",
  edition: "ab".repeat(32),
  overlap_area_m2: 5000.25,
  overlap_ratio: 0.25,
  area_overlap_ratio: null,
};

const verdict: Omit<Verdict, "digest"> = {
  verdict: "NON_COMPLIANT",
  status: "ok",
  at_least: "NON_COMPLIANT",
  ruleset: { name: "forest-plots", version: 3, digest: "cd".repeat(32) },
  input: { digest: "ef".repeat(32), area_m2: 20001, bbox: [0, 0, 1, 1] },
  checks: [
    {
      id: "protected",
      outcome: "NON_COMPLIANT",
      triggered: true,
      status: "ok",
      comparisons: [{ set: "protected", measure: "count", op: ">", value: 1, threshold: 0 }],
      undetermined: 0,
      evidence: [evidence],
      evidence_total: 1,
    },
  ],
  sources: [
    {
      source_name: "demo:parks",
      status: "ok",
      edition: "ab".repeat(32),
      collected_at: "2026-01-01T00:00:00Z",
      age_days: 3,
      matched: 1,
    },
  ],
  semantics: 1,
  evaluated_at: "2026-01-04T12:00:00Z",
};

const VERDICT_JSON =
  '{"at_least":"NON_COMPLIANT","checks":[{"comparisons":[{"measure":"count","op":">","set":"protected","threshold":0,"value":1}],' +
  `"evidence":[{"area_overlap_ratio":null,"country_iso3":"BRA","edition":"${"ab".repeat(32)}","name":"Serra Azul",` +
  '"overlap_area_m2":5000.25,"overlap_ratio":0.25,"source_id":"7","source_name":"demo:parks"}],"evidence_total":1,' +
  '"id":"protected","outcome":"NON_COMPLIANT","status":"ok","triggered":true,"undetermined":0}],' +
  `"input":{"digest":"${"ef".repeat(32)}"},"ruleset":{"digest":"${"cd".repeat(32)}"},"semantics":1,` +
  `"sources":[{"edition":"${"ab".repeat(32)}","source_name":"demo:parks","status":"ok"}],"status":"ok","verdict":"NON_COMPLIANT"}`;

function sha256Hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

describe("verdictDigest", () => {
  it("is the SHA-256 of exactly the members that decide, in canonical JSON", () => {
    expect(verdictDigest(verdict)).toBe(sha256Hex(VERDICT_JSON));
    expect(verdictDigest(verdict)).toBe("9cd98cdce8c920ea5e821c842f725a4e0a1528850ec9e82c254030ccb676f8e1");
  });

  it("does not change with times, names, versions, or what was measured of the input", () => {
    const later: Omit<Verdict, "digest"> = {
      ...verdict,
      evaluated_at: "2030-01-01T00:00:00Z",
      ruleset: { name: null, version: null, digest: verdict.ruleset.digest },
      input: { digest: verdict.input.digest },
      sources: [{ ...verdict.sources[0]!, age_days: 900, matched: 5, left_out: 7, without_country: 2 }],
    };
    expect(verdictDigest(later)).toBe(verdictDigest(verdict));
  });

  it("covers the first 20 evidence items of a check and their total", () => {
    const withEvidence = (shown: number, total: number) =>
      verdictDigest({
        ...verdict,
        checks: [
          {
            ...verdict.checks[0]!,
            evidence: Array.from({ length: shown }, (_, i) => ({ ...evidence, source_id: String(i) })),
            evidence_total: total,
          },
        ],
      });
    expect(withEvidence(20, 30)).toBe(withEvidence(25, 30));
    expect(withEvidence(19, 30)).not.toBe(withEvidence(20, 30));
    expect(withEvidence(20, 31)).not.toBe(withEvidence(20, 30));
  });

  it("changes with an edition, a check, the semantics", () => {
    const digest = verdictDigest(verdict);
    expect(verdictDigest({ ...verdict, semantics: 2 })).not.toBe(digest);
    expect(verdictDigest({ ...verdict, checks: [] })).not.toBe(digest);
    expect(
      verdictDigest({ ...verdict, sources: [{ ...verdict.sources[0]!, edition: "00".repeat(32) }] }),
    ).not.toBe(digest);
  });
});

describe("inputDigest", () => {
  const ring = [0, 0, 1, 0, 1, 1.5, 0, 0];
  const geometry = {
    type: "Polygon",
    coordinates: [[0, 1, 2, 3].map((i) => ring.slice(2 * i, 2 * i + 2))],
  };

  it("is the SHA-256 of positions and crs as sent and canonical schemes", () => {
    expect(
      computeInputDigest({
        geometry,
        crs: "EPSG:4326",
        schemes: [{ type: "br:cnpj", value: "12ABC34501DE35", role: "owner" }],
      }),
    ).toBe(
      sha256Hex(
        '{"crs":"EPSG:4326","geometry":{"coordinates":[[[0,0],[1,0],[1,1.5],[0,0]]],"type":"Polygon"},' +
          '"schemes":[{"role":"owner","type":"br:cnpj","value":"12ABC34501DE35"}]}',
      ),
    );
  });

  it("sees through a Feature, and past members that are not positions", () => {
    const digestOf = (geometry: unknown, crs?: string | null): string =>
      computeInputDigest({ geometry, crs, schemes: [] });
    const bare = digestOf(geometry);
    expect(digestOf({ type: "Feature", id: 1, properties: { a: 1 }, geometry })).toBe(bare);
    expect(digestOf({ bbox: [0, 0, 1, 1.5], ...geometry })).toBe(bare);
    expect(digestOf(geometry, "OGC:CRS84")).not.toBe(bare);
    expect(digestOf(geometry, null)).toBe(bare);
    expect(digestOf(undefined)).toBe(sha256Hex('{"schemes":[]}'));
  });
});

import * as contract from "@groundrule/contract";
import { describe, expect, it } from "vitest";
import type * as wire from "../index.ts";

describe("the types of requests", () => {
  it("write bodies that the contract reads", () => {
    const geometry = { type: "Point", coordinates: [0, 0] };
    const terms = { options: { strict_coverage: true }, reference_id: "ours" };
    const saved: wire.EvaluateBody = {
      ...terms,
      ruleset_id: "forest-plots@3",
      input: {
        geometry,
        crs: "EPSG:4326",
        area_ha: 4,
        country_iso3: "BRA",
        scheme: [{ type: "br:cnpj", value: "1", role: "owner" }],
      },
    };
    expect(contract.evaluateRequestSchema.parse(saved)).toMatchObject({
      ruleset: { name: "forest-plots", version: 3 },
      input: { area_ha: 4 },
    });
    const inline: wire.CreateJobBody = {
      ...terms,
      ruleset: { sets: {}, checks: [] },
      plots: { type: "FeatureCollection", features: [{}] },
    };
    expect(contract.createJobRequestSchema.parse(inline)).toMatchObject({
      ruleset: { inline: inline.ruleset },
    });
    const intersections: Required<wire.IntersectionsBody> = {
      input: { geometry },
      reference_areas_country_iso3: "BRA",
      reference_areas_source: "demo:parks",
      reference_id: "ours",
    };
    expect(contract.intersectionsRequestSchema.parse(intersections)).toEqual(intersections);
    const distance: wire.DistanceBody = {
      ...intersections,
      input: { geometry, min_distance_m: 1, max_distance_m: 2 },
    };
    expect(contract.distanceRequestSchema().parse(distance)).toEqual(distance);
    const subjects: Required<wire.SubjectsBody> = {
      input: { scheme: { type: "br:cnpj", value: "1" } },
      subject_source: "demo:sanctions",
      match_op: "ilike",
      reference_id: "ours",
    };
    expect(contract.subjectsRequestSchema.parse(subjects)).toEqual(subjects);
    const ruleset: Required<wire.CreateRulesetBody> = {
      name: "parks",
      version: 1,
      description: "",
      not_examined: [""],
      facts: {},
      sets: {},
      checks: [],
    };
    expect(contract.createRulesetRequestSchema.parse(ruleset)).toMatchObject({ name: "parks", version: 1 });
  });
});

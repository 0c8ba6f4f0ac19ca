import {
  distanceFeaturesShape,
  distanceResponseShape,
  evaluateFeaturesShape,
  evaluateResponseShape,
  explainResponseShape,
  intersectionsResponseShape,
  sourcesResponseShape,
  subjectsResponseShape,
  validateResponseShape,
} from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { createSmallWorld, createSquarePlot, LISTED_CNPJ } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectProblem, HttpCaller } from "../../test/http.ts";
import { startService, type TestService } from "../../test/service.ts";

// Each test is a rule of the interface specification, tested over HTTP.

let whole: TestService;
let damaged: TestService;
let server: TestService;

beforeAll(async () => {
  whole = await startService(createSmallWorld());
  damaged = await startService(createSmallWorld(["demo:parks", "demo:sanctions"]));
  server = whole;
});
afterAll(() => Promise.all([whole.stop(), damaged.stop()]));

async function answer(path: string, body: unknown, headers?: Record<string, string>): Promise<unknown> {
  const response = await new HttpCaller(server).post(path, body, headers);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}

const refusal = (path: string, body: unknown) => expectProblem(new HttpCaller(server).post(path, body));

const get = async (path: string): Promise<unknown> => (await new HttpCaller(server).get(path)).json();

const inPark = createSquarePlot(0.03, 0.05);
const RULESET = {
  sets: {
    parks: { sources: ["demo:parks"] },
    lands: { sources: ["demo:lands"] },
    listed: { registers: ["demo:sanctions"] },
  },
  checks: [
    {
      id: "park",
      set: "parks",
      measure: "overlap_ratio",
      value: 0.01,
      outcome: "NON_COMPLIANT",
      color: "#aa0000",
    },
    { id: "land", set: "lands", outcome: "WARNING" },
  ],
};
const SUBJECT_RULESET = {
  sets: { listed: { registers: ["demo:sanctions"] } },
  checks: [{ id: "listed", set: "listed", outcome: "NON_COMPLIANT" }],
};

describe("§4.5 GET /v1/sources", () => {
  it("lists sources, groups and registers with their fields", async () => {
    const { data } = readShape(sourcesResponseShape, await get("/v1/sources"));
    expect(data.items.find(({ source_name }) => source_name === "demo:parks")).toEqual({
      source_name: "demo:parks",
      source_dataset: "Parks of the small world",
      source_url: "https://example.org/parks",
      category: "national park",
      license_spdx: "CC-BY-4.0",
      kind: "leaf",
      feature_count: 2,
      country_coverage: ["BRA"],
      coverage: { extent: "undeclared" },
      collected_at_latest: "2026-10-01T00:00:00Z",
      columns: { founded: "date", category: "string" },
    });
    expect(data.items.find(({ kind }) => kind === "group")).toMatchObject({
      source_name: "demo:all",
      feature_count: 3,
    });
    expect(data.items.find(({ kind }) => kind === "subject_register")).toMatchObject({
      source_name: "demo:sanctions",
      supported_schemes: ["br:cnpj"],
    });
  });
});

describe("§4.6 POST /v1/evaluate", () => {
  it("runs a ruleset that is sent along, and states its evidence", async () => {
    const body = { input: { geometry: inPark }, ruleset: RULESET, reference_id: "case 7" };
    const { data, meta, errors } = readShape(evaluateResponseShape, await answer("/v1/evaluate", body));
    expect(data).toMatchObject({
      verdict: "NON_COMPLIANT",
      status: "ok",
      at_least: "NON_COMPLIANT",
      reference_id: "case 7",
    });
    expect(data.checks[0]).toMatchObject({ id: "park", triggered: true, evidence_total: 1 });
    expect(data.checks[0]!.evidence[0]).toMatchObject({
      source_name: "demo:parks",
      source_id: "p1",
      overlap_ratio: 1,
    });
    expect(meta).toMatchObject({ charged: true, engine_version: "0.2.0" });
    expect(errors).toEqual([]);
  });

  it("takes an identifier as well as, or instead of, a geometry", async () => {
    const ofSubject = async (value: string) => {
      const input = { scheme: { type: "br:cnpj", value } };
      const body = { input, ruleset: SUBJECT_RULESET };
      return readShape(evaluateResponseShape, await answer("/v1/evaluate", body)).data.verdict;
    };
    expect(await ofSubject(LISTED_CNPJ)).toBe("NON_COMPLIANT");
    expect(await ofSubject("11.444.777/0001-61")).toBe("COMPLIANT");
  });

  it("judges points with area_ha as discs", async () => {
    const input = { geometry: { type: "Point", coordinates: [0.05, 0.05] }, area_ha: 0.5 };
    const { data } = readShape(
      evaluateResponseShape,
      await answer("/v1/evaluate", { input, ruleset: RULESET }),
    );
    expect(data.input).toMatchObject({ area_m2: 5000, disc: { type: "Polygon" } });
  });

  it("refuses a plot of less than 1 m², free of charge, which other questions answer for", async () => {
    const side = 0.000_004;
    const ring = [
      [0.03, 0.05],
      [0.03 + side, 0.05],
      [0.03 + side, 0.05 + side],
      [0.03, 0.05],
    ];
    const input = { geometry: { type: "Polygon", coordinates: [ring] } };
    const before = await new HttpCaller(server).used();
    expect(await refusal("/v1/evaluate", { input, ruleset: RULESET })).toMatchObject({
      status: 422,
      code: "GEOMETRY_INVALID",
      errors: [{ pointer: "/input/geometry", code: "PLOT_TOO_SMALL" }],
    });
    expect(await new HttpCaller(server).used()).toBe(before);
    const { features } = readShape(intersectionsResponseShape, await answer("/v1/intersections", { input }));
    expect(features).toHaveLength(1);
    const validated = readShape(validateResponseShape, await answer("/v1/validate", input));
    expect(validated.data.geometry).toMatchObject({ valid: true });
  });

  it("does not give away with a refusal, which is free, whether a register holds a value", async () => {
    const refusalText = async (value: string) => {
      const input = { scheme: { type: "us:ein", value } };
      const { instance: _, ...evaluated } = await refusal("/v1/evaluate", {
        input,
        ruleset: SUBJECT_RULESET,
      });
      const { instance: __, ...lookedUp } = await refusal("/v1/subjects", { input });
      const explained = await refusal("/v1/subjects?explain=true", { input }).catch(String);
      return JSON.stringify([evaluated, lookedUp, explained]).replaceAll(/req_\w+|"instance":"[^"]*"/g, "");
    };
    expect(await refusalText(LISTED_CNPJ)).toBe(await refusalText("11.222.333/0009-99"));
  });

  it("answers as GeoJSON on request: one feature an evidence item, clipped to the plot", async () => {
    const body = {
      input: { geometry: createSquarePlot(0.1, 0.05), scheme: { type: "br:cnpj", value: LISTED_CNPJ } },
      ruleset: {
        sets: { ...RULESET.sets },
        checks: [...RULESET.checks, { id: "listed", set: "listed", outcome: "NOTICE" }],
      },
    };
    const sent = await answer("/v1/evaluate", body, { Accept: "application/geo+json" });
    const { features, data } = readShape(evaluateFeaturesShape, sent);
    expect(
      features.map(({ properties: { check_id, source_id, color } }) => [check_id, source_id, color]),
    ).toEqual([
      ["park", "p1", "#aa0000"],
      ["park", "p2", "#aa0000"],
      ["land", "t1", "#3e47f9"],
      ["listed", "s1", "#ff5707"],
    ]);
    const [west] = features;
    for (const [longitude, latitude] of west!.geometry!.coordinates.flat(2)) {
      expect(longitude).toBeGreaterThanOrEqual(0.09 - 1e-12);
      expect(longitude).toBeLessThanOrEqual(0.1 + 1e-12);
      expect(Math.abs(latitude! - 0.05)).toBeLessThanOrEqual(0.01 + 1e-12);
    }
    expect(features.at(-1)!.geometry).toBeNull();
    expect(data.verdict).toBe("NON_COMPLIANT");
  });
});

describe("§4.7 POST /v1/intersections", () => {
  const intersections = async (body: object, query = "") =>
    readShape(intersectionsResponseShape, await answer(`/v1/intersections${query}`, body));
  const ids = (sent: { features: readonly { properties: { source_id: string } }[] }) =>
    sent.features.map(({ properties }) => properties.source_id);

  it("gives a FeatureCollection of every area that intersects, with overlap area and ratio", async () => {
    const sent = await intersections({
      input: { geometry: createSquarePlot(0.1, 0.05) },
      reference_id: "r-1",
    });
    expect(ids(sent)).toEqual(["t1", "p1", "p2"]);
    const [land, west, east] = sent.features.map(({ properties }) => properties);
    expect(land!.overlap_ratio).toBe(1);
    expect(west!.overlap_ratio).toBeCloseTo(0.5, 9);
    // 0.02° by 0.02° at the equator is 2,226.39 m by 2,211.49 m.
    expect(land!.overlap_area_m2 / (2226.39 * 2211.49)).toBeCloseTo(1, 1);
    expect(west!.overlap_area_m2 + east!.overlap_area_m2).toBeCloseTo(land!.overlap_area_m2, 1);
    expect(west).toMatchObject({
      source_name: "demo:parks",
      name: "West park",
      country_iso3: "BRA",
      properties: { category: "II", founded: "1990-05-01" },
    });
    expect(sent.reference_id).toBe("r-1");
  });

  it("reads an optional crs", async () => {
    const { coordinates } = inPark;
    const metres = coordinates.map((ring) =>
      ring.map(([x, y]) => [
        x! * 111319.49079327358,
        Math.log(Math.tan(Math.PI / 4 + (y! * Math.PI) / 360)) * 6378137,
      ]),
    );
    const input = { geometry: { type: "Polygon", coordinates: metres }, crs: "EPSG:3857" };
    const sent = await intersections({ input, reference_areas_source: "demo:parks" });
    expect(sent.features[0]!.properties.overlap_ratio).toBeCloseTo(1, 9);
  });

  it("lists what it mended in meta.warnings, with places in the body", async () => {
    const [ring] = inPark.coordinates;
    const clockwise = { type: "Polygon", coordinates: [[...ring!].reverse()] };
    const { meta } = await intersections({ input: { geometry: clockwise } });
    expect(meta.warnings.length).toBeGreaterThan(0);
    for (const { pointer } of meta.warnings) expect(pointer).toMatch(/^\/input\/geometry/);
  });
});

describe("§4.8 POST /v1/distance", () => {
  const distance = async (input: object, more: object = {}) =>
    readShape(distanceResponseShape, await answer("/v1/distance", { input, ...more }));

  it("gives the areas within a range, nearest first, in metres", async () => {
    const { data } = await distance(
      { geometry: createSquarePlot(0.31, 0.05), max_distance_m: 20_000 },
      { reference_id: "d" },
    );
    expect(data.matches.map(({ source_id }) => source_id)).toEqual(["p2", "t1"]);
    // 0.1° of longitude at the equator, where the degree is longest, is 11,131.949 m.
    expect(data.matches[0]!.distance_m / 11_131.949).toBeCloseTo(1, 2);
    expect(data).toMatchObject({ distance_check: "ok", reference_id: "d" });
    expect(data.matches[0]!.properties).toEqual({ category: "II", founded: "1990-05-01" });
  });

  it("needs max_distance_m, of at most 1,000 km", async () => {
    for (const input of [{}, { max_distance_m: 1_000_001 }, { max_distance_m: 1, min_distance_m: 2 }]) {
      const refused = await refusal("/v1/distance", { input: { geometry: inPark, ...input } });
      expect(refused.code).toBe("VALIDATION_FAILED");
    }
  });

  it("answers as GeoJSON on request, with the areas' geometries", async () => {
    const body = { input: { geometry: createSquarePlot(0.31, 0.05), max_distance_m: 20_000 } };
    const sent = readShape(
      distanceFeaturesShape,
      await answer("/v1/distance", body, { Accept: "application/geo+json" }),
    );
    expect(sent.features.map(({ properties }) => properties.source_id)).toEqual(["p2", "t1"]);
    expect(sent.features[0]!.geometry.coordinates[0]![0]).toHaveLength(5);
  });
});

describe("§4.9 POST /v1/subjects", () => {
  const scheme = { type: "br:cnpj", value: LISTED_CNPJ };
  const subjects = async (body: object) =>
    readShape(subjectsResponseShape, await answer("/v1/subjects", body));

  it("gives data, meta and errors, with the matches' five fields", async () => {
    const sent = await subjects({ input: { scheme }, reference_id: "s-1" });
    expect(sent).toMatchObject({
      data: {
        matches: [
          {
            source_name: "demo:sanctions",
            source_id: "s1",
            value: LISTED_CNPJ,
            indexed_at: "2026-11-01T00:00:00Z",
            properties: { program: "embargo" },
          },
        ],
        subject_check: "ok",
        reference_id: "s-1",
      },
      meta: { request_id: expect.stringMatching(/^req_/) },
      errors: [],
    });
  });

  it("matches the canonical value exactly unless ilike is requested", async () => {
    const matches = async (value: string, match_op?: string) =>
      (await subjects({ input: { scheme: { type: "br:cnpj", value } }, match_op })).data.matches.length;
    expect(await matches("11.222.333%", "ilike")).toBe(1);
    expect(await matches("%0001-81", "ilike")).toBe(1);
    expect(await matches("%99%", "ilike")).toBe(0);
    expect(await matches("11222333000181", "equals")).toBe(1);
    const refused = await refusal("/v1/subjects", { input: { scheme }, match_op: "like" });
    expect(refused).toMatchObject({ code: "VALIDATION_FAILED", errors: [{ pointer: "/match_op" }] });
  });
});

describe("§8 a source that fails", () => {
  beforeAll(() => {
    server = damaged;
  });
  afterAll(() => {
    server = whole;
  });

  it("is reported as failed in the discovery answers, which are 200 and not charged", async () => {
    const sent = readShape(
      intersectionsResponseShape,
      await answer("/v1/intersections", { input: { geometry: createSquarePlot(0.1, 0.05) } }),
    );
    expect(sent.features.map(({ properties }) => properties.source_id)).toEqual(["t1"]);
    expect(sent.sources.map(({ source_name, status }) => [source_name, status])).toEqual([
      ["demo:lands", "ok"],
      ["demo:parks", "failed"],
    ]);
    expect(sent.meta.charged).toBe(false);
    const near = readShape(
      distanceResponseShape,
      await answer("/v1/distance", { input: { geometry: inPark, max_distance_m: 1 } }),
    );
    expect(near.data.distance_check).toBe("failed");
    const scheme = { type: "br:cnpj", value: LISTED_CNPJ };
    const listed = readShape(subjectsResponseShape, await answer("/v1/subjects", { input: { scheme } }));
    expect(listed.data).toMatchObject({ matches: [], subject_check: "failed" });
  });

  it("makes a verdict DEGRADED, with what is certain and which checks are not", async () => {
    const body = { input: { geometry: createSquarePlot(0.1, 0.05) }, ruleset: RULESET };
    const { data, meta } = readShape(evaluateResponseShape, await answer("/v1/evaluate", body));
    expect(data).toMatchObject({ verdict: "DEGRADED", status: "degraded", at_least: "WARNING" });
    expect(data.checks.map(({ id, status, outcome }) => [id, status, outcome])).toEqual([
      ["park", "failed", null],
      ["land", "ok", "WARNING"],
    ]);
    expect(data.sources.find(({ status }) => status === "failed")).toMatchObject({
      source_name: "demo:parks",
      reason: expect.any(String),
    });
    expect(meta.charged).toBe(false);
  });

  it("stays in the catalog, and naming it is no error", async () => {
    const { data } = readShape(sourcesResponseShape, await get("/v1/sources"));
    expect(data.items.map(({ source_name }) => source_name)).toContain("demo:parks");
    const body = { input: { geometry: inPark }, reference_areas_source: "demo:parks" };
    expect(readShape(intersectionsResponseShape, await answer("/v1/intersections", body)).features).toEqual(
      [],
    );
  });
});

describe("§8.1 a call with explain=true", () => {
  const questions = [
    ["/v1/evaluate", { input: { geometry: inPark }, ruleset: RULESET, reference_id: "r" }],
    ["/v1/intersections", { input: { geometry: inPark }, reference_areas_source: "demo:parks" }],
    ["/v1/distance", { input: { geometry: inPark, max_distance_m: 10_000 } }],
    ["/v1/subjects", { input: { scheme: { type: "br:cnpj", value: LISTED_CNPJ } } }],
  ] as const;

  it.each(questions)("answers with the plan of %s, and is not charged", async (path, body) => {
    const { data, meta } = readShape(explainResponseShape, await answer(`${path}?explain=true`, body));
    expect(data.plan.ask).toBe(path.slice("/v1/".length));
    expect(data.plan.sources.every(({ edition }) => edition !== undefined)).toBe(true);
    expect(meta.charged).toBe(false);
  });

  it("states in the plan what the input lacks, at its place in the body", async () => {
    const body = { input: {}, ruleset: SUBJECT_RULESET };
    const { data } = readShape(explainResponseShape, await answer("/v1/evaluate?explain=true", body));
    expect(data.plan.refusals).toMatchObject([{ code: "INPUT_INCOMPLETE", pointer: "/input/scheme" }]);
  });
});

describe("§4.6 an evaluation with lint=true", () => {
  it("carries what the ruleset most likely does not mean in meta, and nothing without", async () => {
    const body = { input: { geometry: inPark }, ruleset: RULESET };
    const { data, meta } = readShape(evaluateResponseShape, await answer("/v1/evaluate?lint=true", body));
    expect(meta.lint?.map(({ code }) => code)).toEqual([
      ...["COVERAGE_UNDECLARED", "COVERAGE_UNDECLARED"],
      ...["SET_UNUSED", "BORDER_COUNTS", "COLOR_CONTRAST"],
    ]);
    const plain = readShape(evaluateResponseShape, await answer("/v1/evaluate", body));
    expect(plain.meta).not.toHaveProperty("lint");
    expect(plain.data.digest).toBe(data.digest);
  });
});

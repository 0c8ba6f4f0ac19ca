import {
  DEFAULT_LIMITS,
  distanceFeaturesShape,
  distanceResponseShape,
  evaluateFeaturesShape,
  evaluateResponseShape,
  explainResponseShape,
  intersectionsResponseShape,
  type Limits,
  type Problem,
  problemSchema,
  sourcesResponseShape,
  subjectsResponseShape,
} from "@groundrule/contract";
import { readShape } from "@groundrule/engine/shapes";
import { hostInProcess } from "@groundrule/service";
import { BOW_TIE } from "@groundrule/testing/shapes";
import { LISTED_CNPJ, smallWorld, squarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../../test/service.ts";

// Each test is a rule of the interface specification, asked of the service over HTTP.

let whole: TestService;
let damaged: TestService;
let server: TestService;

const serve = (failing: readonly string[], limits: Partial<Limits> = {}) => {
  const engine = smallWorld(failing);
  return startService(
    hostInProcess(() => engine),
    { limits },
  );
};

beforeAll(async () => {
  whole = await serve([]);
  damaged = await serve(["demo:parks", "demo:sanctions"]);
  server = whole;
});
afterAll(() => Promise.all([whole.stop(), damaged.stop()]));

async function ask(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { Authorization: `Bearer ${server.key}`, "Content-Type": "application/json", ...headers },
  });
}

async function answer(path: string, body: unknown, headers?: Record<string, string>): Promise<unknown> {
  const response = await ask(path, body, headers);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}

async function refusal(path: string, body: unknown, headers?: Record<string, string>): Promise<Problem> {
  const response = await ask(path, body, headers);
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  const problem = problemSchema.parse(await response.json());
  expect(problem.status).toBe(response.status);
  return problem;
}

const get = async (path: string): Promise<unknown> =>
  (await fetch(server.url + path, { headers: { Authorization: `Bearer ${server.key}` } })).json();

const inPark = squarePlot(0.03, 0.05);
const outside = squarePlot(0.5, 0.05);
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

describe("§2.3 a subject scheme", () => {
  const subjects = async (value: string) =>
    readShape(
      subjectsResponseShape,
      await answer("/v1/subjects", { input: { scheme: { type: "br:cnpj", value } } }),
    );

  it("has values that are the same whatever their spaces, dashes, dots, slashes and parentheses", async () => {
    for (const value of [LISTED_CNPJ, "11222333000181", " (11) 222.333/0001 - 81"]) {
      expect((await subjects(value)).data.matches).toHaveLength(1);
    }
  });

  it("has a type <authority>:<name>, lowercase, of at most 65 characters", async () => {
    for (const type of ["cnpj", "BR:CNPJ", "br:", `br:${"x".repeat(63)}`]) {
      const refused = await refusal("/v1/subjects", { input: { scheme: { type, value: "1" } } });
      expect(refused).toMatchObject({
        code: "VALIDATION_FAILED",
        errors: [{ pointer: "/input/scheme/type" }],
      });
    }
  });
});

describe("§2.7 the error envelope", () => {
  it("has title, status, code and detail", async () => {
    const refused = await refusal("/v1/subjects", {});
    expect(refused).toMatchObject({
      title: expect.any(String),
      status: 422,
      code: "VALIDATION_FAILED",
      detail: expect.any(String),
    });
  });
});

describe("§3 a verdict", () => {
  const verdict = async (geometry: object, ruleset: object = RULESET) => {
    const sent = readShape(
      evaluateResponseShape,
      await answer("/v1/evaluate", { input: { geometry }, ruleset }),
    );
    return sent.data.verdict;
  };

  it("is COMPLIANT, WARNING or NON_COMPLIANT of a completed evaluation, always sent as 200", async () => {
    expect(await verdict(outside)).toBe("COMPLIANT");
    expect(await verdict(inPark)).toBe("NON_COMPLIANT");
    const warning = { ...RULESET, checks: RULESET.checks.slice(1) };
    expect(await verdict(squarePlot(0.1, 0.05), warning)).toBe("WARNING");
  });
});

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

  it("filters by kind and by country", async () => {
    const names = async (query: string) =>
      readShape(sourcesResponseShape, await get(`/v1/sources?${query}`)).data.items.map(
        ({ source_name }) => source_name,
      );
    expect(await names("kind=subject_register")).toEqual(["demo:sanctions"]);
    expect(await names("country_iso3=BRA")).toEqual(["demo:all", "demo:parks"]);
    expect(await names("country_iso3=BRA&kind=leaf")).toEqual(["demo:parks"]);
  });
});

describe("§4.6 POST /v1/evaluate", () => {
  it("runs a ruleset that is sent along and says on what evidence", async () => {
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

  it("answers RULESET_NOT_FOUND for a ruleset_id the catalog does not hold", async () => {
    for (const ruleset_id of ["forest-plots", "forest-plots@3", "forest-plots@9999999999"]) {
      const refused = await refusal("/v1/evaluate", { input: { geometry: inPark }, ruleset_id });
      expect(refused).toMatchObject({
        status: 404,
        code: "RULESET_NOT_FOUND",
        errors: [{ pointer: "/ruleset_id" }],
      });
    }
  });

  it("refuses a ruleset with every fault at its place in the body", async () => {
    const ruleset = {
      sets: { a: { sources: ["demo:parks"] } },
      checks: [{ id: "X y", set: "b", outcome: "BAD" }],
    };
    const refused = await refusal("/v1/evaluate", { input: { geometry: inPark }, ruleset });
    expect(refused.code).toBe("RULESET_INVALID");
    expect(refused.errors.length).toBeGreaterThan(1);
    for (const { pointer } of refused.errors) expect(pointer).toMatch(/^\/ruleset\//);
  });

  it("takes a filter as text, and tells its faults by their place in it", async () => {
    const asked = (where: unknown) => ({
      input: { geometry: inPark },
      ruleset: {
        sets: { old: { sources: ["demo:parks"], where } },
        checks: [{ id: "old", set: "old", outcome: "WARNING" }],
      },
    });
    const founded = { op: "<", args: [{ property: "founded" }, { date: "1900-01-01" }] };
    const digests = await Promise.all(
      ["founded<date('1900-01-01')", founded].map(async (where) => {
        const { data } = readShape(evaluateResponseShape, await answer("/v1/evaluate", asked(where)));
        return data.ruleset.digest;
      }),
    );
    expect(digests[0]).toBe(digests[1]);
    const refused = await refusal("/v1/evaluate", asked("name = 'x' AND fonded < DATE('1900-01-01')"));
    expect(refused).toMatchObject({
      code: "RULESET_INVALID",
      errors: [
        {
          pointer: "/ruleset/sets/old/where",
          message: expect.stringMatching(/^at character 16 \("fonded"\): .*did you mean "founded"/),
        },
      ],
    });
  });

  it("refuses a ruleset that names an unknown source, with the nearest name", async () => {
    const ruleset = {
      sets: { a: { sources: ["demo:park"] } },
      checks: [{ id: "a", set: "a", outcome: "WARNING" }],
    };
    const refused = await refusal("/v1/evaluate", { input: { geometry: inPark }, ruleset });
    expect(refused).toMatchObject({
      code: "SOURCE_UNKNOWN",
      errors: [{ pointer: "/ruleset/sets/a/sources/0" }],
    });
    expect(refused.detail).toContain("demo:parks");
  });

  it("refuses an input that lacks what the ruleset needs", async () => {
    const noGeometry = await refusal("/v1/evaluate", { input: {}, ruleset: RULESET });
    expect(noGeometry.code).toBe("INPUT_INCOMPLETE");
    expect(noGeometry.errors.map(({ pointer }) => pointer)).toEqual(["/input/geometry", "/input/geometry"]);
    const noScheme = await refusal("/v1/evaluate", { input: { geometry: inPark }, ruleset: SUBJECT_RULESET });
    expect(noScheme).toMatchObject({ code: "INPUT_INCOMPLETE", errors: [{ pointer: "/input/scheme" }] });
  });

  it("judges points with area_ha as discs, and reads no area from properties", async () => {
    const geometry = { type: "Point", coordinates: [0.05, 0.05] };
    const ask = (input: object) => answer("/v1/evaluate", { input, ruleset: RULESET });
    const { data } = readShape(evaluateResponseShape, await ask({ geometry, area_ha: 0.5 }));
    expect(data.input).toMatchObject({ area_m2: 5000, disc: { type: "Polygon" } });
    const many = {
      type: "MultiPoint",
      coordinates: [
        [0.05, 0.05],
        [0.06, 0.05],
      ],
    };
    const discs = readShape(evaluateResponseShape, await ask({ geometry: many, area_ha: 0.5 })).data.input;
    expect([discs.disc?.type, discs.area_m2]).toEqual(["MultiPolygon", 10_000]);
    const feature = { type: "Feature", geometry, properties: { Area: 0.5 } };
    for (const input of [{ geometry: feature }, { geometry, area_ha: null }]) {
      expect(await refusal("/v1/evaluate", { input, ruleset: RULESET })).toMatchObject({
        code: "INPUT_INCOMPLETE",
        errors: [{ pointer: "/input/area_ha" }],
      });
    }
    for (const input of [
      { geometry: inPark, area_ha: 0.5 },
      { geometry, area_ha: 0 },
      { geometry, area_ha: "4" },
      { area_ha: 4 },
    ]) {
      expect(await refusal("/v1/evaluate", { input, ruleset: RULESET })).toMatchObject({
        code: "VALIDATION_FAILED",
        errors: [{ pointer: "/input/area_ha" }],
      });
    }
    const plan = await answer("/v1/evaluate?explain=true", { input: { geometry }, ruleset: RULESET });
    expect(plan).toMatchObject({ data: { plan: { refusals: [{ pointer: "/input/area_ha" }] } } });
  });

  it("refuses an identifier whose scheme no register of the ruleset holds", async () => {
    const input = { scheme: { type: "us:ein", value: "12-3456789" } };
    const refused = await refusal("/v1/evaluate", { input, ruleset: SUBJECT_RULESET });
    expect(refused.code).toBe("SCHEME_UNSUPPORTED");
    for (const { pointer } of refused.errors) expect(pointer).toMatch(/^\/input\/scheme/);
  });

  it("does not give away with a refusal, which is free, whether a register holds a value", async () => {
    const told = async (value: string) => {
      const input = { scheme: { type: "us:ein", value } };
      const { instance: _, ...evaluated } = await refusal("/v1/evaluate", {
        input,
        ruleset: SUBJECT_RULESET,
      });
      const { instance: __, ...lookedUp } = await refusal("/v1/subjects", { input });
      const explained = await refusal("/v1/subjects?explain=true", { input }).catch(String);
      return JSON.stringify([evaluated, lookedUp, explained]).replaceAll(/req_\w+|"instance":"[^"]*"/g, "");
    };
    expect(await told(LISTED_CNPJ)).toBe(await told("11.222.333/0009-99"));
  });

  it("says where in the input a geometry is refused as a whole", async () => {
    const ring = Array.from({ length: 100_002 }, (_, i) => [i * 1e-5, i % 2]);
    const geometry = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
    expect(await refusal("/v1/evaluate", { input: { geometry }, ruleset: RULESET })).toMatchObject({
      code: "GEOMETRY_TOO_COMPLEX",
      errors: [{ pointer: "/input/geometry" }],
    });
    const input = { geometry: inPark, crs: "EPSG:99" };
    expect(await refusal("/v1/evaluate", { input, ruleset: RULESET })).toMatchObject({
      code: "CRS_UNKNOWN",
      errors: [{ pointer: "/input/crs" }],
    });
  });

  it("gives as many evidence items as asked for, and the same digest", async () => {
    const body = {
      input: { geometry: squarePlot(0.1, 0.05) },
      ruleset: {
        sets: { all: { sources: ["demo:all"] } },
        checks: [{ id: "all", set: "all", outcome: "WARNING" }],
      },
    };
    const limited = readShape(
      evaluateResponseShape,
      await answer("/v1/evaluate?evidence_limit=1", body),
    ).data;
    const full = readShape(evaluateResponseShape, await answer("/v1/evaluate", body)).data;
    expect([limited.checks[0]!.evidence.length, limited.checks[0]!.evidence_total]).toEqual([1, 3]);
    expect(full.checks[0]!.evidence).toHaveLength(3);
    expect(limited.digest).toBe(full.digest);
  });

  it("answers as GeoJSON on request: one feature an evidence item, clipped to the plot", async () => {
    const body = {
      input: { geometry: squarePlot(0.1, 0.05), scheme: { type: "br:cnpj", value: LISTED_CNPJ } },
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
    const sent = await intersections({ input: { geometry: squarePlot(0.1, 0.05) } });
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
  });

  it("counts touching as intersecting, with no overlap", async () => {
    const sent = await intersections({ input: { geometry: squarePlot(0.21, 0.05) } });
    expect(sent.features.map(({ properties: p }) => [p.source_id, p.overlap_area_m2])).toEqual([["p2", 0]]);
  });

  it("filters by country in any case, and counts areas that carry none", async () => {
    const sent = await intersections({ input: { geometry: inPark }, reference_areas_country_iso3: "bra" });
    expect(ids(sent)).toEqual(["p1"]);
    const at = squarePlot(0.1, 0.05);
    const counted = await intersections({ input: { geometry: at }, reference_areas_country_iso3: "BRA" });
    expect(counted.sources.find(({ source_name }) => source_name === "demo:lands")).toMatchObject({
      matched: 0,
      without_country: 1,
    });
    expect(
      ids(await intersections({ input: { geometry: inPark }, reference_areas_country_iso3: "PER" })),
    ).toEqual([]);
  });

  it("filters by source, where a group stands for its members", async () => {
    const at = { input: { geometry: squarePlot(0.1, 0.05) } };
    expect(ids(await intersections({ ...at, reference_areas_source: "demo:lands" }))).toEqual(["t1"]);
    expect(ids(await intersections({ ...at, reference_areas_source: "demo:all" }))).toEqual([
      "t1",
      "p1",
      "p2",
    ]);
  });

  it("echoes reference_id", async () => {
    expect((await intersections({ input: { geometry: inPark }, reference_id: "r-1" })).reference_id).toBe(
      "r-1",
    );
    expect((await intersections({ input: { geometry: inPark } })).reference_id).toBeNull();
  });

  it("carries the geometry that is asked for", async () => {
    const west = async (query: string) =>
      (await intersections({ input: { geometry: inPark }, reference_areas_source: "demo:parks" }, query))
        .features[0]!;
    const span = (feature: { geometry: { coordinates: readonly unknown[] } | null }) => {
      const longitudes = (feature.geometry!.coordinates.flat(3) as number[]).filter((_, i) => i % 2 === 0);
      return Math.max(...longitudes) - Math.min(...longitudes);
    };
    expect(span(await west(""))).toBeCloseTo(0.02, 9);
    expect(span(await west("?geometry=overlap"))).toBeCloseTo(0.02, 9);
    expect(span(await west("?geometry=area"))).toBeCloseTo(0.1, 9);
    expect((await west("?geometry=none")).geometry).toBeNull();
  });

  it("carries the part of a line, the point, and nothing where an area is only touched", async () => {
    const [whole] = (
      await intersections(
        { input: { geometry: inPark }, reference_areas_source: "demo:parks" },
        "?geometry=area",
      )
    ).features;
    const [ring] = (whole!.geometry!.coordinates as number[][][][])[0]!;
    const [west, south] = [Math.min(...ring!.map(([x]) => x!)), Math.min(...ring!.map(([, y]) => y!))];
    const geometryOf = async (geometry: object) => {
      const { features } = await intersections({ input: { geometry }, reference_areas_source: "demo:parks" });
      const { properties, geometry: shape } = features.find(
        (feature) => feature.properties.source_id === whole!.properties.source_id,
      )!;
      expect(properties).not.toHaveProperty("geometry_status");
      return shape;
    };
    const into = [
      [west - 0.01, south + 0.01],
      [west + 0.01, south + 0.01],
    ];
    expect(await geometryOf({ type: "LineString", coordinates: into })).toEqual({
      type: "LineString",
      coordinates: [[expect.closeTo(west, 12), expect.closeTo(south + 0.01, 12)], into[1]],
    });
    expect(await geometryOf({ type: "Point", coordinates: into[1] })).toEqual({
      type: "Point",
      coordinates: into[1],
    });
    const beside = [
      [west - 0.01, south],
      [west, south],
      [west, south + 0.01],
      [west - 0.01, south + 0.01],
      [west - 0.01, south],
    ];
    expect(await geometryOf({ type: "Polygon", coordinates: [beside] })).toBeNull();
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
    const refused = await refusal("/v1/intersections", { input: { ...input, crs: "EPSG:999999" } });
    expect(refused).toMatchObject({ code: "CRS_UNKNOWN", errors: [{ pointer: "/input/crs" }] });
    const named = (name: string, geometry: object) => ({
      geometry: { ...geometry, crs: { type: "name", properties: { name } } },
    });
    const same = await intersections({
      input: named("http://www.opengis.net/def/crs/EPSG/0/3857", input.geometry),
      reference_areas_source: "demo:parks",
    });
    expect(same.features).toEqual(sent.features);
    for (const [asked, code, pointer] of [
      [named("EPSG:1", inPark), "CRS_UNKNOWN", "/input/geometry/crs/properties/name"],
      [
        { ...named("EPSG:3857", inPark), crs: "OGC:CRS84" },
        "VALIDATION_FAILED",
        "/input/geometry/crs/properties/name",
      ],
      [{ geometry: inPark, crs: "EPSG:31983" }, "CRS_MISMATCH", "/input/geometry/coordinates/0/0"],
    ] as const) {
      expect(await refusal("/v1/intersections", { input: asked })).toMatchObject({
        code,
        errors: [{ pointer }],
      });
    }
  });

  it("refuses a filter of wrong length, an unknown country, an unknown source or a register", async () => {
    const input = { geometry: inPark };
    for (const [more, code, pointer] of [
      [{ reference_areas_country_iso3: "BR" }, "VALIDATION_FAILED", "/reference_areas_country_iso3"],
      [{ reference_areas_country_iso3: "QQQ" }, "VALIDATION_FAILED", "/reference_areas_country_iso3"],
      [{ reference_areas_source: "x".repeat(65) }, "VALIDATION_FAILED", "/reference_areas_source"],
      [{ reference_id: "x".repeat(129) }, "VALIDATION_FAILED", "/reference_id"],
      [{ reference_areas_source: "demo:park" }, "SOURCE_UNKNOWN", "/reference_areas_source"],
      [{ reference_areas_source: "demo:sanctions" }, "SOURCE_UNKNOWN", "/reference_areas_source"],
    ] as const) {
      expect(await refusal("/v1/intersections", { input, ...more })).toMatchObject({
        code,
        errors: [{ pointer }],
      });
    }
    const register = await refusal("/v1/intersections", { input, reference_areas_source: "demo:sanctions" });
    expect(register.detail).toContain("register");
  });

  it("refuses a geometry that is not valid, with each fault's place in the body", async () => {
    const open = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ],
      ],
    };
    for (const geometry of [BOW_TIE, open]) {
      const refused = await refusal("/v1/intersections", { input: { geometry } });
      expect(refused.code).toBe("GEOMETRY_INVALID");
      for (const { pointer } of refused.errors) expect(pointer).toMatch(/^\/input\/geometry\/coordinates\/0/);
    }
    const shapeless = await refusal("/v1/intersections", { input: { geometry: { type: "Circle" } } });
    expect(shapeless.errors[0]!.pointer).toMatch(/^\/input\/geometry/);
  });

  it("lists what it mended in meta.warnings, with places in the body", async () => {
    const [ring] = inPark.coordinates;
    const clockwise = { type: "Polygon", coordinates: [[...ring!].reverse()] };
    const { meta } = await intersections({ input: { geometry: clockwise } });
    expect(meta.warnings.length).toBeGreaterThan(0);
    for (const { pointer } of meta.warnings) expect(pointer).toMatch(/^\/input\/geometry/);
  });

  it("refuses a geometry of more positions than are read, before measuring it", async () => {
    const ring = Array.from({ length: 150_000 }, (_, i) => {
      const turn = (2 * Math.PI * i) / 150_000;
      return [Math.cos(turn), Math.sin(turn)];
    });
    const geometry = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
    expect((await refusal("/v1/intersections", { input: { geometry } })).code).toBe("GEOMETRY_TOO_COMPLEX");
  });
});

describe("§4.8 POST /v1/distance", () => {
  const distance = async (input: object, more: object = {}) =>
    readShape(distanceResponseShape, await answer("/v1/distance", { input, ...more }));

  it("gives the areas within a range, nearest first, in metres", async () => {
    const { data } = await distance(
      { geometry: squarePlot(0.31, 0.05), max_distance_m: 20_000 },
      { reference_id: "d" },
    );
    expect(data.matches.map(({ source_id }) => source_id)).toEqual(["p2", "t1"]);
    // 0.1° of longitude at the equator, where the degree is longest, is 11,131.949 m.
    expect(data.matches[0]!.distance_m / 11_131.949).toBeCloseTo(1, 2);
    expect(data).toMatchObject({ distance_check: "ok", reference_id: "d" });
    expect(data.matches[0]!.properties).toEqual({ category: "II", founded: "1990-05-01" });
  });

  it("leaves out what is nearer than min_distance_m, both bounds inclusive", async () => {
    const geometry = squarePlot(0.31, 0.05);
    const near = (await distance({ geometry, max_distance_m: 20_000 })).data.matches[0]!.distance_m;
    const within = async (min_distance_m: number, max_distance_m: number) =>
      (await distance({ geometry, min_distance_m, max_distance_m })).data.matches.map(
        ({ source_id }) => source_id,
      );
    expect(await within(near, near)).toEqual(["p2"]);
    expect(await within(near + 0.001, 20_000)).toEqual(["t1"]);
    expect(await within(0, near - 0.001)).toEqual([]);
  });

  it("gives 0 for areas that intersect", async () => {
    const { data } = await distance({ geometry: inPark, max_distance_m: 0 });
    expect(data.matches.map(({ source_id, distance_m }) => [source_id, distance_m])).toEqual([["p1", 0]]);
  });

  it("needs max_distance_m, of at most 1,000 km", async () => {
    for (const input of [{}, { max_distance_m: 1_000_001 }, { max_distance_m: 1, min_distance_m: 2 }]) {
      const refused = await refusal("/v1/distance", { input: { geometry: inPark, ...input } });
      expect(refused.code).toBe("VALIDATION_FAILED");
    }
  });

  it("answers as GeoJSON on request, with the areas' geometries", async () => {
    const body = { input: { geometry: squarePlot(0.31, 0.05), max_distance_m: 20_000 } };
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

  it("says by an empty list that nothing matches", async () => {
    const sent = await subjects({ input: { scheme: { type: "br:cnpj", value: "11.444.777/0001-61" } } });
    expect(sent.data).toMatchObject({ matches: [], subject_check: "ok" });
  });

  it("matches the canonical value exactly unless ilike is asked for", async () => {
    const matches = async (value: string, match_op?: string) =>
      (await subjects({ input: { scheme: { type: "br:cnpj", value } }, match_op })).data.matches.length;
    expect(await matches("11.222.333%", "ilike")).toBe(1);
    expect(await matches("%0001-81", "ilike")).toBe(1);
    expect(await matches("%99%", "ilike")).toBe(0);
    expect(await matches("11222333000181", "equals")).toBe(1);
    const refused = await refusal("/v1/subjects", { input: { scheme }, match_op: "like" });
    expect(refused).toMatchObject({ code: "VALIDATION_FAILED", errors: [{ pointer: "/match_op" }] });
  });

  it("is pinned to one register by subject_source", async () => {
    expect(
      (await subjects({ input: { scheme }, subject_source: "demo:sanctions" })).data.matches,
    ).toHaveLength(1);
    for (const [subject_source, said] of [
      ["demo:sanction", "demo:sanctions"],
      ["demo:parks", "leaf"],
    ] as const) {
      const refused = await refusal("/v1/subjects", { input: { scheme }, subject_source });
      expect(refused).toMatchObject({ code: "SOURCE_UNKNOWN", errors: [{ pointer: "/subject_source" }] });
      expect(refused.detail).toContain(said);
    }
  });

  it("refuses a scheme no register contains, and a value with nothing in it", async () => {
    const unsupported = await refusal("/v1/subjects", { input: { scheme: { type: "us:ein", value: "1" } } });
    expect(unsupported).toMatchObject({
      code: "SCHEME_UNSUPPORTED",
      errors: [{ pointer: "/input/scheme/type" }],
    });
    const empty = await refusal("/v1/subjects", { input: { scheme: { type: "br:cnpj", value: " - / " } } });
    expect(empty).toMatchObject({ code: "VALIDATION_FAILED", errors: [{ pointer: "/input/scheme/value" }] });
  });

  it("looks a value up even where its check digits are wrong, and warns", async () => {
    const { meta } = await subjects({ input: { scheme: { type: "br:cnpj", value: "11.222.333/0001-82" } } });
    expect(meta.warnings).toMatchObject([{ pointer: "/input/scheme/value" }]);
  });
});

describe("§5 authentication", () => {
  it("is asked of every request that holds or shows data", async () => {
    for (const path of ["/v1/evaluate", "/v1/intersections", "/v1/distance", "/v1/subjects"]) {
      const response = await fetch(whole.url + path, { method: "POST" });
      expect([response.status, response.headers.get("WWW-Authenticate")?.split(" ")[0]]).toEqual([
        401,
        "Bearer",
      ]);
    }
    expect((await fetch(`${whole.url}/v1/sources`)).status).toBe(401);
  });
});

describe("§8 a source that fails", () => {
  beforeAll(() => {
    server = damaged;
  });
  afterAll(() => {
    server = whole;
  });

  it("degrades /readyz, which anybody may ask, without its name and reason", async () => {
    const ready = await get("/readyz");
    expect(ready).toMatchObject({ status: "degraded", reasons: ["SOURCES_FAILED"], failed_sources: 2 });
    expect(JSON.stringify(ready)).not.toContain("demo:");
  });

  it("is reported as failed in the discovery answers, which are 200 and not charged", async () => {
    const sent = readShape(
      intersectionsResponseShape,
      await answer("/v1/intersections", { input: { geometry: squarePlot(0.1, 0.05) } }),
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
    const body = { input: { geometry: squarePlot(0.1, 0.05) }, ruleset: RULESET };
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

describe("§8.4 limits", () => {
  it("refuse a body of more than 10 MiB", async () => {
    const refused = await refusal("/v1/intersections", " ".repeat(DEFAULT_LIMITS.bodyBytes + 1));
    expect(refused).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  });
});

describe("§8 an answer too large", () => {
  it("is refused with the count and what to do, not cut", async () => {
    const at = squarePlot(0.1, 0.05);
    const two = { input: { geometry: at }, reference_areas_source: "demo:parks" };
    const plain = await (await ask("/v1/intersections?geometry=none", two)).text();
    server = await serve([], { resultAreas: 2, resultBytes: plain.length });
    try {
      const tooMany = await refusal("/v1/intersections", { input: { geometry: at } });
      expect(tooMany).toMatchObject({
        status: 422,
        code: "RESULT_TOO_LARGE",
        errors: [],
        details: { counted: 3, allowed: 2 },
      });
      expect((await ask("/v1/intersections?geometry=none", two)).status).toBe(200);
      const tooLong = await refusal("/v1/intersections?geometry=area", two);
      expect(tooLong).toMatchObject({ code: "RESULT_TOO_LARGE", details: { limit_bytes: plain.length } });
    } finally {
      await server.stop();
      server = whole;
    }
  });
});

describe("§9 versioning", () => {
  it("is a path prefix", async () => {
    expect((await refusal("/v2/evaluate", {})).code).toBe("NOT_FOUND");
    expect((await refusal("/evaluate", {})).code).toBe("NOT_FOUND");
  });
});

describe("§8.1 a call with explain=true", () => {
  const questions = [
    ["/v1/evaluate", { input: { geometry: inPark }, ruleset: RULESET, reference_id: "r" }],
    ["/v1/intersections", { input: { geometry: inPark }, reference_areas_source: "demo:parks" }],
    ["/v1/distance", { input: { geometry: inPark, max_distance_m: 10_000 } }],
    ["/v1/subjects", { input: { scheme: { type: "br:cnpj", value: LISTED_CNPJ } } }],
  ] as const;

  it.each(questions)("tells the plan of %s and is not charged", async (path, body) => {
    const { data, meta } = readShape(explainResponseShape, await answer(`${path}?explain=true`, body));
    expect(data.plan.ask).toBe(path.slice("/v1/".length));
    expect(data.plan.sources.every(({ edition }) => edition !== undefined)).toBe(true);
    expect(meta.charged).toBe(false);
  });

  it("tells sets, candidates, steps and lint of an evaluation", async () => {
    const [path, body] = questions[0];
    const { data } = readShape(explainResponseShape, await answer(`${path}?explain=true`, body));
    expect(data.reference_id).toBe("r");
    expect(data.plan.sets.map(({ name, candidates }) => [name, candidates])).toEqual([
      ["parks", 1],
      ["lands", 0],
    ]);
    expect(data.plan.lint.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["COVERAGE_UNDECLARED", "/sets/parks/sources/0"],
      ["COVERAGE_UNDECLARED", "/sets/lands/sources/0"],
      ["SET_UNUSED", "/sets/listed"],
      ["BORDER_COUNTS", "/checks/1"],
      ["COLOR_CONTRAST", "/checks/0/color"],
    ]);
  });

  it("says in the plan what the input lacks, at its place in the body", async () => {
    const body = { input: {}, ruleset: SUBJECT_RULESET };
    const { data } = readShape(explainResponseShape, await answer("/v1/evaluate?explain=true", body));
    expect(data.plan.refusals).toMatchObject([{ code: "INPUT_INCOMPLETE", pointer: "/input/scheme" }]);
  });

  it("refuses what the call itself refuses, and answers in JSON alone", async () => {
    const unknown = { input: { geometry: inPark }, reference_areas_source: "demo:park" };
    expect(await refusal("/v1/intersections?explain=true", unknown)).toMatchObject({
      code: "SOURCE_UNKNOWN",
    });
    const accept = { Accept: "application/geo+json" };
    const body = { input: { geometry: inPark } };
    expect(await refusal("/v1/intersections?explain=true", body, accept)).toMatchObject({ status: 406 });
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

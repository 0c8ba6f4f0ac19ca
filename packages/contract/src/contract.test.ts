import type { Fault } from "@groundrule/engine";
import { describe, expect, it } from "vitest";
import {
  buildProblem,
  countrySchema,
  distanceRequestSchema,
  ERRORS,
  type ErrorCode,
  type EvaluateRequest,
  evaluateRequestSchema,
  intersectionsRequestSchema,
  parseRequest,
  problemSchema,
  subjectsRequestSchema,
} from "./index.ts";

const geometry = { type: "Polygon", coordinates: [] };

function getFaults(parsed: ReturnType<typeof parseRequest<unknown>>): readonly Fault[] {
  if ("value" in parsed) throw new Error("was accepted");
  return parsed.faults;
}

describe("ERRORS", () => {
  it("gives the interface's codes the interface's statuses", () => {
    const stated: Partial<Record<ErrorCode, number>> = {
      SUBSCRIPTION_INACTIVE: 402,
      RULESET_ALREADY_EXISTS: 409,
      IDEMPOTENCY_REPLAY_EXPIRED: 410,
      IDEMPOTENCY_KEY_INVALID: 422,
      IDEMPOTENCY_KEY_CONFLICT: 422,
      IDEMPOTENCY_KEY_EXHAUSTED: 429,
      QUOTA_EXCEEDED: 429,
      RATE_LIMIT_EXCEEDED: 429,
    };
    for (const [code, status] of Object.entries(stated)) {
      expect(ERRORS[code as ErrorCode].status, code).toBe(status);
    }
  });

  it("states something different under every code", () => {
    const titles = Object.values(ERRORS).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });
});

describe("a problem", () => {
  it("carries the envelope's four members and RFC 9457's own", () => {
    const problem = buildProblem("NOT_FOUND", "Nothing is here.", "req_1");
    expect(problem).toEqual({
      type: "/docs/errors#not_found",
      title: "Not found",
      status: 404,
      code: "NOT_FOUND",
      detail: "Nothing is here.",
      instance: "req_1",
      errors: [],
    });
    expect(problemSchema.parse(problem)).toEqual(problem);
  });
});

describe("a country", () => {
  it("is an assigned code or XKX, in any case", () => {
    for (const [sent, read] of [
      ["BRA", "BRA"],
      ["bra", "BRA"],
      ["xKx", "XKX"],
    ]) {
      expect(countrySchema.parse(sent)).toBe(read);
    }
  });

  it.each(["", "BR", "BRAS", "AAA", "QQQ", "ZZZ", "ßA", "ıra", "   ", "-99", 76])("is not %j", (sent) => {
    expect(countrySchema.safeParse(sent).success).toBe(false);
  });
});

describe("parseRequest", () => {
  it("reads null as absent, at every depth", () => {
    const body = {
      input: { geometry, crs: null },
      reference_areas_country_iso3: null,
      reference_areas_source: null,
      reference_id: null,
    };
    expect(parseRequest(intersectionsRequestSchema, body)).toEqual({ value: { input: { geometry } } });
    const scheme = { type: "br:cnpj", value: "1" };
    const subject = { input: { scheme }, subject_source: null, match_op: null, reference_id: null };
    expect(parseRequest(subjectsRequestSchema, subject)).toEqual({
      value: { input: { scheme } },
    });
    const range = { input: { geometry, min_distance_m: null, max_distance_m: 5 } };
    expect(parseRequest(distanceRequestSchema(), range)).toMatchObject({
      value: { input: { max_distance_m: 5 } },
    });
    const faults = getFaults(
      parseRequest(distanceRequestSchema(), { input: { geometry: null, max_distance_m: null } }),
    );
    expect(faults.map(({ pointer }) => pointer)).toEqual(["/input/geometry", "/input/max_distance_m"]);
  });

  it("hands GeoJSON through untouched, without looking inside", () => {
    const hostile = new Proxy(
      {},
      { get: () => expect.fail("was read"), ownKeys: () => expect.fail("was walked") },
    );
    const parsed = parseRequest(intersectionsRequestSchema, { input: { geometry: hostile } });
    if (!("value" in parsed)) throw new Error("was refused");
    expect(Object.is(parsed.value.input.geometry, hostile)).toBe(true);
  });

  it("names the scheme that the type of an identifier most likely means", () => {
    const request = { input: { scheme: { type: "cnpj", value: "1" } }, ruleset: {} };
    const [fault] = getFaults(parseRequest(evaluateRequestSchema, request));
    expect(fault).toMatchObject({
      pointer: "/input/scheme/type",
      message: expect.stringContaining('did you mean "br:cnpj"?'),
    });
  });

  it("points at the fault inside one scheme or a list of them", () => {
    const evaluate = (scheme: unknown) =>
      getFaults(parseRequest(evaluateRequestSchema, { input: { scheme }, ruleset: {} }));
    expect(evaluate({ type: "br:cnpj", value: "1", rol: "owner" })).toMatchObject([
      { pointer: "/input/scheme/rol", code: "UNKNOWN_MEMBER", message: expect.stringContaining('"role"') },
    ]);
    expect(
      evaluate([
        { type: "br:cnpj", value: "1" },
        { type: "CNPJ", value: 1 },
      ]),
    ).toMatchObject([
      { pointer: "/input/scheme/1/type" },
      { pointer: "/input/scheme/1/value", code: "INVALID_TYPE" },
    ]);
    expect(evaluate([])).toMatchObject([{ pointer: "/input/scheme" }]);
    expect(evaluate("br:cnpj")).toMatchObject([{ pointer: "/input/scheme" }]);
  });

  it("escapes names in pointers and shortens long ones in messages", () => {
    const name = "a/b~c".repeat(100);
    const [fault] = getFaults(parseRequest(intersectionsRequestSchema, { input: { geometry }, [name]: 1 }));
    expect(fault!.pointer).toBe(`/${"a~1b~0c".repeat(100)}`);
    expect(fault!.message.length).toBeLessThan(300);
  });
});

describe("a distance request", () => {
  const faults = (input: object) =>
    getFaults(parseRequest(distanceRequestSchema(), { input: { geometry, ...input } })).map(
      ({ pointer }) => pointer,
    );

  it("needs max_distance_m, up to 1,000 km, and a minimum not above it", () => {
    expect(faults({})).toEqual(["/input/max_distance_m"]);
    expect(faults({ max_distance_m: 1_000_001 })).toEqual(["/input/max_distance_m"]);
    expect(faults({ max_distance_m: -1 })).toEqual(["/input/max_distance_m"]);
    expect(faults({ max_distance_m: "5" })).toEqual(["/input/max_distance_m"]);
    expect(faults({ max_distance_m: 5, min_distance_m: 6 })).toEqual(["/input/min_distance_m"]);
    expect(
      "value" in
        parseRequest(distanceRequestSchema(), {
          input: { geometry, max_distance_m: 1_000_000, min_distance_m: 1_000_000 },
        }),
    ).toBe(true);
  });
});

describe("an evaluate request", () => {
  const parse = (body: object) =>
    parseRequest<EvaluateRequest>(evaluateRequestSchema, { input: {}, ...body });

  it("names exactly one ruleset", () => {
    for (const body of [{}, { ruleset: {}, ruleset_id: "a" }, { ruleset: null, ruleset_id: null }]) {
      expect(getFaults(parse(body))).toMatchObject([{ pointer: "" }]);
    }
    expect(parse({ ruleset: { sets: {} } })).toMatchObject({ value: { ruleset: { inline: { sets: {} } } } });
  });

  it("takes name or name@version, a version of up to ten digits", () => {
    expect(parse({ ruleset_id: "Forest.plots-1_a" })).toMatchObject({
      value: { ruleset: { name: "Forest.plots-1_a" } },
    });
    expect(parse({ ruleset_id: "f@2147483647" })).toMatchObject({
      value: { ruleset: { name: "f", version: 2147483647 } },
    });
    for (const id of [
      "",
      "@1",
      "f@",
      "f@0",
      "f@01",
      "f@-1",
      "f@1.0",
      "f@10000000000",
      "f@1@2",
      ".f",
      "f g",
      `${"f".repeat(65)}`,
    ]) {
      expect(getFaults(parse({ ruleset_id: id })), id).toMatchObject([{ pointer: "/ruleset_id" }]);
    }
  });
});

describe("lengths", () => {
  it("are counted in characters, so that 128 of them may be four bytes each", () => {
    const parse = (reference_id: string) =>
      parseRequest(intersectionsRequestSchema, { input: { geometry }, reference_id });
    expect("value" in parse("🌳".repeat(128))).toBe(true);
    expect(getFaults(parse("🌳".repeat(129)))).toMatchObject([{ pointer: "/reference_id" }]);
  });
});

import { problemSchema } from "@groundrule/contract";
import { BOW_TIE } from "@groundrule/testing/shapes";
import { LISTED_CNPJ, smallWorld, squarePlot } from "@groundrule/testing/small-world";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { literalApp } from "../../test/literal-app.ts";

const SEED = 20_261_120;
const app = literalApp(smallWorld(["demo:lands"]));

const scheme = { type: "br:cnpj", value: LISTED_CNPJ };
const VALID: readonly [string, object][] = [
  [
    "/v1/intersections?geometry=area",
    { input: { geometry: squarePlot(0.1, 0.05) }, reference_areas_source: "demo:all" },
  ],
  ["/v1/distance", { input: { geometry: squarePlot(0.3, 0.05), min_distance_m: 0, max_distance_m: 20_000 } }],
  ["/v1/distance?explain=true", { input: { geometry: squarePlot(0.3, 0.05), max_distance_m: 20_000 } }],
  ["/v1/subjects", { input: { scheme }, match_op: "ilike", subject_source: "demo:sanctions" }],
  [
    "/v1/evaluate?evidence_limit=3&lint=true",
    {
      input: { geometry: squarePlot(0.1, 0.05), scheme: [{ ...scheme, role: "owner" }] },
      ruleset: {
        sets: {
          a: { sources: ["demo:all"], within_m: 10 },
          b: { registers: ["demo:sanctions"], asks: "owner" },
        },
        checks: [
          { id: "a", set: "a", measure: "min_distance_m", op: "<", value: 5, outcome: "WARNING" },
          {
            id: "b",
            any: [{ set: "b" }, { set: "a", measure: "count", op: ">=", value: 1 }],
            outcome: "NOTICE",
          },
        ],
      },
    },
  ],
];

/** Paths to every value inside a body. */
function placesIn(value: unknown, path: readonly string[] = []): string[][] {
  const inner = value !== null && typeof value === "object" ? Object.entries(value) : [];
  return [[...path], ...inner.flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, i) => (String(i) === key ? replaced(item, rest, by) : item));
  const members = value as Record<string, unknown>;
  return { ...members, [key]: replaced(members[key], rest, by) };
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "%",
    "\0",
    "__proto__",
    -1,
    0,
    181,
    1e15,
    0.1 + 0.2,
    true,
    [],
    [[]],
    {},
    [[[0, 0]]],
    "EPSG:4326",
    "demo:parks",
    { type: "Point", coordinates: [0.05, 0.05] },
    BOW_TIE,
    { type: "Feature", geometry: null },
    { type: "GeometryCollection", geometries: [] },
    { constructor: { prototype: {} } },
    "x".repeat(5000),
    Array.from({ length: 300 }, () => 0),
  ),
  fc.jsonValue({ maxDepth: 4 }),
);

describe("the service", () => {
  it("answers or refuses with a problem, and is never at fault, whatever a body holds anywhere", async () => {
    for (const [path, body] of VALID) expect((await app.post(path, body)).status, path).toBe(200);
    const request = fc
      .constantFrom(...VALID)
      .chain(([path, body]) =>
        fc.tuple(fc.constant(path), fc.constant(body), fc.constantFrom(...placesIn(body)), hostile),
      );
    await fc.assert(
      fc.asyncProperty(request, async ([path, body, place, value]) => {
        const response = await app.post(path, replaced(body, place, value));
        const sent = await response.json();
        expect([200, 400, 404, 422]).toContain(response.status);
        if (response.status !== 200) expect(problemSchema.parse(sent).status).toBe(response.status);
      }),
      { seed: SEED, numRuns: 1_500 },
    );
    expect(app.reported).toEqual([]);
  });

  it("refuses every unknown member outside GeoJSON, wherever it is added", async () => {
    for (const [path, body] of VALID) {
      for (const place of placesIn(body)) {
        const target = place.reduce<unknown>((value, key) => Object(value)[key], body);
        if (place.includes("geometry") || !isMembers(target)) continue;
        const response = await app.post(path, replaced(body, [...place, "unheard_of"], 1));
        expect(response.status, `${path} /${place.join("/")}`).toBe(422);
      }
    }
  });
});

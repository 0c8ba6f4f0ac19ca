import { gunzipSync } from "node:zlib";
import { problemSchema } from "@groundrule/contract";
import { createSmallWorld, createSquarePlot, LISTED_CNPJ } from "@groundrule/testing/small-world";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSchemaValidator } from "../../test/described.ts";
import { KEY, makeLiteralApp } from "../../test/literal-app.ts";
import { findSampleBody } from "../../test/operations.ts";
import { createArbitraryValues, type JsonSchema } from "../../test/schema-arbitrary.ts";
import { readSeed, readSizeVariable } from "../../test/seed.ts";
import { OPERATIONS } from "./operations/operations.ts";

// Requests made from the service's own description, near misses among them: no answer is our fault, and
// none has a status that is not described. `npm run tool -- fuzz-http` asks 10,000 of each operation.

const SEED = readSeed(20_261_120);
const REQUESTS = readSizeVariable("FUZZ_REQUESTS", 100);

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

interface DescribedAnswer {
  readonly headers: Readonly<
    Record<string, { readonly required: boolean; readonly schema: { readonly type: string } }>
  >;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const app = makeLiteralApp(createSmallWorld(["demo:lands"]));
const document = (await (await app.request("/openapi.json")).json()) as Document;
const validate = createSchemaValidator(document);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [operation.operationId, method, path, operation] as const,
  ),
);

const RULESET = {
  sets: {
    areas: { sources: ["demo:parks"], within_m: 10 },
    listed: { registers: ["demo:sanctions"], asks: "owner" },
  },
  checks: [
    { id: "areas", set: "areas", measure: "min_distance_m", op: "<", value: 5, outcome: "WARNING" },
    { id: "both", any: [{ set: "listed" }, { set: "areas", op: ">=", value: 1 }], outcome: "NOTICE" },
  ],
};

/** Valid bodies, for operations where the description alone seldom leads to one. */
const TAKEN: Readonly<Record<string, object>> = {
  evaluate: {
    input: {
      geometry: createSquarePlot(0.1, 0.05),
      scheme: [{ type: "br:cnpj", value: LISTED_CNPJ, role: "owner" }],
    },
    ruleset: RULESET,
  },
  createRuleset: { name: "fuzzed", ...RULESET },
  createJob: {
    plots: {
      type: "FeatureCollection",
      features: [{ type: "Feature", geometry: createSquarePlot(0.1, 0.05), properties: null }],
    },
    ruleset: RULESET,
  },
  validate: { geometry: createSquarePlot(0.1, 0.05), ruleset: RULESET },
};

/** Texts and values that break code which trusts them. */
const hostile: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  "",
  "%",
  "\0",
  "../..",
  "__proto__",
  "' OR 1=1 --",
  -0,
  1e308,
  2 ** 53,
  [],
  {},
  [[[]]],
  JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'),
  "x".repeat(3_000),
  "\ud800",
);

/** Generates the described value, and occasionally something else. */
function mixWithHostile(described: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: described }, { weight: 1, arbitrary: hostile });
}

function arbitraryRequests(
  path: string,
  method: string,
  operation: Operation,
): fc.Arbitrary<readonly [string, RequestInit]> {
  const parameters = operation.parameters ?? [];
  const within = (place: string) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema }) => [
            name,
            mixWithHostile(createArbitraryValues(schema, document)).map(toText),
          ]),
      ),
      place === "path" ? {} : { requiredKeys: [] },
    ) as fc.Arbitrary<Record<string, string>>;
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const headers = fc.record(
    {
      Accept: fc.constantFrom(
        "application/json",
        "application/geo+json",
        "text/csv",
        "*/*",
        "text/html;q=0.1",
      ),
      "Accept-Encoding": fc.constantFrom("gzip", "*;q=0.5", "gzip, identity;q=0", "identity;q=0", ";q=,\t"),
      "If-None-Match": fc.constantFrom("*", '"none"', 'W/"none", *', '"'),
      "Idempotency-Key": fc.oneof(
        fc.stringMatching(/^[A-Za-z0-9_:.-]{8,12}$/),
        fc.constantFrom("repeated-key-1", "repeated-key-2", "short", ""),
      ),
      "X-Request-Id": fc.constantFrom("job:1", "not an id", "x".repeat(200)),
    },
    { requiredKeys: [] },
  );
  return fc
    .tuple(
      within("path"),
      within("query"),
      headers,
      body === undefined
        ? fc.constant(undefined)
        : mutateBodies(arbitraryBodies(operation.operationId, body)),
    )
    .map(([inPath, query, sent, value]) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeText(inPath[name] ?? "x"));
      const search = Object.entries(query).map(([name, text]) => `${name}=${encodeText(text)}`);
      return [
        search.length === 0 ? filled : `${filled}?${search.join("&")}`,
        {
          method: method.toUpperCase(),
          headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json", ...sent },
          ...(value !== undefined && { body: JSON.stringify(value) }),
        },
      ] as const;
    });
}

function arbitraryBodies(operationId: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const described = mixWithHostile(createArbitraryValues(schema, document));
  const taken = TAKEN[operationId] ?? findExampleBody(operationId);
  return taken === undefined ? described : fc.oneof(described, fc.constant(taken));
}

/** The record's own, which any world takes unless it names sources of the demo. */
function findExampleBody(operationId: string): object | undefined {
  return findSampleBody(OPERATIONS.find(({ id }) => id === operationId)!);
}

/** One member anywhere replaced, now and then. */
function mutateBodies(bodies: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 2, arbitrary: bodies },
    {
      weight: 1,
      arbitrary: fc
        .tuple(bodies, fc.nat(), hostile)
        .map(([body, place, by]) => replaceAt(body, place % Math.max(1, countValues(body)), by)),
    },
  );
}

function countValues(value: unknown): number {
  if (value === null || typeof value !== "object") return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}

/** @param place number of the value to replace, in the order values begin */
function replaceAt(value: unknown, place: number, by: unknown): unknown {
  if (place === 0) return by;
  if (value === null || typeof value !== "object") return value;
  let next = 1;
  const members = Object.entries(value).map(([key, member]) => {
    const count = countValues(member);
    const replaced = place >= next && place < next + count ? replaceAt(member, place - next, by) : member;
    next += count;
    return [key, replaced] as const;
  });
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A lone surrogate has no UTF-8 to encode. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Differences between an answer's headers and the description, apart from the common headers. */
function listHeaderDifferences(headers: Headers, { headers: described }: DescribedAnswer): string[] {
  const names = [...headers.keys()].filter((name) => !COMMON_HEADERS.has(name));
  const known = new Map(Object.entries(described).map(([name, header]) => [name.toLowerCase(), header]));
  return [
    ...names.filter((name) => !known.has(name)).map((name) => `${name} is not described`),
    ...[...known].flatMap(([name, { required, schema }]) => {
      const value = headers.get(name);
      if (value === null) return required ? [`${name} is missing`] : [];
      return schema.type === "integer" && !/^[0-9]+$/.test(value) ? [`${name} is ${value}`] : [];
    }),
  ];
}

/** Decodes the body as `fetch` does, packed or not. */
async function readJson(response: Response): Promise<unknown> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isPacked = response.headers.get("Content-Encoding") === "gzip";
  return JSON.parse((isPacked ? gunzipSync(bytes) : bytes).toString());
}

/** Headers of the message itself, and of the browser's policy. */
const COMMON_HEADERS: ReadonlySet<string> = new Set([
  "content-length",
  ...[...(await app.request("/healthz")).headers.keys()].filter((name) => name !== "x-request-id"),
]);

describe("the service, as it describes itself", () => {
  it.each(operations)(
    "answers %s with what is described and is never at fault",
    async (_id, method, path, operation) => {
      const seen = new Set<number>();
      await fc.assert(
        fc.asyncProperty(arbitraryRequests(path, method, operation), async ([url, init]) => {
          const response = await app.request(url, init);
          seen.add(response.status);
          expect(response.status).toBeLessThan(500);
          // An empty segment no longer matches the route: the answer is 404.
          if (response.status === 404) return;
          expect(Object.keys(operation.responses), `${response.status} ${url}`).toContain(
            String(response.status),
          );
          const described = operation.responses[response.status]!;
          expect(listHeaderDifferences(response.headers, described), `${response.status} ${url}`).toEqual([]);
          if (response.status === 304) {
            expect([described.content, await response.text()]).toEqual([undefined, ""]);
            return;
          }
          const [mediaType = ""] = (response.headers.get("Content-Type") ?? "").split(";");
          expect(Object.keys(described.content ?? {})).toContain(mediaType);
          if (response.status >= 400) {
            expect(mediaType).toBe("application/problem+json");
            expect(problemSchema.parse(await response.clone().json()).status).toBe(response.status);
          }
          if (!mediaType.endsWith("json")) return;
          const at = ["paths", path, method, "responses", response.status, "content", mediaType, "schema"];
          expect(validate(at, await readJson(response)), `${response.status} ${url}`).toBeUndefined();
        }),
        { seed: SEED, numRuns: REQUESTS },
      );
      expect(app.reported).toEqual([]);
      expect(Object.keys(Object.prototype), "T-42").toEqual([]);
      const metrics = await (await app.request("/metrics")).text();
      for (const gauge of ["requests_running", "requests_waiting", "bodies_bytes"]) {
        expect(metrics, "what a request held is given back").toMatch(
          new RegExp(`^groundrule_${gauge} 0$`, "m"),
        );
      }
      if (operation.requestBody !== undefined)
        expect(
          [...seen].some((status) => status < 300),
          "some are taken",
        ).toBe(true);
    },
  );
});

it("refuses every unknown member outside GeoJSON, wherever a body has it", async () => {
  const paths = new Map(operations.map(([id, , path]) => [id, path]));
  for (const [id, body] of Object.entries(TAKEN)) {
    for (const sent of extendObjects(body)) {
      const { status } = await app.post(paths.get(id)!, sent, { "Idempotency-Key": "unknown-member" });
      // The operation that validates rulesets answers 200 for an invalid one.
      expect([422, id === "validate" ? 200 : 422], JSON.stringify(sent)).toContain(status);
    }
  }
});

/** Yields the body with an extra member in each of its objects that is not GeoJSON. */
function* extendObjects(value: unknown): Generator<unknown> {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) yield { ...value, unheard_of: 1 };
  for (const [key, member] of Object.entries(value)) {
    if (key === "geometry" || key === "plots") continue;
    for (const inner of extendObjects(member)) {
      yield Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
    }
  }
}

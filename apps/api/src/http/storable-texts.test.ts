import { join } from "node:path";
import { usageResponseShape } from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectProblem, HttpCaller, NO_PARKS } from "../../test/http.ts";
import { startService, type TestService } from "../../test/service.ts";
import { createLiveScope, makeSettlement } from "../../test/settlement.ts";
import { sharedPostgres } from "../../test/shared-postgres.ts";
import { createKey } from "../admin/api-keys.ts";
import { createOrganization } from "../admin/organizations.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/port/port.ts";

// A text that one database cannot store is refused with either: the same cases over HTTP on each.

const folder = createSharedFolder().at();

const geometry = createSquarePlot(0.05, 0.05);
const input = { geometry };
const ruleset = NO_PARKS;
const scheme = { type: "br:cnpj", value: "1" };
const feature = { type: "Feature", properties: { "owner\0": "A", farm: "B\0" }, geometry };

const BODIES: readonly [path: string, body: object, ...pointers: string[]][] = [
  ["/v1/evaluate", { input, ruleset, reference_id: "a\0b" }, "/reference_id"],
  ["/v1/evaluate?explain=true", { input, ruleset, reference_id: "\0" }, "/reference_id"],
  ["/v1/evaluate", { input, ruleset_id: "plots\0" }, "/ruleset_id"],
  [
    "/v1/evaluate",
    { input: { geometry: feature }, ruleset },
    "/input/geometry/properties/owner\0",
    "/input/geometry/properties/farm",
  ],
  [
    "/v1/evaluate",
    { input: { geometry, scheme: { ...scheme, role: "owner\0" } }, ruleset },
    "/input/scheme/role",
  ],
  ["/v1/intersections", { input, reference_id: "\0" }, "/reference_id"],
  ["/v1/intersections", { input: { geometry, crs: "EPSG:4326\0" } }, "/input/crs"],
  ["/v1/intersections", { input, reference_areas_source: "demo:parks\0" }, "/reference_areas_source"],
  ["/v1/distance", { input: { geometry, max_distance_m: 1 }, reference_id: "x\0" }, "/reference_id"],
  ["/v1/subjects", { input: { scheme }, reference_id: "\0x" }, "/reference_id"],
  ["/v1/subjects", { input: { scheme: { ...scheme, value: "1\0" } } }, "/input/scheme/value"],
  ["/v1/subjects", { input: { scheme }, "subject\0source": "x" }, "/subject\0source"],
  ["/v1/validate", { ruleset: { ...ruleset, description: "\0" } }, "/ruleset/description"],
  ["/v1/rulesets", { name: "plots\0", ...ruleset }, "/name"],
  ["/v1/rulesets", { name: "plots", description: "why\0", ...ruleset }, "/description"],
  [
    "/v1/rulesets",
    { name: "plots", ...ruleset, checks: [{ ...ruleset.checks[0], title: "a~/\0" }] },
    "/checks/0/title",
  ],
  [
    "/v1/rulesets",
    { name: "plots", ...ruleset, sets: { "a~/b": { sources: ["\0"] } } },
    "/sets/a~0~1b/sources/0",
  ],
];

const QUERIES: readonly [path: string, pointer: string][] = [
  ["/v1/decisions?reference_id=a%00", "?reference_id"],
  ["/v1/decisions?request_id=%00", "?request_id"],
  ["/v1/decisions?from=2026-01-01T00:00:00Z%00", "?from"],
  ["/v1/rulesets?name=%00", "?name"],
  ["/v1/rulesets?page=1%00", "?page"],
  ["/v1/sources?country_iso3=BR%00", "?country_iso3"],
];

const PATHS: readonly [path: string, code: string][] = [
  ["/v1/rulesets/plots%00", "RULESET_NOT_FOUND"],
  ["/v1/rulesets/plots%00/1", "RULESET_NOT_FOUND"],
  ["/v1/rulesets/plots/1%00", "RULESET_NOT_FOUND"],
  ["/v1/rulesets/%ED%A0%80", "RULESET_NOT_FOUND"],
  ["/v1/decisions/dec_%00", "NOT_FOUND"],
];

describe.each(["SQLite", "PostgreSQL"])("texts that a database cannot hold, with %s", (kind) => {
  let service: TestService;
  let store: Store;
  let caller: HttpCaller;

  beforeAll(async () => {
    store = await openStore(
      kind === "SQLite" ? `sqlite:${join(folder, "state.db")}` : await sharedPostgres.createDatabase(),
      { absent: "make" },
    );
    service = await startService(createSmallWorld(), { store });
    caller = new HttpCaller(service);
  });
  afterAll(() => service.stop());

  it.each(BODIES)(
    "are refused in a body of %s with their place, whatever the key: %j",
    async (path, body, ...pointers) => {
      for (const headers of [{}, { "Idempotency-Key": "some-text" }]) {
        const problem = await expectProblem(caller.post(path, body, headers));
        expect(problem).toMatchObject({ status: 422, code: "VALIDATION_FAILED" });
        expect(problem.errors.map(({ pointer }) => pointer)).toEqual(pointers);
        expect(problem.errors[0]).toMatchObject({ code: "TEXT_INVALID" });
      }
    },
  );

  it.each(QUERIES)("are refused in a query: %s", async (path, pointer) => {
    expect(await expectProblem(caller.get(path))).toMatchObject({
      status: 422,
      code: "VALIDATION_FAILED",
      errors: [{ pointer, code: "TEXT_INVALID" }],
    });
  });

  it.each(PATHS)("name nothing in a path: %s", async (path, code) => {
    expect(await expectProblem(caller.get(path))).toMatchObject({ status: 404, code });
  });

  it("are refused where they are half a surrogate pair, as no JSON text", async () => {
    const text = JSON.stringify({ input, ruleset, reference_id: "a" }).replace('"a"', '"\\ud800"');
    expect(await expectProblem(caller.post("/v1/evaluate", text))).toMatchObject({
      status: 400,
      errors: [{ pointer: "/reference_id", code: "LONE_SURROGATE" }],
    });
  });

  it("charge nothing, and keep no key", async () => {
    const usage = readShape(usageResponseShape, await (await caller.get("/v1/usage")).json());
    expect(usage.data.used).toBe(0);
    const answered = await caller.post(
      "/v1/evaluate",
      { input, ruleset },
      { "Idempotency-Key": "some-text" },
    );
    expect(answered.status).toBe(200);
    expect(answered.headers.has("Idempotent-Replayed")).toBe(false);
  });

  it("are others than a backslash before u0000, and than all else in Unicode, which are kept as they are", async () => {
    for (const reference of ["\\u0000", "\u0001\u007f\ufffe\uffff", "\ufeff e\u0301 \u{1f333} \u202e"]) {
      const charged = await caller.post("/v1/evaluate", { input, ruleset, reference_id: reference });
      expect(charged.status).toBe(200);
      const found = await caller.get(`/v1/decisions?reference_id=${encodeURIComponent(reference)}`);
      expect(await found.json()).toMatchObject({ data: { items: [{ reference_id: reference }] } });
    }
  });

  it("are refused by the store itself, alone of a group and before anything is written", async () => {
    const scope = await createLiveScope(store, 9);
    const settled = await Promise.allSettled(
      ["a", "b\0", "c", "\udc00"].map((referenceId) => store.settle(makeSettlement(scope, { referenceId }))),
    );
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
    expect((await store.usage({ scope }))?.period.used).toBe(2);
    const ports = { store, pepper: { version: 1, secret: new Uint8Array(32) } };
    const refused: readonly [string, () => Promise<unknown>][] = [
      ["the reason", () => store.freeze({ scope, reason: "\0" })],
      ["a name", () => createOrganization(ports, { name: "a\0b", liveQuota: 1 })],
      ["a source", () => createOrganization(ports, { name: "a", liveQuota: 1, sources: ["\0"] })],
      ["a key's name", () => createKey(ports, { ...scope, name: "\ud800" })],
      ["a pinned name", () => store.findRuleset({ scope, name: "\0" })],
      ["a row", () => store.importRows({ table: "organization", columns: ["id"], batch: [{ id: "\0" }] })],
    ];
    for (const [what, refuse] of refused) {
      await expect(refuse(), what).rejects.toMatchObject({ code: "VALUE_INVALID" });
    }
  });
});

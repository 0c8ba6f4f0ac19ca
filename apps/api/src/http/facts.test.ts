import { createClient } from "@groundrule/client";
import { evaluateResponseShape, explainResponseShape } from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { parseRecord, replayRecord } from "@groundrule/engine/records";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectProblem } from "../../test/http.ts";
import { isFinal, JobCaller, readJobResponse } from "../../test/jobs-over-http.ts";
import { startService, type TestService } from "../../test/service.ts";

const RULESET = {
  facts: {
    modules: { type: "number", min: 0, question: { en: "How many fiscal modules?" } },
    permit: { type: "document", question: { en: "Is there a permit?" } },
  },
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [
    {
      id: "large-in-park",
      all: [{ set: "parks" }, { fact: "modules", op: ">", value: 4 }],
      outcome: "NON_COMPLIANT",
    },
    {
      id: "property-in-park",
      all: [{ set: "parks", measure: "overlap_ratio", on: "property", op: ">", value: 0.5 }],
      outcome: "WARNING",
    },
  ],
};
const PERMIT = { id: "P-1", issuer: "State", issued_on: "2024-01-01" };
const geometry = createSquarePlot(0.03, 0.05);
/** A property twice the size of the plot, within the park. */
const property = {
  type: "Polygon",
  coordinates: [
    [
      [0.02, 0.04],
      [0.06, 0.04],
      [0.06, 0.06],
      [0.02, 0.06],
      [0.02, 0.04],
    ],
  ],
};
const INPUT = { geometry, property, facts: { modules: 6, permit: PERMIT } };

let service: TestService;
let caller: JobCaller;

beforeAll(async () => {
  service = await startService(createSmallWorld(), { jobs: { lookMs: 20, examineMs: 20 } });
  caller = new JobCaller(service);
});
afterAll(() => service.stop());

// biome-ignore lint/suspicious/noExplicitAny: what is looked at is told by each test
const bodyOf = async (response: Response | Promise<Response>): Promise<any> => (await response).json();
const ask = (input: object, headers: Record<string, string> = {}) =>
  caller.post("/v1/evaluate", { input, ruleset: RULESET }, headers);

describe("facts and a property over HTTP", () => {
  it("are of saved rulesets too, whose declarations are returned as they were sent", async () => {
    const saved = await caller.post("/v1/rulesets", { name: "with-facts", ...RULESET });
    expect(saved.status).toBe(201);
    expect((await bodyOf(saved)).data.body).toEqual(RULESET);
    const { data } = await bodyOf(caller.post("/v1/evaluate", { input: INPUT, ruleset_id: "with-facts@1" }));
    expect(data.facts).toMatchObject([{ fact: "modules", value: 6 }, { fact: "permit" }]);
    const misread = await caller.post("/v1/rulesets", { name: "misread", ...RULESET, facts: { permit: 1 } });
    const { code, errors } = await expectProblem(misread);
    expect([code, errors[0]?.pointer]).toEqual(["RULESET_INVALID", "/facts/permit"]);
  });

  it("reach the engine, and are printed as declared", async () => {
    const response = await ask(INPUT);
    const { data } = readShape(evaluateResponseShape, await response.json());
    expect(data).toMatchObject({
      verdict: "NON_COMPLIANT",
      facts: [
        { fact: "modules", value: 6 },
        { fact: "permit", value: PERMIT, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ],
      checks: [
        { triggered: true, declared: [{ fact: "modules", value: 6, threshold: 4 }] },
        { triggered: true, comparisons: [{ on: "property" }] },
      ],
    });
    expect(data.input.property_area_m2! / data.input.area_m2!).toBeCloseTo(2, 3);
    const absent = await bodyOf(ask({ geometry, property, facts: null }));
    expect(absent.data.checks[0]).toMatchObject({ status: "not_declared", outcome: "WARNING" });
    const alone = await bodyOf(ask({ geometry, facts: INPUT.facts }));
    expect(alone.data.checks[1]).toMatchObject({ status: "not_declared", outcome: "WARNING" });
  });

  it.each([
    ["a fact that nobody asks for", { facts: { modulos: 6 } }, "/input/facts/modulos", "FACT_UNKNOWN"],
    ["a value of another type", { facts: { modules: "6" } }, "/input/facts/modules", "FACT_UNSUITED"],
    ["a value out of bounds", { facts: { modules: -1 } }, "/input/facts/modules", "FACT_UNSUITED"],
    [
      "a document without its issuer",
      { facts: { permit: { id: "1" } } },
      "/input/facts/permit/issuer",
      undefined,
    ],
    ["facts that are no object", { facts: "modules" }, "/input/facts", undefined],
    [
      "a property beside the plot",
      { property: createSquarePlot(0.5, 0.5) },
      "/input/property",
      "PROPERTY_NOT_AROUND_PLOT",
    ],
    [
      "a property that is no polygon",
      { property: { type: "Point", coordinates: [0, 0] } },
      "/input/property",
      undefined,
    ],
    ["a property without a plot", { geometry: undefined }, "/input/property", "PROPERTY_WITHOUT_PLOT"],
  ])("are refused at their place: %s", async (_, more, pointer, code) => {
    const { status, errors } = await expectProblem(ask({ ...INPUT, ...more }));
    expect(status).toBe(422);
    expect(errors!.map((fault) => fault.pointer.replace(/(property).*$/, "$1"))).toContain(pointer);
    if (code !== undefined) expect(errors!.map((fault) => fault.code)).toContain(code);
  });

  it("make another request of the same key, and the same bytes of the same one", async () => {
    const key = { "Idempotency-Key": "facts-000001" };
    const first = await (await ask(INPUT, key)).text();
    const again = await ask(INPUT, key);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await again.text()).toBe(first);
    for (const other of [
      { facts: { ...INPUT.facts, modules: 5 } },
      { property: geometry },
      { facts: { ...INPUT.facts, permit: { ...PERMIT, id: "P-2" } } },
    ]) {
      expect(await expectProblem(ask({ ...INPUT, ...other }, key))).toMatchObject({
        status: 422,
        code: "IDEMPOTENCY_KEY_CONFLICT",
      });
    }
  });

  it("are in the recorded decision, which is evaluated again to the same verdict", async () => {
    const answer = await bodyOf(ask(INPUT));
    const { data: listed } = await bodyOf(caller.get(`/v1/decisions?request_id=${answer.meta.request_id}`));
    const [{ decision_id }] = listed.items;
    const { data } = await bodyOf(caller.get(`/v1/decisions/${decision_id}`));
    expect(data.record.request.input).toEqual(INPUT);
    const record = parseRecord(data.record);
    expect(replayRecord(createSmallWorld(), record)).toMatchObject({ result: "identical", differs: [] });
  });

  it("are explained without being evaluated", async () => {
    const response = await caller.post("/v1/evaluate?explain=true", { input: INPUT, ruleset: RULESET });
    const { data } = readShape(explainResponseShape, await response.json());
    expect(data.plan).toMatchObject({
      checks: [{ facts: ["modules"] }, { needs: ["geometry", "property"] }],
      refusals: [],
    });
  });

  it("are sent by the client as they are", async () => {
    const client = createClient({ baseUrl: service.url, apiKey: service.key });
    const { data } = await client.evaluate({ input: INPUT, ruleset: RULESET });
    expect(data.facts).toMatchObject([{ value: 6 }, { value: PERMIT }]);
  });

  it("are declared in the ruleset that validation takes", async () => {
    const answer = await caller.post("/v1/validate", { ruleset: RULESET });
    expect((await bodyOf(answer)).data.ruleset).toMatchObject({ valid: true });
    const unknown = {
      ...RULESET,
      checks: [{ id: "one", fact: "modulos", op: ">", value: 4, outcome: "WARNING" }],
    };
    const { data } = await bodyOf(caller.post("/v1/validate", { ruleset: unknown }));
    expect(data.ruleset.lint).toContainEqual(
      expect.objectContaining({ code: "FACT_UNKNOWN", pointer: "/ruleset/checks/0/fact" }),
    );
  });

  it("belong to each plot of a job, whose answer is that of a single request", async () => {
    const of = (properties: object) => ({ type: "Feature", geometry, properties });
    const features = [
      of({ facts: INPUT.facts, property }),
      of({ facts: { modules: 1 }, property }),
      of({ facts: { modulos: 1 }, property }),
      of({ facts: [1], property }),
      of({ property: "POLYGON((0 0,1 0,1 1,0 0))" }),
    ];
    const sent = await readJobResponse(await caller.send(features, "job-with-facts", { ruleset: RULESET }));
    await caller.until(sent.id, isFinal);
    const results = await caller.results(sent.id);
    const single = await bodyOf(ask(INPUT));
    expect(results[0]).toMatchObject({ response: { data: { digest: single.data.digest } } });
    expect(results[1]).toMatchObject({
      response: { data: { checks: [{ triggered: false, status: "ok" }, {}] } },
    });
    expect(results.slice(2).map((line) => "error" in line && line.error.errors?.[0]?.pointer)).toEqual([
      "/facts/modulos",
      "/properties/facts",
      "/properties/property",
    ]);
  });
});

import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { describe, expect, it } from "vitest";
import { Answerer } from "../answerer.ts";
import { NODE_HOST } from "../node-host.ts";
import type { BodyTask, ReadJob } from "../task/body-task.ts";
import { JOBS_PATH, type JobQuery } from "./read-job.ts";

const RULESET = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "parks", set: "parks", outcome: "WARNING" }],
};
const PLOT = createSquarePlot(0.05, 0.05);
const feature = (more: object = {}) => ({ type: "Feature", geometry: PLOT, properties: null, ...more });
const collection = (...features: unknown[]) => ({ type: "FeatureCollection", features });
const linesOf = (...values: unknown[]) =>
  values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("\n");

const answerer = new Answerer(createSmallWorld(), NODE_HOST);
const QUERY = { evidence_limit: 20, lint: false, explain: false };

function createTask(body: string, form: JobQuery["form"]): BodyTask {
  return {
    step: "answer",
    route: JOBS_PATH,
    body: Buffer.from(body).toString("latin1"),
    query: { form },
    mediaType: "application/json",
    requestId: "req_1",
    engineVersion: "0",
    now: "2026-11-20T10:00:00.000Z",
    organization: "org_1",
    mode: "test",
  };
}
function read(body: string, form: JobQuery["form"], more: Partial<BodyTask> = {}) {
  return answerer.answer({ ...createTask(body, form), ...more });
}
const job = (body: string, form: JobQuery["form"]) => read(body, form) as ReadJob;

describe("an upload of a job", () => {
  it("gives each plot as the command reads it, in either form", () => {
    const point = { type: "Point", coordinates: [0.05, 0.05] };
    const scheme = { type: "br:cnpj", value: "12345678000195" };
    const features = [
      feature({ id: "a" }),
      feature({ properties: { id: 7, country: "br", scheme } }),
      feature({ geometry: point, properties: { Area: 2 } }),
    ];
    const expected = [
      { id: "a", input: { geometry: PLOT } },
      { id: 7, input: { geometry: PLOT, scheme, country_iso3: "BRA" } },
      { id: 3, input: { geometry: point, area_ha: 2 } },
    ];
    const bodies = [
      [JSON.stringify({ ruleset: RULESET, plots: collection(...features) }), "json"],
      [linesOf({ ruleset: RULESET }, ...features), "lines"],
    ] as const;
    for (const [body, form] of bodies) {
      const { kind, plots, editions, digest } = job(body, form);
      expect(kind).toBe("job");
      expect(
        plots.map((plot) => ("input" in plot ? { id: plot.id, input: JSON.parse(plot.input) } : plot)),
      ).toEqual(expected);
      expect(Object.keys(editions)).toEqual(["demo:parks"]);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it("reports what is wrong with one plot in its place", () => {
    const { plots } = job(
      linesOf(
        { ruleset: RULESET },
        feature({ properties: { Area: "2" }, geometry: { type: "Point", coordinates: [0, 0] } }),
        "",
        '{"type":"Feature","id":1,"id":2}',
        '"plot"',
        feature({ id: "x".repeat(257) }),
        PLOT,
      ),
      "lines",
    );
    expect(
      plots.map((plot) =>
        "error" in plot ? [plot.id, plot.error.code, plot.error.faults[0]!.pointer] : plot.id,
      ),
    ).toEqual([
      [1, "VALIDATION_FAILED", "/properties/Area"],
      [2, "MALFORMED_JSON", "/id"],
      [3, "VALIDATION_FAILED", ""],
      [4, "VALIDATION_FAILED", "/id"],
      5,
    ]);
    expect((plots[1] as { error: { message: string } }).error.message).toMatch(/^line 4: /);
  });

  it("is refused whole where its terms, its ruleset or the number of plots is at fault", () => {
    const refusal = (body: string, form: JobQuery["form"]) => {
      const result = read(body, form);
      return result.kind === "refused"
        ? [result.refusal.code, result.refusal.errors?.[0]?.pointer]
        : result.kind;
    };
    const many = Array.from({ length: 10_001 }, () => "1");
    expect(refusal("{", "json")).toEqual(["MALFORMED_JSON", ""]);
    expect(refusal(JSON.stringify({ ruleset: RULESET, plots: collection() }), "json")).toEqual([
      "VALIDATION_FAILED",
      "/plots/features",
    ]);
    expect(refusal(JSON.stringify({ plots: collection(1) }), "json")[0]).toBe("VALIDATION_FAILED");
    expect(
      refusal(JSON.stringify({ ruleset: { sets: {}, checks: 1 }, plots: collection(1) }), "json"),
    ).toEqual(["RULESET_INVALID", "/ruleset/checks"]);
    expect(refusal(linesOf({ ruleset: RULESET }), "lines")).toEqual(["VALIDATION_FAILED", ""]);
    expect(refusal(linesOf({ ruleset: RULESET }, ...many), "lines")).toEqual(["VALIDATION_FAILED", ""]);
    expect(refusal(JSON.stringify({ ruleset: RULESET, plots: collection(...many) }), "json")).toEqual([
      "VALIDATION_FAILED",
      "/plots/features",
    ]);
  });

  it("is the same upload in another order of members, and another with another plot", () => {
    const of = (...features: unknown[]) =>
      job(linesOf({ ruleset: RULESET }, ...features), "lines").fingerprint;
    expect(of({ geometry: PLOT, type: "Feature" })).toBe(of({ type: "Feature", geometry: PLOT }));
    expect(of(feature())).not.toBe(of(feature(), feature()));
    expect(of(feature())).not.toBe(of(feature({ id: 2 })));
    expect(of("plot")).not.toBe(of('"plot"'));
    expect(of(feature())).toBe(of("", " \r", feature(), "\r\n\n"));
  });

  it("reads past the byte order mark of a file that was appended to its terms", () => {
    const { plots } = job(
      `${JSON.stringify({ ruleset: RULESET })}\n\ufeff${linesOf(feature({ id: "a" }))}`,
      "lines",
    );
    expect(plots).toMatchObject([{ id: "a", input: expect.any(String) }]);
  });

  it("counts empty lines and reads nothing more of them", () => {
    const empty = "\n".repeat(10_000_000);
    const [plot] = job(`${JSON.stringify({ ruleset: RULESET })}\n${empty}7`, "lines").plots;
    expect(plot).toMatchObject({ id: 1, error: { message: expect.stringMatching(/^line 10000002: /) } });
  });

  it("has its plots judged on its editions and no others, be it one that was opened since", () => {
    const body = JSON.stringify({ input: { geometry: PLOT }, ruleset: RULESET });
    const { editions } = job(linesOf({ ruleset: RULESET }, feature()), "lines");
    const judged = (pinned: ReadJob["editions"]) =>
      answerer.answer({ ...createTask(body, "json"), route: "/v1/evaluate", query: QUERY, pinned }).kind;
    expect(judged(editions)).toBe("answered");
    expect(judged({})).toBe("other editions");
    expect(judged({ ...editions, more: "0" })).toBe("other editions");
  });

  it("wants a saved ruleset, and keeps its name", () => {
    const body = linesOf({ ruleset_id: "parks" }, feature());
    expect(read(body, "lines")).toEqual({ kind: "ruleset wanted", named: { name: "parks" } });
    const saved = { name: "parks", version: 3, body: JSON.stringify(RULESET) };
    expect(read(body, "lines", { saved })).toMatchObject({
      kind: "job",
      origin: { name: "parks", version: 3 },
    });
  });
});

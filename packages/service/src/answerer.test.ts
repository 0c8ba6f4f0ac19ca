import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { expect, it } from "vitest";
import { Answerer } from "./answerer.ts";
import { NODE_HOST } from "./node-host.ts";
import type { BodyTask } from "./task/body-task.ts";

const SAVED = {
  name: "parks",
  version: 3,
  body: JSON.stringify({
    sets: { parks: { sources: ["demo:parks"] } },
    checks: [{ id: "parks", set: "parks", outcome: "WARNING" }],
  }),
};

function createTask(ruleset_id: string, more: Partial<BodyTask> = {}): BodyTask {
  return {
    step: "answer",
    route: "/v1/evaluate",
    body: JSON.stringify({ input: { geometry: createSquarePlot(0.05, 0.05) }, ruleset_id }),
    query: { evidence_limit: 20, lint: false, explain: false },
    mediaType: "application/json",
    requestId: "req_1",
    engineVersion: "0",
    now: "2026-11-20T10:00:00.000Z",
    organization: "org_1",
    mode: "test",
    ...more,
  };
}

it("wants a pinned ruleset once for an organization and mode, and the latest of a name every time", () => {
  const answerer = new Answerer(createSmallWorld(), NODE_HOST);
  const wanted = (name: string, version?: number) => ({
    kind: "ruleset wanted",
    named: version === undefined ? { name } : { name, version },
  });
  expect(answerer.answer(createTask("parks@3"))).toEqual(wanted("parks", 3));
  const first = answerer.answer(createTask("parks@3", { saved: SAVED }));
  expect(first).toMatchObject({ kind: "answered", complete: true });
  expect(answerer.answer(createTask("parks@3"))).toEqual(first);
  expect(answerer.answer(createTask("parks@2"))).toEqual(wanted("parks", 2));
  expect(answerer.answer(createTask("parks@3", { mode: "live" }))).toEqual(wanted("parks", 3));
  expect(answerer.answer(createTask("parks@3", { organization: "org_2" }))).toEqual(wanted("parks", 3));
  expect(answerer.answer(createTask("parks", { saved: SAVED }))).toMatchObject({ kind: "answered" });
  expect(answerer.answer(createTask("parks"))).toEqual(wanted("parks"));
});

it("shows no source to whom none is available, and keeps what was shown to others apart", () => {
  const answerer = new Answerer(createSmallWorld(), NODE_HOST);
  const body = JSON.stringify({ input: { geometry: createSquarePlot(0.05, 0.05) } });
  const listed = (within?: readonly string[]) => {
    const query = { geometry: "none", explain: false };
    const task = createTask("", { route: "/v1/intersections", body, query, ...(within && { within }) });
    const answered = answerer.answer(task);
    if (answered.kind !== "answered") throw new Error(`the request was ${answered.kind}`);
    return answered.sources.map(({ source_name }) => source_name);
  };
  expect(listed()).toEqual(["demo:lands", "demo:parks"]);
  expect(listed([])).toEqual([]);
  expect(listed([""])).toEqual([]);
  expect(listed(["*:parks"])).toEqual(["demo:parks"]);
  // One pattern that contains a comma is not two patterns, in either order.
  expect(listed(["demo:lands,demo:parks"])).toEqual([]);
  expect(listed(["demo:lands", "demo:parks"])).toEqual(["demo:lands", "demo:parks"]);
  expect(listed()).toEqual(["demo:lands", "demo:parks"]);
});

it("identifies a request by what can change its answer, and not by how it is written", () => {
  const answerer = new Answerer(createSmallWorld(), NODE_HOST);
  const geometry = createSquarePlot(0.05, 0.05);
  const identified = (body: string, more: Partial<BodyTask> = {}) => {
    const result = answerer.answer(createTask("", { step: "identify", body, ...more }));
    if (result.kind !== "identified") throw new Error(`the request was ${result.kind}`);
    return result.fingerprint;
  };
  const body = JSON.stringify({ input: { geometry }, ruleset_id: "parks" });
  const fingerprint = identified(body);
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(identified(JSON.stringify({ ruleset_id: "parks", input: { geometry } }, null, 2))).toBe(fingerprint);
  expect(identified(body, { requestId: "req_2", now: "2027-01-01T00:00:00.000Z" })).toBe(fingerprint);
  expect(identified(body.replace("parks", "lands"))).not.toBe(fingerprint);
  expect(identified(body, { route: "/v1/intersections" })).not.toBe(fingerprint);
  expect(identified(body, { mediaType: "application/geo+json" })).not.toBe(fingerprint);
  expect(identified(body, { query: { evidence_limit: 5, lint: false, explain: false } })).not.toBe(
    fingerprint,
  );
});

it("answers a request under the fingerprint by which it is identified alone", () => {
  const answerer = new Answerer(createSmallWorld(), NODE_HOST);
  const body = JSON.stringify({ input: { geometry: createSquarePlot(0.05, 0.05) }, reference_id: "a" });
  const task = createTask("", {
    route: "/v1/intersections",
    body,
    query: { geometry: "none", explain: false },
  });
  const identified = answerer.answer({ ...task, step: "identify" });
  if (identified.kind !== "identified") throw new Error(`the request was ${identified.kind}`);
  const { fingerprint } = identified;
  expect(answerer.answer(task)).toMatchObject({ kind: "answered", complete: true, fingerprint });
});

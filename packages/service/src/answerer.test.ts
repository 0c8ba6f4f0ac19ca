import { smallWorld, squarePlot } from "@groundrule/testing/small-world";
import { expect, it } from "vitest";
import { Answerer } from "./answerer.ts";
import type { BodyTask } from "./task/body-task.ts";

const SAVED = {
  name: "parks",
  version: 3,
  body: JSON.stringify({
    sets: { parks: { sources: ["demo:parks"] } },
    checks: [{ id: "parks", set: "parks", outcome: "WARNING" }],
  }),
};

function taskOf(ruleset_id: string, more: Partial<BodyTask> = {}): BodyTask {
  return {
    step: "answer",
    route: "/v1/evaluate",
    body: JSON.stringify({ input: { geometry: squarePlot(0.05, 0.05) }, ruleset_id }),
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
  const answerer = new Answerer(smallWorld());
  const wanted = (name: string, version?: number) => ({
    kind: "ruleset wanted",
    named: version === undefined ? { name } : { name, version },
  });
  expect(answerer.answer(taskOf("parks@3"))).toEqual(wanted("parks", 3));
  const first = answerer.answer(taskOf("parks@3", { saved: SAVED }));
  expect(first).toMatchObject({ kind: "answered", complete: true });
  expect(answerer.answer(taskOf("parks@3"))).toEqual(first);
  expect(answerer.answer(taskOf("parks@2"))).toEqual(wanted("parks", 2));
  expect(answerer.answer(taskOf("parks@3", { mode: "live" }))).toEqual(wanted("parks", 3));
  expect(answerer.answer(taskOf("parks@3", { organization: "org_2" }))).toEqual(wanted("parks", 3));
  expect(answerer.answer(taskOf("parks", { saved: SAVED }))).toMatchObject({ kind: "answered" });
  expect(answerer.answer(taskOf("parks"))).toEqual(wanted("parks"));
});

it("shows no source to whom none is available, and keeps what was shown to others apart", () => {
  const answerer = new Answerer(smallWorld());
  const body = JSON.stringify({ input: { geometry: squarePlot(0.05, 0.05) } });
  const asked = (within?: readonly string[]) => {
    const query = { geometry: "none", explain: false };
    const task = taskOf("", { route: "/v1/intersections", body, query, ...(within && { within }) });
    const answered = answerer.answer(task);
    if (answered.kind !== "answered") throw new Error(`the request was ${answered.kind}`);
    return answered.sources.map(({ source_name }) => source_name);
  };
  expect(asked()).toEqual(["demo:lands", "demo:parks"]);
  expect(asked([])).toEqual([]);
  expect(asked([""])).toEqual([]);
  expect(asked(["*:parks"])).toEqual(["demo:parks"]);
  // One pattern that holds a comma is not two patterns, in whichever order they come.
  expect(asked(["demo:lands,demo:parks"])).toEqual([]);
  expect(asked(["demo:lands", "demo:parks"])).toEqual(["demo:lands", "demo:parks"]);
  expect(asked()).toEqual(["demo:lands", "demo:parks"]);
});

it("identifies a request by what can change its answer, and not by how it is written", () => {
  const answerer = new Answerer(smallWorld());
  const geometry = squarePlot(0.05, 0.05);
  const identified = (body: string, more: Partial<BodyTask> = {}) => {
    const result = answerer.answer(taskOf("", { step: "identify", body, ...more }));
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

it.each([
  ["short", 1],
  ["longer than is kept", 4_000],
])("answers a body that is %s the same where it was identified and where it was not", (_, repeats) => {
  const answerer = new Answerer(smallWorld());
  const [west, south] = [0.05, 0.05];
  const side = Array.from({ length: repeats }, (_, i) => [west + (0.01 * i) / repeats, south]);
  const ring = [...side, [west + 0.01, south], [west + 0.01, south + 0.01], [west, south + 0.01], side[0]];
  const body = JSON.stringify({ input: { geometry: { type: "Polygon", coordinates: [ring] } } });
  const task = taskOf("", {
    route: "/v1/intersections",
    body,
    query: { geometry: "none", explain: false },
  });
  const identified = answerer.answer({ ...task, step: "identify" });
  if (identified.kind !== "identified") throw new Error(`the request was ${identified.kind}`);
  const alone = answerer.answer(task);
  expect(alone).toMatchObject({ kind: "answered", complete: true });
  expect(answerer.answer({ ...task, identified })).toEqual(alone);
  expect(answerer.answer({ ...task, identified })).toEqual(alone);
  expect(new Answerer(smallWorld()).answer({ ...task, identified })).toEqual(alone);
});

it("answers the body it is sent, whatever else was identified under its fingerprint", () => {
  const answerer = new Answerer(smallWorld());
  const task = taskOf("", { route: "/v1/intersections", query: { geometry: "none", explain: false } });
  const bodyAt = (west: number) => JSON.stringify({ input: { geometry: squarePlot(west, 0.05) } });
  const identified = answerer.answer({ ...task, body: bodyAt(0.05), step: "identify" });
  if (identified.kind !== "identified") throw new Error(`the request was ${identified.kind}`);
  const other = { ...task, body: bodyAt(0.06) };
  expect(answerer.answer({ ...other, identified })).toEqual(answerer.answer(other));
});

import { describe, expect, it } from "vitest";
import {
  createBrokenStep,
  createJsonStep,
  createPageStep,
  createProblemStep,
  createScriptedClient,
  createVerdictStep,
  KEY,
  type Step,
} from "../test/scripted.ts";
import { ApiError, type ErrorCode, type EvaluateBody, NetworkError } from "./index.ts";

const PLOT: EvaluateBody = {
  input: { geometry: { type: "Point", coordinates: [0, 0] }, area_ha: 1 },
  ruleset_id: "r",
};

/** A body that ends too early, whether the client or `fetch` detects it. */
const cut: Step = () => {
  let sends = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sends++ === 0) controller.enqueue(new TextEncoder().encode('{"data": {'));
      else controller.error(new TypeError("terminated"));
    },
  });
  return new Response(body, { headers: { "Content-Type": "application/json" } });
};
const cutCleanly: Step = () =>
  new Response('{"data": {"verdict": "COMPL', { headers: { "Content-Type": "application/json" } });
const empty: Step = () => new Response(null);
const emptyJson: Step = () => new Response("", { headers: { "Content-Type": "application/json" } });

describe("a call that did not get an answer", () => {
  it.for<[string, Step]>([
    ["a connection that broke", createBrokenStep()],
    ["a body that was cut", cut],
    ["a body that ends in the middle as if it were whole", cutCleanly],
    ["a 200 without a body", empty],
    ["a 200 of JSON without a body", emptyJson],
    ["a 200 with the page of a captive portal", createPageStep(200)],
    ["a 200 with JSON of somebody else", createJsonStep({ status: "ok" })],
    ["a 200 with a JSON list", createJsonStep([])],
    ["a page of a proxy, 502", createPageStep(502)],
    ["a page of a proxy, 503", createPageStep(503)],
    ["a page of a proxy, 429", createPageStep(429)],
    ["INTERNAL_ERROR", createProblemStep("INTERNAL_ERROR", 500)],
    ["OUTCOME_UNKNOWN", createProblemStep("OUTCOME_UNKNOWN", 503)],
    ["DATA_UNAVAILABLE", createProblemStep("DATA_UNAVAILABLE", 503)],
    ["OVERLOADED", createProblemStep("OVERLOADED", 503)],
    ["STORAGE_UNAVAILABLE", createProblemStep("STORAGE_UNAVAILABLE", 503)],
    ["REQUEST_TIMEOUT", createProblemStep("REQUEST_TIMEOUT", 408)],
    [
      "IDEMPOTENCY_IN_PROGRESS",
      createProblemStep("IDEMPOTENCY_IN_PROGRESS", 409, { headers: { "Retry-After": "1" } }),
    ],
    [
      "RATE_LIMIT_EXCEEDED",
      createProblemStep("RATE_LIMIT_EXCEEDED", 429, { headers: { "Retry-After": "1" } }),
    ],
    ["a degraded verdict", createVerdictStep("DEGRADED")],
  ])("is sent again after %s, with the same key and bytes", async ([, failure]) => {
    const { client, sent } = createScriptedClient([failure, failure, createVerdictStep()]);
    const answer = await client.evaluate(PLOT);
    expect(answer.data.verdict).toBe("COMPLIANT");
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
    expect(sent[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.idempotencyKey).toBe(sent[0]!.key);
  });

  it.for<[ErrorCode, number]>([
    ["SUBSCRIPTION_INACTIVE", 402],
    ["QUOTA_EXCEEDED", 429],
    ["JOB_LIMIT_REACHED", 429],
    ["HOLDING_LIMIT_REACHED", 429],
    ["UNCHARGED_LIMIT_REACHED", 429],
    ["IDEMPOTENCY_KEY_CONFLICT", 422],
    ["IDEMPOTENCY_KEY_EXHAUSTED", 429],
    ["IDEMPOTENCY_REPLAY_EXPIRED", 410],
    ["API_KEY_REVOKED", 401],
    ["GEOMETRY_INVALID", 422],
    ["TRANSFER_ENCODING_UNSUPPORTED", 501],
  ])("is not sent again after %s", async ([code, status]) => {
    const { client, sent } = createScriptedClient([
      createProblemStep(code, status, { headers: { "Retry-After": "1" } }),
    ]);
    const error = await client.evaluate(PLOT).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code, status, requestId: "req_1", retryAfterSeconds: 1, attempts: 1 });
    expect(error.idempotencyKey).toBe(sent[0]!.key);
    expect(sent).toHaveLength(1);
  });

  it.for<[string, Step, string]>([
    [
      "a redirect, to where the key must not go",
      () => new Response(null, { status: 307, headers: { Location: "https://elsewhere.example" } }),
      "redirect",
    ],
    ["a 403 of something in between", createPageStep(403), "not_the_service"],
    ["a 404 of another server", createPageStep(404), "not_the_service"],
  ])("is not sent again after %s", async ([, step, reason]) => {
    const { client, sent } = createScriptedClient([step]);
    await expect(client.evaluate(PLOT)).rejects.toMatchObject({ name: "NetworkError", reason });
    expect(sent).toHaveLength(1);
  });

  it("goes out under a new key once, and only where the caller allows it", async () => {
    const steps = [createProblemStep("IDEMPOTENCY_KEY_EXHAUSTED", 429), createVerdictStep()];
    const { client, sent } = createScriptedClient(steps);
    const answer = await client.evaluate(PLOT, {
      idempotencyKey: "the-old-key",
      newKeyAfter: ["IDEMPOTENCY_KEY_EXHAUSTED"],
    });
    expect(sent[0]!.key).toBe("the-old-key");
    expect(sent[1]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.idempotencyKey).toBe(sent[1]!.key);
    const again = createScriptedClient([createProblemStep("IDEMPOTENCY_KEY_CONFLICT", 422)]);
    const both = { newKeyAfter: ["IDEMPOTENCY_KEY_CONFLICT"] } as const;
    await expect(again.client.evaluate(PLOT, both)).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_CONFLICT",
    });
    expect(again.sent).toHaveLength(2);
  });

  it("fails after its attempts, with the key to go on under", async () => {
    const { client, sent } = createScriptedClient([createBrokenStep()], { attempts: 3 });
    const error = await client.evaluate(PLOT).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ reason: "connection", attempts: 3, idempotencyKey: sent[0]!.key });
    expect(sent).toHaveLength(3);
  });

  it("counts no attempt for waits that the service requires", async () => {
    const busy = createProblemStep("RATE_LIMIT_EXCEEDED", 429, { headers: { "Retry-After": "1" } });
    const { client, sent } = createScriptedClient([busy, busy, busy, busy, createVerdictStep()], {
      attempts: 1,
    });
    await client.evaluate(PLOT);
    expect(sent).toHaveLength(5);
  });

  it("ends by its deadline, though waits pass at once and the service requires more for ever", async () => {
    const busy = createProblemStep("RATE_LIMIT_EXCEEDED", 429, { headers: { "Retry-After": "0" } });
    const { client, waits } = createScriptedClient([busy], { deadlineMs: 30_000, random: () => 0 });
    await expect(client.evaluate(PLOT)).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    expect(waits.length).toBe(599);
    expect(new Set(waits)).toEqual(new Set([50]));
  });
});

describe("a degraded answer", () => {
  it("that stays so is the answer, after the attempts", async () => {
    const { client, sent } = createScriptedClient([createVerdictStep("DEGRADED")], { attempts: 3 });
    const { data, meta } = await client.evaluate(PLOT);
    expect(data.verdict).toBe("DEGRADED");
    expect(meta.charged).toBe(false);
    expect(sent).toHaveLength(3);
  });

  it("is not lost where a later attempt fails", async () => {
    for (const later of [
      createBrokenStep(),
      createProblemStep("IDEMPOTENCY_KEY_EXHAUSTED", 429),
      createProblemStep("QUOTA_EXCEEDED", 429),
    ]) {
      const { client } = createScriptedClient([createVerdictStep("DEGRADED"), later], { attempts: 3 });
      expect((await client.evaluate(PLOT)).data.verdict).toBe("DEGRADED");
    }
  });

  it("is recognized by a failed source in a collection, too", async () => {
    const meta = { request_id: "req_1", charged: false, warnings: [] };
    const collection = { type: "FeatureCollection", features: [], meta, sources: [{ status: "failed" }] };
    const { client, sent } = createScriptedClient([
      createJsonStep(collection),
      createJsonStep({ ...collection, meta: { ...meta, charged: true } }),
    ]);
    await client.intersections({ input: { geometry: {} } });
    expect(sent).toHaveLength(2);
  });
});

describe("the time between attempts", () => {
  const waitsOf = async (steps: Step[], random: number): Promise<readonly number[]> => {
    const { client, waits } = createScriptedClient([...steps, createVerdictStep()], {
      random: () => random,
      attempts: 9,
    });
    await client.evaluate(PLOT);
    return waits;
  };

  it("doubles up to 20 s, with full jitter", async () => {
    const failures = Array.from({ length: 8 }, createBrokenStep);
    expect(await waitsOf(failures, 1 - 2 ** -53)).toEqual([500, 1000, 2000, 4000, 8000, 16000, 20000, 20000]);
    expect(await waitsOf(failures, 0.25)).toEqual([125, 250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(await waitsOf(failures, 0)).toEqual(Array(8).fill(50));
  });

  it("is at least that of Retry-After, in seconds or as a date by the service's clock", async () => {
    const after = (headers: Record<string, string>) => createProblemStep("OVERLOADED", 503, { headers });
    expect(await waitsOf([after({ "Retry-After": "7" })], 0)).toEqual([7000]);
    const date = { "Retry-After": "Mon, 23 Nov 2026 10:00:09 GMT", Date: "Mon, 23 Nov 2026 10:00:00 GMT" };
    expect(await waitsOf([after(date)], 0)).toEqual([9000]);
    const past = { ...date, "Retry-After": "Mon, 23 Nov 2026 09:00:00 GMT" };
    expect(await waitsOf([after(past)], 0)).toEqual([50]);
    for (const nonsense of ["soon", "-1", "1.5", "1e9", "Infinity", "2026-11-23", ""]) {
      expect(await waitsOf([after({ "Retry-After": nonsense })], 0)).toEqual([50]);
    }
  });

  it.for(["31536000", "999999999999999", "Tue, 23 Nov 2027 10:00:00 GMT"])(
    "is not waited for where it is %s: the call fails at once",
    async (value) => {
      const headers = { "Retry-After": value, Date: "Mon, 23 Nov 2026 10:00:00 GMT" };
      const { client, sent, waits } = createScriptedClient([
        createProblemStep("OVERLOADED", 503, { headers }),
      ]);
      const error = await client.evaluate(PLOT).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: "OVERLOADED", attempts: 1 });
      expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(31_536_000);
      expect([sent.length, waits.length]).toEqual([1, 0]);
    },
  );

  it("does not depend on a clock that is set meanwhile", async () => {
    const { client, waits } = createScriptedClient([createBrokenStep(), createVerdictStep()]);
    const { now } = Date;
    try {
      let calls = 0;
      Date.now = () => now() + (calls++ % 2 === 0 ? 1 : -1) * 400 * 86_400_000;
      await client.evaluate(PLOT);
    } finally {
      Date.now = now;
    }
    expect(waits).toEqual([250]);
  });
});

describe("an error", () => {
  it("has the members of its code, typed", async () => {
    const members = { limit: 5, used: 5, requested: 1, remaining: 0, period_ends_at: "2026-12-01T00:00:00Z" };
    const { client } = createScriptedClient([createProblemStep("QUOTA_EXCEEDED", 429, { members })]);
    const error: unknown = await client.evaluate(PLOT).catch((thrown) => thrown);
    if (!(error instanceof ApiError) || !error.is("QUOTA_EXCEEDED")) return expect.fail("another error");
    const { used, period_ends_at }: { used: number; period_ends_at: string } = error.problem;
    expect({ used, period_ends_at }).toEqual({ used: 5, period_ends_at: "2026-12-01T00:00:00Z" });
  });

  it("has the API key neither in its text nor in its members, nor does the client", async () => {
    const { client } = createScriptedClient([createBrokenStep()], { attempts: 1 });
    const error = await client.evaluate(PLOT).catch((thrown) => thrown);
    const inside = (value: unknown): string =>
      JSON.stringify(value, (_, member) =>
        member instanceof Error ? { ...member, text: String(member) } : member,
      );
    expect(inside([error, client]) + error.stack + Object.values(client).join()).not.toContain(KEY);
  });

  it("has no malformed key, either", () => {
    for (const apiKey of [`${KEY}\n`, `${KEY} `, "", `${KEY}é`, undefined as unknown as string]) {
      expect(() => createScriptedClient([], { apiKey })).toThrow(/^apiKey: expected the text of an API key/);
    }
  });

  it("of options names the option", async () => {
    const { client } = createScriptedClient([createVerdictStep()]);
    expect(() => createScriptedClient([], { baseUrl: "https://user:secret@service.example" })).toThrow(
      /^baseUrl: expected[^@]*$/,
    );
    expect(() => createScriptedClient([], { baseUrl: "file:///etc/passwd" })).toThrow("baseUrl");
    expect(() => createScriptedClient([], { attempts: 0 })).toThrow(
      "attempts: expected a whole number from 1 to 100, found 0",
    );
    expect(() => createScriptedClient([], { timeoutMs: 2 ** 31 })).toThrow("timeoutMs");
    await expect(client.evaluate(PLOT, { idempotencyKey: "short" })).rejects.toThrow(
      "idempotencyKey: expected 8 to 128",
    );
    await expect(client.evaluate(PLOT, { deadlineMs: Number.NaN })).rejects.toThrow("deadlineMs");
  });
});

describe("an answer", () => {
  it("states whether it is a replay, without a trace in its JSON", async () => {
    const { client } = createScriptedClient([
      createVerdictStep("WARNING", { "Idempotent-Replayed": "true" }),
    ]);
    const answer = await client.evaluate(PLOT, { idempotencyKey: "known-key" });
    expect([answer.isReplayed, answer.idempotencyKey]).toEqual([true, "known-key"]);
    expect(Object.keys(JSON.parse(JSON.stringify(answer)))).toEqual(["data", "meta", "errors"]);
  });
});

describe("an abort", () => {
  it("ends a call before it is sent, during the request and during a wait, with the caller's reason", async () => {
    const reason = new Error("the caller has left");
    const { client, sent } = createScriptedClient([createVerdictStep()]);
    await expect(client.evaluate(PLOT, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(sent).toHaveLength(0);
    const hanging = new AbortController();
    const silent = createScriptedClient([
      () => {
        hanging.abort(reason);
        return new Promise(() => {});
      },
    ]);
    await expect(silent.client.evaluate(PLOT, { signal: hanging.signal })).rejects.toBe(reason);
    const waiting = new AbortController();
    const busy = createScriptedClient([createBrokenStep()], {
      sleep: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          waiting.abort(reason);
        }),
    });
    await expect(busy.client.evaluate(PLOT, { signal: waiting.signal })).rejects.toBe(reason);
    expect(busy.sent).toHaveLength(1);
  });
});

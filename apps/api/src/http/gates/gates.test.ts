import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Refusal } from "@groundrule/service";
import fc from "fast-check";
import { Hono, type MiddlewareHandler } from "hono";
import { describe, expect, it } from "vitest";
import { readSeed } from "../../../test/seed.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { createProblemResponse } from "../exchange/problems.ts";
import { type BurstLimit, createBurstLimiter } from "./limit-bursts.ts";
import { RefusalPace } from "./refusal-pace.ts";
import { type Admission, createLoadShedding, DEFAULT_ADMISSION, type LoadShedding } from "./shed-load.ts";

const SEED = readSeed(20_261_120);

function makeAppWith(...handlers: MiddlewareHandler<ApiEnv>[]): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  for (const handler of handlers) app.use("*", handler);
  app.all("*", (c) => c.text("answered"));
  app.onError((error) => {
    if (error instanceof Refusal) return createProblemResponse(error, { "X-Request-Id": "req" });
    throw error;
  });
  return app;
}

describe("the burst limit", () => {
  let nowMs = 0;
  const limited = (limit: BurstLimit) => {
    nowMs = 0;
    const app = makeAppWith(
      async (c, next) => {
        const keyId = c.req.header("X-Key") ?? "key";
        c.set("caller", { organization: "o", mode: "test", keyId, scopes: [], sources: ["*"] });
        await next();
      },
      createBurstLimiter(
        limit,
        () => nowMs,
        () => new Date(Date.parse("2026-11-20T10:00:00Z") + nowMs),
        new RefusalPace(() => nowMs),
      ),
    );
    return async (key = "key") => app.request("/", { headers: { "X-Key": key } });
  };

  it("takes a burst at once, then requests at its rate, and states when the next is taken", async () => {
    const ask = limited({ perSecond: 2, burst: 3 });
    for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect(refused.headers.get("X-RateLimit-Limit")).toBe("3");
    expect(refused.headers.get("X-RateLimit-Remaining")).toBe("0");
    // Three requests at two per second: the full burst is available again after 1.5 s.
    const reset = Number(refused.headers.get("X-RateLimit-Reset"));
    expect(new Date(reset * 1_000).toISOString()).toBe("2026-11-20T10:00:02.000Z");
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
    nowMs = 499;
    expect((await ask()).status).toBe(429);
    nowMs = 500;
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });

  it("counts every key by itself, and forgets those that are silent", async () => {
    const ask = limited({ perSecond: 1, burst: 1 });
    expect((await ask("a")).status).toBe(200);
    expect((await ask("b")).status).toBe(200);
    expect((await ask("a")).status).toBe(429);
    nowMs = 120_000;
    expect((await ask("b")).status).toBe(200);
    expect((await ask("a")).status).toBe(200);
  });

  it("never takes more in any time than burst and rate allow together", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 80 }),
        async (perSecond, burst, gaps) => {
          const ask = limited({ perSecond, burst });
          const taken: number[] = [];
          for (const gap of gaps) {
            nowMs += gap;
            if ((await ask()).status === 200) taken.push(nowMs);
          }
          taken.forEach((from, i) => {
            taken.slice(i).forEach((to, j) => {
              expect(j + 1).toBeLessThanOrEqual(burst + ((to - from) * perSecond) / 1_000 + 1e-6);
            });
          });
        },
      ),
      { seed: SEED, numRuns: 100 },
    );
  });
});

describe("load shedding", () => {
  const steadyMs = () => performance.now();
  const sheddingOf = (
    admission: Partial<Admission>,
    expectedMs?: (organization: string) => number,
  ): LoadShedding => {
    const { places = DEFAULT_ADMISSION.places } = admission;
    const all = { ...DEFAULT_ADMISSION, placesOfOrganization: places, ...admission };
    return createLoadShedding(all, steadyMs, new RefusalPace(steadyMs), expectedMs);
  };
  const asOrganization: MiddlewareHandler<ApiEnv> = async (c, next) => {
    const organization = c.req.header("X-Organization") ?? "o";
    c.set("caller", { organization, mode: "test", keyId: "key", scopes: [], sources: ["*"] });
    await next();
  };

  /** An app whose requests, of the organization that a path begins with, wait until they are released. */
  const waitingApp = (shedding: LoadShedding) => {
    const order: string[] = [];
    const releases: (() => void)[] = [];
    const app = makeAppWith(asOrganization, shedding.gate, async (c, next) => {
      order.push(c.req.path);
      await new Promise<void>((resolve) => releases.push(resolve));
      await next();
    });
    const ask = async (path: string) => app.request(path, { headers: { "X-Organization": path[1]! } });
    return { order, releases, ask };
  };

  it("lets organizations take turns, and refuses whose requests crowd out another's", async () => {
    const shedding = sheddingOf({ places: 1, waiting: 4, waitMs: 3_600_000 });
    const { order, releases, ask } = waitingApp(shedding);
    const crowd = ["/a0", "/a1", "/a2", "/a3", "/a4"].map(ask);
    await expect.poll(() => shedding.waiting()).toBe(4);
    const other = [ask("/b1"), ask("/b2")];
    expect((await ask("/a5")).status).toBe(503);
    for (let i = 0; i < 5; i++) {
      await expect.poll(() => releases.length).toBe(i + 1);
      releases[i]!();
    }
    expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual([200, 200, 200, 503, 503]);
    expect((await Promise.all(other)).map(({ status }) => status)).toEqual([200, 200]);
    expect(order).toEqual(["/a0", "/a1", "/b1", "/a2", "/b2"]);
    expect([shedding.running(), shedding.waiting()]).toEqual([0, 0]);
  });

  it.each(["GET", "POST"])("gives a %s one place, however often it asks for one", async (method) => {
    const shedding = sheddingOf({ places: 1, waiting: 0 });
    const app = makeAppWith(asOrganization, shedding.gate, async (c, next) => {
      await c.get("ticket").enter();
      await Promise.all([c.get("ticket").enter(), c.get("ticket").enter()]);
      expect(shedding.running()).toBe(1);
      await next();
    });
    for (let i = 0; i < 3; i++) expect((await app.request("/", { method })).status).toBe(200);
    expect(shedding.running()).toBe(0);
  });

  it("keeps places for others from an organization that has as many as it may", async () => {
    const shedding = sheddingOf({ places: 3, placesOfOrganization: 2, waiting: 4, waitMs: 3_600_000 });
    const { order, releases, ask } = waitingApp(shedding);
    const responses = ["/a0", "/a1", "/a2", "/b0", "/b1"].map(ask);
    await expect.poll(() => [shedding.running(), shedding.waiting()]).toEqual([3, 2]);
    expect(order).toEqual(["/a0", "/a1", "/b0"]);
    releases[2]!();
    await expect.poll(() => order).toEqual(["/a0", "/a1", "/b0", "/b1"]);
    releases[0]!();
    await expect.poll(() => order.at(-1)).toBe("/a2");
    for (const release of releases) release();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect([shedding.running(), shedding.waiting()]).toEqual([0, 0]);
  });

  it("works on as much for an organization as its last answers counted lets it, and on one request anyway", async () => {
    const expected = new Map([
      ["a", 400],
      ["h", 5_000],
    ]);
    const limits = { places: 64, workMsOfOrganization: 1_000, waiting: 64, waitMs: 3_600_000 };
    const shedding = sheddingOf(limits, (organization) => expected.get(organization) ?? 0);
    const order: string[] = [];
    const release = Promise.withResolvers<void>();
    const app = makeAppWith(asOrganization, shedding.gate, async (c, next) => {
      order.push(c.req.path);
      if (c.req.path !== "/b9") await release.promise;
      await next();
    });
    const ask = async (path: string) => app.request(path, { headers: { "X-Organization": path[1]! } });
    const responses = ["/a0", "/a1", "/a2", "/a3", "/h0", "/h1", "/b0", "/b1", "/b2", "/b3"].map(ask);
    await expect.poll(() => [shedding.running(), shedding.waiting()]).toEqual([8, 2]);
    expect(order).toEqual(["/a0", "/a1", "/a2", "/h0", "/b0", "/b1", "/b2", "/b3"]);
    expected.set("a", 300);
    expect((await ask("/b9")).status).toBe(200);
    expect(order.slice(8)).toEqual(["/b9", "/a3"]);
    release.resolve();
    expect((await Promise.all(responses)).every(({ status }) => status === 200)).toBe(true);
    expect([shedding.running(), shedding.waiting()]).toEqual([0, 0]);
  });

  it("does no work for a request that was given up", async () => {
    const shedding = sheddingOf({ places: 1, waiting: 4, waitMs: 3_600_000 });
    const release = Promise.withResolvers<void>();
    const worked: string[] = [];
    const app = makeAppWith(asOrganization, shedding.gate, async (c, next) => {
      worked.push(c.req.path);
      await release.promise;
      await next();
    });
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    const responses = [app.request("/first"), app.request("/gone", {}, { outgoing }), app.request("/last")];
    await expect.poll(() => shedding.waiting()).toBe(2);
    outgoing.destroy();
    release.resolve();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 503, 200]);
    expect(worked).toEqual(["/first", "/last"]);
    expect([shedding.running(), shedding.waiting()]).toEqual([0, 0]);
  });

  it("gives a request with a body no place before its handler has the body", async () => {
    const shedding = sheddingOf({ places: 1, waiting: 0 });
    const arrived = Promise.withResolvers<void>();
    const app = makeAppWith(asOrganization, shedding.gate, async (c, next) => {
      if (c.req.method === "POST") {
        await arrived.promise;
        await c.get("ticket").enter();
      }
      await next();
    });
    const announced = app.request("/", { method: "POST", headers: { "Content-Length": "10485760" } });
    expect((await app.request("/")).status).toBe(200);
    arrived.resolve();
    expect((await announced).status).toBe(200);
    expect([shedding.running(), shedding.bodyBytes()]).toEqual([0, 0]);
  });

  it("works on so many, lets so many wait, refuses the next at once, and loses no place", async () => {
    const shedding = sheddingOf({ places: 2, waiting: 1, waitMs: 3_600_000 });
    const { releases, ask } = waitingApp(shedding);
    const responses = ["/o1", "/o2", "/o3"].map(ask);
    await expect.poll(() => [shedding.running(), shedding.waiting(), releases.length]).toEqual([2, 1, 2]);
    const refused = await ask("/o4");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe("2");
    expect(await refused.json()).toMatchObject({ code: "OVERLOADED" });
    releases[0]!();
    await expect.poll(() => releases.length).toBe(3);
    for (const release of releases) release();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([shedding.running(), shedding.waiting()]).toEqual([0, 0]);
  });

  it("refuses a request that waited too long, and gives its place to no two others", async () => {
    const shedding = sheddingOf({ places: 1, waiting: 5, waitMs: 20 });
    const release = Promise.withResolvers<void>();
    const app = makeAppWith(asOrganization, shedding.gate, async (_c, next) => {
      await release.promise;
      await next();
    });
    const first = app.request("/");
    const waited = await Promise.all([app.request("/"), app.request("/")]);
    expect(waited.map(({ status }) => status)).toEqual([503, 503]);
    release.resolve();
    expect((await first).status).toBe(200);
    expect([shedding.running(), shedding.waiting()]).toEqual([0, 0]);
    expect((await app.request("/")).status).toBe(200);
  });
});

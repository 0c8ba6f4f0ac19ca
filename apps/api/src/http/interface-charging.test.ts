import { once } from "node:events";
import { connect } from "node:net";
import { evaluateResponseShape, subjectsResponseShape } from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { type EngineHost, hostInProcess } from "@groundrule/service";
import { createSmallWorld, createSquarePlot, LISTED_CNPJ } from "@groundrule/testing/small-world";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildRequestHead } from "../../test/attacks/raw-request.ts";
import { expectProblem, HttpCaller, NO_PARKS } from "../../test/http.ts";
import { createTestOrganization, PEPPER, startService, type TestService } from "../../test/service.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import { setSubscription } from "../admin/organizations.ts";
import type { Store } from "../store/port/port.ts";
import { openSqlite } from "../store/sqlite/open-sqlite.ts";

// Sections 5, 7 and 8 of the interface specification, tested over HTTP. Which requests are charged and replayed is
// tested in charging.test.ts; that both stores record it, in store.test.ts.

const plot = { geometry: createSquarePlot(0.03, 0.05) };
const BILLABLE: readonly (readonly [path: string, body: object])[] = [
  ["/v1/evaluate", { input: plot, ruleset: NO_PARKS }],
  ["/v1/intersections", { input: plot }],
  ["/v1/distance", { input: { ...plot, max_distance_m: 1_000 } }],
  ["/v1/subjects", { input: { scheme: { type: "br:cnpj", value: LISTED_CNPJ } } }],
];
const [EVALUATE, BODY] = BILLABLE[0]!;

const START = "2026-06-15T10:00:00Z";

describe("the service", () => {
  let clock: VirtualClock;
  let store: Store;
  let service: TestService;
  let caller: HttpCaller;
  /** True while the registers and parks are unavailable. */
  let failing: boolean;
  let executions: number;
  /** Number of evaluations that wait or waited. */
  let arrived: number;
  /** Routes of the requests that ended. */
  let routes: (string | undefined)[];
  /** Executions wait for this promise. */
  let blocker: Promise<void> | undefined;

  beforeEach(async () => {
    clock = new VirtualClock(START);
    failing = false;
    executions = 0;
    arrived = 0;
    routes = [];
    blocker = undefined;
    store = await openSqlite(":memory:", { clock });
    const [whole, damaged] = [createSmallWorld(), createSmallWorld(["demo:parks", "demo:sanctions"])];
    const host = hostInProcess(() => (failing ? damaged : whole));
    service = await startService(waiting(host), {
      store,
      quota: 5,
      onRequest: ({ route }) => routes.push(route),
    });
    caller = new HttpCaller(service);
  });
  afterEach(async () => {
    await service.stop();
    await service.stopped;
    await store.close();
  });

  /** The host, with evaluations that wait for `held`. */
  const waiting = (host: EngineHost): EngineHost => ({
    ...host,
    answer: async (task) => {
      if (task.step === "answer") {
        arrived++;
        await blocker;
        executions++;
      }
      return host.answer(task);
    },
  });
  const ask = (key: string, body: object = BODY, path = EVALUATE) =>
    caller.post(path, body, { "Idempotency-Key": key });
  const used = async () => (await store.usage({ scope: scope() }))!.period.used;
  const scope = () => ({ organization: service.organization, mode: "test" as const });

  describe("§8.1 metering and gates", () => {
    it.each(BILLABLE)("charges %s one request, and states what is left", async (path, body) => {
      const response = await caller.post(path, body);
      expect(response.status).toBe(200);
      expect(await used()).toBe(1);
      const { headers } = response;
      expect(headers.get("X-RateLimit-Limit")).toBe("5");
      expect(headers.get("X-RateLimit-Remaining")).toBe("4");
      expect(headers.get("X-RateLimit-Reset")).toBe(String(Date.parse("2026-07-15T00:00:00Z") / 1_000));
      expect(headers.get("X-Decision-Id")).toMatch(/^dec_/);
      expect(await response.json()).toMatchObject({ meta: { charged: true } });
    });

    it("charges neither catalog, sources, usage, validation nor explain", async () => {
      const free = [
        caller.get("/v1/sources"),
        caller.get("/v1/rulesets"),
        caller.post("/v1/rulesets", { name: "r", ...NO_PARKS }),
        caller.get("/v1/usage"),
        caller.get("/v1/decisions"),
        caller.post("/v1/validate", plot),
        ...BILLABLE.map(([path, body]) => caller.post(`${path}?explain=true`, body)),
      ];
      for (const response of await Promise.all(free)) expect(response.ok, response.url).toBe(true);
      expect(await used()).toBe(0);
    });

    it("does not execute where the subscription is not active: 402", async () => {
      for (const status of ["suspended", "expired"] as const) {
        await setSubscription({ store, pepper: PEPPER }, service.organization, status);
        expect(await expectProblem(caller.post(EVALUATE, BODY))).toMatchObject({
          status: 402,
          code: "SUBSCRIPTION_INACTIVE",
          subscription: status,
        });
      }
      expect(executions).toBe(0);
      expect((await caller.post(`${EVALUATE}?explain=true`, BODY)).status).toBe(200);
      expect((await caller.get("/v1/sources")).status).toBe(200);
    });

    it("does not execute beyond the quota: 429 with the period, Retry-After and X-RateLimit", async () => {
      for (let i = 0; i < 5; i++) expect((await caller.post(EVALUATE, BODY)).status).toBe(200);
      executions = 0;
      const response = await caller.post(EVALUATE, BODY);
      expect(executions).toBe(0);
      const { headers } = response;
      expect(headers.get("X-RateLimit-Limit")).toBe("5");
      expect(headers.get("X-RateLimit-Remaining")).toBe("0");
      expect(headers.get("X-RateLimit-Reset")).toBe(String(Date.parse("2026-07-15T00:00:00Z") / 1_000));
      expect(headers.get("Retry-After")).toBe(
        String((Date.parse("2026-07-15T00:00:00Z") - clock.ms) / 1_000),
      );
      expect(await expectProblem(response)).toMatchObject({
        status: 429,
        code: "QUOTA_EXCEEDED",
        limit: 5,
        used: 5,
        period_started_at: "2026-06-15T00:00:00.000Z",
        period_ends_at: "2026-07-15T00:00:00.000Z",
      });
    });

    it("does not charge answers of failed sources, whose key stays reusable for anything", async () => {
      failing = true;
      const degraded = readShape(evaluateResponseShape, await (await ask("degraded-1")).json());
      expect(degraded.data).toMatchObject({ verdict: "DEGRADED", status: "degraded" });
      const [, subject] = BILLABLE[3]!;
      const failed = readShape(
        subjectsResponseShape,
        await (await ask("failed-12", subject, "/v1/subjects")).json(),
      );
      expect(failed.data.subject_check).toBe("failed");
      expect([degraded.meta.charged, failed.meta.charged, await used()]).toEqual([false, false, 0]);

      failing = false;
      const whole = readShape(evaluateResponseShape, await (await ask("degraded-1")).json());
      expect([whole.data.status, whole.meta.charged]).toEqual(["ok", true]);
      expect((await ask("failed-12", BODY)).status).toBe(200);
    });

    it("does not charge a caller who left before the charge", async () => {
      const release = Promise.withResolvers<void>();
      blocker = release.promise;
      const text = JSON.stringify(BODY);
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
      const headers = ["Idempotency-Key: gone-1234", `Content-Length: ${text.length}`];
      socket.write(buildRequestHead(EVALUATE, service.key, headers) + text);
      await expect.poll(() => arrived).toBe(1);
      socket.destroy();
      await once(socket, "close");
      // The service receives events in this thread: once it has answered another request, it has noticed that this
      // client left.
      for (let i = 0; i < 3; i++) await (await caller.get("/v1/usage")).text();
      release.resolve();
      await expect.poll(() => routes).toContain(EVALUATE);
      expect(await used()).toBe(0);
      expect((await ask("gone-1234")).headers.get("Idempotent-Replayed")).toBeNull();
    });
  });

  describe("§8.2 idempotency", () => {
    it.each(BILLABLE)(
      "replays what %s was charged for, byte by byte, without charging",
      async (path, body) => {
        const first = await ask("replay-01", body, path);
        const bytes = await first.text();
        expect(first.headers.get("Idempotent-Replayed")).toBeNull();
        executions = 0;
        clock.advance(3_600_000);
        const again = await ask("replay-01", body, path);
        expect(await again.text()).toBe(bytes);
        expect(again.status).toBe(200);
        expect(again.headers.get("Content-Type")).toBe(first.headers.get("Content-Type"));
        expect(again.headers.get("Idempotent-Replayed")).toBe("true");
        expect(again.headers.get("X-Decision-Id")).toBe(first.headers.get("X-Decision-Id"));
        expect([await used(), executions]).toEqual([1, 0]);
      },
    );
  });

  it("keeps each decision with its request and answer, to be found by time, reference and request id", async () => {
    const headers = { "X-Request-Id": "job:1", "Idempotency-Key": "decided-1" };
    const sent = await caller.post(EVALUATE, { ...BODY, reference_id: "=case 7" }, headers);
    const answer = await sent.json();
    await caller.post("/v1/intersections", { input: plot });
    const id = sent.headers.get("X-Decision-Id")!;
    const list = async (query: string) =>
      (
        (await (await caller.get(`/v1/decisions${query}`)).json()) as {
          data: { items: { decision_id: string; route: string }[] };
        }
      ).data.items;
    expect((await list("")).map(({ route }) => route)).toEqual(["/v1/intersections", EVALUATE]);
    for (const query of ["?reference_id=%3Dcase%207", "?request_id=job:1", "?page=2&page_size=1"]) {
      expect(
        (await list(query)).map(({ decision_id }) => decision_id),
        query,
      ).toEqual([id]);
    }
    expect(await list(`?from=${new Date(clock.ms + 1).toISOString()}`)).toEqual([]);
    expect(await list(`?to=${new Date(clock.ms).toISOString()}`)).toEqual([]);
    const { data } = (await (await caller.get(`/v1/decisions/${id}`)).json()) as {
      data: { record: { request: object; response: object } };
    };
    expect(data).toMatchObject({ decision_id: id, reference_id: "=case 7", idempotency_key: "decided-1" });
    expect(data.record).toEqual({ request: { ...BODY, reference_id: "=case 7" }, response: answer });
    const csv = await (await caller.get("/v1/decisions", { Accept: "text/csv" })).text();
    expect(csv.split("\r\n")).toHaveLength(4);
    expect(csv).toContain("'=case 7");

    const page = await caller.get(`/v1/decisions/${id}`, { Accept: "text/html" });
    expect(page.headers.get("Content-Type")).toContain("text/html");
    expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'; style-src");
    expect(await page.text()).toContain("<title>");
    const { decision_id } = (await list("?page_size=1"))[0]!;
    const noPage = caller.get(`/v1/decisions/${decision_id}`, { Accept: "text/html" });
    expect(await expectProblem(noPage)).toMatchObject({ code: "NOT_ACCEPTABLE" });

    const other = caller.with((await createTestOrganization(store)).key);
    expect(await expectProblem(other.get(`/v1/decisions/${id}`))).toMatchObject({ status: 404 });
  });
});

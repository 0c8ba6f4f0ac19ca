import { type MeResponse, meResponseShape } from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpCaller } from "../../../test/http.ts";
import { createTestOrganization, startService, type TestService } from "../../../test/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService(createSmallWorld(), {
    burst: { perSecond: 7, burst: 40 },
    limits: { bodyBytes: 5_000 },
  });
});
afterAll(() => service.stop());

async function fetchMe(key: string): Promise<MeResponse["data"]> {
  const response = await new HttpCaller(service).with(key).get("/v1/me");
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  return readShape(meResponseShape, await response.json()).data;
}

describe("GET /v1/me", () => {
  it("reports the key's organization, scopes and limits, and costs nothing", async () => {
    const { organization, key, keyId } = await createTestOrganization(service.store, {
      quota: 30,
      sources: ["demo:parks", "demo:l*"],
      scopes: ["discover"],
    });
    const before = Date.now();
    const geometry = createSquarePlot(0.1, 0.05);
    await new HttpCaller(service).with(key).post("/v1/intersections", { input: { geometry } });
    const me = await fetchMe(key);
    expect(me).toMatchObject({
      organization: { id: organization },
      mode: "test",
      key: { id: keyId, name: "test", scopes: ["discover"] },
      subscription: "active",
      quota: { limit: 30, used: 1, remaining: 29 },
      limits: { requests_per_second: 7, burst: 40, body_bytes: 5_000, positions: 100_000 },
      sources: ["demo:parks", "demo:l*"],
    });
    expect(me.organization.name).toMatch(/^[0-9a-f-]{36}$/);
    expect(Date.parse(me.key.created_at)).toBeGreaterThan(before - 60_000);
    expect(Date.parse(me.key.expires_at!)).toBeGreaterThan(before + 300 * 86_400_000);
    expect(await fetchMe(key)).toMatchObject({ quota: { used: 1 } });
  });

  it("answers any key in force, of any scope, mode and subscription, and reveals nothing of another", async () => {
    const live = await createTestOrganization(service.store, { mode: "live", scopes: ["catalog:read"] });
    const test = await createTestOrganization(service.store, { scopes: ["evaluate"] });
    await service.store.setSubscription({ organization: live.organization, status: "suspended" });
    expect(await fetchMe(live.key)).toMatchObject({ mode: "live", subscription: "suspended" });
    const text = JSON.stringify(await fetchMe(test.key));
    for (const foreign of [live.organization, live.keyId, live.key]) expect(text).not.toContain(foreign);
    expect(text).not.toContain(test.key.slice(8, 20));
  });
});

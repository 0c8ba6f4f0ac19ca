import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSmallWorld } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "../../test/service.ts";

const folder = createSharedFolder().at();
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>page</title>");
  writeFileSync(join(folder, "assets/main-1a2b.js"), "export const page = 1;\n".repeat(100));
  writeFileSync(join(folder, ".built-from"), "digest");
  const tiles = { url: "https://tiles.example/{z}/{x}/{y}.png", attribution: "Somebody" };
  service = await startService(createSmallWorld(), { console: { folder, tiles } });
});

afterAll(() => service.stop());

const get = (path: string, headers = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { redirect: "manual", headers });

describe("the console's files", () => {
  it("lead from /console into its folder, which relative URLs start from", async () => {
    const { status, headers } = await get("/console");
    expect([status, headers.get("location")]).toEqual([308, "/console/"]);
  });

  it("are served with their types, and kept for good where their names change with them", async () => {
    const page = await get("/console/");
    expect([page.status, page.headers.get("content-type"), page.headers.get("cache-control")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    const script = await get("/console/assets/main-1a2b.js", { "accept-encoding": "gzip" });
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(script.headers.get("content-encoding")).toBe("gzip");
    const etag = script.headers.get("etag")!;
    expect((await get("/console/assets/main-1a2b.js", { "if-none-match": etag })).status).toBe(304);
  });

  it("may run only scripts of the service, and connect only to it and the tiles' host", async () => {
    const policy = (await get("/console/")).headers.get("content-security-policy")!;
    const parts = policy.split("; ");
    expect(parts).toContain("default-src 'none'");
    expect(parts).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(parts).toContain("connect-src 'self' https://tiles.example");
    expect(policy).not.toContain("unsafe-inline");
    expect(policy).not.toContain("'unsafe-eval'");
  });

  it("declare to the page the address of the service, and the tiles that it may draw", async () => {
    expect(await (await get("/console/config.json")).json()).toEqual({
      service: "../",
      tiles: { url: "https://tiles.example/{z}/{x}/{y}.png", attribution: "Somebody" },
      style: null,
      snapshots: [],
      rulesets: [],
    });
  });

  it("may connect to the origin of a style in place of that of tiles, and to no other", async () => {
    const style = { url: "https://maps.example/styles/land.json?key=1", attribution: "" };
    const styled = await startService(createSmallWorld(), { console: { folder, style } });
    const answer = await fetch(`${styled.url}/console/config.json`);
    const policy = answer.headers.get("content-security-policy")!.split("; ");
    expect(policy).toContain("connect-src 'self' https://maps.example");
    expect(policy).toContain("img-src 'self' blob: data: https://maps.example");
    expect(await answer.json()).toMatchObject({ tiles: null, style });
    await styled.stop();
  });

  it.each([
    "/console/nothing.js",
    "/console/.built-from",
    "/console/..%2fpackage.json",
    "/console/assets/..%2f..%2f..%2fetc%2fpasswd",
    "/console/%00",
    "/console/assets",
    "/console/assets/",
  ])("are those of the build alone: %s is not found", async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it("take no query and no other method", async () => {
    expect((await get("/console/?key=gr_test_1")).status).toBe(422);
    expect((await fetch(`${service.url}/console/`, { method: "POST" })).status).toBe(405);
  });
});

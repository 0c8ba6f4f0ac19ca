import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import type { Browser } from "playwright-core";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, NO_CHROMIUM, openBrowser, openPage } from "../../../../tools/browser/browser.ts";
import type { RequestEvent } from "../../src/http/monitoring/metrics.ts";
import { NO_PARKS } from "../http.ts";
import { createTestOrganization, startService, type TestService } from "../service.ts";

// The client as a page bundles it, on pages of other origins than the service's.

describe.skipIf(findChromium() === undefined)("the client on a page of another origin", () => {
  const pages: Server[] = [];
  const events: RequestEvent[] = [];
  let allowed: string;
  let other: string;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    const input = fileURLToPath(import.meta.resolve("@groundrule/client"));
    const { output } = await build({ input, write: false, output: { format: "esm" } });
    allowed = await servePage(output[0].code);
    other = await servePage(output[0].code);
    service = await startService(createSmallWorld(), {
      corsOrigins: [allowed],
      burst: { perSecond: 1, burst: 4 },
      onRequest: (event) => void events.push(event),
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    for (const page of pages) page.close();
    await service?.stop();
  });

  /** Serves a page that has the client beside it, on an origin of its own. */
  async function servePage(script: string): Promise<string> {
    const server = createServer(({ url }, response) => {
      if (url === "/client.js") response.setHeader("Content-Type", "text/javascript").end(script);
      else response.setHeader("Content-Type", "text/html").end("<!doctype html><title>page</title>");
    });
    pages.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Runs the body of a function of `client` in a page; `waits` are those that the client made. */
  async function inPage(origin: string, body: string, key = service.key) {
    const { page, close } = await openPage(browser, `${origin}/`);
    try {
      return await page.evaluate(`(async () => {
        const { createClient, ApiError, NetworkError } = await import("/client.js");
        const waits = [];
        const client = createClient({
          baseUrl: ${JSON.stringify(service.url)},
          apiKey: ${JSON.stringify(key)},
          sleep: (ms) => { waits.push(ms); return new Promise((resolve) => setTimeout(resolve, ms)); },
        });
        const run = async () => { ${body} };
        const failed = (error) => ({
          name: error.name,
          code: error.code,
          reason: error.reason,
          retryAfterSeconds: error.retryAfterSeconds,
          message: error.message,
        });
        return { ...(await run().then((returned) => ({ returned }), (error) => ({ failed: failed(error) }))), waits };
      })()`);
    } finally {
      await close();
    }
  }

  it("reads answers and their headers, waits for Retry-After, and makes one preflight", async () => {
    events.length = 0;
    const body = JSON.stringify({ ruleset: NO_PARKS, input: { geometry: createSquarePlot(0.1, 0.05) } });
    const { returned, failed, waits } = (await inPage(
      allowed,
      `const options = { idempotencyKey: "plot-1-2026" };
       const first = await client.evaluate(${body}, options);
       const again = await client.evaluate(${body}, options);
       while (waits.length === 0) await client.me();
       return [first.data.verdict, first.isReplayed, again.isReplayed];`,
    )) as { readonly returned: unknown; readonly failed: unknown; readonly waits: readonly number[] };
    expect(failed).toBeUndefined();
    expect(returned).toEqual(["NON_COMPLIANT", false, true]);
    // Had the header been hidden, the first wait would be less than half a second.
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    const preflights = events.filter(({ method }) => method === "OPTIONS");
    expect(preflights.map(({ status, organization }) => [status, organization])).toEqual([
      [204, undefined],
      [204, undefined],
    ]);
    const refused = events.filter(({ code }) => code === "RATE_LIMIT_EXCEEDED");
    expect(refused).toHaveLength(waits.length);
  });

  it("reads refusals with their codes, and when to come again", async () => {
    const poor = await createTestOrganization(service.store, { quota: 0 });
    const body = JSON.stringify({ input: { geometry: createSquarePlot(0.1, 0.05) } });
    expect(await inPage(allowed, `return client.intersections(${body});`, poor.key)).toMatchObject({
      failed: { name: "ApiError", code: "QUOTA_EXCEEDED", retryAfterSeconds: expect.any(Number) },
    });
    expect(await inPage(allowed, "return client.me();", "gr_test_none")).toMatchObject({
      failed: { name: "ApiError", code: "API_KEY_INVALID" },
    });
    expect(await inPage(allowed, `return client.decisions.get("dec_none");`, poor.key)).toMatchObject({
      failed: { name: "ApiError", code: "NOT_FOUND" },
    });
  });

  it("fails with a NetworkError that names the setting where the page is not allowed, and is charged nothing", async () => {
    const own = await createTestOrganization(service.store);
    events.length = 0;
    const body = JSON.stringify({ input: { geometry: createSquarePlot(0.1, 0.05) } });
    const script = `return client.intersections(${body});`;
    const { host } = new URL(service.url);
    expect(await inPage(other, script, own.key)).toMatchObject({
      failed: {
        name: "NetworkError",
        reason: "connection",
        message: `the service was not reached, or its setting cors_origins does not name this page's origin, ${other} (${host})`,
      },
    });
    // The browser asked, was not told yes, and never sent the question.
    expect(new Set(events.map(({ method, status }) => `${method} ${status}`))).toEqual(
      new Set(["OPTIONS 405"]),
    );
  });
});

if (findChromium() === undefined) console.log(`Pages of other origins are not tried: ${NO_CHROMIUM}.`);

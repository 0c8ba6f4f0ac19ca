import { join } from "node:path";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { describe, expect, it } from "vitest";
import { buildRequestHead, sendRawRequest } from "../../test/attacks/raw-request.ts";
import { HttpCaller } from "../../test/http.ts";
import { readSeed, readSizeVariable, withSeed } from "../../test/seed.ts";
import { createTestOrganization, startService } from "../../test/service.ts";
import { withTemporaryFolder } from "../../test/temporary-folder.ts";
import { openStore } from "../store/open-store.ts";
import { DEFAULT_ADMISSION } from "./gates/shed-load.ts";

// Guarantees under continuous requests. `LOAD_CYCLES=50` is the long form.

const CYCLES = readSizeVariable("LOAD_CYCLES", 1);
const WORLD = createSmallWorld();
const BODY = { input: { geometry: createSquarePlot(0.03, 0.05) } };

describe("under load", () => {
  it("T-33: stops without breaking off an answer, and loses none that it gave", async () => {
    await withSeed(readSeed(33), async (random) => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        await withTemporaryFolder(async (dir) => {
          const url = `sqlite:${join(dir, "state.db")}`;
          const store = await openStore(url, { role: "serve", absent: "make" });
          const service = await startService(WORLD, { store, stopOnSignals: true, drainDelayMs: 3_600_000 });
          const caller = new HttpCaller(service);
          let requests = 0;
          const stopping = new AbortController();
          const charged: string[] = [];
          const broken: unknown[] = [];
          const connection = async (): Promise<void> => {
            while (!stopping.signal.aborted) {
              try {
                const response = await caller.post("/v1/intersections", BODY, {
                  "Idempotency-Key": `load-${cycle}-${requests++}`,
                });
                await response.arrayBuffer();
                if (response.status === 200) charged.push(response.headers.get("X-Decision-Id")!);
                else broken.push(response.status);
              } catch (error) {
                broken.push(error);
              }
            }
          };
          const connections = Array.from({ length: 16 }, connection);
          const early = 17 + Math.floor(random() * 100);
          await expect.poll(() => charged.length).toBeGreaterThan(early);
          process.emit("SIGTERM", "SIGTERM");
          // Like a load balancer: it polls, and sends no more once `/readyz` reports stopping.
          await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(503);
          const late = charged.length + 32;
          await expect.poll(() => charged.length).toBeGreaterThan(late);
          stopping.abort();
          await Promise.all(connections);
          await service.stop();
          await store.close();

          expect(broken).toEqual([]);
          const reopened = await openStore(url);
          const scope = { organization: service.organization, mode: "test" } as const;
          const { totalCount } = await reopened.listDecisions({ scope, page: 1, pageSize: 1 });
          expect(totalCount).toBe(charged.length);
          expect(await reopened.findViolations({ extent: "all" })).toEqual([]);
          await reopened.close();
        });
      }
    });
  });

  it("answers others while bodies are announced that never come, and refuses those in the end", async () => {
    const bodies = { ...DEFAULT_ADMISSION.bodies, windowMs: 3_000 };
    const admission = { ...DEFAULT_ADMISSION, places: 4, placesOfOrganization: 3, waiting: 0, bodies };
    const service = await startService(WORLD, { admission });
    const other = await createTestOrganization(service.store);
    const head = buildRequestHead("/v1/intersections", service.key, [`Content-Length: ${10 * 1024 * 1024}`]);
    const { port } = new URL(service.url);
    const silent = Array.from({ length: 6 }, () => sendRawRequest(Number(port), [head, '{"input"']));
    const caller = new HttpCaller(service).with(other.key);
    for (let i = 0; i < 20; i++) expect((await caller.post("/v1/intersections", BODY)).status).toBe(200);
    const answers = await Promise.all(silent);
    expect(answers.map((answer) => `${answer?.status} ${answer?.code}`)).toEqual(
      silent.map(() => "408 REQUEST_TIMEOUT"),
    );
    await service.stop();
  });

  it("answers a polite organization while another repeats its requests as soon as they are refused", async () => {
    // However slow the machine, these clients send more than one request per second.
    const burst = { perSecond: 1, burst: 100 };
    const service = await startService(WORLD, { burst });
    const other = await createTestOrganization(service.store);
    const [greedy, polite] = [new HttpCaller(service), new HttpCaller(service).with(other.key)];
    const stopping = new AbortController();
    let refused = 0;
    const connections = Array.from({ length: 60 }, async () => {
      while (!stopping.signal.aborted) {
        const response = await greedy.post("/v1/intersections", BODY);
        await response.arrayBuffer();
        if (response.status === 429) refused++;
      }
    });
    const began = performance.now();
    await expect.poll(() => refused).toBeGreaterThan(99);
    for (let i = 0; i < 40; i++) expect((await polite.post("/v1/intersections", BODY)).status).toBe(200);
    stopping.abort();
    await Promise.all(connections);
    const seconds = (performance.now() - began) / 1_000;
    // A hundred per second, plus one per connection every two seconds.
    expect(refused).toBeLessThanOrEqual(100 * (seconds + 1) + 60 * (seconds / 2 + 1));
    await service.stop();
  });
});

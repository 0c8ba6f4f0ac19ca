import { type BodyTask, type EngineHost, hostInProcess, TILES_PATH } from "@groundrule/service";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { describe, expect, it } from "vitest";
import { HttpCaller } from "../../test/http.ts";
import { createTestOrganization, startService } from "../../test/service.ts";
import { DEFAULT_ADMISSION, TILE_ADMISSION } from "./gates/shed-load.ts";

const world = createSmallWorld();
const BODY = { input: { geometry: createSquarePlot(0.03, 0.05) } };

/** A host that delays tiles until it is released, like workers with many tiles to cut. */
function makeHostWithSlowTiles() {
  const host = hostInProcess(() => world);
  const tiles: BodyTask[] = [];
  let cut = (): void => {};
  const cutting = new Promise<void>((resolve) => {
    cut = resolve;
  });
  const answer: EngineHost["answer"] = async (task, options) => {
    if (task.route === TILES_PATH) {
      tiles.push(task);
      await cutting;
    }
    return host.answer(task, options);
  };
  return { host: { ...host, answer }, tiles, cut };
}

describe("a flood of tiles", () => {
  it("takes no place from a question, and few from other people's tiles", async () => {
    const { host, tiles, cut } = makeHostWithSlowTiles();
    const service = await startService(host);
    const caller = new HttpCaller(service);
    const flooding = [service.key, (await createTestOrganization(service.store)).key];
    const tileOf = async (key: string, x: number): Promise<number> => {
      const response = await caller.with(key).get(`/v1/sources/demo:parks/tiles/10/${x}/500`);
      await response.arrayBuffer();
      return response.status;
    };
    const running = async (): Promise<number> => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/^groundrule_requests_running (\d+)$/m.exec(metrics)![1]);
    };
    // More than all the places that questions have.
    const many = DEFAULT_ADMISSION.places;
    const flood = Array.from({ length: many }, (_, x) => tileOf(flooding[0]!, x));
    await expect.poll(() => tiles.length).toBe(TILE_ADMISSION.placesOfOrganization);
    flood.push(...Array.from({ length: many }, (_, x) => tileOf(flooding[1]!, x)));
    await expect.poll(() => tiles.length).toBe(TILE_ADMISSION.places);

    for (let i = 0; i < 20; i++) {
      const response = await caller.post("/v1/intersections", BODY, { "Idempotency-Key": `beside-${i}` });
      expect(response.status).toBe(200);
    }
    expect(tiles.length).toBe(TILE_ADMISSION.places);
    expect(await running()).toBe(TILE_ADMISSION.places);

    cut();
    const statuses = new Set(await Promise.all(flood));
    // A request that waited two seconds is refused with 503.
    for (const status of statuses) expect([204, 503]).toContain(status);
    expect(tiles.every(({ inBackground }) => inBackground === true)).toBe(true);
    // All places are free again, for as many tiles as before.
    expect(await running()).toBe(0);
    for (let x = 0; x < 2 * TILE_ADMISSION.places; x++) expect(await tileOf(flooding[0]!, 600 + x)).toBe(204);
    await service.stop();
  });
});

import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { BodyRoom, type BodyRoomLimits } from "./body-room.ts";

const KIBIBYTE = 1024;
const LIMITS: BodyRoomLimits = {
  bytes: 1_024 * KIBIBYTE,
  bytesOfOrganization: 512 * KIBIBYTE,
  smallBytes: 64 * KIBIBYTE,
  leastBytes: 16 * KIBIBYTE,
  windowMs: 5_000,
};
const LARGEST = 400 * KIBIBYTE;

let server: Server;
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

/** Reads bodies into a room, with the path as the organization, and keeps each until `keep` resolves. */
async function start(room: BodyRoom, keep: (incoming: IncomingMessage) => Promise<void>): Promise<number[]> {
  const occupied: number[] = [];
  server = createServer((incoming, outgoing) => {
    const body = room.hold(incoming.url!);
    const end = (status: number): void => {
      body.release();
      outgoing.writeHead(status, { Connection: "close" }).end();
    };
    body.arrives(incoming, (refusal) => {
      incoming.removeAllListeners("data").removeAllListeners("end");
      body.arrived();
      end(refusal.code === "OVERLOADED" ? 503 : 408);
    });
    incoming.on("data", (chunk: Uint8Array) => {
      body.count(chunk.length);
      occupied.push(room.bytes);
    });
    incoming.on("end", async () => {
      body.arrived();
      await keep(incoming);
      end(200);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return occupied;
}

/** Resolves to the status of the answer. */
function post(organization: string, body: Uint8Array, declared: number = body.length): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const headers = { "Content-Length": declared };
    const sent = request(
      { port, path: `/${organization}`, method: "POST", headers, agent: false },
      (answer) => resolve(answer.resume().statusCode!),
    );
    sent.on("error", reject);
    if (declared === body.length) sent.end(body);
    else sent.write(body);
  });
}

/** A stopped clock: nobody sends too slowly. */
const steadyMs = () => 0;

describe("the room for bodies", () => {
  it("is never filled beyond its bounds and one body, and all come in at last", async () => {
    const room = new BodyRoom(LIMITS, 3_600_000, steadyMs);
    const occupied = await start(room, () => new Promise((resolve) => setTimeout(resolve, 1)));
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, i) => post(`o${i % 4}`, new Uint8Array(LARGEST))),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(Math.max(...occupied)).toBeLessThanOrEqual(2 * LIMITS.bytes + LARGEST);
    expect(room.bytes).toBe(0);
  });

  it("holds an organization to its share, and leaves the rest to others", async () => {
    const room = new BodyRoom(LIMITS, 3_600_000, steadyMs);
    const kept = Promise.withResolvers<void>();
    await start(room, async ({ url, headers }) => {
      if (url === "/greedy" && Number(headers["content-length"]) === LARGEST) await kept.promise;
    });
    const greedy = Array.from({ length: 4 }, () => post("greedy", new Uint8Array(LARGEST)));
    await expect.poll(() => room.bytes).toBeGreaterThan(LIMITS.bytesOfOrganization - 1);
    expect(await post("other", new Uint8Array(LARGEST))).toBe(200);
    expect(await post("greedy", new Uint8Array(1_000))).toBe(200);
    kept.resolve();
    expect(new Set(await Promise.all(greedy))).toEqual(new Set([200]));
    expect(room.bytes).toBe(0);
  });

  it("is not filled by the beginnings of bodies that wait for it", async () => {
    const room = new BodyRoom(LIMITS, 3_600_000, steadyMs);
    const occupied = await start(room, () => new Promise((resolve) => setTimeout(resolve, 1)));
    const many = Array.from({ length: 40 }, () => post("greedy", new Uint8Array(LARGEST)));
    const other = await post("other", new Uint8Array(LARGEST));
    const statuses = await Promise.all(many);
    expect(other).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(Math.max(...occupied)).toBeLessThanOrEqual(2 * LIMITS.bytes + LARGEST);
    expect(room.bytes).toBe(0);
  });

  it("is taken by bytes that arrive, not by the announced length; a slow sender is refused", async () => {
    let nowMs = 0;
    const room = new BodyRoom(LIMITS, 60_000, () => nowMs);
    const occupied = await start(room, async () => {});
    const silent = Array.from({ length: 20 }, () => post("silent", new Uint8Array(100), LARGEST));
    await expect.poll(() => occupied.length).toBe(20);
    expect(room.bytes).toBe(2_000);
    nowMs = LIMITS.windowMs - 1;
    expect(await post("silent", new Uint8Array(LARGEST))).toBe(200);
    nowMs = LIMITS.windowMs;
    expect(new Set(await Promise.all(silent))).toEqual(new Set([408]));
    expect(room.bytes).toBe(0);
  });

  it("refuses a request that has waited too long for it", async () => {
    let nowMs = 0;
    const room = new BodyRoom(LIMITS, 2_000, () => nowMs);
    const kept = Promise.withResolvers<void>();
    await start(room, () => kept.promise);
    const responses = Array.from({ length: 4 }, () => post("o", new Uint8Array(LARGEST)));
    await expect.poll(() => room.bytes).toBeGreaterThan(LIMITS.bytesOfOrganization - 1);
    nowMs = 2_000;
    expect(await Promise.race(responses)).toBe(503);
    kept.resolve();
    const statuses = await Promise.all(responses);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(room.bytes).toBe(0);
  });
});

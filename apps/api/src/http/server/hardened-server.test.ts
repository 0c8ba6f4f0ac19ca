import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiEnv } from "../exchange/env.ts";
import { DEFAULT_OUTBOX, Outbox } from "../exchange/outbox.ts";
import { hardenedServer } from "./hardened-server.ts";
import { ConnectionTurns } from "./turns.ts";

/** More than the kernel takes of an answer that nobody reads. */
const LONG = new Uint8Array(64 * 1024 * 1024);
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

let server: Server;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

type Answer = (request: Request, bindings: ApiEnv["Bindings"]) => Response | Promise<Response>;

async function start(answer: Answer, outbox = new Outbox()): Promise<Outbox> {
  server = hardenedServer(answer, { outbox, turns: new ConnectionTurns(), onTurn: () => {} });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return outbox;
}

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

const answeredInParts: Answer = (_, { outbox, outgoing }) =>
  new Response(outbox!.inParts(LONG, outgoing!), { headers: { "Content-Length": `${LONG.length}` } });

describe("a connection", () => {
  it("is given one answer at a time, however many it asks for at once", async () => {
    let asked = 0;
    let first: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      first = resolve;
    });
    await start((...args) => {
      asked++;
      first();
      return answeredInParts(...args);
    });
    const silent = await open();
    silent.pause();
    silent.write(GET.repeat(8));
    await begun;
    // Asked and answered on another connection after all of those had arrived.
    const other = await open();
    other.write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(other, "data");
    expect(asked).toBe(2);
  });

  it("is told of a message that is none after the answers to those before it", async () => {
    const begun: (() => void)[] = [];
    await start(async (request) => {
      await new Promise<void>((resolve) => begun.push(resolve));
      return new Response(`<${new URL(request.url).pathname}>`);
    });
    let heard = "";
    const socket = await open();
    socket.on("data", (data: Buffer) => {
      heard += data.toString();
    });
    const asks = ["/a", "/b"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const broken = "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n";
    const ended = once(socket, "close");
    socket.write(`${asks.join("")}${broken}`);
    for (let answered = 0; answered < 2; answered++) {
      await expect.poll(() => begun.length).toBe(answered + 1);
      expect(heard).not.toContain("HTTP/1.1 400");
      begun[answered]!();
    }
    await ended;
    expect(heard.match(/HTTP\/1\.1 \d+|<\/\w>|errors#\w+/g)).toEqual([
      "HTTP/1.1 200",
      "</a>",
      "HTTP/1.1 200",
      "</b>",
      "HTTP/1.1 400",
      "errors#malformed_request",
    ]);
  });

  it("gets the answers to what it asked for at once in that order", async () => {
    let asked = 0;
    await start(async (request) => {
      // The first ones take longest.
      await new Promise((resolve) => setTimeout(resolve, 20 - 2 * asked++));
      return new Response(`<${new URL(request.url).pathname}>`);
    });
    const socket = await open();
    socket.write(
      Array.from(
        { length: 9 },
        (_, i) => `GET /${i} HTTP/1.1\r\nHost: x\r\n${i === 8 ? "Connection: close\r\n" : ""}\r\n`,
      ).join(""),
    );
    let received = "";
    socket.on("data", (data: Buffer) => {
      received += data.toString();
    });
    await once(socket, "close");
    expect([...received.matchAll(/<\/(\d)>/g)].map(([, i]) => i).join("")).toBe("012345678");
  });

  it("is ended where it asks for more at once than may wait", async () => {
    const held = Promise.withResolvers<void>();
    let asked = 0;
    await start(async () => {
      asked++;
      await held.promise;
      return new Response("late");
    });
    const socket = await open();
    socket.write(GET.repeat(2_000));
    await once(socket, "close");
    held.resolve();
    expect(asked).toBe(1);
    const other = await open();
    other.write(GET);
    expect(`${(await once(other, "data"))[0]}`).toContain("200 OK");
  });
});

describe("a reader", () => {
  it("that takes nothing of its answer is ended, and holds nothing any more", async () => {
    let nowMs = 0;
    const outbox = await start(answeredInParts, new Outbox(DEFAULT_OUTBOX, () => nowMs));
    const silent = await open();
    silent.write(GET);
    await once(silent, "readable");
    await expect.poll(() => outbox.bytes).toBeGreaterThan(LONG.length / 2);
    outbox.endStalled();
    expect(outbox.bytes).toBeGreaterThan(0);
    nowMs = DEFAULT_OUTBOX.stalledMs;
    outbox.endStalled();
    expect(outbox.bytes).toBe(0);
    silent.resume();
    await once(silent, "close");
  });

  it("that takes its answer slowly, but takes it, gets all of it", async () => {
    let nowMs = 0;
    const outbox = await start(answeredInParts, new Outbox(DEFAULT_OUTBOX, () => nowMs));
    const slow = await open();
    slow.write(GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    let received = 0;
    slow.on("data", (data: Buffer) => {
      received += data.length;
      nowMs += 1;
      outbox.endStalled();
    });
    await once(slow, "close");
    expect(received).toBeGreaterThan(LONG.length);
    expect(outbox.bytes).toBe(0);
  });

  it("is ended where more waits than there is room for: the slowest of who most waits for", async () => {
    let nowMs = 0;
    const limits = { ...DEFAULT_OUTBOX, bytes: 3.5 * LONG.length };
    const outbox = await start(
      (request, { outbox: its, outgoing }) => {
        const organization = new URL(request.url).pathname;
        nowMs++;
        return new Response(its!.inParts(LONG, outgoing!, { organization }));
      },
      new Outbox(limits, () => nowMs),
    );
    const waiting: Socket[] = [];
    for (const organization of ["few", "many", "many", "many"]) {
      const socket = await open();
      socket.write(GET.replace("/ ", `/${organization} `));
      await once(socket, "readable");
      waiting.push(socket);
    }
    const ended = once(waiting[1]!.resume(), "close");
    await ended;
    await expect.poll(() => outbox.bytes).toBeLessThan(limits.bytes);
    expect(outbox.isCrowdedBy("/many")).toBe(true);
    expect(outbox.isCrowdedBy("/few")).toBe(false);
    expect(waiting.map(({ closed }) => closed)).toEqual([false, true, false, false]);
  });
});

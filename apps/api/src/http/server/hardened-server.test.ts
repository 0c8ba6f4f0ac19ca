import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Cors } from "../exchange/cors.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { DEFAULT_OUTBOX, Outbox } from "../exchange/outbox.ts";
import { createHardenedServer } from "./hardened-server.ts";
import { ConnectionTurns } from "./turns.ts";

/** More than the kernel buffers of an answer that nobody reads. */
const LONG = new Uint8Array(64 * 1024 * 1024);
/** An allowed origin. */
const PAGE = "https://app.example.com";
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
  server = createHardenedServer(answer, {
    outbox,
    cors: new Cors([PAGE]),
    turns: new ConnectionTurns(),
    onTurn: () => {},
  });
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
  it("is sent one answer at a time, however many requests it sends at once", async () => {
    let requests = 0;
    let first: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      first = resolve;
    });
    await start((...args) => {
      requests++;
      first();
      return answeredInParts(...args);
    });
    const silent = await open();
    silent.pause();
    silent.write(GET.repeat(8));
    await begun;
    // A request on another connection is answered after all of those had arrived.
    const other = await open();
    other.write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(other, "data");
    expect(requests).toBe(2);
  });

  it("is refused a malformed message after the answers to those before it", async () => {
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

  it("gets the answers to its pipelined requests in their order", async () => {
    let requests = 0;
    await start(async (request) => {
      // The first answers take longest.
      await new Promise((resolve) => setTimeout(resolve, 20 - 2 * requests++));
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

  it("is ended where it sends more requests at once than may wait", async () => {
    const pending = Promise.withResolvers<void>();
    let requests = 0;
    await start(async () => {
      requests++;
      await pending.promise;
      return new Response("late");
    });
    const socket = await open();
    socket.write(GET.repeat(2_000));
    await once(socket, "close");
    pending.resolve();
    expect(requests).toBe(1);
    const other = await open();
    other.write(GET);
    expect(`${(await once(other, "data"))[0]}`).toContain("200 OK");
  });
});

describe("a problem that the server writes by itself", () => {
  const from = (origin: string) => `Host: x\r\nOrigin: ${origin}\r\n`;
  const unfinished = (headers: string) => `POST /c HTTP/1.1\r\n${headers}Content-Length: 9\r\n\r\nhalf`;

  /** Everything that a connection receives until its end. */
  async function heardOf(...written: readonly string[]): Promise<string> {
    const socket = await open();
    let heard = "";
    socket.on("data", (data: Buffer) => {
      heard += data.toString();
    });
    const ended = once(socket, "close");
    for (const text of written) socket.write(text);
    await ended;
    return heard;
  }

  it.each([
    ["400", `POST /c HTTP/1.1\r\n${from(PAGE)}Transfer-Encoding: chunked\r\n\r\nnone\r\n`],
    ["400", `GET / HTTP/1.1\r\n${from(PAGE)}Host: y\r\n\r\n`],
    ["501", `POST / HTTP/1.1\r\n${from(PAGE)}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ["408", unfinished(from(PAGE))],
  ])("%s can be read by a page that is allowed, and varies by origin", async (status, message) => {
    const unanswered: Answer = () => new Promise(() => {});
    await start(unanswered);
    server.requestTimeout = 1;
    const allowed = await heardOf(message);
    expect(allowed).toContain(`HTTP/1.1 ${status}`);
    expect(allowed).toContain(`\r\nAccess-Control-Allow-Origin: ${PAGE}\r\n`);
    expect(allowed).toContain("\r\nVary: Origin\r\n");
    expect(allowed).toMatch(/\r\nAccess-Control-Expose-Headers: .*\bRetry-After\b/);
    const other = await heardOf(message.replace(PAGE, `${PAGE}.evil.com`));
    expect(other).toContain(`HTTP/1.1 ${status}`);
    expect(other).not.toContain("Access-Control");
    expect(other).toContain("\r\nVary: Origin\r\n");
  });

  it("is for the page whose message broke, not for the one that was answered before on the connection", async () => {
    const broken = Promise.withResolvers<void>();
    await start(async () => {
      await broken.promise;
      return new Response("first");
    });
    server.requestTimeout = 1;
    server.once("clientError", () => broken.resolve());
    const heard = await heardOf(
      `GET / HTTP/1.1\r\n${from("https://evil.example")}\r\n${unfinished(from(PAGE))}`,
    );
    expect(heard.match(/HTTP\/1\.1 \d+|Access-Control-Allow-Origin: \S+/g)).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 408",
      `Access-Control-Allow-Origin: ${PAGE}`,
    ]);
  });

  it("names no page where the message broke before its headers had come", async () => {
    await start(() => new Response("never"));
    for (const broken of [
      `GET / HTTP/1.1\r\n${from(PAGE)}: no\r\n\r\n`,
      `GET / HTTP/1.1\r\n${from(PAGE)}A: ${"a".repeat(20_000)}`,
      `GET / HTTP/1.1\r\n${from(PAGE)}${"a: b\r\n".repeat(70)}\r\n`,
    ]) {
      const heard = await heardOf(broken);
      expect(heard).toMatch(/HTTP\/1\.1 4(?:00|31)/);
      expect(heard).not.toContain("Access-Control");
      expect(heard).toContain("\r\nVary: Origin\r\n");
    }
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

  it("is ended where more waits than there is room for: the slowest connection of the sender with the most waiting", async () => {
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

import { once } from "node:events";
import { connect } from "node:net";
import type { Engine } from "@groundrule/engine";
import { type EngineHost, hostInProcess } from "@groundrule/service";
import { afterEach, describe, expect, it } from "vitest";
import { sendAbusiveHeads } from "../../test/attacks/headers.ts";
import { buildRequestHead } from "../../test/attacks/raw-request.ts";
import { HttpCaller } from "../../test/http.ts";
import { PLOT } from "../../test/literal-app.ts";
import { makeLiteralEngine } from "../../test/literal-engine.ts";
import { startService, type TestService } from "../../test/service.ts";
import type { ServeOptions } from "./serve.ts";

let server: TestService;
const lines: string[] = [];
afterEach(async () => {
  await server.stop();
  lines.length = 0;
});

async function start(
  engine: EngineHost = hostInProcess(() => makeLiteralEngine()),
  more: Partial<ServeOptions> = {},
) {
  server = await startService(engine, { print: (line) => lines.push(line), ...more });
  return server;
}

/** Sends raw bytes and returns everything received until the connection ends. */
async function sendRaw(...parts: (string | Uint8Array)[]): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  const received: Buffer[] = [];
  socket.on("data", (data: Buffer) => received.push(data));
  // A server that answers and closes while we still send resets the connection; its answer has arrived.
  socket.on("error", () => {});
  for (const part of parts) socket.write(part);
  await once(socket, "close");
  return Buffer.concat(received).toString("latin1");
}

const statusOf = (answer: string): number => Number(answer.split(" ", 2)[1]);

const postHead = (...headers: string[]) => buildRequestHead("/v1/intersections", server.key, headers);

const post = (body: unknown, headers?: Record<string, string>) =>
  new HttpCaller(server).post("/v1/intersections", body, headers);

/** The server receives events in this thread: once it has answered these, it has handled all earlier ones. */
async function roundTrips(): Promise<void> {
  for (let i = 0; i < 3; i++) expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
}

describe("startServer", () => {
  it("states where it listens and answers there", async () => {
    await start();
    expect(lines).toEqual([`groundrule listens on ${server.url}`]);
    expect((await post({ input: { geometry: PLOT } })).status).toBe(200);
  });

  it("fails where the port is taken", async () => {
    await start();
    await expect(start(undefined, { port: Number(new URL(server.url).port) })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
  });
});

describe("a body over the wire", () => {
  it("too large is refused whether its length is declared, unknown, or a lie", async () => {
    await start(undefined, { limits: { bodyBytes: 100_000 } });
    const chunk = `${(50_000).toString(16)}\r\n${" ".repeat(50_000)}\r\n`;
    const answers = [
      await sendRaw(postHead("Content-Length: 100001", "Connection: close"), " ".repeat(100_001)),
      await sendRaw(
        postHead("Transfer-Encoding: chunked", "Connection: close"),
        chunk,
        chunk,
        chunk,
        "0\r\n\r\n",
      ),
    ];
    for (const answer of answers) {
      expect(statusOf(answer)).toBe(413);
      expect(answer).toContain("PAYLOAD_TOO_LARGE");
    }
    const lie = await sendRaw(`${postHead("Content-Length: 2")}{}garbage\r\n\r\n`);
    // The declared bytes form one request with its answer; the surplus is not a request.
    expect(lie.match(/HTTP\/1\.1 \d+|errors#\w+/g)).toEqual([
      "HTTP/1.1 422",
      "errors#validation_failed",
      "HTTP/1.1 400",
      "errors#malformed_request",
    ]);
  });

  it("that breaks off is nobody's internal error", async () => {
    const reported: unknown[] = [];
    await start(undefined, { report: (error) => reported.push(error) });
    for (const head of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      socket.write(`${postHead(head)}10\r\n{"input":`);
      await once(socket, "ready");
      await roundTrips();
      socket.resetAndDestroy();
      await roundTrips();
    }
    expect(reported).toEqual([]);
  });
});

describe("a broken message", () => {
  it("T-22, T-30: too large, ambiguous or made to confuse gets a problem and loses its connection", async () => {
    await start();
    const { over, answers } = await sendAbusiveHeads(Number(new URL(server.url).port), server.key);
    expect(over).toEqual([]);
    const broken = answers.filter(({ status }) => [400, 431, 501].includes(status));
    for (const { text } of broken) {
      const id = /^x-request-id: (req_\w+)\r$/im.exec(text)?.[1];
      expect(text).toContain(`"instance":"${id}"`);
      expect(text).toMatch(/^cache-control: no-store\r$/im);
    }
    // The end of a request with a bad Host is still known, so its connection may stay open.
    const staying = broken.filter(({ text }) => !/^connection: close\r$/im.test(text));
    expect(
      staying.map(({ text }) => text.match(/request target or Host header is not valid/)?.length),
    ).toEqual([1]);
    expect(broken.length).toBeGreaterThan(40);
  });

  it("gets its problem on a connection that was kept alive, too", async () => {
    await start();
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    const [first] = (await once(socket, "data")) as [Buffer];
    socket.write("nonsense\r\n\r\n");
    const [second] = (await once(socket, "data")) as [Buffer];
    expect([statusOf(first.toString()), statusOf(second.toString())]).toEqual([200, 400]);
    await once(socket, "close");
  });

  it("leaves the server answering others", async () => {
    await start();
    await Promise.all(Array.from({ length: 50 }, () => sendRaw("\0\0\0\r\n\r\n")));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it("that never ends is cut off within the time for headers, whether its peer listens or not", async () => {
    await start();
    const { port } = new URL(server.url);
    const slowBody = connect(Number(port), "127.0.0.1").on("error", () => {});
    slowBody.write(postHead("Content-Length: 100"));
    await once(slowBody, "ready");
    const deaf = connect(Number(new URL(server.url).port), "127.0.0.1");
    deaf.on("error", () => {});
    const cutOff = new Promise((resolve) => deaf.once("close", resolve));
    deaf.write("GET /healthz HTTP/1.1\r\nHost: x\r\n");
    const dripping = setInterval(() => deaf.write("a"), 500);
    const answer = await sendRaw("GET /healthz HTTP/1.1\r\nHost: x\r\n");
    expect(statusOf(answer)).toBe(408);
    await cutOff;
    clearInterval(dripping);
    // A body has three times as long.
    expect(slowBody.readyState).toBe("open");
    slowBody.destroy();
  });
});

describe("a health probe", () => {
  it("is answered in HTTP/1.0 without a Host", async () => {
    await start();
    for (const path of ["/healthz", "/readyz"])
      expect(statusOf(await sendRaw(`GET ${path} HTTP/1.0\r\n\r\n`))).toBe(200);
  });
});

describe("an API key that is sent as X-Request-Id", () => {
  it("is neither echoed nor stored nor logged; a request id of our own stands for it", async () => {
    const events: unknown[] = [];
    await start(undefined, { onRequest: (event) => events.push(event) });
    for (const id of [server.key, `trace:${server.key}`, server.key.toUpperCase(), server.key.slice(0, -1)]) {
      const response = await post({ input: { geometry: PLOT } }, { "X-Request-Id": id });
      expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
      expect(await response.text()).not.toContain(id);
    }
    const text = await (await new HttpCaller(server).get("/v1/decisions")).text();
    expect(JSON.parse(text).data.items).toHaveLength(4);
    expect(`${text}${JSON.stringify(events)}`).not.toMatch(/gr_test_/i);
  });
});

describe("a graceful stop", () => {
  it("finishes the request that runs, closes its connection, and takes no other", async () => {
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const inner = hostInProcess(() => makeLiteralEngine());
    let onRequest: (() => void) | undefined;
    const running = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    await start({
      ...inner,
      answer: async (task) => {
        onRequest?.();
        await released;
        return inner.answer(task);
      },
    });
    const answer = post({ input: { geometry: PLOT } });
    await running;
    const stopped = server.stop();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    release?.();
    expect((await answer).status).toBe(200);
    await stopped;
  });

  it("ends at its time limit when a request does not", async () => {
    const inner = hostInProcess(() => makeLiteralEngine());
    const running = Promise.withResolvers<void>();
    const answer = (): Promise<never> => {
      running.resolve();
      return new Promise(() => {});
    };
    await start({ ...inner, answer }, { stopTimeoutMs: 100 });
    const answered = post({ input: { geometry: PLOT } }).catch((error: unknown) => error);
    await running.promise;
    await server.stop();
    expect(await answered).toBeInstanceOf(Error);
  });

  it("on SIGTERM first turns /readyz, then stops", async () => {
    await start(undefined, { stopOnSignals: true, drainDelayMs: 3_600_000 });
    process.emit("SIGTERM", "SIGTERM");
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).headers.get("Connection")).toBe("close");
    await server.stop();
    await start(undefined, { stopOnSignals: true, drainDelayMs: 1 });
    process.emit("SIGTERM", "SIGTERM");
    await server.stopped;
    await expect(fetch(`${server.url}/readyz`)).rejects.toThrow();
    expect(process.listenerCount("SIGTERM")).toBe(0);
  });
});

describe("an engine that fails", () => {
  it("is logged with the request's id, hidden from the caller, and leaves the server answering", async () => {
    const reported: unknown[] = [];
    const broken: Engine = makeLiteralEngine({
      intersections: () => {
        throw new TypeError("cannot read secrets of undefined");
      },
    });
    await start(
      hostInProcess(() => broken),
      { report: (error, id) => reported.push([id, String(error)]) },
    );
    const response = await post({ input: { geometry: PLOT } });
    const bodyText = await response.text();
    expect(JSON.parse(bodyText)).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
    expect(bodyText).not.toContain("secrets");
    expect(reported).toEqual([
      [response.headers.get("X-Request-Id"), "TypeError: cannot read secrets of undefined"],
    ]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { KEY } from "../test/scripted.ts";
import { type ClientOptions, createClient } from "./index.ts";

// Misbehaving servers, over sockets, with the host's own `fetch`.

const ends: (() => unknown)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

async function startServerWithClient(listener: RequestListener, options: Partial<ClientOptions> = {}) {
  const seen: string[] = [];
  const closed: Promise<unknown>[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? "no key"}`);
    closed.push(once(response, "close"));
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = createClient({ baseUrl, apiKey: KEY, attempts: 2, sleep: async () => {}, ...options });
  return { client, seen, closed, baseUrl };
}

describe("a page of another origin", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("names to a page the setting that may be missing, and not to other programs", async () => {
    const { client, baseUrl } = await startServerWithClient((_, response) => response.destroy());
    const host = new URL(baseUrl).host;
    const plain = `the service was not reached (${host})`;
    const messageIn = async (origin: string | undefined): Promise<string> => {
      vi.stubGlobal("origin", origin);
      return client.usage().catch(({ message }) => message);
    };
    expect(await messageIn(undefined)).toBe(plain);
    expect(await messageIn(baseUrl)).toBe(plain);
    for (const origin of ["https://app.example.com", "null"]) {
      expect(await messageIn(origin)).toBe(
        `the service was not reached, or its setting cors_origins does not name this page's origin, ${origin} (${host})`,
      );
    }
  });
});

describe("a server that", () => {
  it("never answers costs no more than the time of an attempt, and is let go of", async () => {
    const { client, closed } = await startServerWithClient(() => {}, { timeoutMs: 60 });
    await expect(client.usage()).rejects.toMatchObject({ reason: "timeout", attempts: 2 });
    await Promise.all(closed);
  });

  it("sends a byte now and then is not waited for longer", async () => {
    const { client, closed } = await startServerWithClient(
      (_, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        const drip = setInterval(() => response.write(" "), 5);
        response.on("close", () => clearInterval(drip));
      },
      { timeoutMs: 60 },
    );
    await expect(client.usage()).rejects.toMatchObject({ reason: "timeout" });
    await Promise.all(closed);
  });

  it("never ends its answer is stopped at the greatest size, and not sent again", async () => {
    let sent = 0;
    const { client, seen, closed } = await startServerWithClient(
      (_, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        const chunk = Buffer.alloc(64 * 1024, 32);
        const more = (): void => {
          while (!response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) return void response.once("drain", more);
          }
        };
        more();
      },
      { maxAnswerBytes: 1_000_000 },
    );
    await expect(client.usage()).rejects.toMatchObject({ reason: "too_large", status: 200 });
    await Promise.all(closed);
    expect(seen).toHaveLength(1);
    // Beyond the limit, only as much is sent as sockets buffer.
    expect(sent).toBeLessThan(50_000_000);
  });

  it("unpacks to much more than it sends is stopped as well", async () => {
    const { gzipSync } = await import("node:zlib");
    const bomb = gzipSync(Buffer.alloc(30_000_000, 32));
    const { client } = await startServerWithClient(
      (_, response) => {
        response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" }).end(bomb);
      },
      { maxAnswerBytes: 1_000_000 },
    );
    await expect(client.usage()).rejects.toMatchObject({ reason: "too_large" });
  });

  it("points elsewhere does not get the key sent there", async () => {
    const other = await startServerWithClient((_, response) => void response.end("{}"));
    const { client, seen } = await startServerWithClient((_, response) => {
      response.writeHead(302, { Location: `${other.baseUrl}/v1/usage` }).end();
    });
    await expect(client.usage()).rejects.toMatchObject({ reason: "redirect", status: 302 });
    expect(other.seen).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  it("breaks off in the body gets the request again", async () => {
    const { client, seen } = await startServerWithClient((_, response) => {
      if (seen.length > 1)
        return void Response.json({ data: { used: 1 } })
          .text()
          .then((text) => {
            response.writeHead(200, { "Content-Type": "application/json" }).end(text);
          });
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
      response.write('{"data":', () => response.destroy());
    });
    expect((await client.usage()).data.used).toBe(1);
    expect(seen).toHaveLength(2);
  });

  it("is not there is reported, without the key", async () => {
    const { client, baseUrl } = await startServerWithClient(() => {});
    await Promise.all(ends.splice(0).map((end) => end()));
    const error = await client.usage().catch((thrown) => thrown);
    expect(error).toMatchObject({ reason: "connection", attempts: 2 });
    expect(error.message).toBe(`the service was not reached (${new URL(baseUrl).host})`);
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it("is below a path gets its requests there", async () => {
    const { baseUrl, seen } = await startServerWithClient((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" }).end('{"data": {}}');
    });
    const client = createClient({ baseUrl: new URL(`${baseUrl}/rules/`), apiKey: KEY });
    await client.rulesets.get("a/../b?c", 2);
    expect(seen).toEqual([`GET /rules/v1/rulesets/a%2F..%2Fb%3Fc/2 Bearer ${KEY}`]);
    expect(client.sources.tilesUrl("demo:parks")).toBe(
      `${baseUrl}/rules/v1/sources/demo%3Aparks/tiles/{z}/{x}/{y}`,
    );
  });

  it("sends its answer slowly is let go of when the caller aborts within it", async () => {
    const abort = new AbortController();
    const reason = new Error("enough");
    const { client, closed } = await startServerWithClient((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.write('{"data":', () => setTimeout(() => abort.abort(reason), 20));
    });
    await expect(client.usage({ signal: abort.signal })).rejects.toBe(reason);
    await Promise.all(closed);
  });
});

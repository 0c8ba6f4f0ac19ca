import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveFile, startRawServer, startTestServer, type TestServer } from "./servers.ts";
import { createSquaresGeoJson, World } from "./worlds.ts";

const OLD = createSquaresGeoJson(5);
const NEW = createSquaresGeoJson(7, "new");
const MAX_BYTES = 100_000;

type Answer = TestServer["answer"];

/** Behaviour of a publisher that does not send its new file. */
interface Scenario {
  readonly does: string;
  readonly answer: Answer;
  readonly fetch?: object;
  /** The code, and words of the message. */
  readonly expected: readonly [code: string, words: RegExp];
  /** Requests for it; the repetitions of what may pass are two. */
  readonly requests: number;
}

const head = (status: number, headers: Record<string, string | number> = {}): Answer => {
  return (_, response) => void response.writeHead(status, headers).end();
};

const body = (bytes: Uint8Array | string, headers: Record<string, string | number> = {}): Answer => {
  return (_, response) => void response.writeHead(200, headers).end(bytes);
};

/** Begins a file, and lets it be. */
const begun = (headers: Record<string, string | number>, after?: (end: () => void) => void): Answer => {
  return (_, response) => {
    response.writeHead(200, headers);
    response.write(NEW.subarray(0, 100));
    after?.(() => response.destroy());
  };
};

/** Where silence is what is tried: elsewhere a slow machine is silent for as long. */
const STALLED_SOON = { stall_s: 0.1 };

const SCENARIOS: readonly Scenario[] = [
  {
    does: "never answers",
    answer: () => {},
    expected: ["FETCH_STALLED", /sent no byte for 0\.1 s; tried 3 times/],
    fetch: STALLED_SOON,
    requests: 3,
  },
  {
    does: "stalls within the file",
    answer: begun({ "content-length": NEW.length }),
    expected: ["FETCH_STALLED", /sent no byte for 0\.1 s/],
    fetch: STALLED_SOON,
    requests: 3,
  },
  {
    does: "drips for longer than the download may take",
    answer: (_, response) => {
      response.writeHead(200, { "content-length": NEW.length });
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    },
    fetch: { timeout_s: 0.3, stall_s: 5 },
    expected: ["FETCH_TIMEOUT", /was not done after 0\.3 s/],
    requests: 1,
  },
  {
    does: "cuts the connection within the file",
    answer: begun({ "content-length": NEW.length }, (end) => setTimeout(end, 10)),
    expected: ["FETCH_INCOMPLETE", /ended before its answer did/],
    requests: 3,
  },
  {
    does: "cuts a file of undeclared length",
    answer: begun({}, (end) => setTimeout(end, 10)),
    expected: ["FETCH_INCOMPLETE", /ended before its answer did/],
    requests: 3,
  },
  {
    does: "resets the connection before an answer",
    answer: (request) => void request.socket.resetAndDestroy(),
    expected: ["FETCH_UNAVAILABLE", /the connection ended before an answer/],
    requests: 3,
  },
  {
    does: "redirects in a circle",
    answer: head(302, { location: "/parks" }),
    expected: ["FETCH_REDIRECTS", /redirected more than 5 times/],
    requests: 6,
  },
  {
    does: "redirects to a file of this machine",
    answer: head(302, { location: "file:///etc/passwd" }),
    expected: ["FETCH_ADDRESS", /an address of file, expected https/],
    requests: 1,
  },
  {
    does: "redirects to another host over http",
    answer: head(301, { location: "http://example.org/parks" }),
    expected: ["FETCH_ADDRESS", /an address of http, expected https/],
    requests: 1,
  },
  {
    does: "redirects to no address",
    answer: head(307, { location: "http://[" }),
    expected: ["FETCH_ADDRESS", /no address that can be read/],
    requests: 1,
  },
  {
    does: "answers a web page with status 200",
    answer: body("\n<!-- moved -->\n<!DOCTYPE html><html><head><title>Please\n log in</title>", {
      "content-type": "text/html",
    }),
    expected: ["FETCH_NOT_DATA", /sent a web page, titled "Please log in"/],
    requests: 1,
  },
  {
    does: "answers a packed web page",
    answer: body(gzipSync("<html><body>Sorry"), { "content-encoding": "gzip" }),
    expected: ["FETCH_NOT_DATA", /sent a web page/],
    requests: 1,
  },
  {
    does: "answers nothing with status 200",
    answer: body(""),
    expected: ["FETCH_NOT_DATA", /sent an empty file/],
    requests: 3,
  },
  {
    does: "packs in a way that was not asked for",
    answer: body("x", { "content-encoding": "br" }),
    expected: ["FETCH_NOT_DATA", /encoded as "br"/],
    requests: 1,
  },
  {
    does: "has no such file",
    answer: head(404),
    expected: ["FETCH_REFUSED", /status 404 \(there is no such file\)/],
    requests: 1,
  },
  {
    does: "fails every time",
    answer: head(503),
    expected: ["FETCH_REFUSED", /status 503, expected 200; tried 3 times/],
    requests: 3,
  },
  {
    does: "asks to come back tomorrow",
    answer: head(429, { "retry-after": "86400" }),
    expected: ["FETCH_REFUSED", /it asks to wait for 86400 s/],
    requests: 1,
  },
  {
    does: "sends a part that was not asked for",
    answer: head(206, { "content-range": `bytes 5-9/${NEW.length}` }),
    expected: ["FETCH_REFUSED", /status 206 to a request for the whole file/],
    requests: 1,
  },
  {
    does: "declares more than is allowed",
    answer: begun({ "content-length": MAX_BYTES + 1 }),
    expected: ["FETCH_TOO_LARGE", /declares 100001 bytes/],
    requests: 1,
  },
  {
    does: "sends more than is allowed, without end",
    answer: (_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(30_000, " ");
      const send = (): void => {
        while (!response.destroyed && response.write(chunk)) {}
      };
      response.on("drain", send);
      send();
    },
    expected: ["FETCH_TOO_LARGE", /sends more than the 100000 bytes/],
    requests: 1,
  },
  {
    does: "sends another file than its checksum says",
    answer: body(NEW),
    fetch: { sha256: "0".repeat(64) },
    expected: ["FETCH_CHECKSUM", /expected 0{64}/],
    requests: 1,
  },
  {
    does: "sends what is no geodata",
    answer: body("no data, but words"),
    expected: ["FORMAT_UNKNOWN", /./],
    requests: 1,
  },
  {
    does: "sends half of a file as if it were whole",
    answer: body(NEW.subarray(0, 500)),
    expected: ["JSON_MALFORMED", /./],
    requests: 1,
  },
  {
    does: "sends areas that cannot be stored",
    answer: body(
      JSON.stringify({ type: "FeatureCollection", features: [{ type: "Feature", geometry: null }] }),
    ),
    expected: ["NOTHING_STORED", /current one stays/],
    requests: 1,
  },
];

let world: World;
let server: TestServer;

beforeEach(async () => {
  world = new World();
  server = await startTestServer();
});

afterEach(async () => {
  await server.close();
  world.remove();
});

function writeManifest(url: string, fetch: object = {}): void {
  world.manifest("parks", { fetch: { url, max_bytes: MAX_BYTES, stall_s: 10, retries: 2, ...fetch } });
}

function countBytesOnDisk(): number {
  const folder = join(world.data, "downloads/t_parks");
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** The old edition, from which every scenario begins. */
async function installOld(): Promise<string> {
  writeManifest(`${server.url}/parks`);
  server.answer = (request, response) => serveFile(request, response, { bytes: OLD, etag: '"1"' });
  expect(await world.sync()).toMatchObject([{ outcome: "installed", areas: 5, bytes: OLD.length }]);
  server.requests.length = 0;
  return world.current("parks")!.edition;
}

describe("a publisher that", () => {
  it.each(SCENARIOS)("$does leaves the edition as it was, and the reason is reported", async (scenario) => {
    const edition = await installOld();
    writeManifest(`${server.url}/parks`, scenario.fetch);
    server.answer = scenario.answer;
    const [outcome] = await world.sync();
    const [code, words] = scenario.expected;
    expect(outcome).toMatchObject({ outcome: "failed", reasons: [{ code }] });
    expect(outcome?.reasons?.[0]?.message).toMatch(words);
    expect(server.requests.length).toBe(scenario.requests);
    expect(world.current("parks")).toEqual({ edition, areas: 5 });
    expect(countBytesOnDisk()).toBeLessThan(OLD.length + MAX_BYTES + 2000);

    // It mends its ways, and nothing stands in the way of the next sync.
    writeManifest(`${server.url}/parks`);
    server.answer = (request, response) => serveFile(request, response, { bytes: NEW, etag: '"2"' });
    expect(await world.sync()).toMatchObject([{ outcome: "installed", areas: 7 }]);
    expect(readdirSync(join(world.data, "downloads/t_parks")).length).toBe(3);
  });

  it("sends less than it declares, or more, is found out", async () => {
    await installOld();
    for (const declared of [NEW.length + 1, NEW.length - 1]) {
      const raw = await startRawServer((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${declared}\r\n\r\n`);
        socket.end(NEW);
      });
      writeManifest(`${raw.url}/parks`);
      const [outcome] = await world.sync();
      await raw.close();
      expect(outcome).toMatchObject({ outcome: "failed", reasons: [{ code: "FETCH_INCOMPLETE" }] });
      expect(world.current("parks")?.areas).toBe(5);
    }
  });

  it("speaks no HTTP is distinguished from one that is not there", async () => {
    await installOld();
    const raw = await startRawServer((socket) => socket.end("220 ftp.example.org ready\r\n"));
    writeManifest(`${raw.url}/parks`);
    expect(await world.sync()).toMatchObject([{ reasons: [{ code: "FETCH_UNAVAILABLE" }] }]);
    await raw.close();
    expect(await world.sync()).toMatchObject([
      {
        reasons: [{ code: "FETCH_UNAVAILABLE", message: expect.stringContaining("refuses the connection") }],
      },
    ]);
  });

  it("unpacks to more than anybody can hold is refused", async () => {
    await installOld();
    const bomb = gzipSync(Buffer.alloc(60_000_000, " "));
    writeManifest(`${server.url}/parks`);
    server.answer = body(bomb, { "content-type": "application/gzip" });
    const [outcome] = await world.sync();
    expect(outcome).toMatchObject({ outcome: "failed" });
    expect(world.current("parks")?.areas).toBe(5);
  });
});

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useEdition } from "@groundrule/node";
import { formatEditionPath, readBuildNotes } from "@groundrule/node/internal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSourceFiles, syncSources } from "../src/index.ts";
import { serveFile, startTestServer, type TestServer } from "./servers.ts";
import { createSquaresGeoJson, World } from "./worlds.ts";

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

const serve = (bytes: Uint8Array, etag?: string): void => {
  server.answer = (request, response) => serveFile(request, response, { bytes, etag });
};
const CUT = { at: 1000, arrived: () => world.arrived("parks") };
const declare = (members: object = {}, fetch: object = {}): void =>
  world.manifest("parks", { ...members, fetch: { url: `${server.url}/parks`, retries: 2, ...fetch } });

describe("a sync of a file on this machine", () => {
  it("does not install what was changed between its digest and the end of its build", async () => {
    world.manifest("parks", { fetch: { file: "parks.geojson" } });
    world.file("parks.geojson", createSquaresGeoJson(3));
    const change = (_name: string, progress: object) => {
      if ("featuresDone" in progress && progress.featuresDone === 3)
        world.file("parks.geojson", createSquaresGeoJson(2));
    };
    const changed = await world.sync({ onProgress: change });
    expect(changed).toMatchObject([{ outcome: "failed", reasons: [{ code: "FETCH_CHANGED" }] }]);
    expect(world.current("parks")).toBeUndefined();
    expect(await world.sync()).toMatchObject([{ outcome: "installed", areas: 2 }]);
  });

  it("writes a file that its host can write, with its checksum, unless the file is there", async () => {
    const sha256 = createHash("sha256").update(createSquaresGeoJson(3)).digest("hex");
    world.manifest("parks", { fetch: { file: "parks.geojson", sha256 } });
    const written = (count: number) => ({
      writtenFiles: new Map([
        [join(world.folder, "parks.geojson"), async () => [String(createSquaresGeoJson(count))]],
      ]),
    });
    const failed = await world.sync(written(2));
    expect(failed).toMatchObject([{ outcome: "failed", reasons: [{ code: "FETCH_CHECKSUM" }] }]);
    expect(await world.sync(written(3))).toMatchObject([{ outcome: "installed", areas: 3 }]);
    world.file("parks.geojson", createSquaresGeoJson(3));
    expect(await world.sync(written(2))).toMatchObject([{ outcome: "unchanged" }]);
  });
});

describe("a sync of a URL", () => {
  it("requests by the publisher's validator, and builds nothing where there is nothing new", async () => {
    declare();
    serve(createSquaresGeoJson(3), '"1"');
    expect(await world.sync()).toMatchObject([{ outcome: "installed", areas: 3 }]);
    expect(await world.sync()).toMatchObject([{ outcome: "unchanged", areas: 3, bytes: 0 }]);
    expect(server.requests[1]?.headers["if-none-match"]).toBe('"1"');
    // Even where somebody tidied up: the edition's notes tell what it was built from.
    rmSync(join(world.data, "downloads/t_parks"), { recursive: true });
    expect(await world.sync()).toMatchObject([{ outcome: "unchanged", bytes: 0 }]);
    expect(server.requests[2]?.headers["if-none-match"]).toBe('"1"');
  });

  it("finds the same bytes unchanged where the publisher has no validator", async () => {
    declare();
    serve(createSquaresGeoJson(3));
    await world.sync();
    expect(await world.sync()).toMatchObject([
      { outcome: "unchanged", bytes: createSquaresGeoJson(3).length },
    ]);
  });

  it("builds again, without a download, where the manifest changed", async () => {
    declare();
    serve(createSquaresGeoJson(3, "Park"), '"1"');
    const [before] = await world.sync();
    declare({ name: "note" });
    const [after] = await world.sync();
    expect(after).toMatchObject({ outcome: "installed", bytes: 0 });
    expect(after?.edition).not.toBe(before?.edition);
  });

  it("downloads again what decayed on the disk", async () => {
    declare();
    serve(createSquaresGeoJson(3, "Park"), '"1"');
    await world.sync();
    const folder = join(world.data, "downloads/t_parks");
    const file = readdirSync(folder).find((name) => name.endsWith(".data"))!;
    writeFileSync(join(folder, file), createSquaresGeoJson(2));
    declare({ name: "note" });
    expect(await world.sync()).toMatchObject([{ outcome: "failed", reasons: [{ code: "FETCH_CHECKSUM" }] }]);
    expect(await world.sync()).toMatchObject([{ outcome: "installed", areas: 3 }]);
  });

  it("goes on where the connection broke, and puts both halves together", async () => {
    declare();
    const bytes = createSquaresGeoJson(50);
    server.answer = (request, response, count) =>
      serveFile(request, response, { bytes, etag: '"1"', cut: count < 3 ? CUT : undefined });
    expect(await world.sync()).toMatchObject([{ outcome: "installed", areas: 50 }]);
    expect(server.requests.map(({ headers }) => [headers.range, headers["if-range"]])).toEqual([
      [undefined, undefined],
      ["bytes=1000-", '"1"'],
      ["bytes=2000-", '"1"'],
    ]);
    expect(world.pauses).toEqual([500, 1000]);
  });

  it.each([
    ["has another file meanwhile", '"2"', createSquaresGeoJson(60), 60],
    ["does not know ranges", undefined, createSquaresGeoJson(50), 50],
  ] as const)("begins anew where the server %s", async (_, etag, bytes, areas) => {
    declare();
    server.answer = (request, response, count) => {
      if (count === 1)
        serveFile(request, response, { bytes: createSquaresGeoJson(50), etag: '"1"', cut: CUT });
      else if (etag === undefined) response.writeHead(200, { "content-length": bytes.length }).end(bytes);
      else serveFile(request, response, { bytes, etag });
    };
    expect(await world.sync()).toMatchObject([{ outcome: "installed", areas }]);
    expect(server.requests[1]?.headers.range).toBe("bytes=1000-");
  });

  it.each([416, 304, 206])("begins anew where a server answers a range wrongly: %d", async (status) => {
    declare();
    const bytes = createSquaresGeoJson(50);
    server.answer = (request, response, count) => {
      if (count === 2)
        return void response.writeHead(status, { "content-range": `bytes 7-9/${bytes.length}` }).end();
      serveFile(request, response, { bytes, etag: '"1"', cut: count === 1 ? CUT : undefined });
    };
    expect(await world.sync()).toMatchObject([{ outcome: "installed", areas: 50 }]);
    expect(server.requests[2]?.headers.range).toBeUndefined();
  });

  it("waits as long as a server requires, within limits", async () => {
    declare();
    server.answer = (request, response, count) => {
      if (count === 1) return void response.writeHead(503, { "retry-after": "120" }).end();
      serveFile(request, response, { bytes: createSquaresGeoJson(1) });
    };
    expect(await world.sync()).toMatchObject([{ outcome: "installed" }]);
    expect(world.pauses).toEqual([120_000]);
  });

  it("compares with the publisher's list of checksums, and requests no more where it names the known one", async () => {
    const bytes = createSquaresGeoJson(4);
    const list = [`${"0".repeat(64)}  other`, `${computeDigest(bytes)} *parks`].join("\n");
    declare({}, { sha256_url: `${server.url}/SHA256SUMS` });
    server.answer = (request, response) => {
      if (request.url === "/SHA256SUMS") response.end(list);
      else serveFile(request, response, { bytes });
    };
    expect(await world.sync()).toMatchObject([{ outcome: "installed" }]);
    server.requests.length = 0;
    expect(await world.sync()).toMatchObject([{ outcome: "unchanged" }]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/SHA256SUMS"]);
  });

  it("takes the time of collection from the publisher where the manifest has none, and writes down where it came from", async () => {
    declare();
    const changed = "Tue, 03 Mar 2026 10:00:00 GMT";
    server.answer = (_, response) =>
      void response.writeHead(200, { "last-modified": changed }).end(createSquaresGeoJson(2));
    const [outcome] = await world.sync();
    const path = formatEditionPath(world.data, "t:parks", outcome!.edition!);
    expect(readFileSync(path).includes('"collected_at":"2026-03-03T10:00:00.000Z"')).toBe(true);
    const origin = { url: `${server.url}/parks`, last_modified: changed };
    expect(readBuildNotes(path)?.origin).toMatchObject(origin);
  });
});

function computeDigest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

describe("a sync by way of a proxy", () => {
  const ELSEWHERE = { outcome: "failed", reasons: [{ code: "FETCH_ADDRESS" }] };

  /** The server is the proxy and everybody behind it; the publisher of the manifest redirects. */
  async function redirected(to: string, url = "http://data.example/parks"): ReturnType<World["sync"]> {
    declare({}, { url, allow_http: true, retries: 0 });
    server.requests.length = 0;
    server.answer = (request, response) => {
      if (request.url === url) response.writeHead(302, { location: to }).end();
      else serveFile(request, response, { bytes: createSquaresGeoJson(3) });
    };
    return world.sync({ proxies: { http_proxy: server.url } });
  }

  it.each([
    ["the metadata of a cloud", "http://169.254.169.254/latest/meta-data"],
    ["the same in other words", "http://0xa9.254.43518/latest/meta-data"],
    ["the same in IPv6", "http://[::ffff:a9fe:a9fe]/latest/meta-data"],
    ["the same behind a translation", "http://[64:ff9b::169.254.169.254]/latest/meta-data"],
    ["a name that is of this machine", "http://localhost/parks"],
    ["a name that nobody here knows", "http://mirror.invalid/parks"],
  ])("is not led from a public host to %s", async (_, to) => {
    expect(await redirected(to)).toMatchObject([ELSEWHERE]);
    expect(server.requests.map(({ path }) => path)).toEqual(["http://data.example/parks"]);
  });

  it("follows redirects to other public hosts, and within the host of the manifest", async () => {
    for (const to of ["http://8.8.8.8/parks", "http://[2606:4700::1111]/parks", "/moved/parks"]) {
      expect(await redirected(to), to).not.toMatchObject([ELSEWHERE]);
      expect(server.requests.length, to).toBe(2);
    }
  });

  it("follows a private host into its own network, until it leaves it", async () => {
    const start = "http://10.1.2.3/parks";
    expect(await redirected("http://10.9.9.9/parks", start)).not.toMatchObject([ELSEWHERE]);
    expect(server.requests.length).toBe(2);
    declare({}, { url: start, allow_http: true, retries: 0, timeout_s: 100 });
    server.answer = (request, response) => {
      const location = request.url === start ? "http://8.8.8.8/parks" : "http://10.9.9.9/parks";
      response.writeHead(302, { location }).end();
    };
    server.requests.length = 0;
    expect(await world.sync({ proxies: { HTTP_PROXY: server.url } })).toMatchObject([ELSEWHERE]);
    expect(server.requests.length).toBe(2);
  });
});

describe("a sync of several sources", () => {
  it("goes on where one fails, and reports each in the order of the manifests", async () => {
    world.manifest("a", { fetch: { file: "a.geojson" } });
    const origin = { license: "CC0 1.0", taken_from: "https://b.example/copy", changes: "none" };
    world.manifest("b", {
      source_dataset: "Bees",
      source_url: "https://b.example/",
      collected_at: "2023-09-05T00:00:00Z",
      fetch: { file: "missing.geojson", origin },
    });
    world.manifest("c", {});
    world.file("a.geojson", createSquaresGeoJson(1));
    world.file("d.json", '{"source_name": ');
    const message = expect.stringMatching(
      /cannot read .*missing\.geojson: there is no such file\. "Bees": published at https:\/\/b\.example\/; collected 2023-09-05; licence: CC0 1\.0; this copy was taken from https:\/\/b\.example\/copy; changed since: none$/,
    );
    expect(await world.sync()).toMatchObject([
      { source_name: "t:a", outcome: "installed", areas: 1 },
      { source_name: "t:b", outcome: "failed", reasons: [{ code: "FILE_MISSING", message }] },
      { source_name: "t:c", outcome: "skipped" },
      { outcome: "failed", reasons: [{ code: "MANIFEST_INVALID" }] },
    ]);
  });

  it("is refused while another is at work on the folder", async () => {
    declare();
    let release = (): void => {};
    server.answer = (request, response) => {
      release = () => serveFile(request, response, { bytes: createSquaresGeoJson(1) });
    };
    const first = world.sync();
    await expect.poll(() => server.requests.length).toBe(1);
    await expect(world.sync()).rejects.toMatchObject({ code: "SYNC_RUNNING" });
    release();
    expect(await first).toMatchObject([{ outcome: "installed" }]);
  });

  it("ends with the signal, and the next one goes on with what came", async () => {
    declare();
    const bytes = createSquaresGeoJson(50);
    const stop = new AbortController();
    server.answer = (request, response, count) => {
      if (count > 1) return serveFile(request, response, { bytes, etag: '"1"' });
      response.writeHead(200, { etag: '"1"', "content-length": bytes.length });
      response.write(bytes.subarray(0, 1000));
      void expect
        .poll(() => world.arrived("parks"))
        .toBe(1000)
        .then(() => stop.abort(143));
    };
    await expect(world.sync({ signal: stop.signal })).rejects.toBe(143);
    expect(await world.sync()).toMatchObject([{ outcome: "installed", areas: 50 }]);
    expect(server.requests[1]?.headers.range).toBe("bytes=1000-");
  });

  it("refuses two manifests of one source", () => {
    world.manifest("a", {});
    world.file("b.json", JSON.stringify({ source_name: "t:a", kind: "leaf" }));
    expect(() => readSourceFiles([world.folder])).toThrow(/both manifests of "t:a"/);
  });
});

describe("guards", () => {
  it("keep an edition that shrank from becoming current, time and again, until it is allowed", async () => {
    world.manifest("parks", { fetch: { file: "parks.geojson" } });
    world.file("parks.geojson", createSquaresGeoJson(10));
    const [before] = await world.sync();
    world.file("parks.geojson", createSquaresGeoJson(2));
    for (let round = 0; round < 2; round++) {
      const [outcome] = await world.sync();
      expect(outcome).toMatchObject({ outcome: "refused", reasons: [{ code: "shrunk" }, {}] });
      expect(world.current("parks")?.edition).toBe(before?.edition);
    }
    expect(await world.sync({ allow: ["shrunk"] })).toMatchObject([{ outcome: "installed", areas: 2 }]);
    expect(await world.sync()).toMatchObject([{ outcome: "unchanged", areas: 2 }]);
  });

  it("leave a pinned source at its edition, and build the newest once", async () => {
    world.manifest("parks", { fetch: { file: "parks.geojson" } });
    world.file("parks.geojson", createSquaresGeoJson(10));
    const [before] = await world.sync();
    await useEdition(world.data, "t:parks", before!.edition!, { pin: true });
    world.file("parks.geojson", createSquaresGeoJson(11));
    const [first] = await world.sync();
    expect(first).toMatchObject({ outcome: "pinned", left_out: 0 });
    const [second] = await world.sync();
    expect(second).toMatchObject({ outcome: "pinned", edition: first?.edition });
    expect(second?.left_out).toBeUndefined();
    expect(world.current("parks")?.edition).toBe(before?.edition);
  });
});

describe("a file of a manifest", () => {
  it("is found in the folder that a sync names, and must have its checksum", async () => {
    const elsewhere = new World();
    elsewhere.file("parks.geojson", createSquaresGeoJson(3));
    const sha256 = computeDigest(createSquaresGeoJson(3));
    world.manifest("parks", { fetch: { file: "parks.geojson", sha256 } });
    const files = readSourceFiles([world.folder]);
    const sync = () => syncSources(files, { dir: world.data, from: elsewhere.folder });
    expect(await sync()).toMatchObject([{ outcome: "installed", areas: 3 }]);
    elsewhere.file("parks.geojson", createSquaresGeoJson(4));
    expect(await sync()).toMatchObject([{ outcome: "failed", reasons: [{ code: "FETCH_CHECKSUM" }] }]);
    elsewhere.remove();
  });
});

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { verifyEditions } from "@groundrule/node";
import { mulberry32 } from "@groundrule/testing/random";
import { expect, it } from "vitest";
import { serveFile, startTestServer } from "./servers.ts";
import { createSquaresGeoJson, World } from "./worlds.ts";

const ROUNDS = process.env.GROUNDRULE_FULL === undefined ? 12 : 100;

it("is ended by SIGKILL at many points, and the next sync makes up for it", async () => {
  const world = new World();
  const server = await startTestServer();
  const random = mulberry32(20261122);
  try {
    world.manifest("parks", { fetch: { url: `${server.url}/parks` } });
    let bytes = createSquaresGeoJson(10);
    let version = 1;
    // Sends slowly, so that many kills fall into the download.
    server.answer = (request, response) => {
      const etag = `"${version}"`;
      if (request.headers["if-none-match"] === etag) return serveFile(request, response, { bytes, etag });
      const isSame = request.headers["if-range"] === etag;
      const from = isSame ? Number(/\d+/.exec(request.headers.range ?? "")?.[0] ?? 0) : 0;
      const range = { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
      response.writeHead(from > 0 ? 206 : 200, {
        etag,
        "content-length": bytes.length - from,
        ...(from > 0 && range),
      });
      let sent = from;
      const send = setInterval(() => {
        response.write(bytes.subarray(sent, sent + 1500));
        sent += 1500;
        if (sent >= bytes.length) response.end();
      }, 2);
      response.on("close", () => clearInterval(send));
    };
    await world.sync();
    const child = join(import.meta.dirname, "sync-child.ts");
    for (let round = 0; round < ROUNDS; round++) {
      version++;
      const before = world.current("parks");
      bytes = createSquaresGeoJson(100 + round, `round ${round}`);
      const sync = spawn(process.execPath, [child, world.data, world.folder], { stdio: "ignore" });
      const ended = new Promise((resolve) => sync.once("close", resolve));
      const after = random() * 1200;
      const timer = setTimeout(() => sync.kill("SIGKILL"), after);
      await ended;
      clearTimeout(timer);
      const between = world.current("parks")!;
      expect([before, { ...between, areas: 100 + round }], `killed after ${after} ms`).toContainEqual(
        between,
      );
      const [outcome] = await world.sync();
      expect(["installed", "unchanged"], JSON.stringify(outcome)).toContain(outcome?.outcome);
      expect(world.current("parks")?.areas).toBe(100 + round);
      const left = readdirSync(join(world.data, "downloads/t_parks"));
      expect(left.map((name) => name.replace(/^[0-9a-f]{64}/, "")).sort()).toEqual([
        ".data",
        "built.json",
        "state.json",
      ]);
    }
    const states = [...verifyEditions(world.data)].map(({ status }) => status);
    expect(new Set(states)).toEqual(new Set(["ok"]));
  } finally {
    await server.close();
    world.remove();
  }
});

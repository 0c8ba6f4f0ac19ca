import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSnapshot } from "@groundrule/ingest";
import { installEdition } from "@groundrule/node";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, NO_CHROMIUM, openBrowser, openPage } from "../tools/browser/browser.ts";

const run = promisify(execFile);
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), "groundrule-examples-"));
const file = (name: string) => join(folder, name);

const inPark = createSquarePolygon(-59.6, -10.58, 0.02);
const nearPark = createSquarePolygon(-59.415, -10.55, 0.005);
const farAway = createSquarePolygon(-59.7, -10.9, 0.01);

beforeAll(async () => {
  mkdirSync(file("data"));
  await run(process.execPath, [join(here, "build-snapshot.ts"), file("parks.snapshot")]);
  copyFileSync(file("parks.snapshot"), file("data/parks.snapshot"));
  for (const name of ["ruleset.json", "parks.geojson"]) copyFileSync(join(here, name), file(name));
  copyFileSync(join(here, "ruleset.json"), file("data/ruleset.json"));
  writeFileSync(
    file("plots.ndjson"),
    [inPark, nearPark, farAway, { type: "Point" }].map((plot) => `${JSON.stringify(plot)}\n`).join(""),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the service in Node", () => {
  let server: ChildProcess;
  let address: string;

  beforeAll(async () => {
    const manifest = { source_name: "my:parks", kind: "leaf", id: "code", name: "name" } as const;
    const source = (async function* () {
      yield readFileSync(file("parks.geojson"));
    })();
    await installEdition(file(".groundrule"), (await buildSnapshot(source, manifest)).file, { left_out: 0 });
    server = spawn(
      process.execPath,
      [join(here, "node-service/server.ts"), file(".groundrule"), file("ruleset.json"), "0"],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [said] = await once(server.stdout!, "data");
    address = `http://localhost:${/port: (\d+)/.exec(String(said))![1]}`;
  });
  afterAll(async () => {
    const exit = once(server, "exit");
    server.kill();
    await exit;
  });

  const ask = (body: string) => fetch(address, { method: "POST", body });

  it("answers a plot with its verdict", async () => {
    const answer = await ask(JSON.stringify({ geometry: inPark }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ verdict: "NON_COMPLIANT", status: "ok" });
  });

  it("reports what is wrong with an input, and with what is no JSON", async () => {
    const invalid = await ask(JSON.stringify({ geometry: { type: "Point" } }));
    expect([invalid.status, await invalid.json()]).toMatchObject([422, { code: "VALIDATION_FAILED" }]);
    expect((await ask("{")).status).toBe(400);
  });
});

describe("the workers", () => {
  it("evaluate every plot of a file, in order", async () => {
    const args = ["parks.snapshot", "ruleset.json", "plots.ndjson"].map(file);
    const { stdout } = await run(process.execPath, [join(here, "workers/main.ts"), ...args]);
    expect(stdout).toBe("1 NON_COMPLIANT\n2 WARNING\n3 COMPLIANT\n4 VALIDATION_FAILED\n");
  });
});

describe("the route of Next.js", () => {
  it("answers a Request with a Response", async () => {
    const before = process.cwd();
    process.chdir(folder); // the application's folder, which the route reads its files from
    const { POST } = await import("./nextjs/app/api/verdict/route.ts");
    process.chdir(before);
    const ask = (body: string) => POST(new Request("http://localhost/api/verdict", { method: "POST", body }));
    expect(await (await ask(JSON.stringify({ geometry: nearPark }))).json()).toMatchObject({
      verdict: "WARNING",
    });
    expect((await ask(JSON.stringify({}))).status).toBe(422);
    expect((await ask("{")).status).toBe(400);
  });
});

const chromium = findChromium();

describe("the page", () => {
  it("evaluates in Chromium the plot that is clicked into its map", async ({ skip }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    const bundle = await rolldown({ input: join(here, "browser/main.ts"), platform: "browser" });
    const { output } = await bundle.generate({ format: "esm" });
    const page = readFileSync(join(here, "browser/index.html"), "utf8").replace("main.ts", "main.js");
    const files = new Map<string, [type: string, body: string | Buffer]>([
      ["/", ["text/html", page]],
      ["/main.js", ["text/javascript", output[0].code]],
      ...["parks.snapshot", "ruleset.json", "parks.geojson"].map((name): [string, [string, Buffer]] => [
        `/${name}`,
        ["application/octet-stream", readFileSync(file(name))],
      ]),
    ]);
    const server = createServer(({ url }, response) => {
      const [type, body] = files.get(url!) ?? [undefined, undefined];
      if (type === undefined) response.writeHead(404).end();
      else response.writeHead(200, { "content-type": type }).end(body);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const browser = await openBrowser();
    try {
      const { port } = server.address() as AddressInfo;
      const opened = await openPage(browser, `http://127.0.0.1:${port}/`, {
        viewport: { width: 390, height: 800 },
      });
      const said = await opened.page.evaluate(`(async () => {
        while (document.querySelectorAll(".park").length < 2) await new Promise(requestAnimationFrame);
        const map = document.getElementById("map");
        const box = map.getBoundingClientRect();
        const { x, y, width, height } = map.viewBox.baseVal;
        for (const [lon, lat] of ${JSON.stringify(inPark.coordinates[0]!.slice(0, 4))}) {
          map.dispatchEvent(new MouseEvent("click", {
            clientX: box.left + ((lon - x) / width) * box.width,
            clientY: box.top + ((y + height - lat) / height) * box.height,
          }));
        }
        document.getElementById("check").click();
        return [document.getElementById("verdict").textContent, document.getElementById("checks").textContent];
      })()`);
      expect(said).toEqual(["NON_COMPLIANT", "Overlaps a parkA park within a kilometre"]);
      expect(opened.said).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

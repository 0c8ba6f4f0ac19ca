import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEngine, type SourceInput } from "../../packages/engine/src/index.ts";
import { openData } from "../../packages/node/src/index.ts";
import { layOutDemo } from "../../packages/testing/src/demo-folder.ts";
import { findChromium, NO_CHROMIUM, openBrowser, openPage } from "./browser.ts";
import { fourLines } from "./four-lines.ts";

const root = join(import.meta.dirname, "../..");
const dir = mkdtempSync(join(tmpdir(), "groundrule-browser-"));
const chromium = findChromium();
const NOW = "2026-11-22T12:00:00Z";

describe("the engine in a browser", () => {
  let data: ReturnType<typeof openData>["current"];
  let demo: Awaited<ReturnType<typeof layOutDemo>>;
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    if (chromium === undefined) return;
    demo = await layOutDemo(dir);
    data = openData(dir).current;
    const scripts = new Map([
      ["/engine.js", await bundled("packages/engine/src/index.ts")],
      ["/four-lines.js", await bundled("tools/browser/four-lines.ts")],
    ]);
    server = await serve(scripts, data.sources);
    browser = await openBrowser();
  });
  afterAll(async () => {
    if (chromium !== undefined) {
      await browser.close();
      server.close();
    }
    rmSync(dir, { recursive: true, force: true });
  });

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  it("answers every plot of the demo with the bytes that it answers in Node", async ({ skip }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    const groups = data.options.groups ?? {};
    const bytes = data.sources.map((source) =>
      "bytes" in source ? source.bytes : expect.fail(`${source.manifest.source_name} has no bytes`),
    );
    const policy = openEngine(bytes, { groups }).compile(demo.ruleset as object);
    const inputs = demo.plots.map(({ geometry, properties }) => ({ geometry, scheme: properties?.scheme }));
    const inNode = inputs.map((input) => JSON.stringify(policy.evaluate(input, { now: NOW })));

    const { page, said } = await openPage(browser, address());
    const inPage = await page.evaluate(`(async () => {
      const { openEngine } = await import("/engine.js");
      const fetched = (path) => fetch(path).then((response) => response.arrayBuffer());
      const sources = await Promise.all(${JSON.stringify(data.sources.map((_, i) => `/${i}.snapshot`))}.map(fetched));
      const policy = openEngine(sources, { groups: ${JSON.stringify(groups)} })
        .compile(${JSON.stringify(demo.ruleset)});
      return ${JSON.stringify(inputs)}.map((input) => JSON.stringify(policy.evaluate(input, { now: "${NOW}" })));
    })()`);
    expect(inNode.length).toBeGreaterThan(20);
    const differing = inNode.findIndex((text, i) => text !== (inPage as string[])[i]);
    expect(differing, "the first plot that differs").toBe(-1);
    expect(said).toEqual([]);
  });

  it("goes from GeoJSON to the same verdict in four lines", async ({ skip }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    const example = (name: string) => JSON.parse(readFileSync(join(root, "examples", name), "utf8"));
    const parks = example("parks.geojson");
    const asked = [parks, example("ruleset.json"), parks.features[1].geometry] as const;
    const inNode = fourLines(...asked);

    const { page, said } = await openPage(browser, address());
    const inPage = await page.evaluate(`(async () => {
      const { fourLines } = await import("/four-lines.js");
      return fourLines(...${JSON.stringify(asked)});
    })()`);
    expect(inPage).toBe(inNode);
    expect(JSON.parse(inNode)).toMatchObject({
      verdict: "NON_COMPLIANT",
      checks: [{ evidence: [{ source_id: "P-2", overlap_ratio: 1 }] }, { triggered: true }],
    });
    expect(said).toEqual([]);
  });
});

/** An entry point with all it imports, as a browser loads it. */
async function bundled(entry: string): Promise<string> {
  const { output } = await build({
    input: join(root, entry),
    platform: "browser",
    write: false,
    logLevel: "silent",
    output: { format: "esm", minify: true },
  });
  return output[0].code;
}

async function serve(scripts: ReadonlyMap<string, string>, sources: readonly SourceInput[]): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const source = sources[Number(/^\/(\d+)\.snapshot$/.exec(url!)?.[1])];
    if (source !== undefined && "bytes" in source) {
      response.end(new Uint8Array(source.bytes as SharedArrayBuffer).slice());
    } else if (scripts.has(url!))
      response.setHeader("content-type", "text/javascript").end(scripts.get(url!));
    else response.setHeader("content-type", "text/html").end("<!doctype html><title>groundrule</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

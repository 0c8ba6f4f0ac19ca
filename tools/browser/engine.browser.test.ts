import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "rolldown";
import { expect, it } from "vitest";
import { findChromium, NO_CHROMIUM, openBrowser, openPage } from "./browser.ts";
import { runLibraryExample } from "./four-lines.ts";

const root = join(import.meta.dirname, "../..");

// The test apps/console/test/here.browser.test.ts shows that a page answers as a service does, plot by plot.
it("goes in a browser from GeoJSON to the same verdict as in Node, in four lines", async ({ skip }) => {
  if (findChromium() === undefined) return skip(NO_CHROMIUM);
  const { output } = await build({
    input: join(import.meta.dirname, "four-lines.ts"),
    platform: "browser",
    write: false,
    logLevel: "silent",
    output: { format: "esm", minify: true },
  });
  const server = createServer(({ url }, response) => {
    if (url === "/four-lines.js") response.setHeader("content-type", "text/javascript").end(output[0].code);
    else response.setHeader("content-type", "text/html").end("<!doctype html><title>groundrule</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await openBrowser();
  try {
    const example = (name: string) => JSON.parse(readFileSync(join(root, "examples", name), "utf8"));
    const parks = example("parks.geojson");
    const inputs = [parks, example("ruleset.json"), parks.features[1].geometry] as const;
    const inNode = runLibraryExample(...inputs);
    const { page, said } = await openPage(
      browser,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    );
    const inPage = await page.evaluate(`(async () => {
      const { runLibraryExample } = await import("/four-lines.js");
      return runLibraryExample(...${JSON.stringify(inputs)});
    })()`);
    expect(inPage).toBe(inNode);
    expect(JSON.parse(inNode)).toMatchObject({
      verdict: "NON_COMPLIANT",
      checks: [{ evidence: [{ source_id: "P-2", overlap_ratio: 1 }] }, { triggered: true }],
    });
    expect(said).toEqual([]);
  } finally {
    await browser.close();
    server.close();
  }
});

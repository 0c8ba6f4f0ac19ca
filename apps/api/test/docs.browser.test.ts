import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, NO_CHROMIUM, openBrowser, openPage } from "../../../tools/browser/browser.ts";
import { withDemoService } from "./demo-service.ts";

const chromium = findChromium();
const PAGES = [
  "/docs",
  "/docs/reference/verdicts",
  "/docs/reference/schemas",
  "/docs/errors",
  "/docs/guides",
  "/docs/guides/from-postgis-or-a-hosted-api",
  "/docs/guides/settings",
];
const LOOKS = [
  [1280, "dark"],
  [390, "light"],
] as const;

describe("the documentation in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    if (chromium !== undefined) browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it("can be read by all, wide and dark, narrow and light, and answers its three calls", async ({ skip }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    await withDemoService(async ({ url, key }) => {
      for (const [i, path] of PAGES.entries()) {
        const looks = process.env.GROUNDRULE_FULL === undefined ? [LOOKS[i % LOOKS.length]!] : LOOKS;
        for (const [width, colorScheme] of looks) {
          const barriers = await listBarriers(browser, url + path, width, colorScheme);
          expect(barriers, `${path} at ${width}, ${colorScheme}`).toEqual([]);
        }
      }
      expect(await runPageCalls(browser, url, key)).toEqual(["200", "200", "200"]);
    });
  });

  it("copies code by the keyboard, finds a code, and leads old links to where they point", async ({
    skip,
  }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    await withDemoService(async ({ url }) => {
      const { page, close } = await openPage(browser, `${url}/docs/errors`);
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.locator(".copy").first().focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator("main > .unseen[role=status]").textContent()).toBe("Copied");
      const copied = await page.evaluate("navigator.clipboard.readText()");
      expect(copied).toBe(await page.locator(".code code").first().textContent());

      await page.getByLabel("Find a code").fill("crs 422");
      const found = page.locator(".error:visible h3");
      await expect.poll(() => found.count()).toBeLessThan(5);
      expect(await found.allTextContents()).toContain("CRS_UNKNOWN 422");
      // Right below the field: what stands before the first code is out of the way.
      expect((await found.first().boundingBox())!.y).toBeLessThan(450);

      await page.goto(`${url}/docs#schema-EvaluateRequest`);
      await page.waitForURL(`${url}/docs/reference/one-page#schema-EvaluateRequest`);
      await close();
    });
  });
});

/** Obstacles to reading a page: what axe finds, what is wider than the screen, what failed to load. */
async function listBarriers(
  browser: Browser,
  url: string,
  width: number,
  colorScheme: "light" | "dark",
): Promise<string[]> {
  const { page, said, requested, close } = await openPage(browser, url, {
    viewport: { width, height: 844 },
    colorScheme,
  });
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(() =>
    (globalThis as unknown as { readonly axe: typeof axe }).axe.run(),
  );
  expect(passes.length).toBeGreaterThan(10);
  const surplus = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  const titleAt = await page.evaluate(
    "document.querySelector('h1').getBoundingClientRect().top / innerHeight",
  );
  const elsewhere = requested.filter((each) => new URL(each).origin !== new URL(url).origin);
  await close();
  return [
    ...violations
      .filter(({ impact }) => impact !== "minor")
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    ...(Number(surplus) > 0 ? [`wider than the screen by ${surplus}`] : []),
    ...(Number(titleAt) < 0.5 ? [] : [`the title begins ${titleAt} screens down`]),
    ...said,
    ...elsewhere,
  ];
}

/** The status of each call that a newcomer runs on the page, with the key that they paste. */
async function runPageCalls(browser: Browser, url: string, key: string): Promise<string[]> {
  const { page, close } = await openPage(browser, `${url}/docs`);
  await page.locator("#key").fill(key);
  const statuses: string[] = [];
  for (const call of await page.locator(".call").all()) {
    expect(await call.locator("pre code").textContent()).toContain(key);
    await call.locator(".run").click();
    const status = async (): Promise<string> =>
      ((await call.locator(".answer").textContent()) ?? "").split("\n")[0]!;
    await expect.poll(status).not.toBe("…");
    statuses.push(await status());
  }
  await close();
  return statuses;
}

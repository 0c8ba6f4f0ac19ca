import type { PageWords } from "@groundrule/words";
import { loadPageLanguage } from "@groundrule/words/load";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, openBrowser, openPage, type WatchedPage } from "../../../tools/browser/browser.ts";
import { type DemoProcess, startDemoProcess } from "./demo-process.ts";
import { DrawnMap } from "./drawn-map.ts";

const [en, es, pt] = (await Promise.all(
  (["en", "es", "pt"] as const).map(async (tag) => (await loadPageLanguage(tag)).words),
)) as [PageWords, PageWords, PageWords];

const isFull = process.env.GROUNDRULE_FULL !== undefined;
let browser: Browser;
let demo: DemoProcess;

beforeAll(async () => {
  demo = await startDemoProcess();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await demo.stop();
});

/** Two plots on the same land, for which the page shows findings. */
const SAME_LAND = ["one", "two"]
  .map((id) => {
    const ring = [[-59.6, -10.58], [-59.59, -10.58], [-59.59, -10.57], [-59.6, -10.57], [-59.6, -10.58]]; // biome-ignore format: a ring
    return JSON.stringify({
      type: "Feature",
      properties: { id },
      geometry: { type: "Polygon", coordinates: [ring] },
    });
  })
  .join("\n");

/** Accessibility violations that axe finds. */
async function listViolations({ page }: WatchedPage, isInPlace: boolean): Promise<string[]> {
  const { violations, passes } = await page.evaluate(
    (enabled) =>
      (globalThis as unknown as { readonly axe: typeof axe }).axe.run({
        rules: { "color-contrast": { enabled }, "target-size": { enabled } },
      }),
    isInPlace,
  );
  expect(passes.length).toBeGreaterThan(15);
  return violations
    .filter(({ impact }) => impact !== "minor")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

describe.skipIf(findChromium() === undefined)("the console", () => {
  it.for(isFull ? [1280, 390] : [390])(
    "has nothing that axe calls serious or moderate, at %i px",
    async (width) => {
      const watched = await openPage(browser, demo.page, { viewport: { width, height: 844 }, locale: "en" });
      const { page } = watched;
      const found = new Map<string, string[]>();
      const look = async (what: string, isInPlace = true): Promise<void> => {
        found.set(what, await listViolations(watched, isInPlace));
      };
      await new DrawnMap(watched).settle();
      await page.evaluate(axe.source);
      // The check for overlapping elements takes axe ten seconds in this state on a wide page, and finds the same on a narrow one.
      await look("no plot yet", width === 390);
      if (width === 390) {
        for (const name of [en.appVerdict, en.appPlots]) {
          await page.locator(".app-tabs").getByRole("button", { name }).click();
          await look(`no plot yet, ${name}`);
        }
      }
      await page.getByRole("button", { name: en.mapExample }).click();
      await page.locator(".verdict-banner").waitFor({ state: "attached" });
      await page.locator(".plots input[type=file]").setInputFiles({
        name: "same.ndjson",
        mimeType: "application/json",
        buffer: Buffer.from(SAME_LAND),
      });
      await page.locator(".summary-counts").waitFor();
      await look("the list");
      const withFindings = page.locator(".plots-line", { has: page.locator(".plots-findings") });
      await withFindings.first().dispatchEvent("click");
      await page.locator(".verdict-findings").waitFor({ state: "attached" });
      await page.locator(".verdict-banner").waitFor({ state: "attached" });
      // By another ruleset, all that was answered has something to be compared with.
      const choice = page.locator(".rules select");
      const before = await choice.inputValue();
      await choice.selectOption("forest-areas", { force: true });
      const again = page.locator(".verdict-changed").getByRole("button", { name: en.verdictAgain });
      await again.dispatchEvent("click");
      await page.locator(".verdict-changed").waitFor({ state: "detached" });
      await page.getByRole("button", { name: en.compareShow }).dispatchEvent("click");
      await page.getByRole("slider", { name: en.compareTitle }).waitFor();
      expect(before).not.toBe(await choice.inputValue());
      if (width === 390) await page.locator(".app-menu summary").click();
      const [language, theme] = [
        page.locator(".app-settings select").nth(0),
        page.locator(".app-settings select").nth(1),
      ];
      for (const [colours, languages] of [
        ["light", { pt, es, en }],
        // The same words, of which only the colours are others.
        ["dark", isFull ? { pt, es, en } : { en }],
      ] as const) {
        await theme.selectOption(colours);
        for (const [tag, say] of Object.entries<PageWords>(languages)) {
          await language.selectOption(tag);
          const tabs = width === 390 ? [say.appPlots, say.appRules, say.appVerdict, say.appSources] : [""];
          for (const name of tabs) {
            if (name !== "") await page.locator(".app-tabs").getByRole("button", { name }).click();
            await look(`${colours}, ${tag}, ${name}`);
          }
        }
        if (width === 390) {
          // The menu stands open so far, over the slider.
          await page.locator(".app-menu summary").click();
          for (const key of ["End", "Home"]) {
            await page.locator(".app-sheet").press(key);
            await look(`${colours}, sheet at its ${key}`);
          }
          await page.locator(".app-menu summary").click();
        }
        await page.evaluate(
          'for (const each of document.querySelectorAll(".app-panel details")) each.open = true',
        );
        await page.locator(".app-connection").click();
        await page.getByRole("dialog").waitFor();
        await look(`${colours}, connection`);
        await page.keyboard.press("Escape");
      }
      expect(found.size).toBe(width === 1280 ? 10 : isFull ? 34 : 26);
      expect([...found].filter(([, list]) => list.length > 0)).toEqual([]);
      await watched.close();
    },
  );

  it.each([
    [320, 256],
    [360, 225],
  ])("scrolls as a page in a window of %i × %i, where only the tabs stay", async (width, height) => {
    const { page, close } = await openPage(browser, demo.page, { viewport: { width, height }, locale: "en" });
    const tabs = page.locator(".app-tabs");
    await tabs.getByRole("button", { name: en.appSources }).click();
    await page.locator(".sources-more").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect((await page.locator(".app-header").boundingBox())!.height).toBeLessThan(64);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    expect(await page.evaluate<number>("scrollY")).toBeGreaterThan(0.6 * height);
    const { y, height: tall } = (await tabs.boundingBox())!;
    expect([y, tall < height / 4]).toEqual([0, true]);
    await close();
  });

  it("is painted before any script, with its name and rows to come", async () => {
    const { page, close } = await openPage(browser, demo.page, { javaScriptEnabled: false });
    expect(await page.locator("h1").textContent()).toBe(en.appTitle);
    expect(await page.locator(".skeleton:visible").count()).toBe(6);
    await close();
  });
});

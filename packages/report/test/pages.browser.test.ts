import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, NO_CHROMIUM, openBrowser, openPage } from "../../../tools/browser/browser.ts";
import { gatherMaterial, type PortfolioRow, renderPortfolio, renderReport } from "../src/index.ts";
import { HOSTILE, hardRecords } from "./hard-records.ts";

if (findChromium() === undefined) console.log(`Pages of reports are not looked at: ${NO_CHROMIUM}.`);

/** Faults found by axe that keep people from reading the page. */
async function listViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ exclude: "#table tbody tr:nth-child(n+12)" }),
  );
  expect(passes.length).toBeGreaterThan(10);
  return violations
    .filter(({ impact }) => impact !== "minor")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: "dark" };
const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, colorScheme: "light" };

const { crowded, uncovered, degraded, subjects, declared } = hardRecords();
const ROWS: readonly PortfolioRow[] = [
  { id: 1, name: HOSTILE, record: uncovered.record, link: "reports/00001.html" },
  { id: HOSTILE, name: "A".repeat(10_000), record: crowded.record },
  { id: "no place", error: { code: "GEOMETRY_INVALID", message: "the ring crosses itself" } },
  ...Array.from({ length: 700 }, (_, i): PortfolioRow => {
    const { verdict, at_least, evaluated_at, digest, checks } = uncovered.record.response.data;
    const geometry = { type: "Point", coordinates: [10 + i / 500, 50 + (i % 30) / 50] };
    const input = { area_m2: 10_000 * (i + 1) };
    return { id: `plot-${i}`, geometry, verdict: { verdict, at_least, evaluated_at, digest, checks, input } };
  }),
  { id: "asked", record: declared.record },
];
const writeReport = ({ record, engine }: typeof crowded, language: "en" | "pt" | "es") =>
  renderReport(record, gatherMaterial(record, { engine }), { language });

describe.skipIf(findChromium() === undefined)("pages in Chromium", () => {
  let browser: Browser;
  let folder: string;
  const toUrl = (name: string) => pathToFileURL(join(folder, name)).href;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "groundrule-pages-"));
    const pages = {
      "crowded.html": writeReport(crowded, "en"),
      "uncovered.html": writeReport(uncovered, "pt"),
      "degraded.html": writeReport(degraded, "es"),
      "subjects.html": writeReport(subjects, "en"),
      "declared.html": writeReport(declared, "pt"),
      "portfolio.html": renderPortfolio(ROWS, { title: "Season", language: "es" }),
    };
    for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["degraded.html", "desk"],
    ["uncovered.html", "phone"],
    ["uncovered.html", "desk"],
    ["subjects.html", "phone"],
    ["declared.html", "phone"],
    ["declared.html", "desk"],
    ["portfolio.html", "phone"],
    ["portfolio.html", "desk"],
  ] as const)("%s has no barrier, fits the screen and asks for nothing, on a %s", async (name, on) => {
    const { page, said, requested, close } = await openPage(
      browser,
      toUrl(name),
      on === "desk" ? DESK : PHONE,
    );
    expect(await listViolations(page)).toEqual([]);
    const [width, shown] = await page.evaluate<number[]>(
      "[document.documentElement.scrollWidth, innerWidth]",
    );
    expect(width).toBeLessThanOrEqual(shown!);
    expect(said).toEqual([]);
    expect(requested).toEqual([toUrl(name)]);
    await close();
  });

  it("is white on paper, however dark the screen, and as wide as the screen with crowded evidence", async () => {
    const { page, close } = await openPage(browser, toUrl("crowded.html"), PHONE);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(390);
    const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    expect(await background()).toBe("rgb(18, 18, 18)");
    await page.emulateMedia({ media: "print" });
    expect(await background()).toBe("rgb(255, 255, 255)");
    await close();
  });

  it("filters, sorts and shows more of a portfolio without a line of it lost", async () => {
    const { page, said, close } = await openPage(browser, toUrl("portfolio.html"), DESK);
    const shown = () => page.locator("#table tbody tr:visible").count();
    const shownText = () => page.textContent("#shown");
    expect(await shownText()).toBe("704 de 704 parcelas a la vista");
    expect(await shown()).toBe(300);
    await page.click("#more");
    expect(await shown()).toBe(704);

    await page.fill("[name=text]", "PLOT-69");
    await expect.poll(shownText).toBe("11 de 704 parcelas a la vista");
    await page.click("th[data-sort=area] button");
    await page.click("th[data-sort=area] button");
    expect(await page.getAttribute("th[data-sort=area]", "aria-sort")).toBe("descending");
    expect(await page.textContent("#table tbody tr:visible >> nth=0")).toContain("plot-699");
    await page.selectOption("[name=verdict]", { label: "No se puede verificar" });
    await expect.poll(shownText).toBe("0 de 704 parcelas a la vista");
    await page.fill("[name=text]", "");
    await expect.poll(shownText).toBe("1 de 704 parcelas a la vista");
    await page.click("[type=reset]");
    await expect.poll(shownText).toBe("704 de 704 parcelas a la vista");
    await page.selectOption("[name=check]", { label: "Founded before 2010" });
    await expect.poll(shownText).toBe("1 de 704 parcelas a la vista");
    expect(said).toEqual([]);
    await close();
  });

  it("rings on the map the plot of the line that is pointed at", async () => {
    const { page, said, close } = await openPage(browser, toUrl("portfolio.html"), DESK);
    const line = page.locator('#table tr[data-n="5"]');
    // The last number is that of the map which has the plot.
    const [x, y, , map] = (await line.getAttribute("data-p"))!.split(" ");
    const ring = page.locator(".lit").nth(Number(map));
    expect(await ring.isVisible()).toBe(false);
    await line.hover();
    expect([await ring.getAttribute("cx"), await ring.getAttribute("cy")]).toEqual([x, y]);
    expect(await ring.isVisible()).toBe(true);
    await page.locator("h1").hover();
    expect(await ring.isVisible()).toBe(false);
    expect(said).toEqual([]);
    await close();
  });

  it("shows every plot where scripts are off, and on paper", async () => {
    const off = await openPage(browser, toUrl("portfolio.html"), { ...DESK, javaScriptEnabled: false });
    expect(await off.page.locator("#table tbody tr").count()).toBe(704);
    expect(await off.page.locator("form").isVisible()).toBe(false);
    await off.close();
    const { page, close } = await openPage(browser, toUrl("portfolio.html"), DESK);
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator("#table tbody tr:visible").count()).toBe(704);
    await close();
  });
});

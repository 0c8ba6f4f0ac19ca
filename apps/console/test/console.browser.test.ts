import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { type Engine, openEngine, type SourceManifest } from "@groundrule/engine";
import { createAreaWriter } from "@groundrule/engine/build";
import { hostInProcess } from "@groundrule/service";
import { createBoxRing } from "@groundrule/testing/shapes";
import {
  createSmallWorld,
  createSmallWorldFiles,
  createSmallWorldSources,
  createSquarePlot,
  SMALL_WORLD_OPTIONS,
} from "@groundrule/testing/small-world";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import type { PageWords } from "@groundrule/words";
import { loadPageLanguage } from "@groundrule/words/load";
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateDemo } from "../../../data/demo/generate.ts";
import {
  ELSEWHERE,
  findChromium,
  NO_CHROMIUM,
  openBrowser,
  openPage,
  type WatchedPage,
} from "../../../tools/browser/browser.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "../../api/test/client/faulty-proxy.ts";
import { startService, type TestService, type TestServiceOptions } from "../../api/test/service.ts";
import { type DemoProcess, startDemoProcess } from "./demo-process.ts";
import { DrawnMap } from "./drawn-map.ts";
import { startEarlierRelease } from "./earlier-release.ts";
import { DIST } from "./static-page.ts";

const [en, es, pt] = (await Promise.all(
  (["en", "es", "pt"] as const).map(async (tag) => (await loadPageLanguage(tag)).words),
)) as [PageWords, PageWords, PageWords];

if (findChromium() === undefined) console.log(`The console is not looked at: ${NO_CHROMIUM}.`);

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

const origin = (): string => new URL(demo.page).origin;
/** The page of the demo with a ruleset whose sources all have rings. */
const ringsPage = (): string => demo.page.replace(/ruleset=[^&]*/, "ruleset=forest-areas");
const key = (): string => new URLSearchParams(new URL(demo.page).hash.slice(1)).get("key")!;

describe.skipIf(findChromium() === undefined)("the console of the demo", () => {
  it("leads from its address to a drawn plot's verdict, its evidence and its report", async () => {
    const watched = await openPage(browser, ringsPage(), { locale: "en" });
    const { page, said, requested } = watched;
    const map = new DrawnMap(watched);
    await map.settle();
    // The key has left the address; what brings the page back stays.
    await expect
      .poll(() => page.url())
      .toMatch(/\/console\/#ruleset=forest-areas&view=[-\d.]+,[-\d.]+,[\d.]+$/);
    // On this machine the key in the address is used without confirmation; its owner is shown anyway.
    await page.locator("header").getByText("Key of demo").waitFor();

    await page.getByRole("button", { name: "Draw a plot" }).click();
    for (const [x, y] of [
      [0.45, 0.4],
      [0.6, 0.42],
      [0.55, 0.6],
      [0.45, 0.4],
    ] as const)
      await map.click(x, y);
    const verdict = page.locator("#verdict");
    await verdict.locator(".verdict-word", { hasText: "Not compliant" }).waitFor();
    await verdict
      .getByRole("status")
      .getByText("Plot Drawn 1: Not compliant.")
      .waitFor({ state: "attached" });
    expect(await verdict.locator(".check").count()).toBe(3);

    const evidence = verdict.locator("button.evidence").first();
    const area = await evidence.locator(".evidence-name").textContent();
    await evidence.focus();
    await expect.poll(() => evidence.getAttribute("aria-pressed")).toBe("true");

    const questions = (): number =>
      requested.filter((url) => /\/v1\/(?:evaluate|intersections|distance)/.test(url)).length;
    const before = questions();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Report", exact: true }).click();
    const report = readFileSync(await (await saved).path(), "utf8");
    const read = await openPage(browser, "about:blank");
    await read.page.setContent(report);
    const shown = await read.page.locator("body").textContent();
    // The evidence is on the map, hatched on the plot, and the service was not called again.
    const hatched = read.page.locator("svg.map.large path[fill^='url(#map0-hatch']:not([d=''])");
    expect(await hatched.count()).toBeGreaterThan(0);
    expect(shown).not.toMatch(/editions were not available|not on the map/);
    expect(shown).toContain("made from the service's answer");
    expect(questions()).toBe(before);
    expect([read.said, read.requested]).toEqual([[], []]);
    await read.close();
    expect(shown).toContain("Drawn 1");
    expect(shown).toContain(area);
    const digest = await verdict.locator(".verdict-digest").textContent();
    expect(shown).toContain(digest);

    const record = page.waitForEvent("download");
    await page.getByRole("button", { name: "Record", exact: true }).click();
    const { response } = JSON.parse(readFileSync(await (await record).path(), "utf8"));
    expect(response.data.digest).toBe(digest);
    await verdict.locator("summary", { hasText: "sources used" }).click();
    const sources = verdict.locator(".verdict-sources li");
    for (const [group, members] of Object.entries<string[]>(response.data.groups))
      expect(await sources.getByText(`Queried for the group ${group}: ${members.join(", ")}`).count()).toBe(
        1,
      );
    const made = response.data.sources.filter((source: { readonly fictional?: true }) => source.fictional);
    expect(await sources.filter({ hasText: "fictional · " }).count()).toBe(made.length);
    expect(await verdict.locator(".verdict-fictional").count()).toBe(made.length === 0 ? 0 : 1);

    expect(requested.filter((url) => !url.startsWith(origin()))).toEqual([]);
    // The key appears in no address, storage or request of the page.
    expect(requested.filter((url) => url.includes(key()))).toEqual([]);
    expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")).toBe(
      '[{},{},""]',
    );
    expect(said.filter((text) => !text.includes("GPU stall"))).toEqual([]);
    await watched.close();
  });

  it.for<[string, () => string, string | RegExp]>([
    // Across cells of loss, next to them, and where no source of the demo has coverage.
    ["Try an example", () => demo.page, "Not compliant"],
    ["or one near an area", () => demo.page, "Compliant"],
    ["or one far from all areas", () => demo.page, "Warning"],
    ["Try an example", ringsPage, "Not compliant"],
    ["or one near an area", ringsPage, "Warning"],
    // The map does not know how far areas extend beyond its view.
    ["or one far from all areas", ringsPage, /^(?:Compliant|Warning)$/],
  ])("has an example to see a verdict of: %s", async ([name, url, word]) => {
    const watched = await openPage(browser, url(), { locale: "en" });
    await new DrawnMap(watched).settle();
    await watched.page.locator("#verdict").getByRole("button", { name }).click();
    await watched.page.locator(".verdict-word").getByText(word, { exact: true }).waitFor();
    if (url() === demo.page) {
      const verdict = await watched.page.locator("#verdict").textContent();
      expect(/ · \d+ cells · from: /.test(verdict ?? "")).toBe(word === "Not compliant");
    }
    if (name === "Try an example") {
      const saved = watched.page.waitForEvent("download");
      await watched.page.getByRole("button", { name: "Report", exact: true }).click();
      const read = await openPage(browser, "about:blank");
      await read.page.setContent(readFileSync(await (await saved).path(), "utf8"));
      const paper = (await read.page.pdf({ preferCSSPageSize: true })).toString("latin1");
      await read.close();
      const pages = paper.match(/\/Type \/Page\b/g)!.length;
      expect(pages).toBeLessThanOrEqual(url() === demo.page ? 6 : 3);
    }
    await watched.close();
  });

  it("says in a short panel why many checks fail, each question once, and keeps the verdict while answers change", async () => {
    const watched = await openPage(browser, demo.page, {
      locale: "en",
      viewport: { width: 1440, height: 900 },
    });
    const { page } = watched;
    await new DrawnMap(watched).settle();
    const verdict = page.locator("#verdict");
    await verdict.getByRole("button", { name: "Try an example" }).click();
    await verdict.locator(".group").first().waitFor();
    const panel = verdict.locator(".verdict");
    // Closed groups are not counted.
    const text = await page.evaluate<string>('document.querySelector(".verdict").innerText');
    const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    expect(words).toBeLessThanOrEqual(250);
    expect(words).toBeGreaterThan(100);
    const { height } = (await panel.boundingBox())!;
    expect(height).toBeLessThanOrEqual(1_400);
    // Two lines of 22 px.
    expect((await verdict.locator(".verdict-meaning").boundingBox())!.height).toBeLessThanOrEqual(44);
    expect(await page.title()).toBe("Not compliant · Example farm · groundrule");
    expect(await panel.textContent()).not.toMatch(/[✓✗]|not brought|Compared with: not valid/);

    // All of it, opened: never more than three areas of a source at once, and none of them twice.
    await page.evaluate(
      'for (const each of document.querySelectorAll(".group, .check > details")) each.open = true',
    );
    expect(await verdict.getByText(/^The same areas as above: \d+$/).count()).toBe(1);
    const areas = await verdict.locator(".evidence-name:visible").allTextContents();
    expect(new Set(areas).size).toBe(areas.length);
    const questions = await verdict.locator(".unanswered > div > span").allTextContents();
    expect(new Set(questions).size).toBe(questions.length);
    expect(questions.length).toBeGreaterThan(10);

    const commodity = "Which commodity is produced on the plot?";
    await verdict.locator(".unanswered", { hasText: commodity }).getByRole("button").click();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("fact-commodity");
    const answered = verdict.locator(".facts > summary .facts-told");
    expect(await answered.textContent()).toBe("0 of 17");
    await verdict.getByLabel(commodity).selectOption("coffee");
    // The rules on wood are of no concern any more.
    await expect.poll(() => answered.textContent()).toBe("1 of 15");
    await verdict.getByText("Answers changed since this verdict.").waitFor();
    expect(await verdict.locator(".verdict-outdated .verdict-word").textContent()).toBe("Not compliant");
    await page.evaluate(axe.source);
    const faint = await page.evaluate(async () => {
      const { run } = (globalThis as unknown as { readonly axe: typeof axe }).axe;
      const { violations } = await run(".verdict-outdated", { runOnly: ["color-contrast"] });
      return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
    });
    expect(faint).toEqual([]);
    await verdict.getByRole("button", { name: "Check again" }).first().click();
    await verdict.locator(".verdict-outdated").first().waitFor({ state: "detached" });
    await expect.poll(() => verdict.locator(".unanswered").count()).toBeLessThan(questions.length);
    await page.locator("#rules select").selectOption("forest-areas");
    await verdict.getByText("The ruleset changed since this verdict.").waitFor();
    await watched.close();
  });

  it("has no text of a verdict in Portuguese or Spanish that it has in English too, but for names", async () => {
    // The texts of the rules and of the verdict, opened. Names of areas belong to their source; texts in English are marked.
    const collect = `(() => {
      for (const each of document.querySelectorAll("#verdict details")) each.open = true;
      const texts = [];
      for (const root of document.querySelectorAll("#rules .rules, #verdict .verdict")) {
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
          const { parentElement: around, data } = walk.currentNode;
          if (!around.closest("code, :not(html)[lang=en], .evidence-name, .verdict-digest")) texts.push(data.trim());
        }
      }
      return texts;
    })()`;
    const readTexts = async (locale: string, example: string): Promise<readonly string[]> => {
      const watched = await openPage(browser, demo.page, { locale, viewport: { width: 1440, height: 900 } });
      await new DrawnMap(watched).settle();
      await watched.page.locator("#verdict").getByRole("button", { name: example }).click();
      await watched.page.locator("#verdict .group").first().waitFor();
      const texts = await watched.page.evaluate<readonly string[]>(collect);
      await watched.close();
      return texts.filter((text) => /\p{L}{3}/u.test(text));
    };
    const english = new Set(await readTexts("en", en.mapExample));
    expect(english.size).toBeGreaterThan(60);
    for (const [locale, { mapExample }] of Object.entries({ pt, es })) {
      const same = (await readTexts(locale, mapExample)).filter((text) => english.has(text));
      // The name of the ruleset, and an answer that is the same word in all three.
      expect(
        same.filter((text) => !["preset.eudr", "micro"].includes(text)),
        locale,
      ).toEqual([]);
    }
  });

  it("has a ramp of the years that the ruleset selects, and the values of all in view on request", async () => {
    const watched = await openPage(browser, demo.page, { locale: "en" });
    await new DrawnMap(watched).settle();
    const legend = watched.page.locator(".map-legend");
    const values = legend.locator(".map-legend-value");
    await expect
      .poll(() => values.allTextContents())
      .toEqual([expect.stringMatching(/^20212025after .*2020$/)]);
    await legend.getByLabel("Show all years").check();
    // Four of loss, and the number of others.
    await expect.poll(() => values.count()).toBe(5);
    const more = values.getByRole("button", { name: /^and \d+ more$/ });
    const hidden = Number(/\d+/.exec((await more.textContent())!)![0]);
    await more.click();
    await expect.poll(() => values.count()).toBe(4 + hidden);
    expect(await more.count()).toBe(0);
    const shown = await values.evaluateAll((lines) =>
      lines.map((line) => [line.textContent.trim(), line.innerHTML.match(/#[0-9a-f]{6}/)?.[0]]),
    );
    const declared = generateDemo().rasters.flatMap(({ manifest }) =>
      (manifest.cells?.values ?? []).map(({ name, color }) => [name, color]),
    );
    for (const line of shown) expect(declared).toContainEqual(line);
    const years = shown.map(([name]) => name);
    expect(years).toEqual(years.toSorted());
    await watched.close();
  });

  it("reports that a key is bad, keeps nothing of it, and continues with a good one", async () => {
    const bad = key().slice(0, -1) + (key().endsWith("A") ? "B" : "A");
    const { page, close } = await openPage(browser, `${origin()}/console/#key=${bad}`, { locale: "en" });
    const dialog = page.getByRole("dialog", { name: "Choose where plots are evaluated" });
    await dialog.getByRole("alert").getByText("The service does not accept this key").waitFor();
    expect(page.url()).not.toContain(bad);
    await dialog.getByLabel("API key").fill(key());
    await dialog.getByRole("button", { name: "Connect" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Connected" }).waitFor();
    await close();
  });
});

describe.skipIf(findChromium() === undefined)("leaving the page", () => {
  it("asks while plots would be lost, and a reload comes back to ruleset and view", async () => {
    const watched = await openPage(browser, ringsPage(), { locale: "en" });
    const { page, close } = watched;
    const map = new DrawnMap(watched);
    await map.settle();
    const features = Array.from({ length: 30 }, (_, n) => ({
      type: "Feature",
      properties: { id: `plot ${n}` },
      geometry: createSquarePlot(-59 + n / 100, 0.001),
    }));
    await page.locator(".plots input[type=file]").setInputFiles({
      name: "thirty.geojson",
      mimeType: "application/geo+json",
      buffer: Buffer.from(JSON.stringify({ type: "FeatureCollection", features })),
    });
    await page.getByRole("button", { name: "Check 30 plots" }).waitFor();
    // Browsers ask only where the page was used.
    await page.locator(".plots-line").first().click();
    await map.settle();
    await expect.poll(() => page.url()).toContain("#ruleset=forest-areas&view=");
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.type());
      void (dialogs.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    await page.evaluate("setTimeout(() => location.reload(), 0)");
    await expect.poll(() => dialogs).toEqual(["beforeunload"]);
    expect(await page.locator(".plots-line").count()).toBeGreaterThan(5);
    const before = new URL(page.url()).hash;
    expect(before).not.toContain("key");
    await page.reload();
    expect(dialogs).toEqual(["beforeunload", "beforeunload"]);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("API key").fill(key());
    await dialog.getByRole("button", { name: "Connect" }).click();
    await page.locator(".app-connection-connected").waitFor();
    await map.settle();
    expect(await page.locator("#rules select").inputValue()).toBe("forest-areas");
    const camera = (hash: string): number[] =>
      new URLSearchParams(hash.slice(1)).get("view")!.split(",").map(Number);
    for (const [i, value] of camera(new URL(page.url()).hash).entries()) {
      expect(value).toBeCloseTo(camera(before)[i]!, 2);
    }
    // An empty page is left without a question.
    await page.reload();
    expect(dialogs).toHaveLength(2);
    await close();
  });
});

describe.skipIf(findChromium() === undefined)("plots kept on the device", () => {
  const SWITCH = "Keep plots and answers on this device";
  const CONTENTS = `new Promise((resolve) => {
    indexedDB.open("groundrule").onsuccess = ({ target: { result } }) => {
      result.transaction("contents").objectStore("contents").getAll().onsuccess = ({ target }) => {
        const text = (packed) => new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
        result.close();
        resolve(Promise.all(target.result.map(text)));
      };
    };
  })`;
  const DATABASES = "indexedDB.databases().then((all) => all.length)";

  async function addThirty(page: Page): Promise<void> {
    const features = Array.from({ length: 30 }, (_, n) => ({
      type: "Feature",
      properties: { id: `plot ${n}` },
      geometry: createSquarePlot(-59 + n / 100, 0.001),
    }));
    await page.locator(".plots input[type=file]").setInputFiles({
      name: "thirty.geojson",
      mimeType: "application/geo+json",
      buffer: Buffer.from(JSON.stringify({ type: "FeatureCollection", features })),
    });
  }

  it("come back with their verdicts, without the key or a charge; a second tab keeps nothing; removed, nothing is left", async () => {
    const watched = await openPage(browser, ringsPage(), { locale: "en" });
    const { page, requested, close } = watched;
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.type());
      void dialog.accept();
    });
    await addThirty(page);
    await page.getByRole("button", { name: "Check 30 plots" }).click();
    const place = await page.getByText("30 of 30 checked").elementHandle({ timeout: 60_000 });
    // The pointer rests where the button was, on nothing that filters.
    expect(await place!.evaluate((line) => line.parentElement!.matches(":hover"))).toBe(true);
    expect(await page.locator(".summary-counts button:hover").count()).toBe(0);
    await expect.poll(() => page.locator(".standing-new, .standing-asking").count()).toBe(0);
    expect(await page.evaluate(DATABASES)).toBe(0);
    await page.locator(".plots-more summary").click();
    await page.getByLabel(SWITCH).check();
    await expect.poll(() => page.evaluate<number>(DATABASES)).toBe(1);
    const contents = (): Promise<string[]> => page.evaluate(CONTENTS);
    await expect.poll(async () => (await contents()).join().split('"answer":').length).toBe(31);
    expect((await contents()).join()).not.toContain(key());
    const counts = await page.locator(".summary-counts").textContent();

    const second = await page.context().newPage();
    await second.goto(ringsPage());
    await second.getByText("Another tab keeps its plots.").waitFor();
    await second.close();

    await page.reload();
    expect(questions).toEqual([]);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("API key").fill(key());
    await dialog.getByRole("button", { name: "Connect" }).click();
    const evaluated = (): number => requested.filter((url) => url.endsWith("/v1/evaluate")).length;
    const before = evaluated();
    const offer = page.locator(".plots-kept");
    await offer.getByText(/^30 plots from /).waitFor();
    await offer.getByRole("button", { name: "Restore" }).click();
    await expect.poll(() => page.locator(".summary-counts").textContent()).toBe(counts);
    expect(evaluated()).toBe(before);

    await page.locator(".plots-more summary").click();
    await page.getByLabel(SWITCH).uncheck();
    await expect.poll(() => page.evaluate<number>(DATABASES)).toBe(0);
    expect(await page.evaluate("localStorage.length")).toBe(0);
    await page.reload();
    expect(questions).toEqual(["beforeunload"]);
    await page.getByRole("dialog").waitFor();
    expect(await page.evaluate(DATABASES)).toBe(0);
    await close();
  });

  it("are a question again where the browser refuses storage", async () => {
    const watched = await openPage(browser, "about:blank", { locale: "en" });
    const { page, close } = watched;
    await page.addInitScript("IDBFactory.prototype.open = () => { throw new Error('refused'); }");
    await page.goto(ringsPage());
    await addThirty(page);
    await page.locator(".plots-more summary").click();
    // A check would fail, since the box does not stay checked.
    await page.getByLabel(SWITCH).click();
    await page.getByText("The browser does not keep these plots").waitFor();
    expect(await page.getByLabel(SWITCH).isChecked()).toBe(false);
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    expect(questions).toEqual(["beforeunload"]);
    await close();
  });
});

describe.skipIf(findChromium() === undefined)("a key in a link", () => {
  const link = (): string => `http://${ELSEWHERE}:${new URL(origin()).port}/console/#key=${key()}`;

  it.for([
    ["en", en],
    ["pt", pt],
    ["es", es],
  ] as const)("is not used before the reader, told whose it is, agrees (%s)", async ([locale, say]) => {
    const { page, requested, close } = await openPage(browser, link(), { locale });
    const offer = page.getByRole("dialog").getByRole("alert");
    await offer.getByText(say.connectOfferOf("demo")).waitFor();
    const requests = (): string[] =>
      requested.filter((url) => url.includes("/v1/")).map((url) => new URL(url).pathname);
    expect(page.url()).not.toContain("key");
    await offer.getByRole("button", { name: say.connectOfferDrop }).click();
    await offer.waitFor({ state: "detached" });
    expect(requests()).toEqual(["/v1/me"]);
    expect(await page.locator(".app-holder").count()).toBe(0);

    // Again, on the page that is already open: closing the panel is no consent either.
    const again = `location.hash = ${JSON.stringify(new URL(link()).hash)}`;
    await page.evaluate(again);
    await offer.waitFor();
    expect(page.url()).not.toContain("key");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(requests()).not.toContain("/v1/sources");

    await page.evaluate(again);
    await offer.getByRole("button", { name: say.connectOfferUse }).click();
    await page.locator("header").getByText(say.appKeyOf("demo")).waitFor();
    expect(requests()).toContain("/v1/sources");
    await close();
  });
});

describe.skipIf(findChromium() === undefined)("the window", () => {
  it.for(process.env.GROUNDRULE_FULL === undefined ? [20] : [20, 200])(
    "holds the whole page in every state, with %i sources",
    async (count) => {
      await onParks({ engine: worldOf(count) }, async ({ map, page }) => {
        await map.enter("0.01, 0.01", "0.01, 0.02", "0.02, 0.02");
        await map.hasVerdict("Drawn 1");
        if (count === 200) await addPlots(page, 10_000);
        await page.getByRole("button", { name: "Coordinates" }).click();
        for (const summary of await page.locator("summary:visible").all()) await summary.click();
        for (const [width, height] of [
          [1280, 860],
          [390, 844],
        ] as const) {
          await page.setViewportSize({ width, height });
          const tabs = width === 390 ? await page.locator(".app-tabs button").all() : [undefined];
          for (const tab of tabs) {
            await tab?.click();
            const name = `${count} sources, ${width} px, ${(await tab?.textContent()) ?? "all panels"}`;
            for (const panel of await page.locator(".app-panel:visible, .plots-list:visible").all()) {
              const { x, y, width: wide } = (await panel.boundingBox())!;
              await page.mouse.move(x + wide / 2, Math.max(y + 10, height - 60));
              await page.mouse.wheel(0, 3_000);
            }
            await page.waitForTimeout(200);
            expect(await page.evaluate(OUTSIDE), name).toEqual([]);
          }
        }
      });
    },
  );

  /** Elements outside of the window, and scrolling ones that are not positioned. */
  const OUTSIDE = `(() => {
    const found = [];
    // Content outside of the page is clipped, and invisible too.
    for (const element of [document.documentElement, document.querySelector("#app")]) {
      const { scrollHeight, scrollWidth, tagName } = element;
      if (scrollHeight > innerHeight) found.push(tagName + " is " + scrollHeight + " px high");
      if (scrollWidth > innerWidth) found.push(tagName + " is " + scrollWidth + " px wide");
    }
    if (scrollY !== 0 || document.body.scrollTop !== 0) found.push("the document is scrolled");
    for (const element of document.querySelectorAll("#app *")) {
      const { overflowY, position } = getComputedStyle(element);
      const holds = !element.matches("textarea, .cm-editor *");
      if (position === "static" && /auto|scroll/.test(overflowY) && holds) {
        found.push(element.outerHTML.slice(0, 80) + " scrolls away from its notes");
      }
    }
    return found;
  })()`;

  async function addPlots(page: Page, count: number): Promise<void> {
    const features = Array.from({ length: count }, (_, n) => ({
      type: "Feature",
      properties: { id: `plot ${n}` },
      geometry: createSquarePlot(0.01 + (n % 100) * 0.03, 0.01 + Math.floor(n / 100) * 0.03),
    }));
    const text = JSON.stringify({ type: "FeatureCollection", features });
    const buffer = Buffer.from(text);
    const files = { name: "many.geojson", mimeType: "application/geo+json", buffer };
    await page.locator(".plots input[type=file]").setInputFiles(files);
    await page
      .locator(`.plots-line[aria-setsize="${count + 1}"]`)
      .first()
      .waitFor();
  }

  /** The small world among many sources. */
  function worldOf(count: number): Engine {
    const known = createSmallWorldSources();
    const others = Array.from({ length: count - known.length }, (_, i) => {
      const manifest: SourceManifest = {
        source_name: `demo:of_many_${i}`,
        kind: "leaf",
        source_dataset: `The areas of a source with a long title, of which there are many: number ${i}`,
        source_url: `https://example.org/${i}`,
        columns: {},
      };
      const writer = createAreaWriter(manifest);
      const polygons = [[createBoxRing(i * 0.01, 0, i * 0.01 + 0.01, 0.01)]];
      writer.add({ id: "a", name: null, countryIso3: null, polygons, properties: {} });
      const file = writer.finish();
      return { manifest: file.meta.manifest, bytes: joinFileBytes(file) };
    });
    return openEngine([...known, ...others], SMALL_WORLD_OPTIONS);
  }
});

describe.skipIf(findChromium() === undefined)("pages that a browser kept", () => {
  const PAGES = ["/console/", "/docs", "/docs/errors", "/docs/guides", "/docs/guides/console"];

  it("show themselves again, reloaded, back and forward", async () => {
    const watched = await openPage(browser, "about:blank", { serviceWorkers: "block" });
    const { page } = watched;
    for (const path of PAGES) {
      for (let visit = 0; visit < 2; visit++) {
        await page.goto(origin() + path);
        await isWhole(watched, path);
        await page.goto("about:blank");
      }
      await page.goto(origin() + path);
      await page.reload();
      await isWhole(watched, path);
    }
    for (const path of PAGES.slice(0, -1).toReversed()) {
      do await page.goBack();
      while (page.url().split("#")[0] !== origin() + path);
      await isWhole(watched, path);
    }
    for (const path of PAGES.slice(1)) {
      do await page.goForward();
      while (page.url().split("#")[0] !== origin() + path);
      await isWhole(watched, path);
    }
    await watched.close();
  });

  it.each(["allow", "block"] as const)(
    "by an earlier release with a wrong policy are whole after the upgrade (service workers: %s)",
    async (each) => {
      const release = await startEarlierRelease(origin());
      const watched = await openPage(browser, "about:blank", { serviceWorkers: each });
      const { page } = watched;
      try {
        const before = await page.context().newPage();
        for (const path of PAGES) {
          const refused = before.waitForEvent("console", (message) =>
            /Content Security Policy/.test(message.text()),
          );
          await before.goto(release.url + path);
          await before.locator("h1").waitFor();
          if (each === "allow" && path === "/console/") await before.locator(".here-kept").waitFor();
          await before.goto(release.url + path);
          await refused;
          expect(release.unchanged).toContain(path);
        }
        // It stays open, so that the previous build's worker stays active and the new one's waits.
        await before.goto(`${release.url}/console/`);
        release.isUpgraded = true;
        for (const path of PAGES) {
          for (const again of [() => page.goto(release.url + path), () => page.reload()]) {
            await again();
            await isWhole(watched, path);
          }
        }
        await page.goto(`${release.url}/console/`);
        await isWhole(watched, "/console/");
        if (each === "allow") {
          // Answered by the worker of the previous build.
          await expect.poll(() => page.evaluate<string[]>("caches.keys()")).toHaveLength(2);
          await expect.poll(() => page.evaluate(WAITS)).toBe(true);
          release.isDown = true;
          await page.reload();
          await isWhole(watched, "/console/, without its host");
        }
      } finally {
        await watched.close();
        release.close();
      }
    },
  );

  const WAITS = "navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)";

  /** Waits until a page has its text and style, or fails with the reason. */
  async function isWhole({ page, said }: WatchedPage, name: string): Promise<void> {
    const serious = (): string[] =>
      said.filter((text) => !/GPU stall|status of 50\d|blocked by Playwright/.test(text));
    await expect
      .poll(async () => serious().length > 0 || (await page.locator("h1").count()) > 0, { message: name })
      .toBe(true);
    expect(serious(), name).toEqual([]);
    const rules = "[...document.styleSheets].map(({ cssRules }) => cssRules.length)";
    expect(Math.max(...(await page.evaluate<number[]>(rules))), name).toBeGreaterThan(20);
  }
});

describe.skipIf(findChromium() === undefined)("a new edition", () => {
  it("reports what it changed, which plots and why, from the page's memory and from the service's", async () => {
    await onParks({}, async ({ page, renew, used }) => {
      const verdict = page.locator("#verdict");
      const add = async (): Promise<void> => {
        const features = [
          ["in both", 0.05],
          ["left", 0.15],
          ["entered", 0.25],
        ].map(([id, x]) => ({
          type: "Feature",
          id,
          properties: {},
          geometry: createSquarePlot(Number(x), 0.05),
        }));
        const buffer = Buffer.from(JSON.stringify({ type: "FeatureCollection", features }));
        const file = { name: "three.geojson", mimeType: "application/geo+json", buffer };
        await page.locator(".plots input[type=file]").setInputFiles(file);
        // A few plots are evaluated at once.
        await verdict.locator(".summary-reasons").waitFor();
      };
      const isAnnounced = (): Promise<void> =>
        verdict.getByText("2 plots changed: 1 worse, 1 better.").first().waitFor();
      await add();
      await verdict.getByRole("button", { name: "Compare with earlier editions" }).click();
      await verdict.getByText("There is no verdict to compare with.").waitFor();

      // A plot with the same editions and ruleset is not evaluated again.
      await verdict.getByRole("button", { name: "Check again" }).click();
      await verdict.getByText(en.compareNothingDue).waitFor();
      expect(await used()).toBe(3);

      renew(otherParks());
      await verdict.getByRole("button", { name: "Check again" }).click();
      await verdict.getByRole("button", { name: "Yes, use 3 requests of the quota" }).click();
      await isAnnounced();
      await verdict.getByRole("button", { name: "Compare on the map" }).click();
      const reasons = verdict.locator(".compare-plots > li");
      expect(await reasons.count()).toBe(2);
      await reasons.filter({ hasText: "entered" }).getByText("+ New park").waitFor();
      await reasons.filter({ hasText: "left" }).getByText("− East park").waitFor();

      const counts = (): Promise<string | null> => verdict.locator(".summary-counts").textContent();
      const names = (): Promise<string[]> => page.locator(".plots-line .plots-id").allTextContents();
      expect(await counts()).toBe("Not compliant2Compliant1");
      expect((await names()).at(-1)).toBe("left");
      const slider = page.getByRole("slider", { name: "What changed" });
      await slider.press("ArrowLeft");
      await expect.poll(async () => (await names()).at(-1)).toBe("entered");
      await verdict.locator(".compare-plot", { hasText: "left" }).click();
      await verdict.locator(".verdict-word", { hasText: "Not compliant" }).waitFor();
      await slider.press("ArrowRight");
      await verdict.locator(".verdict-word", { hasText: /^Compliant/ }).waitFor();
      await page.getByRole("button", { name: "End the comparison" }).click();
      expect(await slider.count()).toBe(0);

      // Newly added plots have no earlier answer in the page, but one at the service, which is free.
      await page.locator(".plots-more summary").click();
      await page.getByRole("button", { name: "Remove all 3 plots" }).click();
      await add();
      expect(await used()).toBe(9);
      await verdict.getByRole("button", { name: "Compare with earlier editions" }).click();
      await slider.waitFor();
      await isAnnounced();
      expect(await used()).toBe(9);
    });
  });

  /** The small world without its eastern park, and with one further east. */
  function otherParks(): Engine {
    const sources = createSmallWorldSources();
    const { source_name, columns } = createSmallWorldFiles()[0]!.meta.manifest;
    const writer = createAreaWriter({ source_name, kind: "leaf", columns, coverage: "global" });
    for (const [id, west, name] of [
      ["p1", 0, "West park"],
      ["p3", 0.2, "New park"],
    ] as const) {
      const properties = { category: "II", founded: "1990-05-01" };
      const polygons = [[createBoxRing(west, 0, west + 0.1, 0.1)]];
      writer.add({ id, name, countryIso3: "BRA", polygons, properties });
    }
    const file = writer.finish();
    const parks = { manifest: file.meta.manifest, bytes: joinFileBytes(file) };
    return openEngine([parks, ...sources.slice(1)], SMALL_WORLD_OPTIONS);
  }
});

describe.skipIf(findChromium() === undefined)("the console of a service", () => {
  it.for([
    ["en", en],
    ["pt", pt],
    ["es", es],
  ] as const)(
    "says of one without sources that its operator adds them, not to connect to one (%s)",
    async ([locale, say]) => {
      const service = await startService(openEngine([]), { console: { folder: DIST } });
      try {
        const { page, close } = await openPage(browser, `${service.url}/console/#key=${service.key}`, {
          locale,
        });
        await page.getByText(say.mapServiceWithoutSources, { exact: true }).waitFor();
        expect(await page.getByText(say.mapNoSources).count()).toBe(0);
        await close();
      } finally {
        await service.stop();
      }
    },
  );

  it("reports that the quota is spent, and keeps the plot", async () => {
    await onParks({ quota: 1 }, async ({ map, page }) => {
      await map.enter("0.01, 0.01", "0.01, 0.02", "0.02, 0.02");
      await map.hasVerdict("Drawn 1");
      await page.getByText("1 of 1 requests used", { exact: true }).waitFor();
      await map.enter("0.03, 0.01", "0.03, 0.02", "0.04, 0.02");
      await page.locator("#verdict").getByText("The quota of this period is used up").waitFor();
      expect(await listPlotNames(page)).toEqual(["Drawn 1", "Drawn 2"]);
    });
  });

  it("reports that the subscription is suspended, and answers the plot when it is resumed", async () => {
    await onParks({}, async ({ map, page, service, used }) => {
      await service.store.setSubscription({ organization: service.organization, status: "suspended" });
      await map.enter("0.01, 0.01", "0.01, 0.02", "0.02, 0.02");
      const verdict = page.locator("#verdict");
      await verdict.getByText("The subscription is not active").waitFor();
      await verdict.getByText("Technical detail").click();
      await verdict.getByText("SUBSCRIPTION_INACTIVE").waitFor();
      expect(await used()).toBe(0);
      await service.store.setSubscription({ organization: service.organization, status: "active" });
      await page.locator("#plots").getByRole("button", { name: "Check 1 plot" }).click();
      await map.hasVerdict("Drawn 1");
      expect(await used()).toBe(1);
    });
  });

  it("reports how long to wait after too many requests, and keeps the plot", async () => {
    // The limit allows one more request after 1,000 s: longer than the page waits by itself, and than this test takes.
    await onParks({ burst: { perSecond: 0.001, burst: 300 } }, async ({ map, page, service, used }) => {
      const headers = { authorization: `Bearer ${service.key}` };
      let status = 200;
      while (status === 200) status = (await fetch(`${service.url}/v1/usage`, { headers })).status;
      expect(status).toBe(429);
      await map.enter("0.01, 0.01", "0.01, 0.02", "0.02, 0.02");
      const verdict = page.locator("#verdict");
      await verdict.getByText("Too many requests at once").waitFor();
      const wait = await verdict.getByText(/^Try again in [\d,]+ seconds\.$/).textContent();
      expect(Number(wait!.replace(/\D/g, ""))).toBeGreaterThan(60);
      expect(Number(wait!.replace(/\D/g, ""))).toBeLessThanOrEqual(1_000);
      expect(await listPlotNames(page)).toEqual(["Drawn 1"]);
      await page.locator("#plots").getByRole("button", { name: "Check 1 plot" }).waitFor();
      expect(await used()).toBe(0);
    });
  });

  it("stops when the network is lost, blames no plot for it, sends again what is left, and each plot is charged once", async () => {
    await onParks({}, async ({ map, page, used, proxy, network }) => {
      // The answers to the first 10 of 30 calls arrive, and no others.
      const calls = new Set<unknown>();
      network.fault = ({ url, headers }) => {
        const key = headers["idempotency-key"];
        if (url === "/v1/evaluate") calls.add(key);
        if ([...calls].indexOf(key) >= 10) return "drop after";
        return calls.size > 10 && url !== "/v1/evaluate" ? "drop before" : undefined;
      };
      const features = Array.from({ length: 30 }, (_, n) => {
        const [west, south] = [0.01 + (n % 10) * 0.002, 0.01 + Math.floor(n / 10) * 0.002];
        const [east, north] = [west + 0.001, south + 0.001];
        // The first two cross themselves.
        const ring = n < 2
          ? [[west, south], [east, north], [east, south], [west, north], [west, south]]
          : [[west, south], [east, south], [east, north], [west, south]]; // biome-ignore format: rings
        return {
          type: "Feature",
          properties: { id: `plot ${n}` },
          geometry: { type: "Polygon", coordinates: [ring] },
        };
      });
      await page.locator(".plots input[type=file]").setInputFiles({
        name: "thirty.geojson",
        mimeType: "application/geo+json",
        buffer: Buffer.from(JSON.stringify({ type: "FeatureCollection", features })),
      });
      const ask = page.getByRole("button", { name: /^Check \d/ });
      await ask.getByText("Check 30 plots").waitFor();
      await ask.click();
      const stopped = page.locator("#verdict > .verdict > .problem");
      await stopped.getByText("The service cannot be reached").waitFor();
      await page.getByRole("button", { name: "Check 20 plots" }).waitFor();
      await stopped.getByText("The run stopped. 20 plots are left.").waitFor();
      await page.locator(".app-connection-failed", { hasText: "Not connected" }).waitFor();
      // Six calls are under way at a time, and two failures in a row may be chance.
      const counts = page.locator(".summary-counts");
      expect(await counts.textContent()).toBe("Not compliant8Can't be checked2Not answered8Not checked12");
      await page.locator(".plots-line", { hasText: "plot 10" }).click();
      expect(await page.locator("#verdict").getByRole("button").allTextContents()).not.toContain(
        "Edit shape",
      );
      await page.getByRole("button", { name: "All 30 plots" }).click();
      await proxy.quiet();
      expect(await used()).toBe(16);
      expect(calls.size).toBe(18);
      network.fault = ({ headers }) => {
        if (headers["idempotency-key"] !== undefined) calls.add(headers["idempotency-key"]);
        return undefined;
      };
      await ask.click();
      await page.locator(".standing-new, .standing-unanswered").first().waitFor({ state: "detached" });
      await ask.waitFor({ state: "detached" });
      await page.locator(".app-connection-connected").waitFor();
      await page.getByText("28 of 1,000,000 requests used", { exact: true }).waitFor();
      expect(await used()).toBe(28);
      expect(calls.size).toBe(30);
      expect(proxy.counts.get("drop after")).toBeGreaterThanOrEqual(6);
      await map.settle();
    });
  });

  it("states in a saved report what its map lacks", async () => {
    await onParks({}, async ({ map, page, network }) => {
      await map.enter("0.01, 0.01", "0.01, 0.02", "0.02, 0.02");
      await map.hasVerdict("Drawn 1");
      network.fault = ({ url }) => (url?.includes("/tiles/") ? "drop before" : undefined);
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: "Report", exact: true }).click();
      const report = readFileSync(await (await saved).path(), "utf8");
      expect(report).toMatch(/One area of the evidence is not on the map.*West park.*demo:parks/s);
    });
  });

  it("runs the tests of a ruleset, and reports what failed and what no case exercises", async () => {
    const watched = await openPage(browser, ringsPage(), { locale: "en" });
    const { page, requested } = watched;
    await page.getByRole("button", { name: "About this ruleset" }).click();
    await page.getByRole("button", { name: "View and edit" }).click();
    await page.getByRole("button", { name: "Tests", exact: true }).click();
    await page.getByLabel("Tests of this ruleset, in YAML").fill(TESTS);
    await page.getByRole("button", { name: "Run the tests" }).click();
    await page.getByText("1 passed, 1 failed").waitFor();
    await page.getByText("verdict: expected WARNING, found COMPLIANT").waitFor();
    await page.getByText("Not tested by any case").waitFor();
    await page.getByLabel("Tests of this ruleset, in YAML").fill("cases: [");
    await page.getByRole("button", { name: "Run the tests" }).click();
    await page.getByText("Line 1, column").waitFor();
    await dropOn(page.getByLabel("Tests of this ruleset, in YAML"), "land.test.yaml", TESTS);
    await page.getByText("Line 1, column").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /findings/i }).click();
    await page.getByRole("button", { name: "Tests", exact: true }).click();
    expect(await page.getByLabel("Tests of this ruleset, in YAML").inputValue()).toBe(TESTS);
    expect(await page.getByText("land.test.yaml").count()).toBe(0); // not read as plots
    expect(requested.filter((url) => !url.startsWith(origin()))).toEqual([]);
    await watched.close();
  });
});

interface ParksPage {
  readonly map: DrawnMap;
  readonly page: Page;
  readonly service: TestService;
  /** The proxy between the page and the service. */
  readonly proxy: FaultyProxy;
  /** The fault injected into a request. */
  readonly network: { fault: (requests: IncomingMessage) => Fault | undefined };
  /** Makes other editions current. */
  renew(engine: Engine): void;
  /** Units charged so far. */
  used(): Promise<number>;
}

/** Opens the page of a separate service, whose ruleset uses parks. */
async function onParks(
  {
    engine = createSmallWorld(),
    ...options
  }: Omit<TestServiceOptions, "engine"> & { readonly engine?: Engine },
  action: (opened: ParksPage) => Promise<void>,
): Promise<void> {
  let current = engine;
  const renew = (other: Engine): void => {
    current = other;
  };
  const service = await startService(
    hostInProcess(() => current),
    { ...options, console: { folder: DIST } },
  );
  const network: ParksPage["network"] = { fault: () => undefined };
  const proxy = await startFaultyProxy(service.url, (requests) => network.fault(requests));
  try {
    const stored = await fetch(`${service.url}/v1/rulesets`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: JSON.stringify({
        name: "parks",
        sets: { parks: { sources: ["demo:parks"] } },
        checks: [{ id: "parks", set: "parks", outcome: "NON_COMPLIANT" }],
      }),
    });
    expect(stored.status).toBe(201);
    const address = `${proxy.url}/console/#key=${service.key}&ruleset=parks`;
    const watched = await openPage(browser, address, { locale: "en" });
    const map = new DrawnMap(watched);
    await map.settle();
    const scope = { organization: service.organization, mode: "test" } as const;
    const used = async (): Promise<number> => (await service.store.usage({ scope }))!.period.used;
    await action({ map, page: watched.page, service, proxy, network, renew, used });
    await watched.close();
  } finally {
    await proxy.close();
    await service.stop();
  }
}

/** Drops a text file on an element, like a user's drag and drop. */
async function dropOn(field: Locator, name: string, text: string): Promise<void> {
  const dataTransfer = await field.page().evaluateHandle(
    `((dragged) => {
      dragged.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
      return dragged;
    })(new DataTransfer())`,
  );
  await field.dispatchEvent("drop", { dataTransfer });
}

/** Tests of the demo's ruleset about land; the second case expects something false. */
const TESTS = `now: 2026-06-30T12:00:00Z
sources:
  demo:parks: { coverage: [BRA], collected_at: 2026-06-01T00:00:00Z, areas: [{ id: p1, box: [-59.1, -9.1, -59.0, -9.0] }] }
  demo:indigenous: { coverage: [BRA], collected_at: 2026-06-01T00:00:00Z, areas: [] }
  demo:clearing: { coverage: [BRA], collected_at: 2026-06-01T00:00:00Z, columns: { detected: date }, areas: [] }
groups: { "demo:protected": ["demo:parks", "demo:indigenous"] }
cases:
  - name: a plot in a park is refused
    plot: { box: [-59.05, -9.05, -59.04, -9.04] }
    expect: NON_COMPLIANT
  - name: a plot far away only warns
    plot: { box: [-61.05, -9.05, -61.04, -9.04] }
    expect: WARNING
`;

function listPlotNames(page: Page): Promise<string[]> {
  return page
    .locator("#plots")
    .getByText(/^Drawn \d$/)
    .allTextContents();
}

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  findChromium,
  NO_CHROMIUM,
  openBrowser,
  openPage,
  type WatchedPage,
} from "../../../tools/browser/browser.ts";
import { type DemoService, withDemoService } from "../../api/test/demo-service.ts";

const chromium = findChromium();
const root = join(import.meta.dirname, "../../..");
const ruleset = JSON.parse(readFileSync(join(root, "data/demo/forest-areas.json"), "utf8"));

describe("the map of the console", () => {
  let service: DemoService;
  let end: () => void;
  let ended: Promise<void>;
  let browser: Browser;

  beforeAll(async () => {
    if (chromium === undefined) return;
    await promisify(execFile)(process.execPath, [join(root, "apps/console/build.ts")]);
    service = await new Promise<DemoService>((resolve, reject) => {
      ended = withDemoService(async (started) => {
        expect((await started.ask("/v1/rulesets", ruleset)).status).toBe(201);
        const stopped = new Promise<void>((stop) => {
          end = stop;
        });
        resolve(started);
        await stopped;
      });
      ended.catch(reject);
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    if (chromium === undefined) return;
    await browser.close();
    end();
    await ended;
  });

  /** The page, its map drawn; closed with what it warned of and whom it asked looked at. */
  async function onPage(action: (map: DrawnMap) => Promise<void>, width = 1280): Promise<void> {
    const address = `${service.url}/console/#key=${service.key}&ruleset=${ruleset.name}`;
    const watched = await openPage(browser, address, { viewport: { width, height: 800 } });
    try {
      const map = new DrawnMap(watched);
      await map.settle();
      await action(map);
      expect(watched.requested.filter((url) => !url.startsWith(service.url))).toEqual([]);
      expect(watched.said.filter((text) => !/GPU stall|422|404/.test(text))).toEqual([]);
    } finally {
      await watched.close();
    }
  }

  it("takes a plot drawn with a pointer, and its verdict follows", async ({ skip }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    await onPage(async (map) => {
      await map.page.getByRole("button", { name: "Draw a plot" }).click();
      for (const [x, y] of [
        [0.45, 0.4],
        [0.6, 0.4],
        [0.6, 0.55],
        [0.45, 0.4],
      ] as const) {
        await map.click(x, y);
      }
      await map.isSaid("Plot Drawn 1 added.");
      await map.hasVerdict("Drawn 1");
      await map.page.getByRole("button", { name: "Delete" }).click();
      await map.isSaid("Plot Drawn 1 deleted.");
    });
  });

  it("takes the same plot drawn without a pointer, and takes corners back", async ({ skip }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    await onPage(async (map) => {
      const draw = map.page.getByRole("button", { name: "Draw a plot" });
      await draw.focus();
      await map.press("Enter", "Arrow keys move the map");
      await map.press("Enter", "Corner 1 set at");
      await map.press("ArrowRight", "°");
      await map.press("Space", "Corner 2 set at");
      await map.press("Backspace", "Corners left: 1");
      await map.press("Enter", "Corner 2 set at");
      await map.press("ArrowDown", "°");
      await map.press("Enter", "Corner 3 set at");
      await map.press("Enter", "Plot Drawn 1 added.");
      await map.hasVerdict("Drawn 1");
      await draw.focus();
      await map.press("Enter", "Arrow keys move the map");
      await map.press("Escape", "Cancelled. Nothing has changed.");
    });
  });

  it("hatches ground that a source does not cover, where the verdict says so", async ({ skip }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    await onPage(async (map) => {
      await map.enter("-34, -64", "-34, -63.98", "-34.02, -63.98");
      await map.hasVerdict("Drawn 1");
      expect(await map.page.locator(".check-state").allTextContents()).toContain("Open: not covered");
      await map.openInView();
      await map.inView.getByText(/^Not covered, or in part, at the plot Drawn 1/).waitFor();
      expect(await map.differsWithoutCoverage()).toBe(true);
      // The middle of Brazil is covered.
      await map.enter("-9, -58", "-9, -57.98", "-9.02, -57.98");
      await map.hasVerdict("Drawn 2");
      await map.inView.getByText("All sources of the ruleset cover the plot Drawn 2.").waitFor();
      expect(await map.differsWithoutCoverage()).toBe(false);
    });
  });

  it("shows on the map what is pointed at in the list, and in the list what is on the map", async ({
    skip,
  }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    await onPage(async (map) => {
      const [lon, lat] = await placeInPark(service);
      const d = 0.002;
      await map.enter(
        `${lat - d}, ${lon - d}`,
        `${lat - d}, ${lon + d}`,
        `${lat + d}, ${lon + d}`,
        `${lat + d}, ${lon - d}`,
      );
      await map.hasVerdict("Drawn 1");
      const evidence = map.page.locator("button.evidence").first();
      const name = await evidence.locator(".evidence-name").textContent();
      await map.settle();
      await map.openInView();
      const listed = map.inView.getByRole("button", { name: name!, exact: true }).first();
      await listed.waitFor();
      const before = await map.picture();
      await evidence.hover();
      await expect.poll(() => listed.getAttribute("aria-pressed")).toBe("true");
      await expect.poll(async () => (await map.picture()).equals(before)).toBe(false);
      await map.closeInView();
      await map.page.mouse.move(2, 2);
      await map.point(0.3, 0.5);
      await map.page.locator(".map-tip").getByText(name!).waitFor();
      await expect.poll(() => evidence.getAttribute("aria-pressed")).toBe("true");
      await map.page.getByRole("button", { name: "Zoom in" }).hover();
      await expect.poll(() => evidence.getAttribute("aria-pressed")).toBe("false");
    });
  });

  it("marks the faults of a plot at their places and mends them at a press", async ({ skip }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    await onPage(async (map) => {
      // Two sides cross.
      await map.enter("-9, -58", "-9.02, -57.98", "-9, -57.98", "-9.02, -58");
      const fault = map.page.locator("button.map-fault").first();
      await fault.waitFor();
      expect(await fault.getAttribute("aria-label")).toMatch(/^Fault 1 of \d+: .*cross/);
      await fault.focus();
      await map.page.keyboard.press("Enter");
      await map.page.locator(".map-fault-card").getByRole("button", { name: "Mend" }).press("Enter");
      await map.hasVerdict("Drawn 1");
      await expect.poll(() => map.page.locator("button.map-fault").count()).toBe(0);
    });
  });

  it("changes a plot corner by corner on a phone, and discards it", async ({ skip }) => {
    if (chromium === undefined) return skip(NO_CHROMIUM);
    await onPage(async (map) => {
      await map.enter("-9, -58", "-9, -57.98", "-9.02, -57.98");
      await map.isSaid("Plot Drawn 1 added.");
      await map.page.getByRole("button", { name: "Change" }).click();
      await map.isSaid("Drag corners");
      await map.page.getByRole("button", { name: "Cancel" }).click();
      await map.isSaid("Cancelled. Nothing has changed.");
      expect(await map.page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    }, 390);
  });
});

/** A place in the largest park of the demo. */
async function placeInPark(service: DemoService): Promise<readonly [number, number]> {
  const geometry = { type: "Polygon", coordinates: [box(-62, -12, -53, -5)] };
  const input = { input: { geometry }, reference_areas_source: "demo:parks" };
  const answer = await (await service.ask("/v1/intersections", input)).json();
  const { features } = answer as {
    features: { geometry: { type: string; coordinates: number[][][] } | null }[];
  };
  for (const { geometry: park } of features) {
    if (park?.type !== "Polygon") continue;
    const ring = park.coordinates[0]!;
    const lon = ring.reduce((sum, [x]) => sum + x!, 0) / ring.length;
    const lat = ring.reduce((sum, [, y]) => sum + y!, 0) / ring.length;
    const here = {
      input: {
        geometry: { type: "Polygon", coordinates: [box(lon - 0.05, lat - 0.05, lon + 0.05, lat + 0.05)] },
      },
    };
    const found = (await (await service.ask("/v1/intersections", here)).json()) as {
      features: { properties: { overlap_ratio: number } }[];
    };
    if (found.features.length === 1 && found.features[0]!.properties.overlap_ratio > 0.999) return [lon, lat];
  }
  throw new Error("no park has its middle to itself");
}

function box(west: number, south: number, east: number, north: number): number[][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** The map as somebody uses it. */
class DrawnMap {
  readonly page: Page;
  readonly inView: Locator;
  readonly #canvas: Locator;

  constructor({ page }: WatchedPage) {
    this.page = page;
    this.#canvas = page.locator(".map-canvas");
    this.inView = page.locator(".map-in-view");
  }

  /** Waits until all is drawn. */
  async settle(): Promise<void> {
    await this.page.locator('.map-canvas[aria-busy="false"]').waitFor();
  }

  /** Clicks at a place of the map, in parts of its width and height. */
  async click(x: number, y: number): Promise<void> {
    await this.point(x, y);
    await this.page.mouse.down();
    await this.page.mouse.up();
    // Two clicks within a moment and a place would be a double click.
    await this.page.waitForTimeout(350);
  }

  async point(x: number, y: number): Promise<void> {
    const { x: left, y: top, width, height } = (await this.#canvas.boundingBox())!;
    await this.page.mouse.move(left + width * x, top + height * y, { steps: 3 });
  }

  /** Presses a key and waits for what is said of it. */
  async press(key: string, said: string): Promise<void> {
    await this.page.keyboard.press(key);
    await this.isSaid(said);
  }

  async isSaid(text: string): Promise<void> {
    await this.page.locator("p.map-said[role=status]", { hasText: text }).waitFor({ state: "attached" });
  }

  /** Adds a plot by the form. */
  async enter(...corners: readonly string[]): Promise<void> {
    await this.page.getByRole("button", { name: "Coordinates" }).click();
    await this.page.getByLabel("Corners of the plot").fill(corners.join("\n"));
    await this.page.getByRole("button", { name: "Add the plot" }).click();
  }

  async hasVerdict(id: string): Promise<void> {
    const verdict = this.page.locator("#verdict");
    await verdict.getByText(id, { exact: true }).waitFor({ state: "attached" });
    await verdict.locator(".check").first().waitFor({ state: "attached" });
    await this.settle();
  }

  async openInView(): Promise<void> {
    if ((await this.inView.getAttribute("open")) === null) await this.inView.locator("summary").click();
  }

  async closeInView(): Promise<void> {
    if ((await this.inView.getAttribute("open")) !== null) await this.inView.locator("summary").click();
  }

  /** What the map shows in its left half, away from buttons and lists. */
  async picture(): Promise<Buffer> {
    const { x, y, width, height } = (await this.#canvas.boundingBox())!;
    const clip = { x: x + width * 0.05, y: y + height * 0.3, width: width * 0.35, height: height * 0.25 };
    return this.page.screenshot({ clip });
  }

  /** Whether the picture changes when coverage is switched off. */
  async differsWithoutCoverage(): Promise<boolean> {
    const coverage = this.page.locator(".map-legend-coverage input");
    await this.settle();
    await this.page.mouse.move(2, 2);
    await this.page.waitForTimeout(500);
    const shown = await this.picture();
    await coverage.uncheck();
    await this.page.waitForTimeout(500);
    const hidden = await this.picture();
    await coverage.check();
    return !shown.equals(hidden);
  }
}

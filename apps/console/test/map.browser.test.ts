import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../../../tools/browser/browser.ts";
import { ServedConsole } from "./served-console.ts";

describe.skipIf(findChromium() === undefined)("drawing on the console's map", () => {
  let served: ServedConsole | undefined;

  beforeAll(async () => {
    served = await ServedConsole.start();
  });
  afterAll(() => served?.stop());

  it("takes a plot drawn without a pointer, takes corners back, and deletes it", async () => {
    await served!.onMap(async (map) => {
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
      await map.page.getByRole("button", { name: "Delete" }).click();
      await map.isSaid("Plot Drawn 1 deleted.");
    });
  });

  it("marks the faults of a plot at their places and mends them at a press", async () => {
    await served!.onMap(async (map) => {
      // Two sides cross.
      await map.enter("-9, -58", "-9.02, -57.98", "-9, -57.98", "-9.02, -58");
      const fault = map.page.locator("button.map-fault").first();
      await fault.waitFor();
      expect(await fault.getAttribute("aria-label")).toMatch(/^Fault 1 of \d+: .*cross/);
      // The sides cross in the middle of the plot, where its name is.
      const line = () =>
        fault.evaluate((mark) => Number.parseFloat(mark.style.getPropertyValue("--fault-line")));
      await expect.poll(line, { timeout: 10_000 }).toBeGreaterThanOrEqual(10);
      await fault.focus();
      await map.page.keyboard.press("Enter");
      await map.page.locator(".map-fault-card").getByRole("button", { name: "Fix shape" }).press("Enter");
      await map.hasVerdict("Drawn 1");
      await expect.poll(() => map.page.locator("button.map-fault").count()).toBe(0);
    });
  });

  it("changes a plot corner by corner on a phone, and discards it", async () => {
    await served!.onMap(
      async (map) => {
        await map.enter("-9, -58", "-9, -57.98", "-9.02, -57.98");
        await map.isSaid("Plot Drawn 1 added.");
        await map.page.getByRole("button", { name: "Edit shape", exact: true }).click();
        await map.isSaid("Drag corners");
        await map.page.getByRole("button", { name: "Cancel" }).click();
        await map.isSaid("Cancelled. Nothing has changed.");
        expect(await map.page.evaluate("document.documentElement.scrollWidth")).toBe(390);
        // The view in words is a panel of its own, which covers nothing of the map.
        await map.page.getByRole("button", { name: "In view", exact: true }).click();
        await map.inView.getByText(/^The centre of the map is at/).waitFor();
        const top = (await map.inView.boundingBox())!.y;
        const { y, height } = (await map.page.locator(".map-canvas").boundingBox())!;
        expect(top).toBeGreaterThanOrEqual(y + height);
      },
      { width: 390 },
    );
  });

  it("says of a source who published it, from when and for where it is, and which checks use it", async () => {
    await served!.onMap(async ({ page }) => {
      const source = page.locator(".source", { hasText: "Fictional protected areas" });
      await source.locator(".source-facts").waitFor();
      expect(await source.locator("summary").textContent()).toMatch(
        /110 areas · collected Oct \d+, 2026 · Brazil, Côte d’Ivoire, Indonesia$/,
      );
      await source.locator("summary").click();
      await source.locator(".source-covered").waitFor();
      expect(await source.locator(".source-covered").getAttribute("d")).toMatch(/^M\d/);
      const rows = await source.locator("dl > div").allTextContents();
      expect(rows.join("\n")).toMatch(/Edition[0-9a-f]{8}/);
      expect(rows.at(-1)).toMatch(/^Used by \d checks?./);
    });
  });

  it.each([
    ["land that a source does not cover, from far off", "-110,49,3.6", true],
    ["no sea", "-18,-18,4", false],
    ["no land far from plots, from close by", "-110,49,11", false],
  ])("hatches %s", async (_, place, isHatched) => {
    const view = `view=${place}`;
    await served!.onMap(async (map) => expect(await map.differsWithoutCoverage()).toBe(isHatched), {
      view,
      isSharp: true,
    });
  });

  it("hatches near a plot that no source covers, from close by", async () => {
    await served!.onMap(
      async (map) => {
        await map.enter("49, -110", "49, -109.98", "48.98, -109.98");
        await map.hasVerdict("Drawn 1");
        expect(await map.differsWithoutCoverage()).toBe(true);
      },
      { isSharp: true },
    );
  });
});

import type { Locator, Page } from "playwright-core";
import type { WatchedPage } from "../../../tools/browser/browser.ts";

/** The map as used by a person. */
export class DrawnMap {
  readonly page: Page;
  readonly inView: Locator;
  readonly #canvas: Locator;

  constructor({ page }: WatchedPage) {
    this.page = page;
    this.#canvas = page.locator(".map-canvas");
    this.inView = page.locator(".map-in-view");
  }

  /** Waits until everything is drawn. */
  async settle(): Promise<void> {
    await this.page.locator('.map-canvas[aria-busy="false"]').waitFor();
  }

  /** Clicks at a place of the map, as fractions of its width and height. */
  async click(x: number, y: number): Promise<void> {
    await this.point(x, y);
    await this.page.mouse.down();
    await this.page.mouse.up();
    // Two clicks close together in time and place would be a double click.
    await this.page.waitForTimeout(350);
  }

  async point(x: number, y: number): Promise<void> {
    const { x: left, y: top, width, height } = (await this.#canvas.boundingBox())!;
    await this.page.mouse.move(left + width * x, top + height * y, { steps: 3 });
  }

  /** Presses a key and waits for the announcement. */
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
    // The word of an answer; while waiting, the banner has only the plot's name.
    const verdict = this.page.locator("#verdict .verdict-banner", { hasText: id });
    await verdict.waitFor({ state: "attached" });
    await this.settle();
  }

  async openInView(): Promise<void> {
    if ((await this.inView.getAttribute("open")) === null) await this.inView.locator("summary").click();
  }

  async closeInView(): Promise<void> {
    if ((await this.inView.getAttribute("open")) !== null) await this.inView.locator("summary").click();
  }

  /** A picture of the map's left half, away from buttons and lists. */
  async picture(): Promise<Buffer> {
    const { x, y, width, height } = (await this.#canvas.boundingBox())!;
    const clip = { x: x + width * 0.05, y: y + height * 0.3, width: width * 0.35, height: height * 0.25 };
    return this.page.screenshot({ clip });
  }

  /** True if the picture changes when coverage is switched off. */
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

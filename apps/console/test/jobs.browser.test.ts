import { readFileSync } from "node:fs";
import type { JobResponse } from "@groundrule/contract";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../../../tools/browser/browser.ts";
import { ServedConsole } from "./served-console.ts";

let console: ServedConsole;

beforeAll(async () => {
  console = await ServedConsole.start();
});
afterAll(async () => {
  await console.stop();
});

/** More than the number from which the service's job is offered. */
const PLOTS = 1_500;
const ALL = PLOTS.toLocaleString("en");

/** Opens a file of plots: the first crosses itself, and the second is a point with its hectares. */
async function openPlots(page: Page): Promise<void> {
  const features = Array.from({ length: PLOTS }, (_, i) => {
    const [x, y] = [-56 + (i % 50) * 0.01, -7 + Math.floor(i / 50) * 0.01];
    const ring = [[x, y], [x + 0.005, y], [x + 0.005, y + 0.005], [x, y + 0.005], [x, y]]; // biome-ignore format: a ring
    if (i === 0) [ring[1], ring[2]] = [ring[2]!, ring[1]!];
    const geometry =
      i === 1 ? { type: "Point", coordinates: [x, y] } : { type: "Polygon", coordinates: [ring] };
    return { type: "Feature", properties: { id: `plot ${i + 1}`, ...(i === 1 && { Area: 3 }) }, geometry };
  });
  await page.locator(".plots input[type=file]").setInputFiles({
    name: "many.geojson",
    mimeType: "application/geo+json",
    buffer: Buffer.from(JSON.stringify({ type: "FeatureCollection", features })),
  });
  await page.locator(`.plots-line[aria-setsize="${PLOTS}"]`).first().waitFor();
}

async function sendJob(page: Page): Promise<string> {
  await page.getByRole("button", { name: `Check ${ALL} plots` }).click();
  await page.getByRole("button", { name: "Run on the service (goes on when you close the page)" }).click();
  await expect.poll(() => page.url()).toContain("job=");
  return new URLSearchParams(new URL(page.url()).hash.slice(1)).get("job")!;
}

/** True once the browser's database has a list. */
const IS_KEPT = `new Promise((resolve) => {
  indexedDB.open("groundrule").onsuccess = ({ target: { result } }) => {
    result.transaction("entries").objectStore("entries").count().onsuccess = ({ target }) => {
      result.close();
      resolve(target.result > 0);
    };
  };
})`;

async function findJob(id: string): Promise<JobResponse["data"]> {
  return ((await (await console.service.ask(`/v1/jobs/${id}`)).json()) as JobResponse).data;
}

async function countUsed(): Promise<number> {
  const usage = (await (await console.service.ask("/v1/usage")).json()) as {
    readonly data: { readonly used: number };
  };
  return usage.data.used;
}

describe.skipIf(findChromium() === undefined)("a job of the service", () => {
  it("goes on while the page is closed, is followed by its address without the key, and gives the verdicts that single requests give", async () => {
    await console.onMap(async ({ page }) => {
      page.on("dialog", (dialog) => void dialog.accept());
      await openPlots(page);
      const usedBefore = await countUsed();
      await page.locator(".plots-more summary").click();
      await page.locator(".plots-keep input").check();
      await expect.poll(() => page.evaluate(IS_KEPT)).toBe(true);
      const id = await sendJob(page);
      expect(page.url()).not.toContain("key");
      await page.reload();
      expect((await findJob(id)).status).toMatch(/^(?:queued|running)$/);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("API key").fill(console.service.key);
      await dialog.getByRole("button", { name: "Connect" }).click();
      await page.locator(".plots-kept").getByRole("button", { name: "Restore" }).click();
      const job = page.locator(".plots-job");
      await job.getByText("The service has checked the plots.").waitFor();
      await job.getByText(`${ALL} of ${ALL} checked.`).waitFor();
      await job.getByRole("button", { name: "Close" }).click();
      await expect.poll(() => page.url()).not.toContain("job=");
      await expect.poll(() => page.locator(".standing-new, .standing-asking").count()).toBe(0);
      expect((await findJob(id)).invalid).toBe(1);
      expect((await countUsed()) - usedBefore).toBe(PLOTS - 1);

      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "GeoJSON" }).click(),
      ]);
      const { features } = JSON.parse(readFileSync(await saved.path(), "utf8"));
      expect(features).toHaveLength(PLOTS);
      expect(features[0].properties.groundrule).toMatchObject({ code: "GEOMETRY_INVALID" });
      for (const i of [1, 2, PLOTS - 1]) {
        const { geometry, properties } = features[i];
        const input = { geometry, ...(i === 1 && { area_ha: 3 }) };
        const single = await console.service.ask("/v1/evaluate", { input, ruleset_id: "forest-areas" }, { "Idempotency-Key": `single-${i}` }); // biome-ignore format: a request
        const { data } = (await single.json()) as { readonly data: { readonly digest: string } };
        expect(properties.groundrule.digest, properties.id).toBe(data.digest);
      }
    });
  });

  it("is cancelled on request: plots with a result keep it, and the others are not checked", async () => {
    await console.onMap(async ({ page }) => {
      await openPlots(page);
      const id = await sendJob(page);
      const job = page.locator(".plots-job");
      await job.getByRole("button", { name: "Cancel" }).click();
      await job.getByText("The job was cancelled.").waitFor();
      expect((await findJob(id)).status).toBe("cancelled");
      await job.getByRole("button", { name: "Close" }).click();
      const lines: { readonly status: string }[] = [];
      for (const from of [0, 1_000]) {
        const page = await console.service.ask(`/v1/jobs/${id}/results?from=${from}&limit=1000`);
        for (const line of (await page.text()).trim().split("\n")) lines.push(JSON.parse(line));
      }
      const left = lines.filter(({ status }) => status === "cancelled").length;
      expect([lines.length, left > 0]).toEqual([PLOTS, true]);
      await page.getByRole("button", { name: `Check ${left.toLocaleString("en")} plots` }).waitFor();
    });
  });
});

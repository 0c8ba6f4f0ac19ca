import { createBoxPositions } from "@groundrule/testing/shapes";
import type { FeatureCollection, MultiPolygon, Polygon } from "geojson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateDemo } from "../../../data/demo/generate.ts";
import { findChromium } from "../../../tools/browser/browser.ts";
import type { DemoService } from "../../api/test/demo-service.ts";
import { ServedConsole } from "./served-console.ts";

describe.skipIf(findChromium() === undefined || process.env.GROUNDRULE_FULL === undefined)(
  "areas and coverage on the console's map",
  () => {
    let served: ServedConsole | undefined;

    beforeAll(async () => {
      served = await ServedConsole.start();
    });
    afterAll(() => served?.stop());

    it("hatches ground that a source does not cover, as the verdict states", async () => {
      await served!.onMap(async (map) => {
        await map.enter("-34, -64", "-34, -63.98", "-34.02, -63.98");
        await map.hasVerdict("Drawn 1");
        expect(await map.page.locator(".check-state").allTextContents()).toContain("Open: not covered");
        await map.openInView();
        await map.inView.getByText(/^Sources that do not cover all of plot Drawn 1/).waitFor();
        expect(await map.differsWithoutCoverage()).toBe(true);
        // The middle of Brazil is covered.
        await map.enter("-9, -58", "-9, -57.98", "-9.02, -57.98");
        await map.hasVerdict("Drawn 2");
        await map.inView.getByText("All sources of the ruleset cover plot Drawn 2.").waitFor();
        expect(await map.differsWithoutCoverage()).toBe(false);
      }, SHARP);
    });

    it("shows on the map what is pointed at in the list, and in the list what is on the map", async () => {
      await served!.onMap(async (map) => {
        const [lon, lat] = await placeInPark(served!.service);
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
      }, SHARP);
    });
  },
);

/** The tests compare pixels. */
const SHARP = { isSharp: true };

/** A place well within one park of the demo and in nothing else. */
async function placeInPark(service: DemoService): Promise<readonly [number, number]> {
  const parks = generateDemo().sources.find(({ manifest }) => manifest.source_name === "demo:parks")!;
  const { features } = JSON.parse(parks.text) as FeatureCollection<Polygon | MultiPolygon>;
  for (const { geometry } of features) {
    if (geometry.type !== "Polygon") continue;
    const ring = geometry.coordinates[0]!;
    const lon = ring.reduce((sum, [x]) => sum + x!, 0) / ring.length;
    const lat = ring.reduce((sum, [, y]) => sum + y!, 0) / ring.length;
    const around = {
      type: "Polygon",
      coordinates: [createBox(lon - 0.02, lat - 0.02, lon + 0.02, lat + 0.02)],
    };
    const answer = await service.ask("/v1/intersections", { input: { geometry: around } });
    const found = ((await answer.json()) as FeatureCollection).features.map(({ properties }) => properties);
    const [only, ...others] = found.filter((each) => DRAWN.includes(each?.source_name));
    if (others.length === 0 && only?.overlap_ratio > 0.999) return [lon, lat];
  }
  throw new Error("no park has its middle to itself");
}

/** The sources of the ruleset, which the map shows. */
const DRAWN = ["demo:parks", "demo:indigenous", "demo:clearing"];

function createBox(west: number, south: number, east: number, north: number): number[][] {
  return createBoxPositions(west, south, east, north);
}

import { validateStyleMin } from "@maplibre/maplibre-gl-style-spec";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../../../tools/browser/browser.ts";
import type { DrawnMap } from "./drawn-map.ts";
import { ServedConsole } from "./served-console.ts";
import { type Colour, LAND, NAMES, RELIEF, type StyleServer, serveBaseMapStyle } from "./style-server.ts";

const VIEW = "bbox=10,0,20,10";
const MISSING = "The base map could not be loaded.";

describe.skipIf(findChromium() === undefined || process.env.GROUNDRULE_FULL === undefined)(
  "a base map of the operator's choice",
  () => {
    let server: StyleServer;
    let served: ServedConsole | undefined;

    beforeAll(async () => {
      server = await serveBaseMapStyle();
      const style = `${server.origin}/maps/style.json`;
      served = await ServedConsole.start("--console-style", style, "--console-tiles-attribution", "© Blocks");
    });
    afterAll(async () => {
      await served?.stop();
      await server.close();
    });

    it("is fetched from its server and drawn with its attribution, and the page may connect to no other", async () => {
      const { origin, style, requested } = server;
      expect(validateStyleMin(style)).toEqual([]);
      await served!.onMap(
        async (map) => {
          await expect.poll(() => areColoursVisible(map, RELIEF, LAND, NAMES)).toEqual([true, true, true]);
          const starts = [
            "/maps/style.json",
            "/relief/",
            "/tiles/",
            "/maps/fonts/Block Regular/",
            "/maps/sprite.png",
          ];
          expect(starts.filter((start) => !requested.some((path) => path.startsWith(start)))).toEqual([]);
          const credit = await map.page.locator(".maplibregl-ctrl-attrib").textContent();
          expect(credit).toContain("Relief of the survey");
          expect(credit).toContain("© Blocks");
          expect(await map.page.getByText(MISSING).count()).toBe(0);
        },
        { view: VIEW, also: origin, isSharp: true },
      );
      const answer = await fetch(`${served!.service.url}/console/`);
      const policy = answer.headers.get("content-security-policy")!.split("; ");
      expect(policy.filter((rule) => rule.includes(origin)).toSorted()).toEqual([
        `connect-src 'self' ${origin}`,
        `img-src 'self' blob: data: ${origin}`,
      ]);
      expect(policy.join().replaceAll(origin, "")).not.toContain("http");
    });

    it("is not followed to a third server, and the page reports what is missing", async () => {
      const third = await serveBaseMapStyle();
      server.relief = third.origin;
      try {
        await served!.onMap(
          async (map) => {
            await map.page.getByText(MISSING).waitFor();
            await expect.poll(() => areColoursVisible(map, LAND, RELIEF)).toEqual([true, false]);
          },
          // The browser tells of each request that the page's policy refused.
          {
            view: VIEW,
            also: server.origin,
            isSharp: true,
            expected: /Content Security Policy|Fetch API cannot load/,
            refused: third.origin,
          },
        );
        expect(third.requested).toEqual([]);
      } finally {
        server.relief = server.origin;
        await third.close();
      }
    });

    it.each([
      ["has its style alone", 1280],
      ["is gone", 390],
    ])(
      "whose server %s leaves a page that evaluates plots and reports what is missing",
      async (how, width) => {
        if (how === "is gone") await server.close();
        else server.failing = /relief|tiles|fonts|sprite/;
        await served!.onMap(
          async (map) => {
            await map.page.getByText(MISSING).waitFor();
            await map.enter("-9, -58", "-9, -57.98", "-9.02, -57.98");
            await map.hasVerdict("Drawn 1");
          },
          { width, also: server.origin, expected: /ERR_CONNECTION_REFUSED|status of 503|AJAXError|sprite/ },
        );
      },
    );
  },
);

/** True if each colour covers more than one pixel in five hundred of the map. */
async function areColoursVisible({ page }: DrawnMap, ...colours: readonly Colour[]): Promise<boolean[]> {
  const picture = await page.locator(".map-canvas").screenshot();
  const shares = await computePixelShares(page, picture.toString("base64"), colours);
  return shares.map((share) => share > 0.002);
}

/** The share of a picture's pixels with each colour, computed in the browser, which decodes PNG. */
function computePixelShares(page: Page, base64: string, colours: readonly Colour[]): Promise<number[]> {
  return page.evaluate<number[]>(`(async () => {
    const bytes = Uint8Array.from(atob("${base64}"), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
    return ${JSON.stringify(colours)}.map((colour) => {
      let found = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (colour.every((value, part) => Math.abs(data[i + part] - value) < 12)) found++;
      }
      return found / (data.length / 4);
    });
  })()`);
}

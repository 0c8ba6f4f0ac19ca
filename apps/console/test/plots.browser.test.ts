import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeFlatGeobuf } from "../../../packages/formats/test/flatgeobuf-file.ts";
import { encodeGeometryBlob, writeGeoPackage } from "../../../packages/formats/test/geopackage-file.ts";
import { writeGeoParquet } from "../../../packages/formats/test/geoparquet-file.ts";
import { encodeDbf, encodeShpAndShx } from "../../../packages/formats/test/write-shapefile.ts";
import { encodeZip } from "../../../packages/formats/test/write-zip.ts";
import { findChromium } from "../../../tools/browser/browser.ts";
import { PICTURES, ServedConsole } from "./served-console.ts";

let console: ServedConsole;

beforeAll(async () => {
  console = await ServedConsole.start();
});
afterAll(async () => {
  await console.stop();
});

/** A small square whose place follows from its number. */
function createSquare(number: number): { type: "Polygon"; coordinates: [number, number][][] } {
  const [west, south] = [-56 + (number % 100) * 0.01, -7 + Math.floor(number / 100) * 0.01];
  const [east, north] = [west + 0.002, south + 0.002];
  return { type: "Polygon", coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] }; // biome-ignore format: a ring
}

const features = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    type: "Feature",
    properties: { id: `plot ${i + 1}` },
    geometry: createSquare(i),
  }));

const collection = (features: readonly object[]): string =>
  JSON.stringify({ type: "FeatureCollection", features });

/** A system named by its text instead of a code: the names are loaded on demand. */
const UTM = 'PROJCS["mine",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000],PARAMETER["False_Northing",10000000],PARAMETER["Central_Meridian",-57],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0],UNIT["Meter",1]]'; // biome-ignore format: one line
const inUtm = {
  ...{ type: "Feature", properties: { id: "metres" }, crs: { type: "name", properties: { name: UTM } } },
  geometry: { type: "Polygon", coordinates: [[[610000, 9240000], [611000, 9240000], [611000, 9241000], [610000, 9240000]]] }, // biome-ignore format: a ring
};

function createFile(name: string, bytes: string | Uint8Array) {
  return { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
}

const choose = (page: Page, ...files: ReturnType<typeof createFile>[]) =>
  page.locator(".plots input[type=file]").setInputFiles(files);
const lines = (page: Page) => page.locator(".plots-line");
const line = (page: Page, id: string) => page.getByRole("option", { name: id, exact: false }).first();

async function waitForPlots(page: Page, count: number): Promise<void> {
  await page.locator(`.plots-line[aria-setsize="${count}"]`).first().waitFor();
}

function formatPlacemark(number: number): string {
  const ring = createSquare(number)
    .coordinates[0]!.map((position) => position.join(","))
    .join(" ");
  return `<Placemark><name>drawn ${number}</name><Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;
}

/** Creates in the page the data of a drag and drop. */
function formatTransferScript(files: readonly ReturnType<typeof createFile>[]): string {
  const sent = files.map(({ name, buffer }) => ({ name, base64: buffer.toString("base64") }));
  return `((sent) => {
    const dragged = new DataTransfer();
    for (const { name, base64 } of sent) {
      dragged.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    }
    return dragged;
  })(${JSON.stringify(sent)})`;
}

async function pasteText(page: Page, text: string): Promise<void> {
  // When there are plots, it is in the menu.
  const menu = page.locator(".plots-add:not([open]) summary");
  if ((await menu.count()) > 0) await menu.click();
  await page.locator(".plots-actions").getByRole("button", { name: "Paste" }).click();
  await page.getByLabel("Plots as text").fill(text);
  await page.getByRole("button", { name: "Add these plots" }).click();
}

/** A run of more than 100 plots states its cost before it starts. */
const MANY = process.env.GROUNDRULE_FULL === undefined ? 250 : 1000;
const MANY_SHOWN = MANY.toLocaleString("en");

describe.skipIf(findChromium() === undefined)("plots in the console", () => {
  it(`come out of a GeoPackage of ${MANY}, are all answered, filtered and taken along`, async () => {
    const path = join(console.service.dir, "plots.gpkg");
    const columns = { id: "TEXT", geom: "BLOB" };
    const rows = Array.from({ length: MANY }, (_, i) => [
      `plot ${i + 1}`,
      encodeGeometryBlob(createSquare(i)),
    ]);
    writeGeoPackage(path, [
      { name: "plots", geometryType: "POLYGON", columns, rows },
      { name: "others", geometryType: "POLYGON", columns, rows: [] },
    ]);
    await console.onMap(async ({ page }) => {
      await choose(page, createFile("plots.gpkg", readFileSync(path)));
      await page.getByRole("button", { name: "plots", exact: true }).click();
      await waitForPlots(page, MANY);
      await page.getByRole("button", { name: `Check ${MANY_SHOWN} plots` }).click();
      // The cost is told before it is incurred, and Escape leaves it at that.
      const cost = page.locator(".plots-cost");
      await cost
        .getByText(new RegExp(`^${MANY_SHOWN} plots need ${MANY_SHOWN} requests\\. [\\d,]+ are left until `))
        .waitFor();
      await page.keyboard.press("Escape");
      await cost.waitFor({ state: "detached" });
      await page.getByRole("button", { name: `Check ${MANY_SHOWN} plots` }).click();
      await cost.getByRole("button", { name: `Check ${MANY_SHOWN} plots` }).click();
      await page.locator(".plots-progress").waitFor({ state: "attached" });
      await page.locator(".plots-progress").waitFor({ state: "detached" });
      const counts = await page.locator(".summary-counts strong").allTextContents();
      expect(counts.reduce((sum, text) => sum + Number(text.replace(",", "")), 0)).toBe(MANY);
      expect(await page.locator(".standing-new, .standing-refused").count()).toBe(0);
      await page.getByLabel("Search", { exact: true }).fill(`plot ${MANY}`);
      await waitForPlots(page, 1);
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "GeoJSON" }).click(),
      ]);
      const taken = JSON.parse(readFileSync(await saved.path(), "utf8"));
      expect(taken.features).toHaveLength(MANY);
      expect(taken.features[MANY - 1].properties.groundrule.verdict).toMatch(/^[A-Z_]+$/);
      await saveScreenshot(page, "plots-1280");
    });
  });

  it("come out of a file of every format, dropped together, and a bad file sinks none", async () => {
    const shapes = encodeShpAndShx(5, [createSquare(3).coordinates.map((ring) => [...ring].reverse())]);
    const table = encodeDbf({ fields: [["id", "C", 10]], rows: [["shape"]] });
    await console.onMap(
      async ({ page }) => {
        await choose(
          page,
          createFile("one.geojson", collection(features(1))),
          createFile(
            "nonsense.bin",
            Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251),
          ),
          createFile(
            "packed.ndjson.gz",
            gzipSync(JSON.stringify({ ...features(2)[1], properties: { id: "packed" } })),
          ),
          createFile("table.csv", "id,lon,lat,Area\ntable,-55.9,-6.9,2\nwrong,x,-6.9,2\n"),
          createFile(
            "rows.ndjson",
            '{"name":"row","wkt":"POLYGON ((-55.9 -6.9,-55.8 -6.9,-55.8 -6.8,-55.9 -6.9))"}\n',
          ),
          createFile("metres.geojson", JSON.stringify(inUtm)),
          createFile("Shape.shp", shapes.shp),
          createFile("Shape.shx", shapes.shx),
          createFile("Shape.DBF", table),
          createFile(
            "names.geojson",
            JSON.stringify({ ...features(1)[0], properties: { id: "<img src=x onerror=alert(1)>" } }),
          ),
        );
        await waitForPlots(page, 8);
        const alert = page.locator(".plots-problem");
        expect(await alert.textContent()).toContain("nonsense.bin");
        expect(await alert.textContent()).toContain("FORMAT_UNKNOWN");
        for (const id of [
          "plot 1",
          "packed",
          "table",
          "wrong",
          "shape",
          "row",
          "metres",
          "<img src=x onerror=alert(1)>",
        ]) {
          expect(await line(page, id).count(), id).toBe(1);
        }
        await saveScreenshot(page, "plots-390");
      },
      { width: 390 },
    );
  });

  it("come out of files of every other format that are dropped on the page at once, beside a picture", async () => {
    const kml = Buffer.from(
      `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${[10, 11].map(formatPlacemark).join("")}</Document></kml>`,
    );
    const named = (number: number, id: string) => ({ id, geometry: createSquare(number) });
    const dropped = [
      createFile("drawn.kml", kml),
      createFile("packed.kmz", encodeZip([{ name: "doc.kml", bytes: kml }])),
      createFile("picture.png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")),
      createFile(
        "flat.fgb",
        encodeFlatGeobuf({
          geometryType: "Polygon",
          columns: [["id", "String"]],
          features: [20, 21, 22].map((number) => ({
            geometry: createSquare(number),
            values: [`flat ${number}`],
          })),
        }),
      ),
      createFile(
        "columns.parquet",
        writeGeoParquet([30, 31, 32, 33].map((number) => named(number, `columns ${number}`))),
      ),
    ];
    await console.onMap(async ({ page }) => {
      const dataTransfer = await page.evaluateHandle(formatTransferScript(dropped));
      await page.locator(".map-canvas").dispatchEvent("dragover", { dataTransfer });
      await page.locator(".app-drop").waitFor();
      await page.locator(".map-canvas").dispatchEvent("drop", { dataTransfer });
      await page.locator(".app-drop").waitFor({ state: "detached" });
      await waitForPlots(page, 11);
      await page.locator(".plots-reading").waitFor({ state: "detached" });
      expect(await page.locator(".plots-problem").allTextContents()).toEqual([
        expect.stringMatching(/picture\.png.*FORMAT_UNKNOWN/s),
      ]);
      for (const [id, count] of [
        ["drawn 10", 2],
        ["drawn 11", 2],
        ["flat 22", 1],
        ["columns 33", 1],
      ] as const) {
        expect(await page.getByRole("option", { name: id }).count(), id).toBe(count);
      }
      await page.locator(".plots-progress").waitFor({ state: "detached" });
      await page.locator(".standing-new, .standing-asking").waitFor({ state: "detached" });
      expect(await page.locator(".standing-refused").count()).toBe(0);
    });
  });

  it("come out of what is pasted: WKT, positions, GeoJSON", async () => {
    await console.onMap(async ({ page }) => {
      await pasteText(
        page,
        "POLYGON ((-55.9 -6.9, -55.8 -6.9,\n -55.8 -6.8, -55.9 -6.9))\nPOINT (-55.9 -6.9)",
      );
      await waitForPlots(page, 2);
      await pasteText(page, "-6.9, -55.9\n-6.9, -55.8\n-6.8, -55.8");
      await waitForPlots(page, 3);
      await pasteText(page, JSON.stringify(features(2)[1]));
      await waitForPlots(page, 4);
    });
  });

  it("are mended in one click where the service refuses their shape", async () => {
    const bow = [[-55.9, -6.9], [-55.8, -6.8], [-55.8, -6.9], [-55.9, -6.8], [-55.9, -6.9]]; // biome-ignore format: a ring
    await console.onMap(async ({ page }) => {
      await pasteText(page, JSON.stringify({ type: "Polygon", coordinates: [bow] }));
      await page.locator(".verdict").getByText("This plot's outline crosses itself").waitFor();
      await page.locator(".map-fault").first().waitFor({ state: "attached" });
      await page.locator(".verdict").getByRole("button", { name: "Fix shape" }).click();
      await page.locator(".verdict-banner").waitFor();
    });
  });

  it("show what the checker finds of them: land that two share, with its mend, in words of the page", async () => {
    const [west, south] = [-56.5, -7.5];
    const squareAt = (x: number, isReversed: boolean) => {
      const ring = [[x, south], [x + 0.01, south], [x + 0.01, south + 0.01], [x, south + 0.01], [x, south]]; // biome-ignore format: a ring
      return { type: "Polygon", coordinates: [isReversed ? ring.reverse() : ring] };
    };
    const named = ["left", "right", "turned"].map((id, i) => ({
      type: "Feature",
      properties: { id },
      geometry: squareAt(west + [0, 0.005, 0.1][i]!, id === "turned"),
    }));
    await console.onMap(async ({ page }) => {
      await choose(page, createFile("shared.geojson", collection(named)));
      const marks = page.locator(".plots-findings");
      await expect.poll(() => marks.count()).toBe(3);
      const found = page.locator(".verdict-findings");
      await line(page, "left").click();
      await found.getByText("PLOTS_OVERLAP").waitFor({ state: "attached" });
      expect(await found.textContent()).toMatch(/Two plots overlap.*right: [\d.,]+ (?:ha|m²)/);
      await line(page, "turned").click();
      await found.getByText("WINDING_REVERSED").waitFor({ state: "attached" });
      await page.locator(".app-settings select").nth(0).selectOption("pt");
      await found.getByText("sentido anti-horário").waitFor();
      await page.locator(".verdict").getByRole("button", { name: "Corrigir" }).click();
      await expect.poll(() => marks.count()).toBe(2);
      await page.locator(".plots-problems").getByRole("button", { name: "2 com avisos" }).click();
      await waitForPlots(page, 2);
      await page.locator(".plots-pill").click();
      await waitForPlots(page, 3);
      await saveScreenshot(page, "findings-1280");

      const [swapped] = squareAt(-55, false).coordinates.map((ring) => ring.map(([x, y]) => [y, x]));
      const geometry = { type: "Polygon", coordinates: [swapped] };
      const feature = { type: "Feature", properties: { id: "swapped", country: "BR", Area: 90 }, geometry };
      await choose(page, createFile("swapped.geojson", JSON.stringify(feature)));
      await line(page, "swapped").click();
      await found.getByText("Lugar como está escrito: mar; com elas trocadas: Brasil.").waitFor();
      await page.locator(".verdict").getByRole("button", { name: "Trocar longitude e latitude" }).click();
      // In its place, the plot has an area, which is not the declared one.
      await found.getByText(/Área declarada: 90,00 ha; medida: 1\d\d,\d\d ha \(\+\d+ %\)/).waitFor();
      expect(await found.textContent()).not.toContain("AXES_SWAPPED");
    });
  });

  it("in the sea are not covered, which is no breach: on the card, in the summary, the CSV and the portfolio", async () => {
    const seas = [-30, -28].map((x) => ({
      type: "Feature",
      properties: { id: `sea ${-x}` },
      geometry: { type: "Polygon", coordinates: [[[x, -20], [x + 0.01, -20], [x, -19.99], [x, -20]]] }, // biome-ignore format: a ring
    }));
    await console.onMap(async ({ page }) => {
      await choose(page, createFile("sea.geojson", collection(seas)));
      const verdict = page.locator("#verdict");
      const reasons = verdict.locator(".summary-reasons li");
      await reasons.first().waitFor();
      expect(await reasons.allTextContents()).toEqual(["Not decided (not covered)2"]);
      const save = async (name: string): Promise<string> => {
        const saved = page.waitForEvent("download");
        await verdict.getByRole("button", { name, exact: true }).click();
        return readFileSync(await (await saved).path(), "utf8");
      };
      const [head, ...rows] = (await save("CSV")).trim().split("\r\n");
      const at = head!.split(",").indexOf("open_because");
      for (const row of rows) expect(row.split(",")[at]).toMatch(/^(?:[\w-]+: coverage(?:; )?){3}$/);
      expect(await save("Portfolio report")).toMatch(/Not decided \(not covered\): <bdi>/);
      await line(page, "sea 30").click();
      await verdict.getByText("No source covers this plot. None of the 3 checks could be decided.").waitFor();
    });
  });

  it("fill fifteen rows of a list at 1440 by 900, named by a column, with those to fix apart and a far one on request", async () => {
    const thirty = features(30).map(({ geometry }, i) => ({
      type: "Feature",
      properties: { Producer: "Ana", Farm: `Farm ${i}` },
      geometry: i === 29 ? null : i === 28 ? { type: "Point", coordinates: [-70, -33] } : geometry,
    }));
    await console.onMap(
      async ({ page }) => {
        await choose(page, createFile("thirty.geojson", collection(thirty)));
        await waitForPlots(page, 30);
        await page.locator(".plots-problems").getByRole("button", { name: "1 plot to fix" }).click();
        await waitForPlots(page, 1);
        await line(page, "Farm 29").click();
        await page.locator(".verdict-findings").getByText("Add its corners, or remove it").waitFor();
        await page.locator(".plots-pill").click();
        await waitForPlots(page, 30);
        await page.getByRole("button", { name: "All 30 plots" }).click();
        const { height } = (await page.locator(".plots-list").boundingBox())!;
        expect(height / 36).toBeGreaterThanOrEqual(15);
        const far = page.locator(".map-far");
        await far.getByText("1 plot lies far from the others").waitFor();
        await far.getByRole("button", { name: "Show" }).click();
        await page.locator("#verdict").getByText("29 of 30").waitFor();
        await page.locator("#verdict-title").press("k");
        await page.locator("#verdict").getByText("28 of 30").waitFor();
        await page.getByLabel("Search", { exact: true }).fill("F-77");
        await page.getByText("No plot matches “F-77”.").waitFor();
        await page.getByRole("button", { name: "Clear" }).click();
        await waitForPlots(page, 30);
      },
      { width: 1440, height: 900 },
    );
  });

  it("show what is doubtful, with measure and bound in the language of the page, once that is chosen", async () => {
    const [x, y] = [-56.5, -7.5];
    const geometry = { type: "Polygon", coordinates: [[[x, y], [x + 0.01, y], [x, y + 0.01], [x, y]]] }; // biome-ignore format: a ring
    await console.onMap(async ({ page }) => {
      const feature = { type: "Feature", properties: { id: "triangle" }, geometry };
      await choose(page, createFile("triangle.geojson", JSON.stringify(feature)));
      await line(page, "triangle").click();
      await page.locator(".plots-more summary").click();
      await page.getByLabel("Also look for doubtful shapes, sizes and producers").check();
      const found = page.locator(".verdict-findings");
      await found.getByText("FEW_VERTICES").waitFor({ state: "attached" });
      expect(await found.textContent()).toMatch(/few vertices.*Measured: 61\.\d\d ha; bound: 10 ha\./);
      await page.locator(".app-settings select").nth(0).selectOption("es");
      await found.getByText("pocos vértices").waitFor();
      expect(await found.textContent()).toMatch(/Medido: 61,\d\d ha; límite: 10 ha\./);
      await saveScreenshot(page, "doubts-1280");
    });
  });

  it("ask the user for their place, if that is in doubt", async () => {
    await console.onMap(async ({ page }) => {
      await choose(page, createFile("swapped.csv", "id,lon,lat,Area\na,-6.9,-105.9,1\n"));
      await page.getByRole("button", { name: "Swap latitude and longitude" }).click();
      await page.locator(".verdict-banner, .verdict .problem").first().waitFor();
      await choose(page, createFile("metres.csv", "id,x,y,Area\nb,712000,9236000,1\n"));
      await page.getByLabel("Which one is it?").fill("31981");
      await page.getByRole("button", { name: "Use this system" }).click();
      await waitForPlots(page, 2);
    });
  });

  it("have the identifiers of a column that a person chooses, by keyboard too, until it is taken out again", async () => {
    await console.onMap(async ({ page }) => {
      const rows = ["id,lon,lat,Area,nome,CNPJ", "a,-55.9,-6.9,2,Ana,11222333000181", "b,-55.8,-6.9,2,Bia,"];
      await choose(page, createFile("owners.csv", `${rows.join("\n")}\n`));
      await waitForPlots(page, 2);
      await page.locator(".plots-columns > summary").click();
      const summary = page.getByText("Identifiers of owners or land");
      await summary.focus();
      await page.keyboard.press("Enter");
      const form = page.locator(".plots-identifier");
      expect(await form.getByLabel("Column").inputValue()).toBe("CNPJ");
      const kind = form.getByLabel("Kind of identifier");
      expect(await kind.inputValue()).toBe("br:cnpj");
      await kind.fill("cnpj");
      await form.getByLabel("Role").fill("owner");
      await page.keyboard.press("Enter");
      await form.getByRole("alert").getByText("Did you mean br:cnpj:owner?").waitFor();
      await saveScreenshot(page, "identifiers-1280");
      await kind.fill("br:cnpj");
      await page.keyboard.press("Enter");
      await page.getByText("“CNPJ” is read as br:cnpj:owner.").waitFor();
      await waitForPlots(page, 2);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "GeoJSON" }).first().click();
      const { features } = JSON.parse(readFileSync(await (await download).path(), "utf8"));
      expect(features.map((feature: { properties: object }) => feature.properties)).toMatchObject([
        { scheme: [{ type: "br:cnpj", value: "11222333000181", role: "owner" }] },
        { CNPJ: null },
      ]);
      await page.getByRole("button", { name: "Do not read “CNPJ” as br:cnpj:owner" }).click();
      await waitForPlots(page, 2);
      await expect.poll(() => page.locator(".plots-identifiers li").count()).toBe(0);
    });
  });

  it.runIf(process.env.GROUNDRULE_FULL !== undefined)(
    "stay responsive at 10,000, by pointer and by keyboard",
    async () => {
      await console.onMap(async ({ page }) => {
        await choose(page, createFile("many.geojson", collection(features(10_001))));
        await page.getByText("more than 10,000 plots").waitFor();
        await waitForPlots(page, 10_000);
        expect(await lines(page).count()).toBeLessThan(60);
        await page.getByRole("listbox", { name: "Plots" }).focus();
        await page.keyboard.press("End");
        await page.locator('.plots-line[aria-selected="true"][aria-posinset="10000"]').waitFor();
        await page.getByLabel("Search", { exact: true }).fill("plot 9999");
        await waitForPlots(page, 1);
      });
    },
  );
});

/** Pictures are stored on request, for inspection. */
async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}
